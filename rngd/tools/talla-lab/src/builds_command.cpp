// talla-lab builds: two builds of the same source, byte by byte.
#include <fmt/format.h>

#include <memory>

#include "app.hpp"
#include "lab_materials/builds.hpp"

namespace talla::lab {
namespace {

Status run_builds(App& app, const materials::BuildsWish& wish) {
  TALLA_TRY(const json::Value found, materials::compare_builds(wish));
  const json::Array& differences = found.find("differences")->array();
  if (!differences.empty()) app.exit = exit_not_consistent;
  if (app.json) {
    fmt::print("{}\n", json::canonical(found));
    return {};
  }
  for (const json::Value& one : differences)
    fmt::print("{}: {}: {}\n", one.find("name")->string(), one.find("what")->string(),
               one.find("words")->string());
  fmt::print("built by {} and by {}: {} files are the same, {} are not\n", wish.first_by,
             wish.second_by, found.find("files")->array().size(), differences.size());
  return {};
}

}  // namespace

void add_builds(commandline::Command& root, App& app) {
  auto wish = std::make_shared<materials::BuildsWish>();
  auto* command = root.add_subcommand(
      "builds", "two builds of the same source compared byte by byte: programs, or packages");
  command->add_option("FIRST", wish->first, "folder of a build")->required();
  command->add_option("SECOND", wish->second, "folder of another one")->required();
  command->add_option("--first-by", wish->first_by, "who built the first")->required();
  command->add_option("--second-by", wish->second_by, "who built the second")->required();
  command->add_option("--program", wish->programs,
                      "a program that is examined: a file of both must have its bytes");
  command->footer("Exit 0: every file is the same; 3: one is not, or a program is of neither.");
  command->callback([wish, &app] {
    if (const auto done = run_builds(app, *wish); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
