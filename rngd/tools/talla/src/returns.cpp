// talla return: what bets were paid at the tables, beside what they are worth.
#include <algorithm>
#include <memory>

#include "columns.hpp"
#include "games/errc.hpp"
#include "steps.hpp"

namespace talla::cli {

namespace {

/// The place that was asked for: as it is, or that of a table's id; empty: all.
Result<std::string> place_of(Session& session, const std::string& asked) {
  constexpr std::string_view id = "table-";
  const bool is_id = asked.size() > id.size() && asked.starts_with(id) &&
                     std::all_of(asked.begin() + static_cast<std::ptrdiff_t>(id.size()),
                                 asked.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_id) return asked;
  TALLA_TRY(const json::Value reply, session.get("/v1/tables/" + asked));
  const json::Value* table = reply.find("table");
  const std::string place = table == nullptr ? std::string() : shown(*table, "place");
  if (place.empty()) return fail(CliErrc::appliance_refused, asked + " has no place");
  return place;
}

/// Whether an alarm stands for that stream of payments.
bool alarm_stands(const json::Array& watching, const std::string& monitor) {
  return std::ranges::any_of(watching, [&](const json::Value& one) {
    return shown(one, "class") == "payments" && shown(one, "name") == monitor + "/payments" &&
           (one.find("process")->find("alarm")->boolean() ||
            one.find("detector")->find("alarm")->boolean());
  });
}

Cells row_of(const json::Value& bet, bool alarm) {
  const std::string places = shown(bet, "places");
  std::string name = shown(bet, "bet");
  if (!places.empty())
    name += " (" + shown(bet, "on") + (places == "1" ? "" : " and such: " + places) + ")";
  return {
      shown(bet, "place"),
      shown(bet, "game"),
      name,
      shown(bet, "rounds"),
      shown(bet, "staked"),
      shown(bet, "paid"),
      shown(bet, "theory"),
      shown(bet, "practice"),
      shown(bet, "low") + " to " + shown(bet, "high"),
      std::string(bet.find("within")->boolean() ? "within" : "OUTSIDE") + (alarm ? ", ALARM" : "")};
}

std::string unwatched_words(const json::Array& others, const std::string& place) {
  std::string words;
  for (const json::Value& one : others) {
    if (!place.empty() && shown(one, "place") != place) continue;
    words += (words.empty() ? "" : ", ") + shown(one, "game") + " at " + shown(one, "place");
  }
  return words;
}

/// A member that must be a list; `among` says where it was looked for.
Result<const json::Array*> list_in(const json::Value* object, std::string_view member) {
  const json::Value* list = object == nullptr ? nullptr : object->find(member);
  if (list == nullptr || !list->is_array())
    return fail(CliErrc::appliance_refused, "its status has no " + std::string(member) +
                                                ": an older appliance, or a newer one");
  return &list->array();
}

Status print_returns(const App& app, const std::string& asked, Session& session) {
  TALLA_TRY(const std::string place, place_of(session, asked));
  TALLA_TRY(const json::Value status, session.get("/v1/status"));
  const json::Value* monitors = status.find("monitors");
  if (monitors == nullptr)
    return fail(CliErrc::appliance_refused, "its monitors are switched off: no payment is watched");
  const json::Value* payments = monitors->find("payments");
  TALLA_TRY(const json::Array* bets, list_in(payments, "bets"));
  TALLA_TRY(const json::Array* others, list_in(payments, "not_watched"));
  TALLA_TRY(const json::Array* watching, list_in(monitors, "watching"));
  std::vector<Cells> rows{{"place", "game", "bet", "rounds", "staked", "paid", "theory", "practice",
                           "band of chance", "practice is"}};
  for (const json::Value& bet : *bets) {
    if (!place.empty() && shown(bet, "place") != place) continue;
    const bool alarm = alarm_stands(*watching, shown(bet, "monitor"));
    rows.push_back(row_of(bet, alarm));
    json::Object line = bet.object();
    line["alarm"] = alarm;
    app.emit(json::Value(std::move(line)));
  }
  const std::string unwatched = unwatched_words(*others, place);
  if (rows.size() == 1 && !place.empty()) {
    if (unwatched.empty())
      return fail(CliErrc::usage, "no bet was settled yet at \"" + place +
                                      "\"; talla tables has the places, talla return all bets");
    return fail(games::Errc::game_not_available,
                "not watched: " + unwatched +
                    "; no law of payment is known of this game, only of wheels and "
                    "of punto y banca");
  }
  say_columns(app, "what was paid of each unit staked, in the tables' units", rows);
  if (rows.size() == 1) app.say("no bet was settled yet whose payment is watched");
  if (!unwatched.empty()) app.say("not watched: " + unwatched);
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
