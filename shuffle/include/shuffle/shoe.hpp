/// \file
/// A shoe: the shuffled order of a deck specification, and its cut.
///
/// Terms:   leaf index: place in the sealed, shuffled order, from 0. Dealt position: place in the
///          order of dealing, from 0, burns included. The cut c turns the one into the other: dealt
///          position p is leaf (p + c) mod n. Where the stop card stands says games/driver.hpp.
/// Errors:  count_out_of_range, census_mismatch, and the tape's.
/// Secrecy: the order is the secret of the shoe; it lives in secret memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/secret.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/tape.hpp"

namespace talla::shuffle {

/// Cards whose order is secret: locked memory, wiped.
using SecretCards = std::vector<Card, SecretAllocator<Card>>;

/// The shuffled order, by leaf index. Takes shuffle_words(n) words plus rejected ones (at most 2^-8
/// each).
[[nodiscard]] Result<SecretCards> shuffle_shoe(Tape& tape, const DeckSpec& deck);
/// The same for any 1 to 1,024 cards in this starting order (a shoe that is shuffled again).
[[nodiscard]] Result<SecretCards> shuffle_again(Tape& tape, SecretCards cards);

/// The smallest and the largest offset a cut may have, both included; 0 <= min <= max < n.
struct CutBounds {
  std::uint32_t min = 0;
  std::uint32_t max = 0;
};
/// The offset of a cut, uniform within the bounds.
[[nodiscard]] Result<std::uint32_t> draw_cut(Tape& tape, CutBounds bounds,
                                             std::uint32_t cards_count);
/// Where the game has no cut: bounds [0, n - 1], a rotation of the protocol. n is at least 1.
[[nodiscard]] constexpr CutBounds rotation_bounds(std::uint32_t cards_count) {
  return {0, cards_count - 1};
}

/// The leaf that is dealt at this position: (p + c) mod n. Preconditions (checked): both are below
/// `cards_count`.
[[nodiscard]] std::uint32_t leaf_of_position(std::uint32_t dealt_position, std::uint32_t cut,
                                             std::uint32_t cards_count);
/// The order as it is dealt: the card of each dealt position. Precondition (checked): the cut is
/// below the number of cards.
[[nodiscard]] SecretCards dealt_order(const SecretCards& order, std::uint32_t cut);

}  // namespace talla::shuffle
