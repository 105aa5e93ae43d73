#include "odds/poker/bank_counts.hpp"

#include "shuffle/deck.hpp"

namespace talla::games::poker {
namespace {

constexpr std::size_t two(std::size_t high, std::size_t low) {
  return high * (high - 1) / 2 + low;
}
constexpr std::size_t three(std::size_t high, std::size_t middle, std::size_t low) {
  return high * (high - 1) * (high - 2) / 6 + two(middle, low);
}
constexpr std::size_t four(std::size_t high, std::size_t second, std::size_t third,
                           std::size_t low) {
  return high * (high - 1) * (high - 2) * (high - 3) / 24 + three(second, third, low);
}

template <class Row>
void add_to(ByShown& out, const Row& row) {
  for (std::size_t card = 0; card < deck_cards_count; ++card) out[card] += row[card];
}
void take_from(ByShown& out, const ByShown& row) {
  for (std::size_t card = 0; card < deck_cards_count; ++card) out[card] -= row[card];
}

}  // namespace

HandsByLevel hands_by_level(const HandTable<5>& table) {
  const auto deck = shuffle::DeckSpec::french(1).cards();  // the place of a card is its code
  HandsByLevel out(table.levels_count());
  const auto next = [](std::uint8_t code) { return static_cast<std::uint8_t>(code + 1); };
  for (std::uint8_t a = 0; a < deck_cards_count; ++a)
    for (std::uint8_t b = next(a); b < deck_cards_count; ++b)
      for (std::uint8_t c = next(b); c < deck_cards_count; ++c)
        for (std::uint8_t d = next(c); d < deck_cards_count; ++d)
          for (std::uint8_t e = next(d); e < deck_cards_count; ++e) {
            const std::array<Card, 5> hand{deck[a], deck[b], deck[c], deck[d], deck[e]};
            out[table.level(hand)].push_back({a, b, c, d, e});
          }
  return out;
}

BankCounts::BankCounts()
    : ones_(deck_cards_count),
      twos_(two(deck_cards_count, 0)),
      threes_(three(deck_cards_count, 1, 0)),
      fours_(four(deck_cards_count, 2, 1, 0)) {}

void BankCounts::add(const FiveCodes& hand) {
  for (std::size_t shown = 0; shown < hand.size(); ++shown) {
    const std::uint8_t card = hand[shown];
    std::array<std::uint8_t, 4> rest{};
    for (std::size_t i = 0, n = 0; i < hand.size(); ++i) {
      if (i != shown) rest[n++] = hand[i];
    }
    ++all_[card];
    for (std::size_t i = 0; i < rest.size(); ++i) {
      ++ones_[rest[i]][card];
      for (std::size_t j = 0; j < i; ++j) {
        ++twos_[two(rest[i], rest[j])][card];
        for (std::size_t k = 0; k < j; ++k) ++threes_[three(rest[i], rest[j], rest[k])][card];
      }
    }
    ++fours_[four(rest[3], rest[2], rest[1], rest[0])][card];
  }
}

ByShown BankCounts::apart_from(std::span<const std::uint8_t> own) const {
  ByShown out = all_;
  Quad fours{};
  for (std::size_t i = 0; i < own.size(); ++i) {
    take_from(out, ones_[own[i]]);
    for (std::size_t j = 0; j < i; ++j) {
      add_to(out, twos_[two(own[i], own[j])]);
      for (std::size_t k = 0; k < j; ++k) {
        take_from(out, threes_[three(own[i], own[j], own[k])]);
        for (std::size_t l = 0; l < k; ++l) {
          const Quad& row = fours_[four(own[i], own[j], own[k], own[l])];
          for (std::size_t card = 0; card < row.size(); ++card) {
            fours[card] = static_cast<std::int8_t>(fours[card] + row[card]);
          }
        }
      }
    }
  }
  add_to(out, fours);
  return out;
}

}  // namespace talla::games::poker
