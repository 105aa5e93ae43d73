// talla-lab outcomes: results of games as players see them, against what they should be.
#include "outcomes.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "base/json.hpp"
#include "input.hpp"
#include "outcomes_read.hpp"
#include "plot_file.hpp"
#include "stats/plot/plot.hpp"

namespace talla::lab {
namespace {

struct OutcomesOptions : GameOptions {
  std::string file;
  std::string table;
  std::string plot;
  double family_error = 0.01;
};

/// The first line of a file of `talla-lab sample`, if it is one.
std::optional<json::Value> sample_manifest(const std::string& path) {
  constexpr std::string_view mark = "# {";
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return {};
  auto input = Input::open(path);
  if (!input) return {};
  const auto bytes = input->beginning();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(mark)) return {};
  auto parsed = json::parse(text.substr(2, std::min(text.find('\n'), text.size()) - 2));
  const json::Value* kind = parsed ? parsed->find("kind") : nullptr;
  if (kind == nullptr || !kind->is_string() || kind->string() != "talla-lab sample") return {};
  return std::move(*parsed);
}

std::string manifest_text(const json::Value& manifest, std::string_view key) {
  const json::Value* value = manifest.find(key);
  return value != nullptr && value->is_string() ? value->string() : "";
}

std::uint64_t manifest_number(const json::Value& manifest, std::string_view key) {
  const json::Value* value = manifest.find(key);
  return value != nullptr && value->is_integer() && value->integer() > 0
             ? static_cast<std::uint64_t>(value->integer())
             : 0;
}

/// What a sample's first line says of itself counts where nothing is asked; against it nothing may
/// be asked.
stats::Result<OutcomesOptions> with_manifest(OutcomesOptions options,
                                             const std::optional<json::Value>& manifest) {
  if (!manifest) {
    if (options.game.empty()) commandline::fail_required("--game, for " + options.file);
    return options;
  }
  const std::string game = manifest_text(*manifest, "outcomes");
  if (!options.game.empty() && options.game != game)
    return stats::refuse(
        fmt::format("{}: its first line says --game {}, not {}", options.file, game, options.game));
  options.game = game;
  if (options.first == 0) options.first = manifest_number(*manifest, "first");
  return options;
}

stats::Result<int> run_outcomes(const OutcomesOptions& asked, const App& app) {
  const auto manifest = sample_manifest(asked.file);
  auto completed = with_manifest(asked, manifest);
  if (!completed) return tl::unexpected(completed.error());
  const OutcomesOptions& options = *completed;
  auto game = make_game(options);
  if (!game) return tl::unexpected(game.error());
  OutcomeRun result;
  result.file = options.file;
  result.game = options.game;
  auto left_out = read_outcomes(app, options.file, options.table, **game);
  if (!left_out) return tl::unexpected(left_out.error());
  result.left_out = *left_out;
  result.rows = (*game)->rows();
  result.count = (*game)->count();
  if (manifest && manifest_number(*manifest, "count") != result.count)
    return stats::refuse(fmt::format("{}: its first line says {} results, {} are in it",
                                     options.file, manifest_number(*manifest, "count"),
                                     result.count));
  result.results = (*game)->results();
  result.family = stats::outcome::judge(result.rows);
  result.family_error = options.family_error;
  if (!options.plot.empty()) {
    auto written = write_plot(
        options.plot, (*game)->drawing(options.game + " from " + options.file, result.rows));
    if (!written) return tl::unexpected(written.error());
  }
  print_outcomes(app, result);
  if (!result.family.consistent(options.family_error)) return exit_not_consistent;
  return result.too_short() ? exit_more_data : exit_ok;
}

}  // namespace

std::optional<std::size_t> number_from(std::string_view text, std::size_t least, std::size_t most) {
  std::size_t value = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto read = std::from_chars(begin, end, value);
  if (text.empty() || read.ec != std::errc() || read.ptr != end ||
      (text.size() > 1 && text[0] == '0'))
    return {};
  if (value < least || value > most) return {};
  return value;
}

std::string GameTests::drawing(const std::string& title,
                               const std::vector<stats::outcome::Row>& rows) const {
  std::vector<double> p_values;
  for (const auto& row : rows) p_values.push_back(row.p);
  return stats::plot::svg(stats::plot::PValueHistogram{
      .text = {.title = title,
               .subtitle = "p-values of all tests; those of one series depend on each other"},
      .p_values = p_values});
}

stats::Result<std::unique_ptr<GameTests>> make_game(const GameOptions& options) {
  const std::size_t colon = std::min(options.game.find(':'), options.game.size());
  const std::string kind = options.game.substr(0, colon);
  const std::string what = options.game.substr(std::min(colon + 1, options.game.size()));
  if (options.first != 0 && kind != "balls" && kind != "shoe")
    return stats::refuse("--first is for shoes and balls");
  if (kind == "wheel" || kind == "hands") return make_series(kind, what, options.odds);
  if (kind == "dice") return make_dice(what);
  if (kind == "balls" || kind == "shoe") return make_shoe(kind, what, options.first);
  return stats::refuse(
      "--game " + options.game +
      ": known are wheel:37, dice:2x6, balls:90, shoe:french52x8, hands:baccarat:8");
}

void add_outcomes(commandline::Command& root, App& app) {
  auto options = std::make_shared<OutcomesOptions>();
  auto* command = root.add_subcommand(
      "outcomes", "results of a game as players see them: wheel, dice, balls, shoes, hands");
  command
      ->add_option("FILE", options->file,
                   "one result a line; or records (talla log tail --raw), a bundle, a folder of "
                   "bundles; - for "
                   "standard input")
      ->required();
  command->add_option(
      "--game", options->game,
      "wheel:37 (38 has 00; N:1 counts from 1; A,B,C names the pockets), dice:2x6, balls:90, "
      "shoe:french52x8, shoe:spanish40x1, "
      "hands:baccarat:8, hands:trente:6, hands:blackjack:6, hands:poker, hands:own; a file of "
      "talla-lab sample says it itself");
  command
      ->add_option("--first", options->first,
                   "shoes and balls: look at so many of each line only (default: all there are)")
      ->range(2, 1024);
  command->add_option("--odds", options->odds,
                      "hands:own: file of names and their weights, one a line");
  command->add_option("--table", options->table, "records: only those of this table (table-N)");
  command
      ->add_option("--family-error", options->family_error,
                   "chance of a wrong verdict on good results, all tests together")
      ->range(1e-9, 0.5)
      ->capture_default_str();
  add_plot_option(*command, options->plot,
                  "heat map of places and cards (shoes, balls) or histogram of the p-values");
  command->callback([options, &app] {
    auto code = run_outcomes(*options, app);
    if (!code) return app.refuse(code.error());
    app.exit = *code;
  });
}

}  // namespace talla::lab
