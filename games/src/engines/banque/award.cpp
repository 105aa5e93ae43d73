// Who gets the bank: offers, the auction, the tie, passing on.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

/// Amounts beyond any real bank, so that sums of them stay amounts.
constexpr Units bank_limit = units_max / 1024;

bool contains(const std::vector<Seat>& all, Seat seat) {
  return std::find(all.begin(), all.end(), seat) != all.end();
}

bool may_bid(const State& state, Seat seat) {
  return !contains(state.award.barred, seat) && !contains(state.left_winning, seat);
}

void clear_award(State& state) {
  state.award.queue.clear();
  state.award.bids.clear();
  state.award.barred.clear();
  state.award.floor = 0;
  state.award.fixed_price = false;
}

bool sits(const Play& p, Seat seat) {
  return seat != 0 && seat <= places(p.table, p.law);
}

/// Seated players in turn, then standing ones.
std::vector<Seat> round_from(const Play& p, Seat from) {
  auto out = seated_from(p.table, p.law, p.state, from);
  for (const auto& player : p.state.players) {
    if (player.seat > places(p.table, p.law) && player.seat != from) out.push_back(player.seat);
  }
  return out;
}

/// Who changed seats lets one bank go by: that is done when the bank comes to him.
void skip_those_who_must_pass(Play& p) {
  while (!p.state.award.queue.empty()) {
    auto* player = p.state.player(p.state.award.queue.front());
    if (player != nullptr && !player->must_pass) return;
    if (player != nullptr) player->must_pass = false;
    p.state.award.queue.erase(p.state.award.queue.begin());
  }
}

void vacate(Play& p) {
  clear_award(p.state);
  p.state.phase = Phase::vacant;
  p.state.award.passer = 0;
}

/// The seat on the right must take the bank for the least amount, or leave.
void force(Play& p) {
  clear_award(p.state);
  if (p.law.cloths == 2) {
    // No bidder: the shoe is over, and the next one begins with an auction.
    if (p.state.shoe != ShoeState::none && !p.state.fresh_shoe) p.state.shoe = ShoeState::over;
    return vacate(p);
  }
  p.state.award.queue = seated_from(p.table, p.law, p.state, p.state.award.passer);
  if (p.state.award.passer != 0 && sits(p, p.state.award.passer))
    p.state.award.queue.push_back(p.state.award.passer);
  std::erase_if(p.state.award.queue, [&](Seat seat) { return p.state.player(seat) == nullptr; });
  if (p.state.award.queue.empty()) return vacate(p);
  p.state.award.floor = bank_min(p.table);
  p.state.award.fixed_price = true;
  p.state.phase = Phase::forced;
}

void offer_next(Play& p) {
  skip_those_who_must_pass(p);
  if (!p.state.award.queue.empty()) return;
  const auto barred = p.state.award.barred;
  start_auction(p, barred, bank_min(p.table));
}

void award_to(Play& p, Seat seat, Units amount) {
  auto& s = p.state;
  const bool by_turn = s.phase == Phase::offer || s.phase == Phase::forced;
  s.parts = {Part{seat, amount, 0}};
  s.initial = amount;
  s.winnings = 0;
  s.last_win = 0;
  s.dealt = false;
  s.proposal.reset();
  s.shoes_left = p.law.cloths == 2 ? static_cast<std::uint32_t>(p.param(p_bank_shoes)) : 0;
  // The bank of a passed or bid hand goes on at the right of who had it before.
  const bool passed = s.rights.bank_before > 0;
  s.origin = p.law.cloths == 1 && s.award.passer != 0 && s.award.passer != seat &&
                     (passed || !by_turn || !sits(p, seat))
                 ? s.award.passer
                 : 0;
  if (sits(p, seat)) s.last_seated = seat;
  if (s.rights.cards_right != 0 && (amount <= s.rights.bank_before || s.rights.cards_right == seat))
    s.rights.cards_right = 0;
  if (auto* player = s.player(seat)) {
    player->refusals = 0;
    player->must_pass = false;
  }
  if (s.rights.suivi == seat) s.rights.suivi = 0;
  clear_award(s);
  s.phase = Phase::betting;
  s.rights.bank_before = 0;
  if (s.award.new_shoe && s.shoe == ShoeState::in_play && !s.fresh_shoe) s.shoe = ShoeState::over;
  s.award.new_shoe = false;
}

/// Banque: bids from what the bank was, or the same amount offered to everybody and then a new
///         shoe.
void pass_on_two_cloths(Play& p, const Handover& handover) {
  auto& s = p.state;
  if (p.law.leave == "auction-from-bank") return start_auction(p, {}, s.award.floor);
  s.award.new_shoe = true;
  s.award.fixed_price = true;
  for (const auto& player : s.players) {
    if (player.seat != handover.banker && may_bid(s, player.seat))
      s.award.queue.push_back(player.seat);
  }
  if (s.award.queue.empty()) start_auction(p, {}, bank_min(p.table));
}

Status check_amount(const Play& p, Units amount, Units least, Units most) {
  if (amount % p.chip() != 0)
    return fail(Errc::chip_step, "a bank is a multiple of " + std::to_string(p.chip()));
  const std::string rule = " (" + p.table.rules().rule(p.law.award_cite) + ")";
  if (amount < least)
    return fail(Errc::below_minimum, "the bank is at least " + std::to_string(least) + rule);
  if (amount > most)
    return fail(Errc::above_maximum, "the bank is at most " + std::to_string(most) + rule);
  return {};
}

Units highest_bid(const State& state) {
  Units most = 0;
  for (const auto& one : state.award.bids) most = std::max(most, one.amount);
  return most;
}

/// The auction is over: the highest bidder, seated before standing; with two cloths equal bids draw
///                      lots.
void close_auction(Play& p) {
  const auto best = tied(p.state);
  if (best.empty()) return force(p);
  if (best.size() > 1 && p.law.cloths == 2) {
    p.state.phase = Phase::lot;
    return;
  }
  award_to(p, best.front().seat, best.front().amount);
}

}  // namespace

Units bank_min(const Table& table) {
  const Units chip = table.currency().chip;
  const Units least =
      std::min(table.params().integer(p_bank_min) * std::min(table.min(), bank_limit), bank_limit);
  return (least + chip - 1) / chip * chip;
}

Units bank_max(const Table& table) {
  const Units chip = table.currency().chip;
  const auto times = law_of(table).open_bank ? 0 : table.params().integer(p_bank_max);
  const Units most =
      times == 0 ? bank_limit : std::min(times * std::min(table.min(), bank_limit), bank_limit);
  return std::max(most / chip * chip, bank_min(table));
}

Seat next_bidder(const State& state) {
  const Units most = highest_bid(state);
  for (const auto& one : state.award.bids) {
    if (!one.out && one.amount == 0) return one.seat;
  }
  for (const auto& one : state.award.bids) {
    if (!one.out && one.amount < most) return one.seat;
  }
  return 0;
}

std::vector<Bid> tied(const State& state) {
  const Units most = highest_bid(state);
  std::vector<Bid> out;
  for (const auto& one : state.award.bids) {
    if (!one.out && one.amount == most && most > 0) out.push_back(one);
  }
  return out;
}

void start_award(Play& p) {
  clear_award(p.state);
  p.state.award.passer = 0;
  p.state.rights.bank_before = 0;
  if (p.law.cloths == 2) return start_auction(p, {}, bank_min(p.table));
  p.state.phase = Phase::offer;
  p.state.award.floor = bank_min(p.table);
  p.state.award.queue = round_from(p, 0);
  offer_next(p);
}

void pass_on(Play& p, const Handover& handover) {
  auto& s = p.state;
  const Seat from = handover.from;
  clear_award(s);
  s.award.passer = from;
  s.phase = Phase::offer;
  s.award.floor = std::clamp(p.round_up(handover.amount), bank_min(p.table), bank_max(p.table));
  s.rights.bank_before = handover.passed ? handover.amount : 0;
  if (p.law.cloths == 2) return pass_on_two_cloths(p, handover);
  if (handover.passed)
    s.rights.cards_right =
        choice_of(p.table, p_cards_right, "") == "former-banker" ? handover.banker : s.rights.suivi;
  const bool from_standing = handover.passed && !sits(p, from);
  const Seat base = !from_standing                         ? from
                    : p.law.standing_pass == "last-seated" ? s.last_seated
                                                           : 0;
  s.award.queue = round_from(p, base);
  std::erase(s.award.queue, from);
  if (base != from && sits(p, base) && s.player(base) != nullptr) s.award.queue.push_back(base);
  s.award.barred = handover.associates;
  s.award.barred.push_back(handover.banker);
  if (handover.passed && p.law.retake && s.player(from) != nullptr) s.award.queue.push_back(from);
  offer_next(p);
}

void start_auction(Play& p, std::vector<Seat> barred, Units floor) {
  auto& s = p.state;
  clear_award(s);
  s.award.barred = std::move(barred);
  s.award.floor = floor;
  for (const auto seat : p.law.cloths == 1 ? round_from(p, s.award.passer) : std::vector<Seat>()) {
    if (may_bid(s, seat)) s.award.bids.push_back({seat, 0, false});
  }
  if (p.law.cloths == 2) {
    for (const auto& player : s.players) {
      if (may_bid(s, player.seat)) s.award.bids.push_back({player.seat, 0, false});
    }
  }
  if (s.award.bids.empty()) return force(p);
  s.phase = Phase::auction;
}

Status take_bank(Play& p, const Act& act) {
  auto& s = p.state;
  if ((s.phase != Phase::offer && s.phase != Phase::forced) || s.award.queue.empty() ||
      s.award.queue.front() != act.seat) {
    return fail(Errc::action_refused, "the bank is not offered to this seat");
  }
  if (!act.amount) return fail(Errc::amount_invalid, "a bank is taken with an amount");
  TALLA_TRY_STATUS(check_amount(p, *act.amount, s.award.floor,
                                s.award.fixed_price ? s.award.floor : bank_max(p.table)));
  award_to(p, act.seat, *act.amount);
  return {};
}

Status decline_bank(Play& p, Seat seat) {
  auto& s = p.state;
  if (s.phase == Phase::auction) {
    if (next_bidder(s) != seat)
      return fail(Errc::action_refused, "it is not this seat's turn to bid");
    for (auto& one : s.award.bids) one.out = one.out || one.seat == seat;
    if (next_bidder(s) == 0) close_auction(p);
    return {};
  }
  if ((s.phase != Phase::offer && s.phase != Phase::forced) || s.award.queue.empty() ||
      s.award.queue.front() != seat) {
    return fail(Errc::action_refused, "the bank is not offered to this seat");
  }
  s.award.queue.erase(s.award.queue.begin());
  if (s.phase == Phase::forced) {
    s.remove(seat);
    if (s.award.queue.empty()) vacate(p);
    return {};
  }
  auto* player = s.player(seat);
  const bool own_pass = seat == s.award.passer;
  if (player != nullptr && sits(p, seat) && p.law.cloths == 1 && !own_pass) {
    if (std::cmp_greater_equal(++player->refusals, p.law.refusals)) s.remove(seat);
  }
  offer_next(p);
  return {};
}

Status bid(Play& p, const Act& act) {
  auto& s = p.state;
  if (s.phase == Phase::vacant && p.law.cloths == 2 && s.player(act.seat) != nullptr &&
      may_bid(s, act.seat)) {
    start_award(p);
    const auto first = std::find_if(s.award.bids.begin(), s.award.bids.end(),
                                    [&](const Bid& one) { return one.seat == act.seat; });
    std::rotate(s.award.bids.begin(), first, s.award.bids.end());
  }
  if (s.phase != Phase::auction || next_bidder(s) != act.seat) {
    return fail(Errc::action_refused, "it is not this seat's turn to bid");
  }
  if (!act.amount) return fail(Errc::amount_invalid, "a bid is an amount");
  TALLA_TRY_STATUS(check_amount(p, *act.amount, std::max(s.award.floor, highest_bid(s)),
                                std::max(bank_max(p.table), s.award.floor)));
  for (auto& one : s.award.bids) {
    if (one.seat == act.seat) one.amount = *act.amount;
  }
  if (next_bidder(s) == 0) close_auction(p);
  return {};
}

void award_lot(Play& p, std::size_t index) {
  const auto best = tied(p.state);
  award_to(p, best.at(index).seat, best.at(index).amount);
}

}  // namespace talla::games::banque
