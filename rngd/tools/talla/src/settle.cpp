// talla settle: runs scenario files through the same engine and driver as a live table; offline.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>

#include "app.hpp"
#include "certs/openssl_hashes.hpp"
#include "games/catalogue.hpp"
#include "games/listing_words.hpp"
#include "games/refusal.hpp"
#include "games/scenario.hpp"

namespace talla::cli {

namespace {

struct SettleOptions {
  std::vector<std::string> files;
  std::string view;
  std::string catalogue_file;
  std::string language = "en";
  bool schema = false;
};

/// How a file is run, and in which words.
struct Settling {
  const games::CatalogueLookup& lookup;
  std::optional<games::Viewer> viewer;
  std::string language;
  bool details = true;  ///< all that came out; false: a line for each scenario
};

/// Where a scenario stands, and what it calls itself.
struct Where {
  std::string file;
  std::size_t line = 1;
  std::string name;
  std::string source;
  [[nodiscard]] std::string text() const { return file + ":" + std::to_string(line); }
  [[nodiscard]] std::string heading() const {
    return name + (name.empty() || source.empty() ? "" : " ") +
           (source.empty() ? "" : "[" + source + "]");
  }
};

struct Count {
  std::size_t passed = 0;
  std::size_t failed = 0;
};

Result<std::optional<games::Viewer>> viewer_of(const std::string& text) {
  if (text.empty()) return std::optional<games::Viewer>();
  games::Viewer viewer;
  if (text == "public") return std::optional(viewer);
  if (text == "inspector") {
    viewer.kind = games::Viewer::Kind::inspector;
    return std::optional(viewer);
  }
  viewer.kind = games::Viewer::Kind::seat;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), viewer.seat);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || viewer.seat < 1) {
    return fail(CliErrc::usage,
                "--view " + text + ": public, inspector or a seat number is expected");
  }
  return std::optional(viewer);
}

/// Catalogues by id: the built-in ones, and at most one file given by --catalogue-file.
Result<games::CatalogueLookup> lookup_of(const SettleOptions& options) {
  auto hashes = std::make_shared<certs::OpensslHashes>();
  auto known = std::make_shared<
      std::map<std::string, std::shared_ptr<const games::Catalogue>, std::less<>>>();
  if (!options.catalogue_file.empty()) {
    TALLA_TRY(const std::string text, read_file(options.catalogue_file));
    TALLA_TRY(const auto catalogue, games::load_catalogue(as_bytes(text), *hashes));
    known->emplace(catalogue->id, catalogue);
  }
  return games::CatalogueLookup(
      [hashes, known](std::string_view id) -> Result<std::shared_ptr<const games::Catalogue>> {
        if (const auto found = known->find(id); found != known->end()) return found->second;
        TALLA_TRY(auto catalogue, games::load_embedded(id, *hashes));
        known->emplace(std::string(id), catalogue);
        return catalogue;
      });
}

/// With --json: one object for each settlement, then one with carried state, needs, view and
///              verdict.
void emit(const App& app, const games::ScenarioOutcome& outcome, const Where& where,
          const Settling& run) {
  for (const games::Settlement& settlement : outcome.settlements)
    app.emit(games::to_json(settlement));
  json::Value rest = games::to_json(outcome, run.language);
  rest.object().erase("settlements");
  rest["file"] = where.file;
  rest["line"] = where.line;
  if (!where.name.empty()) rest["name"] = where.name;
  if (!where.source.empty()) rest["source"] = where.source;
  app.emit(rest);
}

std::string indented(const std::string& text) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = text.find('\n', begin);
    out += (out.empty() ? "  " : "\n  ") + text.substr(begin, end - begin);
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return out;
}

bool say_malformed(const App& app, const Error& refused, const Where& where, const Settling& run) {
  const auto detail = games::refusal_text(refused.code, refused.detail, run.language);
  json::Value error;
  error["error"] = std::string(refused.code);
  error["detail"] = detail;
  error["where"] = where.text();
  error["passed"] = false;
  app.emit(error);
  app.say(where.text() + ": " + std::string(refused.code) + ": " + detail);
  return false;
}

bool run_one(const App& app, const games::ScenarioLine& line, const std::string& file,
             const Settling& run) {
  Where where{file, line.line, {}, {}};
  if (!line.scenario) return say_malformed(app, line.scenario.error(), where, run);
  where.name = line.scenario->name;
  where.source = line.scenario->source;
  const games::ScenarioOutcome outcome =
      games::run_scenario(*line.scenario, run.lookup, run.viewer);
  const bool expected = !line.scenario->expect.empty() || line.scenario->expect_error.has_value();
  const bool passed = outcome.passed() && (expected || !outcome.error);
  const games::Words words(run.language);
  app.say(where.text() + (where.heading().empty() ? "" : "  " + where.heading()) +
          (expected || !passed ? "  " + words(passed ? "passed" : "failed") : ""));
  if (run.details) {
    emit(app, outcome, where, run);
    const auto text = games::to_text(outcome, run.language);
    if (!text.empty()) app.say(indented(text));
  } else if (!passed) {
    emit(app, outcome, where, run);
    app.say("  " + games::why_not(outcome, run.language));
  }
  return passed;
}

Result<Count> run_file(const App& app, const std::string& path, const Settling& run) {
  std::string text;
  if (path == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    TALLA_TRY(text, read_file(path));
  }
  Count count;
  for (const games::ScenarioLine& line : games::read_scenarios(text))
    ++(run_one(app, line, path, run) ? count.passed : count.failed);
  if (count.passed + count.failed == 0) return fail(CliErrc::file, path + ": holds no scenario");
  return count;
}

std::string count_text(const Count& count, const Settling& run) {
  const games::Words words(run.language);
  return std::to_string(count.passed) + " " + words("passed") + ", " +
         std::to_string(count.failed) + " " + words("failed");
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".json" || extension == ".jsonl"))
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<Count> run_folder(const App& app, const std::string& folder, Settling run) {
  run.viewer.reset();
  run.details = false;
  Count total;
  const auto files = files_of(folder);
  if (files.empty()) return fail(CliErrc::file, folder + ": holds no .json or .jsonl file");
  for (const std::string& file : files) {
    TALLA_TRY(const Count count, run_file(app, file, run));
    json::Value row;
    row["file"] = file;
    row["passed"] = count.passed;
    row["failed"] = count.failed;
    app.emit(row);
    app.say(file + ": " + count_text(count, run));
    total.passed += count.passed;
    total.failed += count.failed;
  }
  app.say(count_text(total, run));
  return total;
}

void run_settle(App& app, const SettleOptions& options) {
  if (options.schema) {
    std::cout << games::scenario_schema() << "\n";
    return;
  }
  if (options.files.empty()) {
    return app.refuse(
        {CliErrc::usage, "which scenario? give a file, a folder, or - for standard input"});
  }
  const auto viewer = viewer_of(options.view);
  if (!viewer) return app.refuse(viewer.error());
  const auto lookup = lookup_of(options);
  if (!lookup) return app.refuse(lookup.error());
  const Settling run{*lookup, *viewer, options.language, true};
  for (const std::string& path : options.files) {
    const bool folder = std::filesystem::is_directory(path);
    const auto count = folder ? run_folder(app, path, run) : run_file(app, path, run);
    if (!count) return app.refuse(count.error());
    if (count->failed > 0) app.exit = exit_refused;
  }
}

}  // namespace

void add_settle(commandline::Command& root, App& app) {
  auto options = std::make_shared<SettleOptions>();
  auto* command = root.add_subcommand(
      "settle",
      "run scenario files: bets, cards or draws in, settlements by the catalogue's rules out");
  command->add_option("FILE", options->files,
                      "scenario file (one JSON object, or JSON lines), folder of them, or -");
  command->add_option("--view", options->view,
                      "also print the view of: public, inspector, or a seat number");
  command->add_option("--catalogue-file", options->catalogue_file,
                      "a catalogue file (TOML) beside the built-in ones");
  command->add_option("--language", options->language, "es or en: results, hands and refusals")
      ->one_of({"es", "en"})
      ->capture_default_str();
  command->add_flag("--schema", options->schema, "print the JSON schema of a scenario");
  command->footer(
      "Exit code 0 when every scenario came out as its `expect` or `expect_error` says (or, "
      "without them, "
      "was not refused); 1 otherwise.\n"
      "Example: "
      "{\"catalogue\":\"es-1977\",\"game\":\"french-roulette\",\"table\":{\"currency\":\"ESP\","
      "\"unit\":1,"
      "\"min\":25},\n"
      "          "
      "\"steps\":[{\"bet\":{\"id\":\"b1\",\"seat\":1,\"kind\":\"rojo\",\"stake\":100}},{\"close\":"
      "true},{"
      "\"wheel\":\"3\"}]}");
  command->callback([&app, options] {
    app.language = options->language;
    run_settle(app, *options);
  });
}

}  // namespace talla::cli
