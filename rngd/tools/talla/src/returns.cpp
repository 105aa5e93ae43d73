// talla return: what bets were paid at the tables, beside what they are worth.
#include <algorithm>
#include <array>
#include <memory>

#include "columns.hpp"
#include "games/errc.hpp"
#include "members.hpp"
#include "steps.hpp"

namespace talla::cli {

namespace {

/// Whether an alarm stands for that bet.
bool alarm_stands(const json::Value& bet) {
  return std::ranges::any_of(std::array{"process", "detector"}, [&](const char* side) {
    const json::Value* found = bet.find(side);
    return found != nullptr && says(*found, "alarm");
  });
}

Cells row_of(const json::Value& bet, bool alarm) {
  const std::string places = shown(bet, "places");
  std::string name = shown(bet, "bet");
  if (!places.empty())
    name += " (" + shown(bet, "on") + (places == "1" ? "" : " and such: " + places) + ")";
  return {shown(bet, "place"),
          shown(bet, "game"),
          name,
          shown(bet, "rounds"),
          shown(bet, "staked"),
          shown(bet, "paid"),
          shown(bet, "theory"),
          shown(bet, "practice"),
          shown(bet, "low") + " to " + shown(bet, "high"),
          std::string(says(bet, "within") ? "within" : "OUTSIDE") + (alarm ? ", ALARM" : "")};
}

std::string unwatched_words(const json::Array& others) {
  std::string words;
  for (const json::Value& one : others)
    words += (words.empty() ? "" : ", ") + shown(one, "game") + " at " + shown(one, "place");
  return words;
}

/// A member of the reply that must be a list.
Result<const json::Array*> needed_list(const json::Value& reply, std::string_view member) {
  const json::Value* list = reply.find(member);
  if (list == nullptr || !list->is_array())
    return fail(CliErrc::appliance_refused, "its answer has no " + std::string(member) +
                                                ": an older appliance, or a newer one");
  return &list->array();
}

/// What stands beside the rows: all places together, and what nobody looked at.
void say_of_all(const App& app, const json::Value& reply) {
  if (const json::Value* together = reply.find("together")) {
    for (const json::Value& one : together->is_array() ? together->array() : json::Array{})
      if (alarm_stands(one)) app.say("ALARM of all places together: " + shown(one, "monitor"));
  }
  const json::Value* unwatched = reply.find("unwatched");
  if (unwatched != nullptr && unwatched->is_integer() && unwatched->integer() > 0)
    app.say(std::to_string(unwatched->integer()) +
            " rounds and bets since the start were watched by nobody: more than 512 streams, or a "
            "shoe that was shuffled again behind the bets");
}

Status print_returns(const App& app, const std::string& place, Session& session) {
  TALLA_TRY(const json::Value reply,
            session.get("/v1/return" + (place.empty() ? "" : "?table=" + escaped(place))));
  if (!says(reply, "watched"))
    return fail(CliErrc::appliance_refused, "its monitors are switched off: no payment is watched");
  TALLA_TRY(const json::Array* bets, needed_list(reply, "bets"));
  TALLA_TRY(const json::Array* others, needed_list(reply, "not_watched"));
  std::vector<Cells> rows{{"place", "game", "bet", "rounds", "staked", "paid", "theory", "practice",
                           "band of chance", "practice is"}};
  for (const json::Value& bet : *bets) {
    if (!bet.is_object())
      return fail(CliErrc::appliance_refused, "its answer names a bet that is none");
    const bool alarm = alarm_stands(bet);
    rows.push_back(row_of(bet, alarm));
    json::Object line = bet.object();
    line["alarm"] = alarm;
    app.emit(json::Value(std::move(line)));
  }
  const std::string unwatched = unwatched_words(*others);
  if (rows.size() == 1 && !place.empty()) {
    if (unwatched.empty())
      return fail(CliErrc::usage, "no bet was settled yet at \"" + place +
                                      "\"; talla tables has the places, talla return all bets");
    return fail(games::Errc::game_not_available,
                "not watched: " + unwatched +
                    "; no law of payment is known of this game, only of wheels, of punto y banca "
                    "and of blackjack");
  }
  say_columns(app, "what was paid of each unit staked, in the tables' units", rows);
  if (rows.size() == 1) app.say("no bet was settled yet whose payment is watched");
  if (!unwatched.empty()) app.say("not watched: " + unwatched);
  say_of_all(app, reply);
  if (rows.size() > 1)
    app.say("the band is three standard deviations to each side; a stake in prison counts half");
  return {};
}

}  // namespace

void add_return(commandline::Command& root, App& app) {
  auto table = std::make_shared<std::string>();
  auto* command = root.add_subcommand("return", "what bets were paid, beside what they are worth");
  command->add_option("--table", *table,
                      "at this place alone, e.g. \"Mesa 7\", or at that of this table, e.g. "
                      "table-17");
  command->callback([&app, table] {
    with_session(app, [&](Session& session) { return print_returns(app, *table, session); });
  });
}

}  // namespace talla::cli
