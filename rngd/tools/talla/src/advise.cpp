// talla advise: what every choice for one hand is worth, and the section that opens it; offline.
#include <memory>

#include "catalogue_tables.hpp"
#include "games/advice.hpp"
#include "games/odds.hpp"
#include "odds_parts.hpp"
#include "params.hpp"

namespace talla::cli {

namespace {

struct AdviseOptions : GameAsked {
  std::string hand;
  std::string bank;
};

std::string called(const games::Table& table, const games::Choice& choice,
                   const std::string& language) {
  std::string out = table.catalogue().text(language, "action", choice.action);
  for (const games::Card card : choice.cards) out += " " + card.text();
  return out;
}

void say_choices(const App& app, const games::Table& table,
                 const std::vector<games::Choice>& choices, const std::string& language) {
  std::vector<std::vector<std::string>> rows;
  for (const games::Choice& one : choices) {
    rows.push_back({called(table, one, language), games::percent_text(one.gain),
                    games::percent_text(one.gain - choices.front().gain), one.rule});
  }
  if (language == "en") {
    say_table(app, {"choice", "gains", "to the best", "section"}, rows);
  } else {
    say_table(app, {"qué hacer", "gana", "frente a lo mejor", "apartado"}, rows);
  }
}

Status show(App& app, const AdviseOptions& options) {
  TALLA_TRY(const auto table, odds_table_of(options));
  games::AdviceCards cards;
  TALLA_TRY(cards.hand, cards_of(options.hand));
  TALLA_TRY(cards.bank, cards_of(options.bank));
  TALLA_TRY(const auto advice, games::advice(table, cards));
  app.emit(games::to_json(advice));
  if (app.json) return {};
  say_choices(app, table, advice.choices, options.language);
  for (const games::Choice& one : advice.beside)
    app.say((options.language == "en" ? "Beside it, of its own stake: "
                                      : "Aparte, de su propia postura: ") +
            called(table, one, options.language) + " " + games::percent_text(one.gain) + " (" +
            one.rule + ")");
  return {};
}

}  // namespace

void add_advise(commandline::Command& root, App& app) {
  auto options = std::make_shared<AdviseOptions>();
  auto* command = root.add_subcommand(
      "advise",
      "one hand of black jack, three-card poker or Caribbean stud: what every choice is worth, in "
      "first stakes, and the section that opens it; exact");
  add_game_asked(*command, *options, "es-1977", "blackjack");
  command->add_option("--hand", options->hand, "the player's cards, e.g. TS6H")->required();
  command->add_option("--bank", options->bank, "the bank's open card, e.g. TD");
  command->callback([&app, options] {
    app.language = options->language;
    app.finish(show(app, *options));
  });
}

}  // namespace talla::cli
