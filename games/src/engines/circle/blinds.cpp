// Blinds before the deal, also the chain of doubled ones.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

/// The seat after the last blind; 0: once round.
Seat next_blind(const Play& p) {
  const auto& state = p.state;
  std::vector<Seat> order;
  for (const auto seat : ring(state, p.law.order.betting_up, state.mano)) {
    if (state.player(seat)->in) order.push_back(seat);
  }
  std::size_t next = p.law.forced.blinds.size();
  if (state.betting.last_blind != 0) {
    const auto found = std::find(order.begin(), order.end(), state.betting.last_blind);
    next = static_cast<std::size_t>(found - order.begin()) + 1;
  }
  return next < order.size() ? order.at(next) : 0;
}

struct BlindBounds {
  Units least = 0;
  Units most = 0;  ///< below `least`: the resto does not reach
};

/// At least twice the last blind; at most what a raise over it could be.
BlindBounds bounds_of(const Play& p, const Player& player) {
  const Units chip = p.table.currency().chip;
  const Units last = p.state.betting.level;
  BlindBounds out;
  out.least = (2 * last + chip - 1) / chip * chip;
  const Units over = std::min(most_over(p, player), player.stack);
  out.most = std::min(std::max(out.least, last + over), player.stack) / chip * chip;
  return out;
}

void begin_deal(Play& p) {
  p.state.betting.turn = 0;
  p.state.phase = Phase::deal;
}

void ask_next(Play& p) {
  auto& state = p.state;
  const Seat seat = next_blind(p);
  if (seat == 0) return begin_deal(p);
  const auto bounds = bounds_of(p, *state.player(seat));
  if (bounds.most < bounds.least) return begin_deal(p);
  state.phase = Phase::blind;
  state.betting.turn = seat;
}

}  // namespace

void begin_blinds(Play& p) {
  if (!p.law.forced.chain) return begin_deal(p);
  ask_next(p);
}

Status blind_act(Play& p, const Act& event) {
  auto& state = p.state;
  const auto blind_refused = [&](const std::string& why) {
    return fail(Errc::action_refused, why + " (" + p.rule(p.law.forced.cite) + ")");
  };
  if (event.seat != state.betting.turn)
    return blind_refused("the next blind is open to seat " + std::to_string(state.betting.turn));
  if (event.bet || event.to || !event.cards.empty())
    return blind_refused(event.action + " names nothing but an amount");
  if (event.action == "pasar" && !event.amount) {
    begin_deal(p);  // nobody after him may put one in
    return {};
  }
  if (event.action != "ciega") return blind_refused("ciega or pasar");
  auto& player = *state.player(event.seat);
  const auto bounds = bounds_of(p, player);
  const bool fits = event.amount && *event.amount >= bounds.least && *event.amount <= bounds.most &&
                    *event.amount % p.table.currency().chip == 0;
  if (!fits)
    return blind_refused("ciega: from " + std::to_string(bounds.least) + " to " +
                         std::to_string(bounds.most));
  put_in(player, *event.amount);
  player.street = state.betting.level = state.betting.last_raise = *event.amount;
  state.betting.last_blind = event.seat;
  ask_next(p);
  return {};
}

Status blind_time_out(Play& p, Seat seat) {
  if (seat != p.state.betting.turn) return fail(Errc::not_due, "nobody waits for this seat");
  begin_deal(p);
  return {};
}

void add_blind_choices(const Play& p, Needs& out) {
  const auto bounds = bounds_of(p, *p.state.player(p.state.betting.turn));
  Decide decide{p.state.betting.turn, {}, true};
  decide.choices.push_back({"pasar", "", 0, 0, 0});
  decide.choices.push_back({"ciega", "", bounds.least, bounds.most, p.table.currency().chip});
  out.emplace_back(std::move(decide));
}

}  // namespace talla::games::circle
