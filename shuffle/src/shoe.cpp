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

Result<CutShoe> CutShoe::create(const Options& options) {
  if (options.cards_count == 0 || options.cards_count > cards_count_max) {
    return fail(Errc::count_out_of_range, "a shoe has 1 to 1024 cards");
  }
  if (options.cut >= options.cards_count)
    return fail(Errc::count_out_of_range, "the cut is not below the card count");
  if (options.stop_card_depth > options.cards_count) {
    return fail(Errc::count_out_of_range, "the stop card stands deeper than the shoe");
  }
  return CutShoe(options);
}

std::uint32_t CutShoe::leaf_index_at(std::uint32_t dealt_position) const {
  TALLA_CHECK(dealt_position < options_.cards_count);
  const std::uint32_t sum = dealt_position + options_.cut;
  return sum < options_.cards_count ? sum : sum - options_.cards_count;
}

std::uint32_t CutShoe::dealt_position_of(std::uint32_t leaf_index) const {
  TALLA_CHECK(leaf_index < options_.cards_count);
  return leaf_index >= options_.cut ? leaf_index - options_.cut
                                    : leaf_index + options_.cards_count - options_.cut;
}

bool CutShoe::stop_card_before(std::uint32_t dealt_position) const {
  return options_.stop_card_depth > 0 &&
         dealt_position == options_.cards_count - options_.stop_card_depth;
}

bool CutShoe::stop_card_passed(std::uint32_t dealt_count) const {
  return options_.stop_card_depth > 0 &&
         dealt_count >= options_.cards_count - options_.stop_card_depth;
}

}  // namespace talla::shuffle
