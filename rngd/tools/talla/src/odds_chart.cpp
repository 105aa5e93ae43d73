// talla odds chart: how the hands of a blackjack table are played, as a table or a picture.
#include "catalogue_tables.hpp"
#include "games/advice.hpp"
#include "games/odds.hpp"
#include "odds_parts.hpp"
#include "params.hpp"

namespace talla::cli {

namespace {

struct ChartOptions : GameAsked {
  std::string svg;
};

void say_rows(const App& app, const games::PlayChart& chart,
              const std::vector<games::ChartRow>& rows, const std::string& language) {
  std::vector<std::string> headings = {""};
  headings.insert(headings.end(), chart.dealer.begin(), chart.dealer.end());
  std::vector<std::vector<std::string>> cells;
  for (const games::ChartRow& row : rows) {
    cells.push_back({row.hand});
    for (const games::ChartCell& cell : row.against)
      cells.back().emplace_back(games::chart_letters(cell, language));
  }
  say_table(app, headings, cells);
}

/// "2-10 / 4: C"
std::string exceptions(const games::PlayChart& chart, const std::string& language) {
  std::string out;
  for (const games::ChartException& one : chart.exceptions) {
    const games::ChartCell cell{one.action, "hit"};
    out += (out.empty() ? "" : ", ") + one.hand + " / " + one.dealer + ": " +
           std::string(games::chart_letters(cell, language));
  }
  return out;
}

void say_chart(const App& app, const games::PlayChart& chart, const std::string& language) {
  const bool in_english = language == "en";
  app.say(in_english ? "Hand by hand, against the dealer's first card:"
                     : "Mano a mano, contra la primera carta de la banca:");
  for (const auto* rows : {&chart.hard, &chart.soft, &chart.pairs})
    say_rows(app, chart, *rows, language);
  for (const games::ChartWord& one : games::chart_legend(language))
    app.say("  " + std::string(one.letters) + ": " + std::string(one.words));
  const std::string others = exceptions(chart, language);
  if (!others.empty())
    app.say((in_english ? "By its very cards another choice is better: "
                        : "Por sus cartas es mejor otra cosa: ") +
            others);
  app.say((in_english ? "House edge by this chart: " : "Ventaja de la casa con este cuadro: ") +
          games::percent_text(chart.chart_edge) +
          (in_english ? "; at the best play of every hand: " : "; jugando lo mejor cada mano: ") +
          games::percent_text(chart.best_edge));
}

Status show(App& app, const ChartOptions& options) {
  TALLA_TRY(const auto table, odds_table_of(options));
  TALLA_TRY(const auto chart, games::play_chart(table));
  app.emit(games::to_json(chart));
  if (options.svg.empty()) {
    if (!app.json) say_chart(app, chart, options.language);
    return {};
  }
  const std::string title =
      table.catalogue().text(options.language, "game", options.game) + ", " + options.catalogue;
  return write_file(options.svg, games::chart_svg(chart, title, options.language));
}

}  // namespace

void add_chart(commandline::Command& odds, App& app, const PartTaken& taken) {
  auto options = std::make_shared<ChartOptions>();
  auto* command = odds.add_subcommand(
      "chart",
      "black jack: how each hand is played best against each card of the dealer, by totals, and "
      "what playing so costs; exact");
  add_game_asked(*command, *options, "es-1977", "blackjack");
  command->add_option("--svg", options->svg, "file for a picture instead of words");
  command->callback([&app, options, taken] {
    *taken = true;
    app.language = options->language;
    app.finish(show(app, *options));
  });
}

}  // namespace talla::cli
