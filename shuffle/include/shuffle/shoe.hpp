/// \file
/// A shoe: the shuffled order of a deck specification, its cut and its stop card.
///
/// Terms:   leaf index: place in the sealed, shuffled order, from 0. Dealt position: place in the
///          order of dealing, from 0, burns included. The cut c turns the one into the other: dealt
///          position p is leaf (p + c) mod n. Stop card: with depth d it stands before dealt
///          position n - d, counted after the cut.
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

/// A cut shoe: translates dealt positions and leaf indices, and knows where the stop card stands.
class CutShoe {
 public:
  struct Options {
    std::uint32_t cards_count = 0;      ///< n, 1-1024
    std::uint32_t cut = 0;              ///< c, below n
    std::uint32_t stop_card_depth = 0;  ///< d, 0-n; 0: no stop card
  };
  [[nodiscard]] static Result<CutShoe> create(const Options& options);

  /// Both arguments are below n (programmer error otherwise).
  [[nodiscard]] std::uint32_t leaf_index_at(std::uint32_t dealt_position) const;
  [[nodiscard]] std::uint32_t dealt_position_of(std::uint32_t leaf_index) const;
  /// True when the stop card comes out before the card at this dealt position.
  [[nodiscard]] bool stop_card_before(std::uint32_t dealt_position) const;
  /// True when the stop card is out, `dealt_count` cards having been dealt and the next one asked
  /// for.
  [[nodiscard]] bool stop_card_passed(std::uint32_t dealt_count) const;
  [[nodiscard]] std::uint32_t cards_count() const { return options_.cards_count; }
  [[nodiscard]] std::uint32_t cut() const { return options_.cut; }

 private:
  explicit CutShoe(const Options& options) : options_(options) {}
  Options options_;
};

}  // namespace talla::shuffle
