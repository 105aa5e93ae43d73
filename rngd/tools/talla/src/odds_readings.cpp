// talla odds readings: what each other reading of the law does to what the bets are worth.
#include <algorithm>

#include "catalogue_tables.hpp"
#include "games/listing.hpp"
#include "games/other_values.hpp"
#include "games/refusal.hpp"
#include "odds_parts.hpp"

namespace talla::cli {

namespace {

struct ReadingsOptions : GameAsked {
  std::string parameter;
  bool all = false;
};

struct ReadingWords {
  const char *parameter, *value, *bet, *before, *now, *none, *gone, *not_offered, *player, *nothing;
};
constexpr ReadingWords readings_spanish = {
    "parámetro",       "valor",
    "apuesta",         "ventaja",
    "con ese valor",   "no cambia nada",
    "ya no se ofrece", "no se ofrecía",
    "GANA EL JUGADOR", "El texto no deja lecturas que elegir en este juego."};
constexpr ReadingWords readings_english = {"parameter",
                                           "value",
                                           "bet",
                                           "edge",
                                           "with that value",
                                           "nothing changes",
                                           "no longer offered",
                                           "was not offered",
                                           "THE PLAYER WINS",
                                           "The text leaves no reading to choose at this game."};

/// One line a bet whose odds change; one for a value that changes none.
class ReadingRows {
 public:
  ReadingRows(const games::Table& table, const ReadingsOptions& options)
      : table_(table),
        language_(options.language),
        words_(options.language == "en" ? readings_english : readings_spanish) {}

  void add(const games::OtherValue& other) {
    const std::string named = text("parameter", other.parameter);
    const std::string value = games::plain(other.value);
    if (!other.refused.empty())
      return line({named, value, games::refusal_text({}, other.refused, language_), "", "", ""});
    if (other.changed.empty() && other.gone.empty())
      return line({named, value, words_.none, "", "", ""});
    for (const games::ChangedOdds& one : other.changed)
      line({named, value, bet_text(one.now),
            one.before ? games::percent_text(*one.before) : words_.not_offered,
            games::percent_text(one.now.odds.house_edge()),
            games::player_wins(one.now) ? words_.player : ""});
    for (const std::string& bet : other.gone)
      line({named, value, text("bet", bet), "", words_.gone, ""});
  }
  void say(App& app) const {
    if (rows_.empty()) return app.say(words_.nothing);
    say_table(app, {words_.parameter, words_.value, words_.bet, words_.before, words_.now, ""},
              rows_);
  }

 private:
  [[nodiscard]] std::string text(const char* category, const std::string& code) const {
    return table_.catalogue().text(language_, category, code);
  }
  [[nodiscard]] std::string bet_text(const games::BetOdds& bet) const {
    std::string called = text("bet", bet.bet);
    if (!bet.on.empty()) called += " " + games::positions_text(bet.on, 1);
    for (const std::string& play : bet.play)
      called += ", " + std::string(games::play_words(play, language_));
    return called;
  }
  void line(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  const games::Table& table_;
  const std::string& language_;
  const ReadingWords& words_;
  std::vector<std::vector<std::string>> rows_;
};

Status show(App& app, const ReadingsOptions& options) {
  TALLA_TRY(const auto table, odds_table_of(options));
  std::vector<std::string> of;
  if (!options.parameter.empty()) of.push_back(options.parameter);
  if (of.empty() && !options.all)
    for (const auto& rule : table.rules().parameters)
      if (rule.set_by == games::SetBy::reading) of.push_back(rule.id);
  ReadingRows rows(table, options);
  if (!of.empty() || options.all) {
    TALLA_TRY(const auto others, games::other_values(table, of));
    for (const games::OtherValue& one : others) {
      app.emit(games::to_json(one));
      rows.add(one);
    }
  }
  if (!app.json) rows.say(app);
  return {};
}

}  // namespace

void add_odds_readings(commandline::Command& odds, App& app, const PartTaken& taken) {
  auto options = std::make_shared<ReadingsOptions>();
  auto* command = odds.add_subcommand(
      "readings",
      "what every other reading of the law does to the odds of a game's bets, exactly; and which "
      "let the player win");
  add_game_asked(*command, *options, "es-1977", "french-roulette");
  command->add_option("--only", options->parameter, "only what this parameter decides");
  command->add_flag("--all", options->all,
                    "also what the casino or the regulator decides, not the reading");
  command->callback([&app, options, taken] {
    *taken = true;
    app.language = options->language;
    app.finish(show(app, *options));
  });
}

}  // namespace talla::cli
