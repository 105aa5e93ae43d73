// Seats at the table and the priority among players.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {

Seat places(const Table& table, const Law& law) {
  return static_cast<Seat>(table.params().integer(p_seats)) * static_cast<Seat>(law.cloths);
}

std::size_t cloth_of(const Table& table, const Law& law, const State& state, Seat seat) {
  if (law.cloths == 1) return 0;
  const auto per_cloth = places(table, law) / 2;
  if (seat <= 2 * per_cloth) return seat <= per_cloth ? 0 : 1;
  const auto* player = state.player(seat);
  return player != nullptr && player->cloth == 2 ? 1 : 0;
}

std::vector<Seat> seated_from(const Table& table, const Law& law, const State& state, Seat seat) {
  std::vector<Seat> after;
  std::vector<Seat> before;
  for (const auto& player : state.players) {
    if (player.seat > places(table, law) || player.seat == seat) continue;
    (player.seat > seat ? after : before).push_back(player.seat);
  }
  after.insert(after.end(), before.begin(), before.end());
  return after;
}

namespace {

/// One cloth: seated players from the banker's right, standing ones, and last those who may not use
///            their priority.
std::vector<Seat> priority_one(const Table& table, const Law& law, const State& state) {
  const auto last_place = places(table, law);
  const Seat banker = state.banker();
  std::vector<Seat> out;
  std::vector<Seat> late;
  for (const auto seat : seated_from(table, law, state, banker <= last_place ? banker : 0)) {
    (state.player(seat)->must_pass ? late : out).push_back(seat);
  }
  for (const auto& player : state.players) {
    if (player.seat > last_place && player.seat != banker) out.push_back(player.seat);
  }
  out.insert(out.end(), late.begin(), late.end());
  return out;
}

}  // namespace

std::vector<Seat> priority(const Table& table, const Law& law, const State& state,
                           std::size_t cloth) {
  if (law.cloths == 1) return priority_one(table, law, state);
  // The cloth's numbered places from the banker outwards, then everybody else in the same order.
  const auto last_place = places(table, law);
  std::vector<Seat> own;
  std::vector<Seat> others;
  for (const auto& player : state.players) {
    if (player.seat == state.banker()) continue;
    const bool here =
        player.seat <= last_place && cloth_of(table, law, state, player.seat) == cloth;
    (here ? own : others).push_back(player.seat);
  }
  own.insert(own.end(), others.begin(), others.end());
  return own;
}

bool enough_players(const Table& table, const Law& law, const State& state) {
  if (law.cloths == 1) return std::cmp_greater_equal(state.players.size(), law.players_min);
  std::array<std::int64_t, 2> at{};
  for (const auto& player : state.players) {
    if (player.seat != state.banker()) ++at.at(cloth_of(table, law, state, player.seat));
  }
  return at[0] >= law.players_min && at[1] >= law.players_min;
}

Status sit(Play& p, Seat seat) {
  if (seat > places(p.table, p.law))
    return fail(Errc::seat_invalid, "no such place: " + std::to_string(seat));
  if (p.state.player(seat) != nullptr) return fail(Errc::action_refused, "the place is taken");
  auto& player = p.state.join(seat);
  player.must_pass = p.law.cloths == 1 && p.state.shoe == ShoeState::in_play && !p.state.fresh_shoe;
  if (p.state.phase == Phase::vacant) start_award(p);
  return {};
}

Status stand_up(Play& p, Seat seat) {
  const auto& parts = p.state.parts;
  if (p.state.player(seat) == nullptr)
    return fail(Errc::action_refused, "the player is not at the table");
  if (std::any_of(parts.begin(), parts.end(),
                  [&](const Part& part) { return part.seat == seat; })) {
    return fail(Errc::action_refused, "who has money in the bank stays");
  }
  if (std::any_of(p.state.bets.all().begin(), p.state.bets.all().end(),
                  [&](const Bet& b) { return b.seat == seat; })) {
    return fail(Errc::action_refused, "the player has a stake on the table");
  }
  p.state.remove(seat);
  if (p.state.rights.suivi == seat) p.state.rights.suivi = 0;
  if (p.state.rights.cards_right == seat) p.state.rights.cards_right = 0;
  if (p.state.proposal && p.state.proposal->seat == seat) p.state.proposal.reset();
  return {};
}

}  // namespace talla::games::banque
