// talla-lab submit: a laboratory's run as one command, and what a folder of one is held against.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app.hpp"
#include "base/json.hpp"
#include "lab_submit/run.hpp"

namespace talla::lab {
namespace {

struct SubmitOptions {
  submit::RunWish run;
  std::string signer;
  bool check = false;
};

Status check_folder(App& app, const SubmitOptions& options) {
  TALLA_TRY(const auto found, submit::check({.out = options.run.out, .signer = options.signer}));
  json::Array list;
  for (const auto& one : found) {
    list.emplace_back(json::Object{{"path", one.path}, {"what", one.what}, {"words", one.words}});
    if (!app.json) fmt::print("{}: {}: {}\n", one.path, one.what, one.words);
  }
  if (app.json) fmt::print("{}\n", json::canonical(json::Object{{"findings", std::move(list)}}));
  if (!app.json && found.empty()) fmt::print("as the run left it\n");
  if (!found.empty()) app.exit = exit_not_consistent;
  return {};
}

Status run_plan(App& app, SubmitOptions& options) {
  if (options.run.plan.empty()) commandline::fail_required("--plan, or --check");
  if (!app.quiet)
    options.run.say = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  TALLA_TRY(const auto result, submit::run(options.run));
  auto judged = result.steps;
  if (!options.run.only.empty())
    std::erase_if(judged, [&](const auto& one) { return one.id != options.run.only; });
  app.exit = submit::exit_of(judged);
  if (app.json) {
    json::Array list;
    for (const auto& one : result.steps) {
      json::Object entry{{"step", one.id}, {"verdict", one.verdict}};
      if (!one.why.empty()) entry.emplace("why", one.why);
      list.emplace_back(std::move(entry));
    }
    fmt::print("{}\n", json::canonical(json::Object{{"manifest", result.manifest},
                                                    {"out", options.run.out},
                                                    {"steps", std::move(list)}}));
    return {};
  }
  for (const auto& one : judged)
    if (one.verdict != "passed")
      fmt::print("{}: {}{}\n", one.id, one.verdict, one.why.empty() ? "" : ": " + one.why);
  const auto passed = std::count_if(judged.begin(), judged.end(),
                                    [](const auto& one) { return one.verdict == "passed"; });
  fmt::print("{} of {} steps passed; manifest {}\n", passed, judged.size(), result.manifest);
  return {};
}

}  // namespace

void add_submit(commandline::Command& root, App& app) {
  auto options = std::make_shared<SubmitOptions>();
  auto* command = root.add_subcommand(
      "submit",
      "a laboratory's run: every step of a plan, from a device to the folder that is handed in");
  command->add_option("OUT", options->run.out, "folder of the run; made if it is not there")
      ->required();
  auto* plan = command->add_option(
      "--plan", options->run.plan,
      "what is to be done (TOML); a run that ended early goes on behind its last whole step");
  command->add_option("--only", options->run.only, "one step, as PART/NAME")->needs(plan);
  auto* check = command->add_flag("--check", options->check,
                                  "run nothing: hold OUT against its manifest, plan and steps");
  check->excludes(plan);
  command
      ->add_option("--signer", options->signer,
                   "with --check: verifier key that must have signed the manifest")
      ->needs(check);
  command->footer(
      "Exit 0: every step passed, or the folder is as the run left it; 1: a step failed or was not "
      "run; 3: one did not pass, or the folder was changed; 4: one has too little data.");
  command->callback([options, &app] {
    const Status done = options->check ? check_folder(app, *options) : run_plan(app, *options);
    if (!done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
