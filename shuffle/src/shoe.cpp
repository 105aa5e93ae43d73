#include "shuffle/shoe.hpp"

#include <array>

#include "base/check.hpp"
#include "shuffle/permutation.hpp"
#include "shuffle/uniform.hpp"

namespace talla::shuffle {

Result<SecretCards> shuffle_shoe(Tape& tape, const DeckSpec& deck) {
  const std::vector<Card> ordered = deck.cards();
  TALLA_TRY(auto cards, shuffle_again(tape, SecretCards(ordered.begin(), ordered.end())));
  TALLA_TRY_STATUS(deck.check_census(cards));
  return cards;
}

Result<SecretCards> shuffle_again(Tape& tape, SecretCards cards) {
  if (cards.empty()) return fail(Errc::count_out_of_range, "there is no card to shuffle");
  std::array<int, 256> census{};
  for (const Card card : cards) ++census[card.code()];
  TALLA_TRY_STATUS(shuffle_cards(tape, cards));
  for (const Card card : cards) --census[card.code()];
  for (const int left : census) {
    if (left != 0) return fail(Errc::census_mismatch, "other cards came out than went in");
  }
  return cards;
}

Result<std::uint32_t> draw_cut(Tape& tape, CutBounds bounds, std::uint32_t cards_count) {
  if (bounds.min > bounds.max || bounds.max >= cards_count) {
    return fail(Errc::count_out_of_range, "cut bounds are not min <= max < number of cards");
  }
  TALLA_TRY(const std::uint64_t offset,
            draw_index(tape, std::uint64_t{bounds.max} - bounds.min + 1));
  return bounds.min + static_cast<std::uint32_t>(offset);
}

std::uint32_t leaf_of_position(std::uint32_t dealt_position, std::uint32_t cut,
                               std::uint32_t cards_count) {
  TALLA_CHECK(dealt_position < cards_count);
  TALLA_CHECK(cut < cards_count);
  return (dealt_position + cut) % cards_count;
}

SecretCards dealt_order(const SecretCards& order, std::uint32_t cut) {
  const auto cards_count = static_cast<std::uint32_t>(order.size());
  SecretCards dealt;
  dealt.reserve(order.size());
  for (std::uint32_t position = 0; position < cards_count; ++position)
    dealt.push_back(order[leaf_of_position(position, cut, cards_count)]);
  return dealt;
}

}  // namespace talla::shuffle
