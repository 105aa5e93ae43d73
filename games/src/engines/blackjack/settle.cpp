#include "engines/blackjack/settle.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/blackjack/boxes.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/options.hpp"

namespace talla::games::blackjack {
namespace {

enum class Outcome : std::uint8_t { win, blackjack, tie, lose };

bool is_red(Card card) {
  return card.suit() == shuffle::Suit::hearts || card.suit() == shuffle::Suit::diamonds;
}

/// The payout that the first two cards earn, or "".
std::string_view pair_of(Card a, Card b) {
  if (a.rank() != b.rank()) return "";
  if (a.suit() == b.suit()) return "complete";
  return is_red(a) == is_red(b) ? "colour" : "incomplete";
}

Outcome against_dealer(const Law& law, const State& state, const Hand& hand) {
  const bool dealer_has = dealer_blackjack(law, state.dealer);
  const int own = hand_total(law, hand);
  const auto tie_or = [](bool tie, Outcome other) { return tie ? Outcome::tie : other; };
  if (is_blackjack(law, hand)) {
    return tie_or(dealer_has && law.is("settle", "blackjack_tie", "push"), Outcome::blackjack);
  }
  if (dealer_has) {
    const bool two_cards = own == law.target() && hand.cards.size() == 2;
    return tie_or(two_cards && law.is("settle", "split_target", "push"), Outcome::lose);
  }
  const int dealer = dealer_total(law, state.dealer);
  if (dealer > law.target() || own > dealer) return Outcome::win;
  return tie_or(own == dealer, Outcome::lose);
}

/// In triple black jack the text writes the higher rate for the first box only; the table says how
/// it is read.
bool pays_blackjack(const Law& law, int stage) {
  return stage == 1 || law.is("stages", "blackjack_rate", "all");
}

Settlement settle_main(const Law& law, const Bet& bet, Outcome outcome) {
  const auto& table = law.table();
  const auto& rule = law.bet(bet.kind);
  switch (outcome) {
    case Outcome::blackjack:
      if (pays_blackjack(law, stage_of(bet)))
        return settle_win(table, bet, *rule.payout("blackjack"));
      return settle_win(table, bet, *rule.payout("win"));
    case Outcome::win:
      return settle_win(table, bet, *rule.payout("win"));
    case Outcome::tie: {
      const auto result = law.is("settle", "tie", "void") ? BetResult::void_ : BetResult::push;
      return settle_returned(table, bet, result, Fraction(bet.stake), law.cite("settle"));
    }
    case Outcome::lose:
      break;
  }
  return settle_lose(table, bet, law.cite("settle"));
}

}  // namespace

std::optional<std::string_view> two_card_payout(const Law& law, std::string_view kind,
                                                std::span<const Card> two) {
  if (kind == law.main_bet() || kind == law.insurance_bet()) return std::nullopt;
  const auto& form = law.bet(kind).covers.string();
  if (form == "pair") return pair_of(two[0], two[1]);
  if (form != "under" && form != "over") return std::nullopt;
  const int points = low_points(law, two);
  const int limit = law.number("over_under", "value");
  return (form == "under" ? points < limit : points > limit) ? "win" : "";
}

void settle_one(State& state, Settlement settlement, Hand* hand) {
  if (hand != nullptr) std::erase(hand->bets, settlement.bet);
  state.bets.remove(settlement.bet);
  state.settled.push_back(std::move(settlement));
}

void settle_two_cards(const Law& law, State& state, const Hand& hand) {
  const auto all = state.bets.all();
  const std::vector<Bet> bets(all.begin(), all.end());
  for (const auto& bet : bets) {
    if (bet.box != hand.box) continue;
    const auto outcome = two_card_payout(law, bet.kind, hand.cards);
    if (!outcome) continue;
    const auto& rule = law.bet(bet.kind);
    settle_one(state,
               outcome->empty() ? settle_lose(law.table(), bet, rule.cite)
                                : settle_win(law.table(), bet, *rule.payout(*outcome)),
               nullptr);
  }
}

void lose_hand(const Law& law, State& state, Hand& hand) {
  const auto ids = hand.bets;
  for (const auto& id : ids) {
    const auto* bet = state.bets.find(std::string_view(id));
    TALLA_CHECK(bet != nullptr);
    settle_one(state, settle_lose(law.table(), *bet, law.cite("draw")), &hand);
    if (!law.has("insurance") || law.is("insurance", "busted", "stays")) continue;
    const auto* insurance = state.bets.find(insurance_id(law, id));
    if (insurance != nullptr)
      settle_one(state, settle_lose(law.table(), *insurance, law.cite("draw")), nullptr);
  }
  hand.done = true;
}

void settle_insurance(const Law& law, State& state) {
  if (!law.has("insurance")) return;
  const bool won = dealer_blackjack(law, state.dealer);
  const auto all = state.bets.all();
  const std::vector<Bet> bets(all.begin(), all.end());
  for (const auto& bet : bets) {
    if (bet.kind != law.insurance_bet() || stage_of(bet) != state.stage) continue;
    settle_one(state,
               won ? settle_win(law.table(), bet, *law.bet(bet.kind).payout("win"))
                   : settle_lose(law.table(), bet, law.cite("insurance")),
               nullptr);
  }
}

void settle_stage(const Law& law, State& state) {
  for (auto hand = state.hands.rbegin(); hand != state.hands.rend(); ++hand) {
    const auto outcome = against_dealer(law, state, *hand);
    const auto ids = hand->bets;
    for (const auto& id : ids) {
      const auto* bet = state.bets.find(std::string_view(id));
      TALLA_CHECK(bet != nullptr);
      if (stage_of(*bet) == state.stage) settle_one(state, settle_main(law, *bet, outcome), &*hand);
    }
  }
}

}  // namespace talla::games::blackjack
