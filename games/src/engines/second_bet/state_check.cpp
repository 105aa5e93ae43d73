#include "engines/second_bet/state_check.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "engines/poker/house_boxes.hpp"
#include "engines/second_bet/bank.hpp"
#include "engines/second_bet/meters.hpp"
#include "engines/second_bet/round.hpp"
#include "engines/second_bet/stakes.hpp"
#include "engines/shared/state_json.hpp"

namespace talla::games::second_bet {
namespace {

namespace house = poker::house;

Status check_between(const Law& law, const State& state) {
  const bool staked = std::any_of(state.meters.begin(), state.meters.end(),
                                  [](const MeterState& meter) { return meter.staked > 0; });
  if (staked || !state.lost.empty())
    return bad_state("what belongs to a round stands outside of one");
  if (state.phase == Phase::over) {
    return state.bets.empty() && !state.shoe ? Status()
                                             : Status(bad_state("stakes in a round that is over"));
  }
  if (!state.hands.empty() || !state.bank.empty()) return bad_state("cards without a round");
  if (!state.bets.empty() && !state.shoe) return bad_state("stakes without a deck");
  for (const auto& bet : state.bets.all()) {
    if (!law.is_placed(bet.kind) || !check_placed(law, state, bet))
      return bad_state("a stake that may not stand there");
  }
  return {};
}

/// A second bet or the price of a card: made out of a main stake of the same seat and box.
Status check_derived(const Law& law, const State& state, const Bet& bet) {
  if (suffix_of(bet.id) != bet.kind) return bad_state("a stake that no decision makes");
  const auto* from = state.bets.find(origin_of(bet.id));
  if (from == nullptr || from->kind != law.main_bet() || from->seat != bet.seat ||
      from->box != bet.box)
    return bad_state("a second bet without its first");
  if (bet.kind == law.second_bet()) {
    const bool fits = bet.stake == law.second_of(from->stake);
    return fits ? Status() : Status(bad_state("a second bet of another amount"));
  }
  if (bet.kind != law.purchase_bet()) return bad_state("a stake that no decision makes");
  return {};
}

const Hand* hand_of(const State& state, const Bet& bet) {
  const auto found = std::find_if(state.hands.begin(), state.hands.end(),
                                  [&](const Hand& hand) { return bet.box == hand.box; });
  return found == state.hands.end() ? nullptr : &*found;
}

Status check_stakes(const Law& law, const State& state) {
  for (const auto& bet : state.bets.all()) {
    if (hand_of(state, bet) == nullptr) return bad_state("a stake on no hand");
    if (!law.is_placed(bet.kind)) TALLA_TRY_STATUS(check_derived(law, state, bet));
  }
  std::set<std::string> lost;
  for (const auto& one : state.lost) {
    const bool known =
        one.by == "pass" || one.by == "purchase" || law.rules().error(one.by) != nullptr;
    if (!known || state.bets.find(std::string_view(one.bet)) == nullptr ||
        !lost.insert(one.bet).second)
      return bad_state("a lost stake that is none");
    if (one.by == "purchase" && !law.has("purchase"))
      return bad_state("a purchase where none is offered");
  }
  return {};
}

bool covers_before(Phase phase, const Hand& hand) {
  const bool before = phase != Phase::showing;
  return !before || std::none_of(hand.cards.begin(), hand.cards.end(),
                                 [](const auto& card) { return card.has_value(); });
}

Status check_discards(const Law& law, const State& state, const Hand& hand) {
  const auto& gone = hand.discards;
  const bool ascending =
      std::adjacent_find(gone.begin(), gone.end(), std::greater_equal<>()) == gone.end();
  if (!ascending || (!gone.empty() && gone.back() > law.cards()))
    return bad_state("no such cards to give back");
  if (gone.empty()) return {};
  if (law.draws()) {
    const bool fits =
        hand.stood && gone.size() <= static_cast<std::size_t>(law.number("draw", "cards_max"));
    return fits ? Status() : Status(bad_state("cards that nobody changed"));
  }
  const bool paid = has_live(state, hand.box, law.purchase_bet()) || hand.word == Word::passed;
  return law.sells_cards() && gone.size() == 1 && paid
             ? Status()
             : Status(bad_state("a card that nobody bought"));
}

/// Cards of a hand fit the phase.
Status check_cards(const Law& law, const State& state, const Hand& hand) {
  const auto least = law.cards();
  const auto full = least + hand.discards.size();
  const auto count = hand.cards.size();
  const bool fits = state.phase == Phase::dealing ? count <= least && hand.discards.empty()
                    : state.phase == Phase::playing
                        ? count == full || (count == least && !law.draws())
                    : state.phase == Phase::changing ? count == least
                    : state.phase == Phase::serving  ? count >= least && count <= full
                                                     : count == full;
  if (!fits) return bad_state("a hand with another number of cards");
  const bool bought_open =
      law.has("purchase") && law.is("purchase", "face", "open") && count > least;
  Hand own = hand;
  if (bought_open) {
    if (!own.cards.back()) return bad_state("a bought card lies open");
    own.cards.pop_back();
  }
  return covers_before(state.phase, own) ? Status()
                                         : Status(bad_state("a card that nobody has turned"));
}

Status check_hands(const Law& law, const State& state) {
  const house::Boxes boxes(law, state.bets);
  Box last = 0;
  for (const auto& hand : state.hands) {
    if (hand.box <= last || hand.box > boxes.count())
      return bad_state("the hands do not follow the boxes");
    last = hand.box;
    const bool played = hand.word == Word::passed || has_live(state, hand.box, law.main_bet());
    if (hand.seat != 0 && hand.word == Word::none && !played)
      return bad_state("a hand without its stake");
    if (hand.seat != 0 && hand.word == Word::none && boxes.holder(hand.box) != hand.seat)
      return bad_state("a hand that somebody else decides");
    if (hand.seat == 0 && (hand.word != Word::none || hand.stood || !hand.discards.empty()))
      return bad_state("a decision of nobody");
    if (hand.stood && (!law.draws() || hand.word != Word::went))
      return bad_state("a change of nobody");
    const bool late = state.phase == Phase::dealing && (hand.word != Word::none || hand.stood);
    if (late) return bad_state("a decision before the cards");
    TALLA_TRY_STATUS(check_discards(law, state, hand));
    TALLA_TRY_STATUS(check_cards(law, state, hand));
  }
  return {};
}

/// How many cards the bank has at most now; a changing bank gets its new ones when all of the first
/// lie open.
std::size_t bank_cards_max(const Law& law, const State& state) {
  const bool late = state.phase == Phase::bank || state.phase == Phase::showing;
  if (!late || !law.draws() || !bank_needed(law, state)) return law.cards();
  if (state.bank.size() < law.cards() ||
      house::first_covered(state.bank, law.cards()) < state.bank.size())
    return law.cards();
  const auto end = state.bank.begin() + static_cast<std::ptrdiff_t>(law.cards());
  return law.cards() + bank_discards(law, house::open_cards({state.bank.begin(), end})).size();
}

Status check_bank(const Law& law, const State& state) {
  const auto count = state.bank.size();
  const auto most = bank_cards_max(law, state);
  const bool complete = state.phase == Phase::showing;
  if (count > most || (state.phase != Phase::dealing && count < (complete ? most : law.cards())))
    return bad_state("the bank has another number of cards");
  const bool may_open = (state.phase == Phase::bank || complete) && bank_needed(law, state);
  for (std::size_t i = 0; i < count; ++i) {
    const bool open = i + 1 == law.exposed() || i >= law.cards();
    if (open && !state.bank.at(i)) return bad_state("the bank's open card is covered");
    if (!open && !may_open && state.bank.at(i)) return bad_state("a card that nobody has turned");
  }
  if (complete && may_open && house::first_covered(state.bank, count) < count)
    return bad_state("the bank's cards are turned first");
  return {};
}

/// The cards that are out follow the order of the deal.
Status check_order(const Law& law, const State& state) {
  if (state.phase != Phase::dealing) return {};
  State fresh = state;
  for (auto& hand : fresh.hands) hand.cards.clear();
  fresh.bank.clear();
  std::size_t out = state.bank.size();
  for (const auto& hand : state.hands) out += hand.cards.size();
  const auto all = due_cards(law, fresh);
  if (out >= all.size()) return bad_state("the deal is complete");
  std::map<std::string, int> count;
  for (std::size_t i = 0; i < out; ++i) ++count[all.at(i).place];
  for (const auto& hand : state.hands) {
    for (std::size_t card = 1; card <= hand.cards.size(); ++card)
      --count[house::hand_place(hand.box, card)];
  }
  for (std::size_t card = 1; card <= state.bank.size(); ++card) --count[house::bank_place(card)];
  const bool same =
      std::all_of(count.begin(), count.end(), [](const auto& one) { return one.second == 0; });
  return same ? Status() : Status(bad_state("the cards do not follow the order of dealing"));
}

Status check_no_card_twice(const State& state) {
  std::vector<Card> open;
  const auto collect = [&](const house::Cards& cards) {
    for (const auto& card : cards) {
      if (card) open.push_back(*card);
    }
  };
  collect(state.bank);
  for (const auto& hand : state.hands) collect(hand.cards);
  return house::any_twice(open) ? Status(bad_state("a card is there twice")) : Status();
}

Status check_round(const Law& law, const State& state) {
  if (!state.shoe || state.hands.empty()) return bad_state("a round without deck or hands");
  TALLA_TRY_STATUS(check_stakes(law, state));
  TALLA_TRY_STATUS(check_hands(law, state));
  TALLA_TRY_STATUS(check_bank(law, state));
  TALLA_TRY_STATUS(check_order(law, state));
  const bool asked = state.phase == Phase::dealing || state.phase == Phase::playing;
  if (!asked && (turn(state) < state.hands.size() || !waiting(law, state).empty()))
    return bad_state("somebody has not spoken");
  State rest = state;
  advance(law, rest);
  return rest.to_json() == state.to_json() ? Status()
                                           : Status(bad_state("the round would have gone on"));
}

}  // namespace

Status check_meters(const Law& law, const State& state) {
  if (!same_names(opening_meters(law), state.meters))
    return bad_state("the jackpots are not those of the table");
  if (state.concluded && (!law.table().confirms() || !due_meter(law, state)))
    return bad_state("what was confirmed waits for a jackpot alone");
  const bool read =
      std::any_of(state.meters.begin(), state.meters.end(), [&](const MeterState& one) {
        return one.read &&
               (state.phase != Phase::showing || one.staked == 0 || !law.table().shares(one.id));
      });
  if (read) return bad_state("a jackpot is read when a hand is settled, by tables that share it");
  return any_moved(state.meters) && state.phase != Phase::over
             ? Status(bad_state("jackpots move when a hand is settled"))
             : Status();
}

Status check_restored(const Law& law, const State& state) {
  TALLA_TRY_STATUS(state.bets.check(law.table()));
  TALLA_TRY_STATUS(check_meters(law, state));
  TALLA_TRY_STATUS(check_no_card_twice(state));
  for (const auto& bet : state.bets.all()) {
    if (!bet.box || *bet.box > poker::house::Boxes(law, state.bets).count())
      return bad_state("a stake on no box of the table");
  }
  return state.in_round() ? check_round(law, state) : check_between(law, state);
}

}  // namespace talla::games::second_bet
