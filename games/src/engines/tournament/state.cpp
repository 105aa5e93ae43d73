#include "engines/tournament/state.hpp"

#include "engines/shared/archive.hpp"

namespace talla::games::tournament {
namespace {

constexpr std::int64_t count_max = 1'000'000;

}  // namespace

// Found by the archive through their arguments, so in no anonymous namespace.
// NOLINTBEGIN(misc-use-internal-linkage)
template <class A>
void fields(A& a, Player& p) {
  a.number("seat", p.seat, seat_max);
  a.number("stack", p.stack);
  a.number("start", p.start);
  a.number("out_hand", p.out_hand, count_max);
  a.number("out_stack", p.out_stack);
}
template <class A>
void fields(A& a, Place& p) {
  a.numbers("seats", p.seats, seat_max);
}
template <class A>
void carried_fields(A& a, TournamentState& s) {
  a.flag("closing", s.closing);
  a.number("hand", s.hand, count_max);
  a.number("level", s.level, count_max);
  a.list("players", s.players);
}
template <class A>
void hand_fields(A& a, TournamentState& s) {
  a.flag("round_over", s.round_over);
  a.flag("playing", s.playing);
  a.list("standing", s.standing);
}
// NOLINTEND(misc-use-internal-linkage)

namespace {

template <class A>
void between_fields(A& a, TournamentState& s) {
  carried_fields(a, s);
  a.bets("bets", s.bets);
}
template <class A>
void state_fields(A& a, TournamentState& s) {
  between_fields(a, s);
  hand_fields(a, s);
  a.settled(s.settled);
}

}  // namespace

json::Value TournamentState::carried() const {
  return written(*this, [](auto& a, auto& s) { between_fields(a, s); });
}

json::Value TournamentState::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<TournamentState> TournamentState::from_json(const json::Value& value) {
  return loaded<TournamentState>(value, "state", [](auto& a, auto& s) { state_fields(a, s); });
}

Result<TournamentState> TournamentState::from_carried(const json::Value& value) {
  return loaded<TournamentState>(value, "state", [](auto& a, auto& s) { between_fields(a, s); });
}

}  // namespace talla::games::tournament
