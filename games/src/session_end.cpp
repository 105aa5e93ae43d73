// The announced end of a session: its JSON, and how much is left of it.
#include "games/session_end.hpp"

#include "engines/shared/state_json.hpp"
#include "games/refusal.hpp"

namespace talla::games {
namespace {

constexpr std::int64_t rounds_max = 100;

/// The text of this table announces exactly that.
Status check_known(const Table& table, const LastRound& last) {
  const auto& rules = table.rules();
  const auto* rule = rules.session_end(table.params());
  if (rule != nullptr && rule->of == EndOf::shoe && last.of_shoe) return {};
  if (rule != nullptr && rule->of == EndOf::round && !last.of_shoe && rule->count == last.rounds)
    return {};
  if (rule != nullptr && rule->of == EndOf::round && rule->count > 1) {
    return fail(Errc::not_due, filled_form("the session ends with the last {count} rounds",
                                           {{"count", std::to_string(rule->count)}}) +
                                   " (" + rules.rule(rule->cite) + ")");
  }
  if (rule != nullptr && rule->of == EndOf::shoe) {
    return fail(Errc::not_due,
                "the session ends with the last shoe (" + rules.rule(rule->cite) + ")");
  }
  return fail(Errc::not_due, "here only the last round is announced");
}

bool is_settled(const Needs& needs) {
  return find_need<Settled>(needs) != nullptr;
}

tl::unexpected<Error> no_such_end() {
  return fail(Errc::state_malformed, "no such end of the session is announced at this table");
}

}  // namespace

json::Value session_end_json(const LastRound& last) {
  if (last.of_shoe) return "shoe";
  if (last.rounds > 1) return static_cast<std::int64_t>(last.rounds);
  return true;
}

Result<LastRound> session_end_from(const json::Value& value) {
  if (value.is_bool() && value.boolean()) return LastRound{};
  if (value.is_string() && value.string() == "shoe") return LastRound{1, true};
  if (value.is_integer() && value.integer() > 1 && value.integer() <= rounds_max)
    return LastRound{static_cast<std::uint32_t>(value.integer()), false};
  return fail(Errc::scenario_malformed,
              "last is true, a number of rounds from 2 to 100, or \"shoe\"");
}

bool announces(const Event& event) {
  const auto* last = std::get_if<LastRound>(&event);
  return last != nullptr && (last->of_shoe || last->rounds > 1);
}

bool session_over(const Needs& needs) {
  return needs.size() == 1 && is_settled(needs);
}

Ending Ending::announced_by(const LastRound& last, const Needs& needs) {
  if (!last.of_shoe) return {last.rounds, false, false};
  return {0, true, find_need<ShoeNeed>(needs) == nullptr};
}

Status Ending::check(const Table& table, const Needs& before, const Event& event) const {
  if (is_over(before)) {
    const bool bet = std::holds_alternative<PlaceBet>(event) ||
                     std::holds_alternative<WithdrawBet>(event) ||
                     std::holds_alternative<CloseBets>(event);
    return fail(bet ? Errc::bets_closed : Errc::not_due, "the session is over");
  }
  const auto* last = std::get_if<LastRound>(&event);
  if (last == nullptr) return {};
  if (announced()) return fail(Errc::not_due, "the end of the session is announced already");
  if (session_over(before)) return fail(Errc::not_due, "the session is over");
  return check_known(table, *last);
}

void Ending::count(const Needs& before, const Event& event, const Needs& after) {
  if (of_shoe) {
    shoe_began = shoe_began || std::holds_alternative<ShoeOpened>(event);
  } else if (!is_settled(before) && is_settled(after)) {
    --rounds;
  }
}

json::Value with_ending(json::Value state, const Ending& ending) {
  if (!ending.announced() || !state.is_object()) return state;
  json::Object said;
  if (ending.rounds > 0) said["rounds"] = ending.rounds;
  if (ending.of_shoe) said["shoe"] = ending.shoe_began ? "this" : "next";
  state["ending"] = std::move(said);
  return state;
}

Result<EndingParts> take_ending(const Table& table, const json::Value& state) {
  EndingParts out{state, {}};
  if (!state.is_object() || state.find("ending") == nullptr) return out;
  json::Reader reader(*state.find("ending"), "ending");
  const auto* rule = table.rules().session_end(table.params());
  if (rule == nullptr) return no_such_end();
  if (rule->of == EndOf::shoe) {
    TALLA_TRY(const auto shoe, as_state(reader.string("shoe")));
    if (shoe != "this" && shoe != "next") return no_such_end();
    out.ending = {0, true, shoe == "this"};
  } else {
    if (rule->of != EndOf::round || rule->count < 2) return no_such_end();
    TALLA_TRY(const auto rounds, as_state(reader.integer("rounds", 1, rule->count)));
    out.ending = {static_cast<std::uint32_t>(rounds), false, false};
  }
  if (!reader.finish()) return no_such_end();
  json::Object rest = state.object();
  rest.erase("ending");
  out.rest = std::move(rest);
  return out;
}

}  // namespace talla::games
