#include "engines/tournament/state.hpp"

#include "engines/shared/archive.hpp"
#include "engines/shared/state_json.hpp"

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

Result<TournamentState> read(const json::Value& value, bool whole) {
  Loader loader(value, "state");
  TournamentState out;
  carried_fields(loader, out);
  if (whole) hand_fields(loader, out);
  TALLA_TRY(out.bets, read_bets(loader.reader()));
  if (whole) {
    TALLA_TRY(out.settled, read_settled(loader.reader()));
  }
  TALLA_TRY_STATUS(loader.finish());
  return out;
}

}  // namespace

json::Value TournamentState::carried() const {
  Writer writer;
  carried_fields(writer, const_cast<TournamentState&>(*this));  // NOLINT: a Writer only reads
  json::Value out(std::move(writer.out));
  put_bets(out, bets);
  return out;
}

json::Value TournamentState::to_json() const {
  Writer writer;
  auto& self = const_cast<TournamentState&>(*this);  // NOLINT: a Writer only reads
  carried_fields(writer, self);
  hand_fields(writer, self);
  json::Value out(std::move(writer.out));
  put_bets(out, bets);
  put_settled(out, settled);
  return out;
}

Result<TournamentState> TournamentState::from_json(const json::Value& value) {
  return as_state(read(value, true));
}

Result<TournamentState> TournamentState::from_carried(const json::Value& value) {
  return as_state(read(value, false));
}

}  // namespace talla::games::tournament
