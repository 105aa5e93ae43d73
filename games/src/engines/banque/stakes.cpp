// Stakes against the bank: placed, announced, taken back.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

bool line(const std::string& kind) {
  return kind == "raya" || kind.ends_with("-raya");
}

Units placed_by(const State& state, Seat seat) {
  Units sum = 0;
  for (const auto& bet : state.bets.all()) {
    if (bet.seat == seat) sum += bet.stake;
  }
  return sum;
}

/// The bank and everything against it stay amounts.
Status check_sum(const Play& p, Units stake) {
  Units sum = 0;
  for (const auto& bet : p.state.bets.all()) sum += bet.stake;
  if (p.state.bank() <= bank_plays_max && stake <= bank_plays_max && sum <= bank_plays_max - stake)
    return {};
  return fail(Errc::amount_invalid, "bank and stakes are beyond what can be paid");
}

Units con_la_mesa(const State& state) {
  Units most = 0;
  for (const auto& bet : state.bets.all()) {
    if (bet.kind == "con-la-mesa") most = std::max(most, bet.stake);
  }
  return most;
}

Status check_seat(const Play& p, Seat seat) {
  for (const auto& part : p.state.parts) {
    if (part.seat == seat)
      return fail(Errc::seat_invalid, "banker and associates do not bet against their bank");
  }
  const bool there = p.state.player(seat) != nullptr;
  if (!there && seat <= places(p.table, p.law))
    return fail(Errc::seat_invalid, "nobody sits there: " + std::to_string(seat));
  if (!there && p.state.players.size() >= 400) return fail(Errc::seat_invalid, "the table is full");
  return {};
}

/// Stakes of chemin de fer that announce a share of the bank.
Status check_announcement(const Play& p, const PlaceBet& event) {
  const Units bank = p.state.bank();
  const Units whole = banco_stake(p.table, p.state);
  const auto& cite = p.law.stakes_cite;
  if (event.kind == "banco" || event.kind == "banco-seguido") {
    if (event.kind == "banco-seguido" && p.state.rights.suivi != event.seat) {
      if (p.state.rights.suivi == 0)
        return refuse(Errc::bet_not_offered, p,
                      "nobody made banco and lost, so nobody has banco seguido", cite);
      return refuse(Errc::bet_not_offered, p,
                    "only seat " + std::to_string(p.state.rights.suivi) +
                        " made banco and lost, and has banco seguido",
                    cite);
    }
    if (event.stake > whole)
      return refuse(Errc::above_maximum, p, "the bank is " + std::to_string(whole), cite);
    if (event.stake < whole)
      return refuse(Errc::below_minimum, p, "banco is the whole bank: " + std::to_string(whole),
                    cite);
  }
  if (event.kind == "con-la-mesa") {
    const Units half = p.round_up((bank + 1) / 2);
    if (event.stake < half)
      return refuse(Errc::below_minimum, p, "half of the bank is " + std::to_string(half), cite);
    if (p.law.table_share == "half" && event.stake > half) {
      return refuse(Errc::above_maximum, p, "half of the bank is " + std::to_string(half), cite);
    }
  }
  if (event.kind == "con-la-mesa-completo") {
    const Units other = con_la_mesa(p.state);
    if (other == 0)
      return refuse(Errc::bet_not_offered, p, "nobody called banco con la mesa", cite);
    const Units rest = p.round_up(std::max<Units>(bank - other, 0));
    if (event.stake > rest)
      return refuse(Errc::above_maximum, p, "the rest of the bank is " + std::to_string(rest),
                    cite);
    if (event.stake < rest)
      return refuse(Errc::below_minimum, p, "the rest of the bank is " + std::to_string(rest),
                    cite);
  }
  return {};
}

Status check_one_cloth(const Play& p, const PlaceBet& event) {
  TALLA_TRY_STATUS(check_announcement(p, event));
  if (event.stake > units_max - placed_by(p.state, event.seat) ||
      placed_by(p.state, event.seat) + event.stake > banco_stake(p.table, p.state)) {
    return refuse(Errc::above_maximum, p, "a player stakes at most the bank", p.law.stakes_cite);
  }
  if (event.kind != "punto" && event.kind != "raya") return {};
  const auto* rules = &p.table.rules();
  if (rules->parameter(p_initial_min) != nullptr &&
      event.stake < p.param(p_initial_min) * p.table.min()) {
    return refuse(Errc::below_minimum, p, "below the least stake",
                  rules->parameter(p_initial_min)->cite);
  }
  if (rules->parameter(p_initial_max) != nullptr && p.param(p_initial_max) > 0 &&
      event.stake > p.param(p_initial_max) * p.table.min()) {
    return refuse(Errc::above_maximum, p, "above the largest stake",
                  rules->parameter(p_initial_max)->cite);
  }
  return {};
}

Status check_two_cloths(const Play& p, const PlaceBet& event) {
  if (event.kind == "banco") {
    const bool again = p.state.rights.banco_left > 0 && p.state.rights.banco_seat == event.seat;
    if (!p.state.fresh_shoe && !again) {
      return refuse(Errc::bets_closed, p, "banco is called once, at the start of the shoe",
                    p.law.hand_cite);
    }
    const Units whole = banco_stake(p.table, p.state);
    if (event.stake > whole)
      return refuse(Errc::above_maximum, p, "the bank is " + std::to_string(whole),
                    p.law.hand_cite);
    if (event.stake < whole)
      return refuse(Errc::below_minimum, p, "banco is the whole bank: " + std::to_string(whole),
                    p.law.hand_cite);
  }
  if (!p.law.open_bank && event.stake > banco_stake(p.table, p.state)) {
    return refuse(Errc::above_maximum, p, "the bank is " + std::to_string(p.state.bank()),
                  p.law.award_cite);
  }
  return {};
}

}  // namespace

Units banco_stake(const Table& table, const State& state) {
  const Units chip = table.currency().chip;
  return (state.bank() + chip - 1) / chip * chip;
}

std::array<Units, 2> wanted(const Play& p, const Bet& bet) {
  if (p.law.cloths == 1) {
    const bool whole = bet.kind == "banco" || bet.kind == "banco-seguido";
    return {whole            ? std::min(bet.stake, p.state.bank())
            : line(bet.kind) ? bet.stake / 2
                             : bet.stake,
            0};
  }
  if (bet.kind == "banco") return {(p.state.bank() + 1) / 2, p.state.bank() / 2};
  if (bet.kind == "a-caballo") {  // the odd unit plays on the first cloth
    const Units unit = p.law.halves_in_chips ? p.chip() : 1;
    const Units second = bet.stake / unit / 2 * unit;
    return {bet.stake - second, second};
  }
  const Units plays = line(bet.kind) ? bet.stake / 2 : bet.stake;
  return bet.kind.starts_with("pano-1") ? std::array<Units, 2>{plays, 0}
                                        : std::array<Units, 2>{0, plays};
}

Status place_stake(Play& p, const PlaceBet& event) {
  if (event.id == "bank" || event.id.starts_with("bank-") || event.id.starts_with("garage")) {
    return fail(Errc::bet_duplicate, "the id belongs to the bank: " + event.id);
  }
  TALLA_TRY_STATUS(check_seat(p, event.seat));
  if (line(event.kind) && event.stake % 2 != 0)
    return fail(Errc::chip_step, "half of a stake on the line plays: an even stake");
  TALLA_TRY_STATUS(check_sum(p, event.stake));
  // Who covers the bank covers it as it is, below the table minimum too.
  const bool whole = event.kind.starts_with("banco") || event.kind.starts_with("con-la-mesa");
  const PlaceOptions options{.check_minimum = !whole, .check_limits = !p.law.open_bank};
  TALLA_TRY_STATUS(p.state.bets.place(p.table, event, options));
  p.state.bets.remove(event.id);  // the family's own refusals come after the general ones
  TALLA_TRY_STATUS(p.law.cloths == 1 ? check_one_cloth(p, event) : check_two_cloths(p, event));
  TALLA_TRY_STATUS(p.state.bets.place(p.table, event, options));
  if (p.state.player(event.seat) == nullptr) {
    // A standing player is at the cloth of his first stake.
    auto& player = p.state.join(event.seat);
    if (p.law.cloths == 2) player.cloth = event.kind.starts_with("pano-2") ? 2 : 1;
  }
  return {};
}

Status withdraw_stake(Play& p, const WithdrawBet& event) {
  const auto* bet = p.state.bets.find(event.bet);
  if (bet != nullptr && event.amount && *event.amount != bet->stake &&
      (bet->kind.starts_with("banco") || bet->kind.starts_with("con-la-mesa"))) {
    return refuse(Errc::withdrawal_refused, p, "an announced share of the bank is not reduced",
                  p.law.stakes_cite);
  }
  if (bet != nullptr && line(bet->kind) && event.amount && *event.amount % 2 != 0) {
    return fail(Errc::chip_step, "half of a stake on the line plays: an even stake");
  }
  return p.state.bets.withdraw(p.table, event);
}

void free_stake(Play& p, const std::string& bet, BetResult result, const Citation& cite) {
  const auto* found = p.state.bets.find(bet);
  p.state.settled.push_back(settle_returned(p.table, *found, result, Fraction(found->stake), cite));
  p.state.bets.remove(bet);
  std::erase_if(p.state.played, [&](const Played& one) { return one.bet == bet; });
}

}  // namespace talla::games::banque
