// How a bank that changes cards by a fixed rule comes to each hand that it may end with.
#include "odds/poker/bank_draws.hpp"

#include <algorithm>
#include <bit>

#include "base/check.hpp"

namespace talla::games::poker {
namespace {

/// The cards of a hand whose bits are set, and the others.
struct Parted {
  std::array<Place, five_cards> chosen{};
  std::array<Place, five_cards> others{};
  std::size_t count = 0;
};
Parted parted(std::span<const Place, five_cards> hand, unsigned bits) {
  Parted out;
  std::size_t rest = 0;
  for (std::size_t i = 0; i < hand.size(); ++i) {
    if ((bits >> i & 1U) != 0) {
      out.chosen[out.count++] = hand[i];
    } else {
      out.others[rest++] = hand[i];
    }
  }
  return out;
}

std::uint32_t kept_number(const Parted& parts) {
  return CardSets::number(std::span(parts.others).first(five_cards - parts.count));
}

constexpr unsigned choices_of_five = 1U << five_cards;

}  // namespace

BankDraws::BankDraws(std::span<const Card> deck, const ChangeRule& rule)
    : stands_(sets_below(deck.size(), five_cards)),
      one_(sets_below(deck.size(), four_kept)),
      two_(sets_below(deck.size(), three_kept)) {
  std::array<Place, five_cards> hand{0, 1, 2, 3, 4};
  std::uint32_t number = 0;
  do {
    std::array<Card, five_cards> cards;
    for (std::size_t i = 0; i < hand.size(); ++i) cards[i] = deck[hand[i]];
    const Parted parts = parted(hand, rule(cards));
    TALLA_CHECK(parts.count <= 2);
    if (parts.count == 0) stands_[number] = true;
    if (parts.count == 1) one_[kept_number(parts)].push_back(parts.chosen[0]);
    if (parts.count == 2) two_[kept_number(parts)].emplace_back(parts.chosen[0], parts.chosen[1]);
    ++number;
  } while (next_set(hand, deck.size()));
}

void BankDraws::courses(std::span<const Place, five_cards> hand, Courses& out) const {
  out.one.clear();
  out.two.clear();
  out.stood = stands_[CardSets::number(hand)];
  std::array<std::uint32_t, deck_cards_count> ones{};
  std::array<std::uint32_t, binomials[deck_cards_count][2]> twos{};
  for (unsigned came = 1; came < choices_of_five; ++came) {
    if (std::popcount(came) > 2) continue;
    const Parted parts = parted(hand, came);
    const auto is_new = [&](Place place) {
      return place == parts.chosen[0] || (parts.count == 2 && place == parts.chosen[1]);
    };
    const std::uint32_t kept = kept_number(parts);
    if (parts.count == 1) {
      for (const Place went : one_[kept])
        if (!is_new(went) && ones[went]++ == 0) out.one.emplace_back(went, 0);
      continue;
    }
    for (const PlacePair& went : two_[kept]) {
      if (is_new(went.first) || is_new(went.second)) continue;
      if (twos[binomials[went.second][2] + went.first]++ == 0) out.two.emplace_back(went, 0);
    }
  }
  for (auto& [went, count] : out.one) count = ones[went];
  for (auto& [went, count] : out.two) count = twos[binomials[went.second][2] + went.first];
}

}  // namespace talla::games::poker
