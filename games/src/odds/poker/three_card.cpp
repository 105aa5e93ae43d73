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

Odds three_card_odds(const Ranker& ranker, const ThreeCardLaw& law) {
  const auto bank = bank_hands(ranker);
  Odds odds;
  for (const SuitClass& player : suit_classes(3)) {
    const std::uint64_t own = bits_of(player.cards);
    const HandValue value = ranker.three(std::span<const Card, 3>(player.cards));
    std::int64_t deals = 0;
    std::int64_t gain = 0;  // of staying
    for (const BankHand& hand : bank) {
      if ((hand.cards & own) != 0) continue;
      ++deals;
      gain += hand.value < law.bank_plays_from ? 1
              : value > hand.value             ? 2
              : value < hand.value             ? -2
                                               : 0;
    }
    gain += deals * law.bonus.bonus(ranker.category(value));
    const bool stays = gain > -deals;
    odds.net += player.deals * (stays ? gain : -deals);
    odds.staked += player.deals * deals * (stays ? 2 : 1);
    odds.deals += player.deals * deals;
  }
  return odds;
}

}  // namespace talla::games::poker
