// Main and side pots, the fee, and how they are divided.
#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

/// The main pot, and one more for each resto that was too short.
struct Pot {
  Units amount = 0;
  std::vector<Seat> open_to;  ///< in the hand and with a full part in this pot
  std::map<Seat, Units> in;   ///< what each seat has in it, also those who retired
};

Units down(Units amount, Units step) {
  return amount / step * step;
}

/// Pots from what each seat put in, the uncalled part left out.
std::vector<Pot> pots_of(const Play& p, const Uncalled& free) {
  const auto& players = p.state.players;
  const auto put = [&](const Player& one) {
    return one.credit + one.put - (one.seat == free.seat ? free.amount : 0);
  };
  std::vector<Units> levels;
  for (const auto& one : players) {
    if (one.live()) levels.push_back(put(one));
  }
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  std::vector<Pot> out;
  Units below = 0;
  for (const auto level : levels) {
    Pot pot;
    const bool last = level == levels.back();
    for (const auto& one : players) {
      if (!one.in) continue;
      // What a hand put in above all that are still in play stays in the last pot.
      const Units part = std::max<Units>(0, (last ? put(one) : std::min(put(one), level)) - below);
      const Units before = std::min(part, std::max<Units>(0, one.credit - below));
      if (part > before) pot.in[one.seat] = part - before;
      pot.amount += part;
      if (one.live() && put(one) >= level) pot.open_to.push_back(one.seat);
    }
    below = level;
    out.push_back(std::move(pot));
  }
  out.front().amount += p.state.dead;
  for (const auto& one : players) out.front().amount -= one.credit;
  return out;
}

/// Each pot bears its share of the fee; what does not divide falls on the main pot, and should it
/// be too small, on the next. None bears more than the rate of what it holds: what no pot can bear
/// is not taken.
void bear_fee(Play& p, std::vector<Pot>& pots) {
  Units all = 0;
  for (const auto& pot : pots) all += pot.amount;
  Units left = p.state.fees.of_hand;
  if (all == 0) return;
  std::vector<Units> most;
  for (auto& pot : pots) {
    most.push_back(down((p.law.fee.rate * Fraction(pot.amount)).floor(), p.law.fee.smallest));
    const Int128 share = Int128{p.state.fees.of_hand} * pot.amount / all;
    const Units part = std::min(down(static_cast<Units>(share), p.law.fee.smallest), most.back());
    pot.amount -= part;
    most.back() -= part;
    left -= part;
  }
  for (std::size_t i = 0; i < pots.size(); ++i) {
    const Units part = std::min(left, most.at(i));
    pots.at(i).amount -= part;
    left -= part;
  }
  p.state.fees.of_hand -= left;
}

using Worths = std::map<Seat, std::vector<std::optional<poker::HandValue>>>;

/// Who has the best of this part among those seats; all of them when nobody's cards are compared.
std::vector<Seat> best_of(const std::vector<Seat>& seats, const Worths& worths, std::size_t part) {
  std::vector<Seat> out;
  std::optional<poker::HandValue> best;
  for (const auto seat : seats) {
    const auto found = worths.find(seat);
    if (found == worths.end()) {
      out.push_back(seat);
      continue;
    }
    const auto& value = found->second.at(part);
    if (!value || (best && *value < *best)) continue;
    if (!best || *value > *best) out.clear();
    best = value;
    out.push_back(seat);
  }
  return out;
}

/// Weight of each winner: equal, or what the reading of "in proportion to their restos" says.
Int128 weight(const Play& p, Seat seat) {
  const auto& one = *p.state.player(seat);
  switch (p.law.showdown.split) {
    case Split::side_pots:
      return 1;
    case Split::by_contribution:
      return Int128{one.credit} + one.put;
    case Split::by_stack:
      return Int128{one.stack} + one.put;
  }
  return 1;
}

/// What a winner gets of a pot, and the exact part less that.
struct Share {
  Units units = 0;
  Fraction remainder;
};
using Shares = std::map<Seat, Share>;

/// A remainder that a settlement can say: its parts fit a word.
Fraction said(const Fraction& exact) {
  constexpr Int128 most = Int128{1} << 62;
  const Int128 part = exact.numerator() < 0 ? -exact.numerator() : exact.numerator();
  return part < most && exact.denominator() < most ? exact : Fraction();
}

/// Adds the parts of the winners to `shares`. What does not divide goes one by one, from the mano
/// on.
void share_out(const Play& p, Units amount, const std::vector<Seat>& winners, Shares& shares) {
  Int128 all = 0;
  for (const auto seat : winners) all += weight(p, seat);
  const bool equal = all == 0;  // nobody has put anything in
  if (equal) all = static_cast<Int128>(winners.size());
  Units left = amount;
  for (const auto seat : winners) {
    const Int128 part = (equal ? Int128{1} : weight(p, seat)) * amount;
    const Units share = down(static_cast<Units>(part / all), p.law.fee.smallest);
    shares[seat].units += share;
    shares[seat].remainder += Fraction(part - Int128{share} * all, all);
    left -= share;
  }
  const auto order = ring(p.state, p.law.order.betting_up, p.state.mano);
  while (left > 0) {
    for (const auto seat : order) {
      if (left == 0 || std::find(winners.begin(), winners.end(), seat) == winners.end()) continue;
      const Units step = std::min(left, p.law.fee.smallest);
      shares[seat].units += step;
      shares[seat].remainder += Fraction(-step);
      left -= step;
    }
  }
}

Shares shares_of(const Play& p, const Pot& pot, const Worths& worths) {
  Shares out;
  const std::size_t parts = worths.empty() ? 1 : worths.begin()->second.size();
  const auto first = best_of(pot.open_to, worths, 0);
  if (parts == 1) {
    share_out(p, pot.amount, first, out);
    return out;
  }
  const auto second = best_of(pot.open_to, worths, 1);
  const Units half = second.empty() ? 0 : down(pot.amount / 2, p.law.fee.smallest);
  share_out(p, pot.amount - half, first, out);
  if (half > 0) share_out(p, half, second, out);
  return out;
}

/// One pot for all that the best hands can win, when they divide it by what each put in.
void merge(const Play& p, std::vector<Pot>& pots, const Worths& worths) {
  if (p.law.showdown.split != Split::by_contribution || worths.empty() ||
      worths.begin()->second.size() != 1)
    return;
  std::vector<Seat> live;
  for (const auto& [seat, unused] : worths) live.push_back(seat);
  const auto best = best_of(live, worths, 0);
  if (best.size() < 2) return;
  const auto opens = [&](const Pot& pot) {
    return std::any_of(pot.open_to.begin(), pot.open_to.end(), [&](Seat seat) {
      return std::find(best.begin(), best.end(), seat) != best.end();
    });
  };
  while (pots.size() > 1 && opens(pots.at(1))) {
    auto& main = pots.front();
    main.amount += pots.at(1).amount;
    for (const auto& [seat, units] : pots.at(1).in) main.in[seat] += units;
    pots.erase(pots.begin() + 1);
  }
}

void settle_pot(Play& p, const Pot& pot, std::size_t number, const Worths& worths) {
  const auto shares = shares_of(p, pot, worths);
  const auto& won = worths.empty()                      ? p.law.betting.cite
                    : worths.begin()->second.size() > 1 ? p.law.hands.division_cite
                                                        : p.law.showdown.cite;
  for (const auto& one : p.state.players) {
    const auto stake = pot.in.find(one.seat);
    const auto share = shares.find(one.seat);
    const Units staked = stake == pot.in.end() ? 0 : stake->second;
    const Units gets = share == shares.end() ? 0 : share->second.units;
    if (staked == 0 && gets == 0) continue;
    const auto& cite = one.live()          ? won
                       : one.false_opening ? p.law.opening.false_cite
                                           : p.law.betting.cite;
    p.settle(one.seat, numbered("bote", number), "bote", staked, gets,
             gets > 0 ? BetResult::win : BetResult::lose, cite);
    if (share != shares.end()) p.state.settled.back().remainder = said(share->second.remainder);
  }
  for (const auto& [seat, share] : shares) p.state.player(seat)->stack += share.units;
}

}  // namespace

Uncalled uncalled(const State& state) {
  Uncalled out;
  Units most = 0;
  Units next = 0;
  for (const auto& one : state.players) {
    const Units all = one.credit + one.put;
    if (all > most) {
      next = most;
      most = all;
      out = {one.seat, 0};
    } else {
      next = std::max(next, all);
    }
  }
  const auto* top = state.player(out.seat);
  if (top == nullptr || most == next) return {};
  out.amount = std::min(most - next, top->put);
  return out;
}

void charge(Play& p, Player& player, Units amount) {
  if (amount == 0) return;
  TALLA_CHECK(amount > 0 && amount <= player.stack);
  player.stack -= amount;
  player.paid += player.in ? amount : 0;
  p.state.house += amount;
  p.state.fees.since += amount;
  p.settle(player.seat, "beneficio", "beneficio", amount, 0, BetResult::lose, p.law.fee.cite);
  p.settle(0, "beneficio", "beneficio", 0, amount, BetResult::win, p.law.fee.cite);
}

void take_pot_fee(Play& p) {
  auto& state = p.state;
  Units pot = state.dead;
  for (const auto& one : state.players) pot += one.put;
  const auto free = uncalled(state);
  const auto* owner = state.player(free.seat);
  if (!p.law.fee.on_uncalled || (owner != nullptr && owner->false_opening)) pot -= free.amount;
  const Fraction exact = p.law.fee.rate * Fraction(pot - state.fees.seen);
  Units fee = down(exact.floor(), p.law.fee.smallest);
  if (p.law.fee.cap > 0) fee = std::min(fee, p.law.fee.cap - state.fees.of_hand);
  state.fees.seen = pot;
  state.fees.of_hand += fee;
}

void divide(Play& p, bool shown) {
  auto& state = p.state;
  if (p.law.fee.kind == FeeKind::pot && !p.law.fee.each_interval) take_pot_fee(p);
  Uncalled free = p.law.fee.on_uncalled ? Uncalled{} : uncalled(state);
  const auto top = uncalled(state);
  const auto* owner = state.player(top.seat);
  const bool falsely = owner != nullptr && owner->false_opening;
  if (falsely) {
    free = top;  // nobody wins it in this hand
  } else if (owner != nullptr && !owner->live()) {
    free = {};
  }
  Units stays = 0;  // for the next hand
  Worths worths;
  if (shown && state.live_count() > 1) {
    for (const auto& one : state.players) {
      if (one.live()) worths[one.seat] = worth(p, one);
    }
  }
  auto pots = pots_of(p, free);
  bear_fee(p, pots);
  merge(p, pots, worths);
  for (std::size_t i = 0; i < pots.size(); ++i) settle_pot(p, pots.at(i), i + 1, worths);
  if (falsely && p.law.opening.bet_stays && free.amount > 0) {
    stays = free.amount;
    p.settle(free.seat, "vuelta", "vuelta", stays, 0, BetResult::lose, p.law.opening.false_cite);
    p.settle(0, "vuelta", "bote", 0, stays, BetResult::prison, p.law.opening.false_cite);
  } else if (free.amount > 0) {
    p.settle(free.seat, "vuelta", "vuelta", free.amount, free.amount, BetResult::push,
             p.law.betting.cite);
    state.player(free.seat)->stack += free.amount;
  }
  if (state.dead > 0) {
    p.settle(0, "bote", "bote", state.dead, 0, BetResult::lose, p.law.misdeal.cite);
    state.dead = 0;
    for (auto& one : state.players)
      one.waiting = one.credit = 0;  // also of those who sat this hand out
  }
  if (state.fees.of_hand > 0) {
    state.house += state.fees.of_hand;
    state.fees.since += state.fees.of_hand;
    p.settle(0, "beneficio", "beneficio", 0, state.fees.of_hand, BetResult::win, p.law.fee.cite);
  }
  state.dead = stays;
  state.blanks = 0;
  end_hand(p, true);
}

void carry_pot(Play& p, const Citation& cite) {
  auto& state = p.state;
  TALLA_CHECK(state.fees.of_hand == 0);
  Units all = 0;
  for (auto& one : state.players) {
    one.waiting = one.credit = one.street = one.early = 0;
    const Units put = std::exchange(one.put, 0);
    if (put > 0) p.settle(one.seat, "bote-1", "bote", put, 0, BetResult::lose, cite);
    all += put;
  }
  p.settle(0, "bote", "bote", 0, all, BetResult::prison, cite);
  state.dead += all;
  end_hand(p, false);
}

void end_hand(Play& p, bool played) {
  auto& state = p.state;
  state.over = state.closing && played;
  state.phase = Phase::open;
  state.betting.turn = 0;
  state.showing.queue.clear();
  state.showing.to_reveal.clear();
  state.open.laid.clear();
  state.open.repairs.clear();
  state.showing.asked.clear();
  state.deck.to_mix = 0;
  state.early.due = false;
  state.betting.spoken.clear();
  for (auto& one : state.players) one.early = 0;
  state.round_over = true;
  state.shoe = false;
  const auto& cite = p.table.rules().bet("resto")->cite;
  for (auto& one : state.players) {
    if (one.stack == 0 || state.over) pay_out(p, one.seat, cite);
  }
}

}  // namespace talla::games::circle
