// Players and their chips: sitting down, buying, leaving, being dealt in.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

constexpr std::size_t id_max = 20;  // a settlement adds to it

/// Chips at the table stay far below what an amount can be.
constexpr Units table_chips_max = units_max / 4;

Units session_fee(const Play& p, const Player& player, bool half) {
  const Units base = p.law.fee.session_of_resto ? player.stack : p.law.betting.table_max;
  const Fraction share = half ? p.law.fee.session_rate / Fraction(2) : p.law.fee.session_rate;
  return (share * Fraction(base)).floor() / p.law.fee.smallest * p.law.fee.smallest;
}

/// Whether the player is dealt in when the next hand begins.
bool plays_next(const Play& p, const Player& player) {
  if (player.stack == 0) return false;
  const bool must_play = player.rested >= static_cast<std::uint32_t>(p.law.seats.rest_max);
  if (player.resting && !must_play) return false;
  const bool owes = p.law.fee.kind == FeeKind::session && player.sessions == 0;
  return !owes || session_fee(p, player, false) < player.stack;
}

Status check_id(const PlaceBet& event) {
  if (event.id.size() <= id_max && event.id.find('.') == std::string::npos) return {};
  return fail(Errc::bet_unknown, "a resto's id has at most 20 characters and no '.'");
}

/// Chips that came before others are paid first; what was won goes with the last.
void pay_bets(Play& p, Seat seat, Units amount, const Citation& cite) {
  std::vector<Bet> own;
  for (const auto& bet : p.state.bets.all()) {
    if (bet.seat == seat) own.push_back(bet);
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto& bet = own[i];
    const Units returned = i + 1 == own.size() ? amount : std::min(amount, bet.stake);
    amount -= returned;
    const auto result = returned > bet.stake    ? BetResult::win
                        : returned == bet.stake ? BetResult::push
                                                : BetResult::lose;
    p.state.settled.push_back(
        {bet.id, seat, bet.kind, bet.stake, result, returned, {}, p.rule(cite)});
    std::erase(p.state.fresh, bet.id);
    p.state.bets.remove(bet.id);
  }
}

/// The seat that has the mano in the hand that begins.
Seat next_mano(const Play& p) {
  const auto& state = p.state;
  const auto plays = [&](Seat seat) { return state.player(seat)->in; };
  if (state.mano == 0 || (!p.law.order.mano_rotates && !state.hold_mano)) {
    for (const auto& one : state.players) {
      if (one.in) return one.seat;
    }
  }
  auto order = ring_after(state, p.law.order.mano_up, state.mano);
  if (state.hold_mano) order = ring(state, p.law.order.mano_up, state.mano);
  if (!state.hold_mano && state.player(state.mano) != nullptr) order.push_back(state.mano);
  const auto found = std::find_if(order.begin(), order.end(), plays);
  TALLA_CHECK(found != order.end());
  return *found;
}

void deal_in(Play& p) {
  for (auto& one : p.state.players) {
    if (plays_next(p, one)) {
      one.in = true;
      one.resting = false;
      if (!p.law.seats.rest_per_game) one.rested = 0;
      if (p.law.fee.kind == FeeKind::session && one.sessions == 0) {
        charge(p, one, session_fee(p, one, false));
        one.sessions = 2;
      }
    } else if (one.resting) {
      ++one.rested;
    }
  }
}

void force_bets(Play& p) {
  auto& state = p.state;
  for (auto& one : state.players) {
    if (!one.in) continue;
    one.credit = std::exchange(one.waiting, 0);
    if (one.credit == 0) put_in(one, std::min(ante_now(p), one.stack));
  }
  std::size_t next = 0;
  for (const auto seat : ring(state, p.law.order.betting_up, state.mano)) {
    auto& one = *state.player(seat);
    if (!one.in) continue;
    if (next >= p.law.forced.blinds.size()) break;
    const Units blind = std::min(p.law.forced.blinds.at(next++), one.stack);
    put_in(one, blind);
    one.street = blind;
    state.betting.level = std::max(state.betting.level, blind);
  }
  state.betting.last_raise = state.betting.level;
}

}  // namespace

void Play::settle(Seat seat, std::string_view what, std::string_view kind, Units stake,
                  Units returned, BetResult result, const Citation& cite) {
  std::string id(what);
  if (seat != 0) {
    const auto all = state.bets.all();
    const auto first =
        std::find_if(all.begin(), all.end(), [&](const Bet& bet) { return bet.seat == seat; });
    TALLA_CHECK(first != all.end());
    id = first->id + "." + id;
  }
  state.settled.push_back(
      {std::move(id), seat, std::string(kind), stake, result, returned, {}, rule(cite)});
}

std::vector<Seat> ring(const State& state, bool up, Seat from) {
  std::vector<Seat> out;
  out.reserve(state.players.size());
  for (const auto& one : state.players) out.push_back(one.seat);
  if (!up) std::reverse(out.begin(), out.end());
  const auto first = std::find_if(out.begin(), out.end(),
                                  [&](Seat seat) { return up ? seat >= from : seat <= from; });
  std::rotate(out.begin(), first == out.end() ? out.begin() : first, out.end());
  return out;
}

std::vector<Seat> ring_after(const State& state, bool up, Seat from) {
  auto out = ring(state, up, from);
  std::erase(out, from);
  return out;
}

Status buy(Play& p, const PlaceBet& event) {
  auto& state = p.state;
  TALLA_TRY_STATUS(check_id(event));
  TALLA_TRY_STATUS(state.bets.place(p.table, event));
  const auto* there = state.player(event.seat);
  if (event.kind == "resto") {
    if (there != nullptr)
      return fail(Errc::bet_not_offered,
                  "the seat is taken: who adds to a resto makes a reposicion");
    if (state.players.size() >= p.law.players_most(p.law.shoe.cards_count))
      return fail(Errc::bet_not_offered, "the deck of " + std::to_string(p.law.shoe.cards_count) +
                                             " cards does not reach for another player");
  } else if (there == nullptr) {
    return fail(Errc::bet_not_offered, "a reposicion needs a resto before it");
  } else if (!p.law.seats.top_up_any_time && there->stack > 0) {
    return fail(Errc::bets_closed, "a reposicion is made when the resto is exhausted (" +
                                       p.rule(p.table.rules().bet(event.kind)->cite) + ")");
  }
  Int128 chips = Int128{state.dead} + state.house + event.stake;
  for (const auto& one : state.players) chips += one.stack;
  if (chips > table_chips_max) return fail(Errc::amount_invalid, "too many chips on one table");
  state.join(event.seat).stack += event.stake;
  state.fresh.push_back(event.id);
  return {};
}

Status take_back(Play& p, const WithdrawBet& event) {
  auto& state = p.state;
  const auto* bet = std::as_const(state.bets).find(event.bet);
  if (bet == nullptr) return fail(Errc::bet_unknown, "no bet " + event.bet.substr(0, 48));
  if (std::find(state.fresh.begin(), state.fresh.end(), event.bet) == state.fresh.end()) {
    return fail(Errc::withdrawal_refused, p.rule(p.table.rules().bet("resto")->cite) +
                                              ": chips of a resto in play are not put away");
  }
  const Bet before = *bet;
  TALLA_TRY_STATUS(state.bets.withdraw(p.table, event));
  const auto* rest = std::as_const(state.bets).find(event.bet);
  auto* player = state.player(before.seat);
  TALLA_CHECK(player != nullptr);
  player->stack -= before.stake - (rest == nullptr ? 0 : rest->stake);
  if (player->stack < 0)
    return fail(Errc::withdrawal_refused, "the fee of the session is paid from it");
  if (rest != nullptr) return {};
  std::erase(state.fresh, event.bet);
  if (before.kind == "resto") {
    const auto all = state.bets.all();
    if (std::any_of(all.begin(), all.end(),
                    [&](const Bet& one) { return one.seat == before.seat; }))
      return fail(Errc::withdrawal_refused, "a reposicion lies on this resto");
    if (player->stack > 0) return fail(Errc::withdrawal_refused, "the resto holds more");
    state.remove(before.seat);
  }
  return {};
}

bool enough_players(const Play& p) {
  std::int64_t seated = 0;
  std::int64_t playing = 0;
  for (const auto& one : p.state.players) {
    const bool plays = plays_next(p, one);
    playing += plays ? 1 : 0;
    seated += plays || (p.law.seats.resting_counts && one.resting && one.stack > 0) ? 1 : 0;
  }
  return playing >= 2 && seated >= p.law.seats.players_min;
}

Units ante_now(const Play& p) {
  return p.law.opening.ante_once && p.state.blanks > 1 ? 0 : p.law.forced.ante;
}

Status begin_hand(Play& p) {
  auto& state = p.state;
  if (!enough_players(p)) {
    return fail(Errc::not_due, "fewer than " + std::to_string(p.law.seats.players_min) +
                                   " players (" + p.rule(p.law.seats.cite) + ")");
  }
  state.fresh.clear();
  deal_in(p);
  state.mano = next_mano(p);
  state.hold_mano = false;
  force_bets(p);
  begin_blinds(p);
  return {};
}

Status seat_act(Play& p, const Act& event) {
  auto* player = p.state.player(event.seat);
  if (player == nullptr) return refused("nobody sits there");
  if (event.action == "levantarse") {
    pay_out(p, event.seat, p.table.rules().bet("resto")->cite);
    p.state.remove(event.seat);
    return {};
  }
  if (event.action == "descansar") {
    if (player->resting || player->stack == 0 ||
        player->rested >= static_cast<std::uint32_t>(p.law.seats.rest_max))
      return refused("no rest is left (" + p.rule(p.law.seats.cite) + ")");
    player->resting = true;
    return {};
  }
  if (event.action == "volver") {
    if (!player->resting) return refused("the player does not rest");
    player->resting = false;
    return {};
  }
  const bool half = event.action == "media-sesion";
  if (!half && event.action != "sesion") return refused("no hand is played now");
  if (p.law.fee.kind != FeeKind::session || player->sessions == 0 ||
      (half && !p.law.fee.session_halves))
    return refused("no further session is due (" + p.rule(p.law.fee.cite) + ")");
  const Units fee = session_fee(p, *player, half);
  if (fee == 0 || fee >= player->stack) return refused("the resto does not hold the fee");
  charge(p, *player, fee);
  player->sessions += half ? 1 : 2;
  return {};
}

void add_seat_choices(const Play& p, Needs& out) {
  for (const auto& one : p.state.players) {
    Decide decide{one.seat, {}, false};
    const auto add = [&](std::string_view action) {
      decide.choices.push_back({std::string(action), "", 0, 0, 0});
    };
    const bool rest = one.rested < static_cast<std::uint32_t>(p.law.seats.rest_max);
    if (one.resting) add("volver");
    if (!one.resting && rest && one.stack > 0) add("descansar");
    add("levantarse");
    if (p.law.fee.kind == FeeKind::session && one.sessions > 0) {
      for (const bool half : {false, true}) {
        if (half && !p.law.fee.session_halves) continue;
        const Units fee = session_fee(p, one, half);
        if (fee > 0 && fee < one.stack) add(half ? "media-sesion" : "sesion");
      }
    }
    out.emplace_back(std::move(decide));
  }
}

void pay_out(Play& p, Seat seat, const Citation& cite) {
  auto* player = p.state.player(seat);
  TALLA_CHECK(player != nullptr);
  pay_bets(p, seat, player->stack, cite);
  player->stack = 0;
}

}  // namespace talla::games::circle
