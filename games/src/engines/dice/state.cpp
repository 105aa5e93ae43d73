#include "engines/dice/state.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "engines/dice/rules.hpp"
#include "engines/shared/archive.hpp"

namespace talla::games::dice {
namespace {

constexpr std::array<std::string_view, 5> phases{"betting", "over", "closed", "rethrow",
                                                 "finished"};

/// All but the phase and the settlements.
template <class A>
void common_fields(A& a, DiceState& s) {
  a.number_in("point", s.point, {4, 10});
  a.number("shooter", s.shooter.seat, seat_max);
  a.number("before", s.shooter.before, seat_max);
  a.numbers("refused", s.shooter.refused, seat_max);
  a.flag("last", s.shooter.last);
  a.bets("bets", s.book);
}
template <class A>
void state_fields(A& a, DiceState& s) {
  a.always_name("phase", s.phase, phases);
  common_fields(a, s);
  a.settled(s.settled);
}
/// What outlives a throw.
template <class A>
void carried_fields(A& a, DiceState& s) {
  common_fields(a, s);
  bool finished = s.phase == Phase::finished;
  a.flag("finished", finished);
  if constexpr (A::loads) {
    if (finished) s.phase = Phase::finished;
  }
}

Status check_members(const DiceState& state) {
  if (state.point != 0 && !is_point(state.point)) return bad_state("7 is no point");
  const auto& refused = state.shooter.refused;
  if (std::ranges::adjacent_find(refused, std::ranges::greater_equal{}) != refused.end())
    return bad_state("refused lists each seat once, in order");
  if (state.shooter.seat != 0 && !refused.empty())
    return bad_state("who has the dice has been offered them");
  return {};
}

}  // namespace

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase));
}

json::Value DiceState::carried() const {
  return written(*this, [](auto& a, auto& s) { carried_fields(a, s); });
}

json::Value DiceState::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<DiceState> DiceState::from_json(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<DiceState>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  TALLA_TRY_STATUS(check_members(out));
  return out;
}

Result<DiceState> DiceState::from_carried(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<DiceState>(value, "carried", [](auto& a, auto& s) { carried_fields(a, s); }));
  TALLA_TRY_STATUS(check_members(out));
  return out;
}

}  // namespace talla::games::dice
