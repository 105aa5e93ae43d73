// Courses of stakes at wheels, dice and trente et quarante: each chain of states, under what
// returns most and under every choice taken always.
#include "games/stake_ends.hpp"

#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "odds/kinds.hpp"
#include "odds/stake_chain.hpp"

namespace talla::games {

namespace {

bool same_course(const StakeCourse& a, const StakeCourse& b) {
  const auto same_end = [](const StakeEnd& x, const StakeEnd& y) {
    return x.result == y.result && x.probability == y.probability && x.paid == y.paid;
  };
  return a.from_prison == b.from_prison && a.rounds == b.rounds && a.over == b.over &&
         std::equal(a.ends.begin(), a.ends.end(), b.ends.begin(), b.ends.end(), same_end);
}

/// With those of the same bet and choice that are the same.
void add(std::vector<StakeCourse>& all, StakeCourse course) {
  for (StakeCourse& known : all) {
    if (known.bet != course.bet || known.choice != course.choice || !same_course(known, course))
      continue;
    known.on.insert(known.on.end(), course.on.begin(), course.on.end());
    return;
  }
  all.push_back(std::move(course));
}

StakeCourse course_of(const ChainLaw& law) {
  StakeCourse out;
  for (const auto& [end, sums] : law.ends)
    out.ends.push_back({static_cast<BetResult>(end), sums.probability, sums.amount});
  out.rounds = law.rounds;
  out.over = law.over;
  return out;
}

/// The best play's course, each choice's that is another, and what begins in prison.
std::vector<StakeCourse> courses_of(const StakeChain& chain, std::size_t rounds) {
  const auto& states = chain.states();
  const auto best = solve_chain(states);
  TALLA_CHECK(best.has_value());
  std::set<std::string> choices;
  for (const ChainState& state : states)
    if (state.choices.size() > 1) choices.insert(state.choices.begin(), state.choices.end());
  choices.erase("");
  std::vector<StakeCourse> out;
  const auto walked = [&](const std::vector<std::size_t>& policy, const std::string& choice) {
    for (const bool prison : {false, true}) {
      const auto from = prison ? chain.prison() : std::optional<std::size_t>(0);
      const auto law = from ? chain_law(states, policy, *from, rounds) : std::nullopt;
      if (!law) continue;
      StakeCourse course = course_of(*law);
      course.from_prison = prison;
      const auto known = [&](const StakeCourse& one) { return same_course(one, course); };
      if (std::ranges::any_of(out, known)) continue;
      course.choice = choice;
      out.push_back(std::move(course));
    }
  };
  walked(best->policy, "");
  for (const std::string& choice : choices) {
    auto policy = best->policy;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto at = std::ranges::find(states[i].choices, choice);
      if (at != states[i].choices.end())
        policy[i] = static_cast<std::size_t>(at - states[i].choices.begin());
    }
    walked(policy, choice);
  }
  return out;
}

}  // namespace

Result<std::vector<StakeCourse>> stake_courses(const Table& table, std::size_t rounds,
                                               std::string_view only) {
  TALLA_CHECK(rounds <= course_rounds_max);
  const GameRules& rules = table.rules();
  const bool rows = rules.family == "trente";
  if (rules.family != "wheel" && rules.family != "dice" && !rows)
    return fail(Errc::game_not_available,
                rules.id + ": how stakes end is worked out of wheels, dice and trente et quarante");
  TALLA_TRY(const auto alone, rows ? Result<Table>(table) : lone_table(table));
  std::vector<StakeCourse> all;
  const auto follow = [&](const LoneStake& stake) -> Status {
    if (!only.empty() && stake.bet != only) return {};
    StakeChain chain(alone, stake.game);
    TALLA_TRY_STATUS(chain.follow(stake.bet, stake.on));
    for (StakeCourse& course : courses_of(chain, rounds)) {
      course.bet = stake.bet;
      if (!stake.shown.empty()) course.on.push_back(stake.shown);
      add(all, std::move(course));
    }
    return {};
  };
  if (rows) {
    TALLA_TRY_STATUS(each_row_stake(alone, follow));
  } else {
    TALLA_TRY([[maybe_unused]] const auto refused, each_lone_stake(alone, *rules.draw, follow));
  }
  return all;
}

json::Value to_json(const StakeCourse& course) {
  json::Value value;
  value["bet"] = course.bet;
  if (!course.on.empty()) value["on"] = positions_json(course.on);
  if (!course.choice.empty()) value["choice"] = course.choice;
  if (course.from_prison) value["from_prison"] = true;
  json::Array ends;
  for (const StakeEnd& end : course.ends) {
    json::Value one;
    one["result"] = std::string(bet_result_name(end.result));
    one["probability"] = end.probability.text();
    one["paid"] = end.paid.text();
    ends.emplace_back(std::move(one));
  }
  value["ends"] = std::move(ends);
  value["rounds"] = course.rounds.text();
  if (course.over.empty()) return value;
  json::Array over;
  for (const Ratio& one : course.over) over.emplace_back(one.text());
  value["over"] = std::move(over);
  return value;
}

}  // namespace talla::games
