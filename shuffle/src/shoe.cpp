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

}  // namespace talla::shuffle
