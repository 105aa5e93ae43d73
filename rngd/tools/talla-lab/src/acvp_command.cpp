// talla-lab acvp: NIST's algorithm tests answered by the appliance's own modules.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app.hpp"
#include "base/json.hpp"
#include "certs/files.hpp"
#include "input.hpp"
#include "lab_acvp/acvp.hpp"

namespace talla::lab {
namespace {

constexpr std::size_t set_bytes_most = std::size_t{8} << 20;
constexpr std::size_t differences_shown = 20;

struct AcvpOptions {
  std::string prompt;
  std::string out;
  std::string keys;
  std::string check;
  bool registration = false;
  bool algorithms = false;
};

Result<std::string> set_text(const std::string& path) {
  auto input = Input::open(path);
  if (!input) return fail(acvp::AcvpErrc::acvp_refused, input.error().detail);
  auto bytes = input->read_all(set_bytes_most);
  if (!bytes) return fail(acvp::AcvpErrc::acvp_refused, bytes.error().detail);
  return std::string(as_text(*bytes));
}

Status answer_prompt(const App& app, const AcvpOptions& options, const acvp::Terms& terms,
                     const std::string& prompt) {
  TALLA_TRY(const std::string response, acvp::respond(prompt, terms));
  if (options.out.empty()) {
    fmt::print("{}", response);
    return {};
  }
  TALLA_TRY_STATUS(certs::create_public_file(options.out, response));
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Object{{"out", options.out}}));
  } else {
    fmt::print("written: {}\n", options.out);
  }
  return {};
}

void print_judgement(const App& app, const acvp::Judgement& judged) {
  if (app.json) {
    json::Array list;
    for (const auto& one : judged.differences)
      list.emplace_back(json::Object{{"tcId", one.test}, {"tgId", one.group}, {"what", one.what}});
    fmt::print("{}\n", json::canonical(json::Object{{"cases", judged.cases},
                                                    {"differences", std::move(list)},
                                                    {"not_judged", judged.not_judged}}));
    return;
  }
  const std::size_t shown = std::min(differences_shown, judged.differences.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& one = judged.differences[i];
    fmt::print("tgId {}, tcId {}: {}\n", one.group, one.test, one.what);
  }
  if (shown < judged.differences.size())
    fmt::print("... and {} more\n", judged.differences.size() - shown);
  if (judged.not_judged > 0)
    fmt::print("{} cases rest on a private key that is not in the file: not judged\n",
               judged.not_judged);
  fmt::print("{} of {} cases differ\n", judged.differences.size(), judged.cases);
}

Status run_prompt(App& app, const AcvpOptions& options) {
  TALLA_TRY(const std::string prompt, set_text(options.prompt));
  std::string projection;
  if (!options.keys.empty()) {
    TALLA_TRY(projection, set_text(options.keys));
  }
  std::unique_ptr<Progress> bar;
  const acvp::Terms terms{.projection = projection,
                          .progress = [&app, &bar](std::size_t done, std::size_t total) {
                            if (!bar) bar = std::make_unique<Progress>(app, "acvp", total);
                            bar->show(done);
                          }};
  if (options.check.empty()) return answer_prompt(app, options, terms, prompt);
  TALLA_TRY(const std::string answers, set_text(options.check));
  TALLA_TRY(const acvp::Judgement judged, acvp::judge(prompt, answers, terms));
  bar.reset();
  print_judgement(app, judged);
  if (!judged.differences.empty()) app.exit = exit_not_consistent;
  return {};
}

std::string named(std::string_view algorithm, std::string_view mode, std::string_view revision) {
  std::string out(algorithm);
  for (const std::string_view part : {mode, revision}) {
    if (!part.empty()) out += " " + std::string(part);
  }
  return out;
}

void print_algorithms(const App& app) {
  if (app.json) {
    json::Array in;
    for (const auto& one : acvp::answered())
      in.emplace_back(json::Object{{"algorithm", one.algorithm},
                                   {"mode", one.mode},
                                   {"module", one.module},
                                   {"revision", one.revision},
                                   {"vectors", one.vectors}});
    json::Array out;
    for (const auto& one : acvp::unanswered())
      out.emplace_back(json::Object{{"algorithm", one.algorithm},
                                    {"in_use", one.in_use},
                                    {"mode", one.mode},
                                    {"why", one.why}});
    fmt::print("{}\n", json::canonical(json::Object{{"answered", std::move(in)},
                                                    {"not_answered", std::move(out)}}));
    return;
  }
  fmt::print("answered, by which module:\n");
  for (const auto& one : acvp::answered())
    fmt::print("  {:<40} {}{}\n", named(one.algorithm, one.mode, one.revision), one.module,
               one.vectors.empty() ? "; no published sample for our parameters" : "");
  fmt::print("not answered, and why:\n");
  for (const auto& one : acvp::unanswered())
    fmt::print("  {:<40} {}\n", named(one.algorithm, one.mode, ""), one.why);
}

Status run_acvp(App& app, const AcvpOptions& options) {
  if (options.registration || options.algorithms) {
    if (!options.prompt.empty())
      return fail(acvp::AcvpErrc::acvp_refused,
                  "PROMPT: not together with --registration or --algorithms");
    if (options.algorithms) {
      print_algorithms(app);
    } else {
      fmt::print("{}", acvp::registration());
    }
    return {};
  }
  if (options.prompt.empty()) commandline::fail_required("PROMPT, --registration or --algorithms");
  return run_prompt(app, options);
}

}  // namespace

void add_acvp(commandline::Command& root, App& app) {
  auto& acvp = *root.add_subcommand(
      "acvp", "NIST's algorithm tests (ACVP) answered by the appliance's own modules");
  auto options = std::make_shared<AcvpOptions>();
  acvp.add_option("PROMPT", options->prompt, "prompt.json of a vector set, or -");
  acvp.add_option("--out,-o", options->out, "the response; never overwritten (else printed)");
  acvp.add_option("--keys", options->keys,
                  "internalProjection.json of a sample: sign with its keys, so that signatures can "
                  "be compared");
  acvp.add_option("--check", options->check,
                  "compare this response, or expectedResults.json, with what the modules say")
      ->excludes("--out");
  auto* registration =
      acvp.add_flag("--registration", options->registration, "what is registered with the server");
  acvp.add_flag("--algorithms", options->algorithms,
                "which algorithms are answered, by which module, and which not, and why")
      ->excludes(registration);
  acvp.footer("Exit 3: answers that were compared differ.");
  acvp.callback([&app, options] {
    const Status status = run_acvp(app, *options);
    if (!status) app.refuse({status.error().text()});
  });
}

}  // namespace talla::lab
