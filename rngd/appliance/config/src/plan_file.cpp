// Reads plan.toml, what a laboratory's run is to do.
#include "config/plan_file.hpp"

#include <filesystem>
#include <set>

#include "toml_reader.hpp"

namespace talla::rngd {
namespace {

constexpr std::int64_t plan_count_most = 100'000'000;

Status plan_laboratory(TomlReader reader, PlanFile::Laboratory& laboratory) {
  TALLA_TRY_STATUS(reader.text("name", laboratory.name, true));
  TALLA_TRY_STATUS(reader.text("key", laboratory.key));
  TALLA_TRY_STATUS(reader.text("key_name", laboratory.key_name, !laboratory.key.empty()));
  return reader.finish();
}

Status plan_device(TomlReader reader, PlanFile::Device& device) {
  TALLA_TRY_STATUS(reader.text("select", device.select));
  TALLA_TRY_STATUS(reader.text("raw", device.raw));
  TALLA_TRY_STATUS(reader.text("restarts", device.restarts));
  TALLA_TRY_STATUS(reader.text("settings", device.settings));
  TALLA_TRY_STATUS(reader.integer("assessed_millibits", device.assessed_millibits, 1, 8000));
  TALLA_TRY_STATUS(reader.integer("samples", device.samples, 1000, plan_count_most));
  TALLA_TRY_STATUS(reader.integer("rows", device.rows, 1, 100'000));
  TALLA_TRY_STATUS(reader.integer("columns", device.columns, 1, 100'000));
  TALLA_TRY_STATUS(reader.text("restart", device.restart));
  static const std::set<std::string> methods{"auto", "port-power", "port-reset", "reopen", "none"};
  if (!methods.contains(device.restart))
    return reader.refuse(reader.take("restart"), "restart",
                         "auto, port-power, port-reset, reopen or none is expected");
  TALLA_TRY_STATUS(reader.integer("iid_rounds", device.iid_rounds, 0, 1'000'000));
  TALLA_TRY_STATUS(reader.finish());
  if (device.select.empty() == device.raw.empty())
    return reader.refuse(reader.take("select"), "select",
                         "either a generator is selected or raw names what was collected of one");
  if (device.raw.empty() && !device.restarts.empty())
    return reader.refuse(reader.take("restarts"), "restarts", "goes with raw");
  return {};
}

Status plan_generator(TomlReader reader, PlanFile::Generator& generator) {
  TALLA_TRY_STATUS(reader.list("vectors", generator.vectors));
  TALLA_TRY_STATUS(reader.integer("bits", generator.bits, 0, plan_count_most * 10));
  constexpr std::uint32_t battery_bits_least = 1'000'000;
  if (generator.bits != 0 && generator.bits < battery_bits_least)
    return reader.refuse(reader.take("bits"), "bits", "0, or 1,000,000 and more are expected");
  return reader.finish();
}

Status plan_evidence(TomlReader reader, PlanFile::Evidence& evidence) {
  TALLA_TRY_STATUS(reader.list("programs", evidence.programs));
  TALLA_TRY_STATUS(reader.text("manifest", evidence.manifest));
  TALLA_TRY_STATUS(reader.list("signers", evidence.signers));
  TALLA_TRY_STATUS(reader.text("esv", evidence.esv));
  TALLA_TRY_STATUS(reader.text("vulnerabilities", evidence.vulnerabilities));
  TALLA_TRY_STATUS(reader.list("figures", evidence.figures));
  if (evidence.manifest.empty() != evidence.signers.empty())
    return reader.refuse(reader.take("signers"), "signers",
                         "goes with manifest: the verifier keys that must have signed it");
  return reader.finish();
}

Status plan_builds(TomlReader reader, PlanFile::Builds& builds) {
  TALLA_TRY_STATUS(reader.text("first", builds.first, true));
  TALLA_TRY_STATUS(reader.text("second", builds.second, true));
  TALLA_TRY_STATUS(reader.text("first_by", builds.first_by, true));
  TALLA_TRY_STATUS(reader.text("second_by", builds.second_by, true));
  return reader.finish();
}

Status plan_games(TomlReader& reader, PlanFile& plan) {
  constexpr std::size_t games_most = 200;
  const toml::node* list = reader.take("game");
  const toml::array* array = list == nullptr ? nullptr : list->as_array();
  if (array == nullptr || array->empty() || array->size() > games_most ||
      !array->is_homogeneous<toml::table>())
    return reader.refuse(list, "game", "a list [[game]] of 1 to 200 tables is expected");
  std::set<std::pair<std::string, std::string>> seen;
  for (const toml::node& node : *array) {
    TomlReader entry(*node.as_table(), reader.path(), "game.");
    PlanFile::Game game;
    TALLA_TRY_STATUS(entry.text("catalogue", game.catalogue, true));
    TALLA_TRY_STATUS(entry.text("game", game.game, true));
    TALLA_TRY_STATUS(entry.integer("results", game.results, 1, plan_count_most));
    TALLA_TRY_STATUS(entry.integer("first", game.first, 2, 1024));
    TALLA_TRY_STATUS(entry.list("parameters", game.parameters));
    TALLA_TRY_STATUS(entry.finish());
    if (!seen.emplace(game.catalogue, game.game).second)
      return entry.refuse(
          &node, "game", game.catalogue + " " + game.game + " stands here twice; once is expected");
    plan.games.push_back(std::move(game));
  }
  return {};
}

/// Only what stands in a name of a folder: letters, digits, `.`, `-`, `_`.
bool plan_name_valid(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.size() <= 100 &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") ==
             std::string_view::npos;
}

Status plan_names(const PlanFile& plan, const TomlReader& reader) {
  for (const auto& set : plan.generator.vectors) {
    if (!plan_name_valid(set))
      return reader.refuse(nullptr, "generator.vectors", set + " is no name of a folder");
  }
  for (const auto& game : plan.games) {
    if (!plan_name_valid(game.catalogue) || !plan_name_valid(game.game))
      return reader.refuse(nullptr, "game",
                           game.catalogue + " " + game.game +
                               ": ids of a catalogue and a game are expected, as "
                               "talla catalogue list has them");
  }
  if (plan.seed.size() != 64 ||
      plan.seed.find_first_not_of("0123456789abcdef") != std::string::npos)
    return reader.refuse(nullptr, "seed", "64 hex digits in small letters are expected");
  return {};
}

void plan_places(PlanFile& plan, const std::string& path) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  const auto place = [&](std::string& one) {
    if (!one.empty() && !one.starts_with("pkcs11:"))
      one = (folder / one).lexically_normal().string();
  };
  for (std::string* one : {&plan.tree, &plan.laboratory.key, &plan.device.raw,
                           &plan.device.restarts, &plan.evidence.manifest, &plan.evidence.esv,
                           &plan.evidence.vulnerabilities, &plan.builds.first, &plan.builds.second})
    place(*one);
  for (auto* list : {&plan.tests, &plan.evidence.programs, &plan.evidence.figures})
    for (std::string& one : *list) place(one);
  for (std::string* one : {&plan.tree, &plan.builds.first, &plan.builds.second})
    while (one->size() > 1 && one->back() == '/') one->pop_back();
}

}  // namespace

Result<PlanFile> parse_plan_file(std::string_view text, const std::string& path) {
  TALLA_TRY(const toml::table parsed, parse_toml(text, path));
  PlanFile plan;
  TomlReader reader(parsed, path, "");
  TALLA_TRY_STATUS(reader.text("title", plan.title, true));
  TALLA_TRY_STATUS(reader.text("tree", plan.tree, true));
  TALLA_TRY_STATUS(reader.list("tests", plan.tests));
  TALLA_TRY_STATUS(reader.text("seed", plan.seed, true));
  const auto table = [&](std::string_view key) -> Result<TomlReader> {
    static const toml::table none;
    TALLA_TRY(const toml::table* found, reader.table(key));
    return TomlReader(found == nullptr ? none : *found, path, std::string(key) + ".");
  };
  TALLA_TRY(auto laboratory, table("laboratory"));
  TALLA_TRY_STATUS(plan_laboratory(std::move(laboratory), plan.laboratory));
  if (parsed.contains("device")) {
    TALLA_TRY(auto device, table("device"));
    TALLA_TRY_STATUS(plan_device(std::move(device), plan.device));
  } else {
    static_cast<void>(reader.take("device"));
  }
  TALLA_TRY(auto generator, table("generator"));
  TALLA_TRY_STATUS(plan_generator(std::move(generator), plan.generator));
  TALLA_TRY(auto evidence, table("evidence"));
  TALLA_TRY_STATUS(plan_evidence(std::move(evidence), plan.evidence));
  if (parsed.contains("builds")) {
    TALLA_TRY(auto builds, table("builds"));
    TALLA_TRY_STATUS(plan_builds(std::move(builds), plan.builds));
  } else {
    static_cast<void>(reader.take("builds"));
  }
  TALLA_TRY_STATUS(plan_games(reader, plan));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(plan_names(plan, reader));
  plan_places(plan, path);
  return plan;
}

Result<PlanFile> load_plan_file(const std::string& path) {
  TALLA_TRY(const std::string text, read_text(path));
  return parse_plan_file(text, path);
}

}  // namespace talla::rngd
