// The bank between hands: raised, kept aside, refilled, passed and ended.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

/// `amount` divided by the parts of the bank: whole units, what is left over is the banker's.
std::vector<Units> shares(const State& state, Units amount) {
  std::vector<Units> out(state.parts.size(), 0);
  const Units bank = state.bank();
  Units rest = amount;
  for (std::size_t i = 1; i < state.parts.size(); ++i) {
    out[i] =
        bank == 0 ? 0 : (Fraction(amount) * Fraction(state.parts[i].bank) / Fraction(bank)).floor();
    rest -= out[i];
  }
  if (!out.empty()) out[0] = rest;
  return out;
}

void to_garage(State& state, Units amount) {
  const auto parts = shares(state, amount);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    state.parts[i].bank -= parts[i];
    state.parts[i].garage += parts[i];
  }
}

void give_back(Play& p, const Part& part, const std::string& id, std::string_view kind,
               Units amount, const Citation& cite) {
  if (amount == 0) return;
  p.state.settled.push_back({id, part.seat, std::string(kind), amount, BetResult::push, amount,
                             Fraction(0), p.table.rules().rule(cite)});
}

Status banker_is_free(const Play& p, Seat seat) {
  if (p.state.banker() != seat) return fail(Errc::action_refused, "only the banker does this");
  if (p.state.phase != Phase::betting || !p.state.bets.empty()) {
    return refuse(Errc::action_refused, p, "the bank changes only before the first stake",
                  p.law.award_cite);
  }
  return {};
}

Result<Units> amount_of(const Play& p, const Act& act, Units least, Units most) {
  if (!act.amount) return fail(Errc::amount_invalid, act.action + " names an amount");
  if (*act.amount % p.chip() != 0)
    return fail(Errc::chip_step, "a multiple of " + std::to_string(p.chip()));
  if (*act.amount < least)
    return fail(Errc::below_minimum, act.action + ": at least " + std::to_string(least));
  if (*act.amount > most)
    return fail(Errc::above_maximum, act.action + ": at most " + std::to_string(most));
  return *act.amount;
}

Status raise_bank(Play& p, const Act& act) {
  TALLA_TRY(const auto amount,
            amount_of(p, act, p.chip(), std::max<Units>(0, bank_max(p.table) - p.state.bank())));
  p.state.parts.front().bank += amount;
  return {};
}

Status form_garage(Play& p, const Act& act) {
  const Units most = garage_max(p.table, p.law, p.state);
  if (most == 0) return refuse(Errc::action_refused, p, "no garage yet", p.law.garage_cite);
  TALLA_TRY(const auto amount, amount_of(p, act, p.chip(), most));
  to_garage(p.state, amount);
  p.state.last_win = std::max<Units>(0, p.state.last_win - amount);
  return {};
}

Status pass_bank(Play& p) {
  const Seat banker = p.state.banker();
  const Units amount = p.state.bank();
  const bool dealt = p.state.dealt;
  const Seat before = p.state.award.passer;
  std::vector<Seat> associates;
  for (std::size_t i = 1; i < p.state.parts.size(); ++i)
    associates.push_back(p.state.parts[i].seat);
  end_bank(p);
  if (dealt) {
    pass_on(p, {banker, banker, amount, true, std::move(associates)});
    return {};
  }
  // He took the bank and will not deal once: an auction without him and without the banker before.
  std::vector<Seat> barred{banker};
  if (before != 0) barred.push_back(before);
  p.state.award.passer = banker;
  start_auction(p, std::move(barred), bank_min(p.table));
  return {};
}

Status all_in(Play& p) {
  if (p.param(p_bank_max) != 0)
    return refuse(Errc::action_refused, p, "only a bank without maximum goes without garage",
                  p.law.garage_cite);
  if (p.state.garage() == 0)
    return refuse(Errc::action_refused, p, "there is no garage", p.law.garage_cite);
  for (auto& part : p.state.parts) {
    part.bank += part.garage;
    part.garage = 0;
  }
  return {};
}

Status propose(Play& p, const Act& act) {
  auto& s = p.state;
  if (s.phase != Phase::betting || !s.bets.empty() || s.proposal)
    return refuse(Errc::action_refused, p, "not now", p.law.award_cite);
  if (s.player(act.seat) == nullptr || s.banker() == act.seat)
    return fail(Errc::action_refused, "who joins the bank is at the table");
  const bool there = std::any_of(s.parts.begin(), s.parts.end(),
                                 [&](const Part& one) { return one.seat == act.seat; });
  if (there || s.parts.size() >= 16) return fail(Errc::action_refused, "an associate once only");
  const Units most = std::max<Units>(0, bank_max(p.table) - s.bank());
  const Units equal = banco_stake(p.table, s);
  const bool matching = p.law.associates == "matching";
  TALLA_TRY(const auto amount, amount_of(p, act, matching ? equal : p.chip(),
                                         matching ? std::min(equal, most) : most));
  s.proposal = Bid{act.seat, amount, false};
  return {};
}

Status answer(Play& p, const Act& act) {
  if (!p.state.proposal)
    return refuse(Errc::action_refused, p, "nobody asks to join the bank", p.law.award_cite);
  if (act.action == "aceptar") {
    p.state.parts.push_back({p.state.proposal->seat, p.state.proposal->amount, 0});
    if (p.state.rights.suivi == p.state.proposal->seat) p.state.rights.suivi = 0;
  }
  p.state.proposal.reset();
  return {};
}

/// Banque: the banker refills a broken bank, or goes.
Status refill(Play& p, const Act& act) {
  auto& s = p.state;
  if (s.phase != Phase::broken || s.banker() != act.seat)
    return refuse(Errc::action_refused, p, "the bank is not broken", p.law.award_cite);
  const auto [least, most] = refill_of(p.table, p.law, s);
  TALLA_TRY(const auto amount, amount_of(p, act, least, most));
  s.parts.front().bank = amount;
  s.phase = Phase::betting;
  return {};
}

Status abandon(Play& p, Seat seat) {
  auto& s = p.state;
  const bool broken = s.phase == Phase::broken && s.banker() == seat;
  if (!broken) TALLA_TRY_STATUS(banker_is_free(p, seat));
  if (!s.dealt)
    return refuse(Errc::action_refused, p, "the banker deals at least once", p.law.award_cite);
  if (p.law.winner_barred && s.bank() > s.initial) s.left_winning.push_back(seat);
  const Units amount = p.law.leave == "offer-initial" ? s.initial : s.bank();
  end_bank(p);
  pass_on(p, {seat, seat, amount, true, {}});
  return {};
}

}  // namespace

Refill refill_of(const Table& table, const Law& law, const State& state) {
  const Units chip = table.currency().chip;
  const Units asked = law.refill == "initial" ? state.initial : bank_min(table);
  const Units least = (asked + chip - 1) / chip * chip;
  return {least, std::max(bank_max(table), least)};
}

Units garage_max(const Table& table, const Law& law, const State& state) {
  if (law.garage_test == "none") return 0;
  const Units tested = law.garage_test == "bank" ? state.bank() : state.winnings;
  if (Fraction(tested) <= Fraction(law.garage_threshold) * Fraction(table.min())) return 0;
  const bool sum = choice_of(table, p_garage_gains, "last-hand") == "sum";
  const Units gains = sum ? std::max<Units>(0, state.winnings - state.garage()) : state.last_win;
  const Units chip = table.currency().chip;
  return std::min(gains, state.bank() - 1) / chip * chip;
}

void move_bank(Play& p, const std::vector<Units>& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto& part = p.state.parts.at(i);
    part.bank = std::max<Units>(0, part.bank + changes[i]);
  }
}

void trim_bank(Play& p) {
  if (!p.law.garage_improper || p.param(p_bank_max) == 0) return;
  const Units over = p.state.bank() - bank_max(p.table);
  if (over > 0) {
    to_garage(p.state, over);
    p.state.last_win = std::max<Units>(0, p.state.last_win - over);
  }
}

void end_bank(Play& p) {
  auto& s = p.state;
  for (std::size_t i = 0; i < s.parts.size(); ++i) {
    const auto& part = s.parts[i];
    const std::string tail = i == 0 ? "" : "-" + std::to_string(part.seat);
    give_back(p, part, "bank-out" + tail, "banca", part.bank, p.law.award_cite);
    give_back(p, part, "garage" + tail, "garage", part.garage, p.law.garage_cite);
  }
  s.parts.clear();
  s.initial = 0;
  s.winnings = 0;
  s.last_win = 0;
  s.proposal.reset();
}

Status bank_act(Play& p, const Act& act) {
  if (act.action == "reponer") return refill(p, act);
  if (act.action == "abandonar") return abandon(p, act.seat);
  if (act.action == "asociarse") return propose(p, act);
  TALLA_TRY_STATUS(banker_is_free(p, act.seat));
  if (act.action == "aumentar") return raise_bank(p, act);
  if (act.action == "garage") return form_garage(p, act);
  if (act.action == "pasar-mano") return pass_bank(p);
  if (act.action == "todo-va") return all_in(p);
  return answer(p, act);
}

}  // namespace talla::games::banque
