// What a finished hand pays to stakes and bank, and what the house takes.
#include <algorithm>

#include "base/check.hpp"
#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

/// What the bank wins and loses on each cloth, and how much of it is at stake.
struct Balance {
  std::array<Units, 2> won{};
  std::array<Units, 2> lost{};
  Units exposed = 0;
  [[nodiscard]] Units net() const { return won[0] + won[1] - lost[0] - lost[1]; }
  [[nodiscard]] bool decided() const { return won[0] + won[1] + lost[0] + lost[1] > 0; }
};

/// A natural keeps its rank against three cards, whether it was shown in time or not: the right to
/// show is another thing.
bool natural_beats(const Table& table, const Law& law, const Cards& two, const Cards& three) {
  const bool ranks = two.shown || choice_of(table, p_natural_unshown, "by-total") == "keeps-rank";
  if (!ranks || !two.thirds.empty() || three.thirds.empty() ||
      !law.points.natural_total.at(static_cast<std::size_t>(two_total(law, two))))
    return false;
  return two_total(law, two) == 8 || table.params().choice(p_natural_nine) == "beats-three-cards";
}

int sign(int a, int b) {
  return a > b ? 1 : a < b ? -1 : 0;
}

BetResult result_of(Units gain, bool decided) {
  if (gain > 0) return BetResult::win;
  if (gain < 0) return BetResult::lose;
  return decided ? BetResult::push : BetResult::void_;
}

/// `win`, or what another result is cited by; it lives as long as the rules.
const Citation& cite_of(const Play& p, BetResult result, const Citation& win) {
  const auto& hand = *p.state.hand;
  if (hand.decided != Decided::none) return p.table.rules().error(hand.decided_by)->cite;
  if (result == BetResult::win)
    return win;  // NOLINT(*-return-const-ref-from-parameter): of the rules
  return result == BetResult::lose ? p.law.hand_cite : p.law.tie_cite;
}

Balance settle_stakes(Play& p, const std::array<int, 2>& outcome) {
  Balance out;
  for (const auto& one : p.state.played) {
    const auto* bet = p.state.bets.find(one.bet);
    TALLA_CHECK(bet != nullptr);
    Units gain = 0;
    bool decided = false;
    for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth) {
      const Units units = one.units.at(cloth);
      gain += units * outcome.at(cloth);
      decided = decided || (units > 0 && outcome.at(cloth) != 0);
      out.exposed += units;
      if (outcome.at(cloth) < 0) out.won.at(cloth) += units;
      if (outcome.at(cloth) > 0) out.lost.at(cloth) += units;
    }
    const auto result = result_of(gain, decided);
    const auto& win = p.table.rules().bet(bet->kind)->payout("win")->cite;
    p.state.settled.push_back(settle_returned(p.table, *bet, result, Fraction(bet->stake + gain),
                                              cite_of(p, result, win)));
  }
  return out;
}

Fraction deduction(const Play& p, const Balance& balance) {
  if (balance.net() <= 0) return 0;
  Units base = balance.net();
  if (p.law.cloths == 2 && p.choice(p_deduction) == "gross") {
    base = 0;
    for (std::size_t cloth = 0; cloth < 2; ++cloth)
      base += std::max<Units>(0, balance.won.at(cloth) - balance.lost.at(cloth));
  }
  return Fraction(base) * p.law.commission;
}

/// What each part of the bank puts at stake: in proportion, whole units, none above its part.
std::vector<Units> stakes_of_parts(const State& state, Units exposed) {
  const auto& parts = state.parts;
  const Units bank = state.bank();
  std::vector<Units> out(parts.size(), 0);
  if (parts.size() == 1) return {exposed};
  Units rest = exposed;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    out[i] = (Fraction(exposed) * Fraction(parts[i].bank) / Fraction(bank)).floor();
    rest -= out[i];
  }
  out[0] = std::min(rest, parts[0].bank);
  rest -= out[0];
  for (std::size_t i = 1; i < parts.size() && rest > 0; ++i) {
    const Units more = std::min(rest, parts[i].bank - out[i]);
    out[i] += more;
    rest -= more;
  }
  return out;
}

/// The bank's own settlement; what it gains or loses by part.
std::vector<Units> settle_bank(Play& p, const Balance& balance) {
  if (balance.exposed == 0) return {};
  auto& s = p.state;
  const Fraction total = Fraction(balance.exposed + balance.net()) - deduction(p, balance);
  const auto rounded = p.table.round(total);
  s.house = std::min(units_max, s.house + balance.exposed + balance.net() - rounded.units);
  const auto stakes = stakes_of_parts(s, balance.exposed);
  const auto result = result_of(balance.net(), balance.decided());
  const auto rule = p.table.rules().rule(cite_of(p, result, p.law.commission_cite));
  std::vector<Units> changes(s.parts.size(), 0);
  const Units bank = s.bank();
  Units rest = rounded.units;
  Fraction exact_rest = total;
  std::vector<Settlement> associates;
  for (std::size_t i = 1; i < s.parts.size(); ++i) {
    const Fraction exact = total * Fraction(s.parts[i].bank) / Fraction(bank);
    const Units returned = exact.floor();
    changes[i] = returned - stakes[i];
    rest -= returned;
    exact_rest = exact_rest - exact;
    const auto id = "bank-" + std::to_string(s.parts[i].seat);
    associates.push_back({id, s.parts[i].seat, "asociado", stakes[i], result, returned,
                          exact - Fraction(returned), rule});
  }
  changes[0] = rest - stakes[0];
  s.settled.push_back(
      {"bank", s.banker(), "banca", stakes[0], result, rest, exact_rest - Fraction(rest), rule});
  for (auto& one : associates) s.settled.push_back(std::move(one));
  return changes;
}

void finish_shoe(Play& p) {
  auto& s = p.state;
  if (s.shoe != ShoeState::last_hand) return;
  s.shoe = ShoeState::over;
  if (p.law.cloths == 1 || s.parts.empty()) return;
  if (s.shoes_left > 0) --s.shoes_left;
  if (s.shoes_left > 0) return;
  end_bank(p);
  start_award(p);
}

void finish_one_cloth(Play& p, const Hand& hand, const Balance& balance, Units bank_before) {
  auto& s = p.state;
  s.rights.cards_right = 0;
  if (!balance.decided()) return;
  if (balance.net() > 0) {
    s.rights.suivi = hand.banco ? hand.holder[0] : 0;
    trim_bank(p);
    return;
  }
  s.rights.suivi = 0;
  const Seat banker = s.banker();
  const Seat from = s.origin != 0 ? s.origin : banker;
  end_bank(p);
  Units match = bank_min(p.table);
  if (p.law.taker_matches == "lost-or-abandoned") {
    const std::string rule =
        p.table.params().has(p_lost_bank) ? p.choice(p_lost_bank) : "bank-at-start";
    if (rule == "bank-at-start") match = bank_before;
    if (rule == "amount-lost") match = balance.lost[0];
  }
  pass_on(p, {from, banker, match, false, {}});
}

void finish_two_cloths(Play& p, const Hand& hand, const Balance& balance,
                       const std::array<int, 2>& outcome) {
  auto& s = p.state;
  for (std::size_t cloth = 0; cloth < 2; ++cloth) {
    if (hand.banco) continue;
    const bool passes = outcome.at(cloth) < 0 && !hand.keep.at(cloth);
    s.rights.turn.at(cloth) = hand.holder.at(cloth) + (passes ? 1 : 0);
  }
  const bool again = hand.banco && s.rights.banco_left > 0 && s.rights.banco_seat == hand.holder[0];
  const bool null = hand.banco && !balance.decided();
  s.rights.banco_left = !null ? 0 : again ? s.rights.banco_left - 1 : 2;
  s.rights.banco_seat = s.rights.banco_left > 0 ? hand.holder[0] : 0;
  if (s.bank() == 0) s.phase = Phase::broken;
}

/// Bank, rights and shoe after a hand; what the next one begins with.
void finish(Play& p, const Balance& balance, const std::array<int, 2>& outcome) {
  auto& s = p.state;
  const auto changes = settle_bank(p, balance);
  const Units bank_before = s.bank();
  const Hand hand = *std::exchange(s.hand, std::nullopt);
  move_bank(p, changes);
  s.last_win = balance.net() > 0 ? std::max<Units>(0, s.bank() - bank_before) : 0;
  s.winnings = std::min(units_max, s.winnings + s.last_win);
  s.played.clear();
  s.bets.clear();
  s.phase = Phase::betting;
  s.round_over = true;
  s.fresh_shoe = false;
  s.dealt = true;
  if (p.law.cloths == 1) {
    finish_one_cloth(p, hand, balance, bank_before);
  } else {
    finish_two_cloths(p, hand, balance, outcome);
  }
  finish_shoe(p);
  if (s.closing) {
    if (!s.parts.empty()) end_bank(p);
    s.award.queue.clear();
    s.award.bids.clear();
    s.award.barred.clear();
    s.award.floor = 0;
    s.award.fixed_price = false;
    s.phase = Phase::vacant;
  }
}

}  // namespace

int compare(const Table& table, const Law& law, const Hand& hand, std::size_t cloth) {
  if (hand.decided == Decided::punto) return 1;
  if (hand.decided == Decided::banker) return -1;
  const auto& cards = hand.cloth.at(cloth);
  if (cards.fixed == Fixed::voided || hand.decided == Decided::nobody) return 0;
  if (law.cloths == 2) {
    if (natural_beats(table, law, cards, hand.bank) && bank_total(law, hand.bank) >= 8) return 1;
    if (natural_beats(table, law, hand.bank, cards) && cloth_total(law, cards) >= 8) return -1;
  } else if (hand.bank.shown && two_total(law, hand.bank) == 8 && cards.fixed == Fixed::none &&
             cards.word == Word::stand && cards.thirds.empty() && two_total(law, cards) == 9) {
    return -1;  // a 9 that was not shown loses to an 8 that was
  }
  return sign(cloth_total(law, cards), bank_total(law, hand.bank));
}

void settle_hand(Play& p) {
  std::array<int, 2> outcome{};
  for (std::size_t cloth = 0; cloth < p.law.cloths; ++cloth)
    outcome.at(cloth) = compare(p.table, p.law, *p.state.hand, cloth);
  const Balance balance = settle_stakes(p, outcome);
  finish(p, balance, outcome);
}

void void_hand(Play& p, const Citation& cite) {
  std::vector<std::string> all;
  for (const auto& bet : p.state.bets.all()) all.push_back(bet.id);
  for (const auto& id : all) free_stake(p, id, BetResult::void_, cite);
  finish(p, Balance{}, {});
}

}  // namespace talla::games::banque
