// talla-lab compare: what changed between two submissions.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app.hpp"
#include "base/json.hpp"
#include "lab_submit/compare.hpp"

namespace talla::lab {
namespace {

struct CompareOptions {
  std::string before, after;
};

Status run_compare(App& app, const CompareOptions& options) {
  TALLA_TRY(const auto changes, submit::compare(options.before, options.after));
  const auto majors =
      std::count_if(changes.begin(), changes.end(), [](const auto& one) { return one.major; });
  if (majors > 0) app.exit = exit_not_consistent;
  if (app.json) {
    json::Array list;
    for (const auto& one : changes)
      list.emplace_back(json::Object{
          {"major", one.major}, {"step", one.step}, {"what", one.what}, {"words", one.words}});
    fmt::print("{}\n", json::canonical(json::Object{{"changes", std::move(list)}}));
    return {};
  }
  for (const bool major : {true, false})
    for (const auto& one : changes)
      if (one.major == major)
        fmt::print("{} {}: {}: {}\n", major ? "major" : "minor", one.step, one.what, one.words);
  fmt::print("{} major and {} minor changes\n", majors,
             static_cast<std::ptrdiff_t>(changes.size()) - majors);
  return {};
}

}  // namespace

void add_compare(commandline::Command& root, App& app) {
  auto options = std::make_shared<CompareOptions>();
  auto* command = root.add_subcommand(
      "compare", "what changed between the folders of two runs of submit: major and minor");
  command->add_option("BEFORE", options->before, "folder of a run")->required();
  command->add_option("AFTER", options->after, "folder of a later one")->required();
  command->footer("Exit 0: nothing major changed; 3: something did.");
  command->callback([options, &app] {
    if (const auto done = run_compare(app, *options); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
