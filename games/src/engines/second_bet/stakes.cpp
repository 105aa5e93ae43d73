#include "engines/second_bet/stakes.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/poker/house_boxes.hpp"
#include "engines/second_bet/meters.hpp"

namespace talla::games::second_bet {
namespace {

using poker::house::Boxes;

/// Ids of bets may be no longer than this, so that those of their second bets fit as well.
constexpr std::size_t id_size_max = 20;

Status check_open(const State& state) {
  if (state.in_round())
    return fail(Errc::bets_closed, "bets are closed until this hand is settled");
  if (state.closing && state.phase == Phase::over)
    return fail(Errc::bets_closed, "the session is over");
  if (!state.bets_open()) return fail(Errc::no_shoe, "a fresh deck must be ready before bets");
  return {};
}

/// Own amount of a bet, in table minimums.
Status check_own_stake(const Law& law, const Bet& bet) {
  const auto* rule = law.stake_rule(bet.kind);
  if (rule == nullptr) return {};
  const auto wanted = law.stake_amount(bet.kind);
  const Fraction stake(bet.stake);
  const bool fixed = law.resolve(*rule->find("form")).string() == "fixed";
  const auto cited = law.cited("stakes");
  if (stake > wanted)
    return fail(Errc::above_maximum, bet.kind + ": at most " + wanted.text() + cited);
  if (fixed && stake < wanted)
    return fail(Errc::below_minimum, bet.kind + ": the stake is " + wanted.text() + cited);
  return {};
}

/// The largest return of the bet and of what goes with it is an amount.
Status check_payable(const Law& law, const Bet& bet) {
  Fraction most;
  for (std::size_t i = 0; i < poker::categories_count; ++i) {
    const auto category = static_cast<poker::Category>(i);
    if (law.is_side(bet.kind)) {
      most = std::max(most, law.prize(bet.kind, category).value_or(Fraction()));
      continue;
    }
    const auto* payout =
        law.bet(law.second_bet()).payout(poker::category_name(category), law.table().params());
    if (payout == nullptr) continue;
    most =
        std::max(most, (payout->pays + Fraction(1)) * Fraction(law.number("second", "multiple")));
  }
  if (Fraction(bet.stake) * (most + Fraction(1)) <= Fraction(units_max)) return {};
  return fail(Errc::amount_invalid, bet.kind + ": the stake is beyond what can be paid");
}

Status check_side(const Law& law, const State& state, const Bet& bet) {
  const Boxes boxes(law, state.bets);
  if (law.side(bet.kind, "one_per_box").boolean()) {
    for (const auto& other : state.bets.all()) {
      if (other.kind != bet.kind || other.box != bet.box || other.id == bet.id) continue;
      return fail(Errc::bet_not_offered, bet.kind + ": one for each box" + law.cited("sides"));
    }
  }
  auto goes_with = boxes.check_side(bet);
  if (goes_with || !law.side(bet.kind, "standalone").boolean()) return goes_with;
  return bet.seat == bet.box
             ? Status()
             : Status(fail(Errc::seat_invalid, bet.kind + ": without " + law.main_bet() +
                                                   " only on the own box" + law.cited("sides")));
}

}  // namespace

std::optional<std::string> no_stake_on(const Law& law, const BetRule& bet) {
  if (!law.is_placed(bet.id)) return "";
  const auto* rule = law.stake_rule(bet.id);
  if (rule == nullptr) return std::nullopt;
  if (law.stake_amount(bet.id) >= Fraction(law.table().currency().chip)) return "";
  return "its stake of " + law.fraction_of(*rule->find("amount")).text() +
         " minimums is less than a chip" + law.cited("stakes");
}

Status check_placed(const Law& law, const State& state, const Bet& bet) {
  TALLA_TRY_STATUS(check_own_stake(law, bet));
  return law.is_side(bet.kind) ? check_side(law, state, bet)
                               : Boxes(law, state.bets).check_main(bet);
}

Status place_bet(const Law& law, State& state, const PlaceBet& event) {
  TALLA_TRY_STATUS(check_open(state));
  const bool derived = law.rules().bet(suffix_of(event.id)) != nullptr;
  if (event.id.size() > id_size_max || derived) {
    return fail(Errc::bet_unknown, "a bet id has at most " + std::to_string(id_size_max) +
                                       " characters and not the form of a second bet");
  }
  PlaceBet placed = event;
  TALLA_TRY(placed.box, Boxes(law, state.bets).box_of(event));
  const bool own = law.stake_rule(placed.kind) != nullptr;
  TALLA_TRY_STATUS(state.bets.place(law.table(), placed, {.check_minimum = !own}));
  const Bet bet = *state.bets.find(std::string_view(placed.id));
  if (!law.is_placed(bet.kind)) {
    return fail(Errc::bets_closed, bet.kind + " comes with a decision, not before the deal (" +
                                       law.rules().rule(law.bet(bet.kind).cite) + ")");
  }
  TALLA_TRY_STATUS(check_payable(law, bet));
  return check_placed(law, state, bet);
}

Status withdraw_bet(const Law& law, State& state, const WithdrawBet& event) {
  TALLA_TRY_STATUS(check_open(state));
  TALLA_TRY_STATUS(state.bets.withdraw(law.table(), event));
  for (const auto& bet : state.bets.all()) {
    if (auto fits = check_placed(law, state, bet); !fits) {
      return fail(Errc::withdrawal_refused,
                  "bet " + bet.id + " would stay alone: " + fits.error().detail);
    }
  }
  return {};
}

std::vector<Hand> hands_of(const Law& law, const State& state) {
  const Boxes boxes(law, state.bets);
  std::vector<Hand> out;
  for (const auto box : boxes.staked()) {
    Hand hand;
    hand.box = box;
    hand.seat = boxes.holder(box);
    out.push_back(std::move(hand));
  }
  return out;
}

Status close_bets(const Law& law, State& state) {
  TALLA_TRY_STATUS(check_open(state));
  if (state.bets.empty())
    return fail(Errc::not_due, "no hand has a stake: there is nothing to deal");
  state.hands = hands_of(law, state);
  note_stakes(state);
  state.phase = Phase::dealing;
  return {};
}

}  // namespace talla::games::second_bet
