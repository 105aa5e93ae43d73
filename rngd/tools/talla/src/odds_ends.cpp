// talla odds ends: how stakes at wheels, dice and rows of cards come to their end, in how many
// rounds, how often out of prison.
#include <algorithm>

#include "catalogue_tables.hpp"
#include "games/refusal.hpp"
#include "games/stake_ends.hpp"
#include "odds_parts.hpp"
#include "report/result_words.hpp"

namespace talla::cli {

namespace {

struct EndsOptions : GameAsked {
  std::string bet;
  std::uint64_t rounds = 0;
};

struct EndsWords {
  const char *bet, *positions, *choice, *result, *chance, *exact, *paid, *rounds, *over, *prison;
};
constexpr EndsWords ends_spanish = {"apuesta",      "posiciones",   "elige",    "resultado",
                                    "probabilidad", "exacta",       "devuelve", "jugadas",
                                    "acabada en",   "ya en prisión"};
constexpr EndsWords ends_english = {"bet",     "positions", "chooses", "result",  "chance",
                                    "exactly", "returns",   "rounds",  "over by", "once in prison"};

constexpr std::size_t places_named = 2;

/// A line an end; what belongs to the whole stake stands in its first.
void add_lines(std::vector<std::vector<std::string>>& rows, const games::Table& table,
               const games::StakeCourse& course, const EndsOptions& options) {
  const EndsWords& words = options.language == "en" ? ends_english : ends_spanish;
  const auto text = [&](const char* category, const std::string& code) {
    return table.catalogue().text(options.language, category, code);
  };
  std::string manner = course.choice.empty() ? "" : text("action", course.choice);
  if (course.from_prison) manner += (manner.empty() ? "" : ", ") + std::string(words.prison);
  const auto language = options.language == "en" ? report::Language::en : report::Language::es;
  for (const games::StakeEnd& end : course.ends) {
    const bool first = &end == course.ends.data();
    std::vector<std::string> row = {first ? text("bet", course.bet) : "",
                                    first ? games::positions_text(course.on, places_named) : "",
                                    first ? manner : "",
                                    report::result_words(end.result, language),
                                    games::percent_text(end.probability),
                                    end.probability.text(),
                                    end.paid.text(),
                                    first ? course.rounds.text() : ""};
    if (!course.over.empty()) row.push_back(first ? games::percent_text(course.over.back()) : "");
    rows.push_back(std::move(row));
  }
}

Status show(App& app, const EndsOptions& options) {
  TALLA_TRY(const auto table, odds_table_of(options));
  const auto rounds = static_cast<std::size_t>(options.rounds);
  TALLA_TRY(const auto courses, games::stake_courses(table, rounds, options.bet));
  if (courses.empty()) {
    TALLA_TRY(const auto all, games::stake_courses(table, 0));
    std::vector<std::string> there;
    for (const games::StakeCourse& one : all)
      if (std::ranges::find(there, one.bet) == there.end()) there.push_back(one.bet);
    return fail(CliErrc::usage, options.game + " has no bet " + options.bet +
                                    "; there are: " + games::listed(there));
  }
  const EndsWords& words = options.language == "en" ? ends_english : ends_spanish;
  std::vector<std::vector<std::string>> rows;
  for (const games::StakeCourse& course : courses) {
    app.emit(games::to_json(course));
    add_lines(rows, table, course, options);
  }
  if (app.json) return {};
  std::vector<std::string> headings = {words.bet,    words.positions, words.choice, words.result,
                                       words.chance, words.exact,     words.paid,   words.rounds};
  if (options.rounds > 0)
    headings.push_back(std::string(words.over) + " " + std::to_string(options.rounds));
  say_table(app, headings, rows);
  return {};
}

}  // namespace

void add_odds_ends(commandline::Command& odds, App& app, const PartTaken& taken) {
  auto options = std::make_shared<EndsOptions>();
  auto* command = odds.add_subcommand(
      "ends",
      "wheels, dice, trente et quarante: with what chance a stake ends how, in how many rounds, "
      "and how often it leaves prison; exact");
  add_game_asked(*command, *options, "es-1977", "craps");
  command->add_option("BET", options->bet, "only this bet, e.g. win");
  command
      ->add_option("--rounds", options->rounds,
                   "also the chance that it has ended behind so many rounds, at most 100")
      ->range(0U, games::course_rounds_max);
  command->callback([&app, options, taken] {
    *taken = true;
    app.language = options->language;
    app.finish(show(app, *options));
  });
}

}  // namespace talla::cli
