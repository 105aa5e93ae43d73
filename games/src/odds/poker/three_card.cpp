#include "odds/poker/three_card.hpp"

#include <algorithm>

namespace talla::games::poker {
namespace {

struct BankHand {
  std::uint64_t cards = 0;  // bit: code
  HandValue value;
};

std::uint64_t bits_of(std::span<const Card> cards) {
  std::uint64_t bits = 0;
  for (const Card card : cards) bits |= std::uint64_t{1} << card.code();
  return bits;
}

std::vector<BankHand> bank_hands(const Ranker& ranker) {
  const auto deck = shuffle::DeckSpec::french(1).cards();
  std::vector<BankHand> out;
  for (std::size_t a = 0; a < deck.size(); ++a)
    for (std::size_t b = a + 1; b < deck.size(); ++b)
      for (std::size_t c = b + 1; c < deck.size(); ++c) {
        const std::array<Card, 3> hand{deck[a], deck[b], deck[c]};
        out.push_back({bits_of(hand), ranker.three(hand)});
      }
  return out;
}

}  // namespace

ThreeCardOdds three_card_odds(const Ranker& ranker, const ThreeCardLaw& law) {
  const auto bank = bank_hands(ranker);
  ThreeCardOdds odds;
  for (const SuitClass& player : suit_classes(3)) {
    const std::uint64_t own = bits_of(player.cards);
    const HandValue value = ranker.three(std::span<const Card, 3>(player.cards));
    const std::int64_t bonus = law.bonus.bonus(ranker.category(value));
    const std::int64_t lower = law.lower_takes_bonus ? bonus : 0;
    Odds stays;
    for (const BankHand& hand : bank) {
      if ((hand.cards & own) != 0) continue;
      const std::int64_t gain = hand.value < law.bank_plays_from ? 1 + bonus
                                : value > hand.value             ? 2 + bonus
                                : value < hand.value             ? lower - 2
                                                                 : bonus;
      stays.add(gain, 2, 1);
    }
    Odds retires;
    retires.add(-1, 1, stays.deals);
    const bool goes = stays.net > retires.net;
    odds.best.add(goes ? stays : retires, player.deals);
    odds.always.at(static_cast<std::size_t>(ranker.category(value))) &= goes;
  }
  return odds;
}

}  // namespace talla::games::poker
