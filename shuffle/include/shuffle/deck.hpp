/// \file
/// What a shoe is made of: the deck specification, its canonical text, and the census of cards
/// against it. The balls of a bingo cage are a shoe like any other.
///
/// Text:   family, then "-" and the removed ranks, then "+" jokers per deck and "j", then "x"
///         decks: "french52x8", "french52+1jx1", "french52-234567x1" (28 cards, eight to ace),
///         "spanish40x1", "spanish48x2", "balls90x1". One spelling per deck: removed ranks in the
///         order A 2 .. 9 T J Q K (1 .. 9 S C R), each once; parts that say nothing are left out;
///         no leading zeros.
/// Order:  cards before the shuffle: deck by deck, suit by suit (C D H S, o c e b), ace or one
///         first, jokers at the end of each deck. Balls: 1 to 90.
/// Range:  decks 1-8, jokers 0-4 per deck (French only), at least one card left; balls: one set,
///         nothing removed.
/// Errors: malformed_deck, census_mismatch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shuffle/card.hpp"

namespace talla::shuffle {

enum class DeckFamily : std::uint8_t { french52, spanish40, spanish48, balls90 };

/// A valid deck specification; a value, compared by its parts.
class DeckSpec {
 public:
  struct Options {
    DeckFamily family = DeckFamily::french52;
    int decks_count = 1;
    /// Bit (rank - 1) set: all cards of that rank are removed. Spanish: 10 sota, 11 caballo, 12
    /// rey.
    std::uint16_t removed_ranks = 0;
    int jokers_per_deck = 0;
  };
  [[nodiscard]] static Result<DeckSpec> create(const Options& options);
  /// Refuses every spelling but the canonical one.
  [[nodiscard]] static Result<DeckSpec> parse(std::string_view text);
  /// `decks_count` full French decks, 1-8 (programmer error otherwise).
  [[nodiscard]] static DeckSpec french(int decks_count);

  /// The specification as text, `french52x8`.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] std::size_t cards_count() const;
  /// The ordered multiset that a shuffle starts from.
  [[nodiscard]] std::vector<Card> cards() const;
  /// How many copies of this card the whole specification holds.
  [[nodiscard]] int copies_of(Card card) const;
  /// Ok iff `cards`, in any order, is exactly this multiset.
  [[nodiscard]] Status check_census(std::span<const Card> cards) const;

  friend bool operator==(const DeckSpec& a, const DeckSpec& b) { return a.text() == b.text(); }

 private:
  explicit DeckSpec(const Options& options) : options_(options) {}
  Options options_;
};

}  // namespace talla::shuffle
