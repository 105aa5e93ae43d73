// talla odds equity: what part of a pot hands win, all in.
#include "games/equity.hpp"

#include "catalogue_tables.hpp"
#include "games/odds.hpp"
#include "odds_parts.hpp"
#include "params.hpp"

namespace talla::cli {

namespace {

struct EquityOptions : GameAsked {
  std::vector<std::string> hands;
  std::string common;
  std::string second;
  std::string dead;
};

Result<games::EquityCards> known_cards(const EquityOptions& options) {
  games::EquityCards out;
  for (const std::string& hand : options.hands) {
    TALLA_TRY(auto cards, cards_of(hand));
    out.hands.push_back(std::move(cards));
  }
  TALLA_TRY(out.common, cards_of(options.common));
  TALLA_TRY(out.second, cards_of(options.second));
  TALLA_TRY(out.dead, cards_of(options.dead));
  return out;
}

Result<std::vector<games::Equity>> worked_out(const EquityOptions& options) {
  TALLA_TRY(const auto table, odds_table_of(options));
  TALLA_TRY(const auto cards, known_cards(options));
  return games::all_in_equities(table, cards);
}

void equity(App& app, const EquityOptions& options) {
  const auto all = worked_out(options);
  if (!all) return app.refuse(all.error());
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < all->size(); ++i) {
    const games::Equity& one = all->at(i);
    json::Value value;
    value["hand"] = options.hands.at(i);
    value["share"] = one.share.text();
    value["all"] = one.all.text();
    value["none"] = one.none.text();
    app.emit(value);
    rows.push_back({options.hands.at(i), games::percent_text(one.share),
                    games::percent_text(one.all), games::percent_text(one.none), one.share.text()});
  }
  if (options.language == "en") {
    say_table(app, {"hand", "share of the pot", "all of it", "nothing", "exact"}, rows);
  } else {
    say_table(app, {"mano", "parte del bote", "todo", "nada", "exacta"}, rows);
  }
}

}  // namespace

void add_equity(commandline::Command& odds, App& app, const PartTaken& taken) {
  auto options = std::make_shared<EquityOptions>();
  auto* command = odds.add_subcommand(
      "equity",
      "poker among players: what part of the pot each hand wins on average when nobody bets any "
      "more; every way to deal what lacks is counted");
  add_game_asked(*command, *options, "es-euskadi-2010", "circle-holdem");
  command->add_option("HAND", options->hands, "cards of a player, e.g. ASKD; two hands or more")
      ->required();
  command->add_option("--common", options->common, "common cards that lie there");
  command->add_option("--second", options->second, "those of the second row");
  command->add_option("--dead", options->dead, "cards that were seen and are nobody's");
  command->callback([&app, options, taken] {
    *taken = true;
    app.language = options->language;
    equity(app, *options);
  });
}

}  // namespace talla::cli
