// talla-lab materials: the bill of materials of running programs, and which of its files changed.
#include <fmt/format.h>

#include <memory>

#include "app.hpp"
#include "base/json.hpp"
#include "certs/files.hpp"
#include "lab_materials/materials.hpp"

namespace talla::lab {
namespace {

struct MaterialsOptions {
  materials::MaterialsWish wish;
  std::string file;
  bool check = false;
};

Status write_bill(App& app, const MaterialsOptions& options) {
  TALLA_TRY(const json::Value bill, materials::materials_of(options.wish));
  TALLA_TRY_STATUS(certs::create_public_file(options.file, json::canonical(bill) + "\n"));
  const auto counts = materials::counts_of(bill);
  if (app.json) {
    json::Object said{{"files", counts.files},
                      {"out", options.file},
                      {"packages", counts.packages},
                      {"unknown_licences", counts.unknown_licences}};
    if (options.wish.tracker.empty()) {
      said.emplace("vulnerabilities", "not looked up");
    } else {
      said.emplace("vulnerabilities", counts.vulnerabilities);
    }
    fmt::print("{}\n", json::canonical(json::Value(std::move(said))));
    return {};
  }
  fmt::print("{}: {} files, {} packages, {} without a known licence; vulnerabilities: {}\n",
             options.file, counts.files, counts.packages, counts.unknown_licences,
             options.wish.tracker.empty() ? "not looked up"
                                          : fmt::format("{} known", counts.vulnerabilities));
  return {};
}

Status check_bill(App& app, const MaterialsOptions& options) {
  TALLA_TRY(const std::string text, certs::read_file(options.file));
  TALLA_TRY(const json::Value bill, json::parse(text));
  if (materials::files_of(bill).empty())
    return fail(materials::MaterialsErrc::materials_refused,
                options.file + ": no bill of talla-lab materials");
  json::Array list;
  for (const auto& one : materials::changed_of(bill)) {
    list.emplace_back(
        json::Object{{"package", one.package}, {"path", one.path}, {"what", "changed"}});
    if (!app.json)
      fmt::print("{}: changed{}\n", one.path, one.package.empty() ? "" : " (" + one.package + ")");
  }
  if (!list.empty()) app.exit = exit_not_consistent;
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Object{{"findings", std::move(list)}}));
  } else if (list.empty()) {
    fmt::print("every file that is here has the digest of the bill\n");
  }
  return {};
}

}  // namespace

void add_materials(commandline::Command& root, App& app) {
  auto options = std::make_shared<MaterialsOptions>();
  auto* command = root.add_subcommand(
      "materials",
      "the bill of materials (CycloneDX 1.6): programs, their libraries, packages, licences");
  command->add_option("FILE", options->file, "is written, and never overwritten")->required();
  auto* program = command->add_option(
      "--program", options->wish.programs,
      "a program that is examined; again for more (default: what the package installed)");
  auto* tracker = command->add_option(
      "--vulnerabilities", options->wish.tracker,
      "file of security-tracker.debian.org/tracker/data/json; without it they are not looked up");
  command
      ->add_flag("--check", options->check,
                 "write nothing: which files of the bill FILE have other bytes here now")
      ->excludes(program)
      ->excludes(tracker);
  command->footer("Exit 0: written, or nothing changed; 3: a file has other bytes.");
  command->callback([options, &app] {
    const Status done = options->check ? check_bill(app, *options) : write_bill(app, *options);
    if (!done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
