/// \file
/// A card, or a ball of bingo, in one byte, and its text.
///
/// Text:  rank then suit. French: ranks A 2-9 T J Q K, suits C D H S ("7H", "TS"). Spanish: ranks
///        1-9 S C R (sota, caballo, rey), suits o c e b (oros, copas, espadas, bastos) ("7o",
///        "Ro"). Joker: "Jk".
///        Ball: B and its number, 1 to 90, without leading zero ("B7", "B90").
/// Bytes: French 13 x suit + rank - 1 (0-51, suits in the order above), joker 52, Spanish 64 + 12 x
///        suit + rank - 1 (64-111), ball 127 + number (128-217). Byte and text never change: leaves
///        of sealed shoes are computed over them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "shuffle/errors.hpp"

namespace talla::shuffle {

enum class CardFamily : std::uint8_t { french, spanish, joker, ball };
/// The largest number on a ball.
inline constexpr int ball_number_max = 90;
/// Suits of French cards, and of Spanish ones.
inline constexpr int suits_count = 4;
enum class Suit : std::uint8_t { clubs, diamonds, hearts, spades, oros, copas, espadas, bastos };

/// Always a real card: there is no way to make another (a default card is the ace of clubs, byte
///                     0).
class Card {
 public:
  constexpr Card() = default;
  /// Rank 1-13 (ace 1, jack 11, queen 12, king 13) with a French suit, 1-12 (sota 10, caballo 11,
  /// rey 12) with a Spanish suit; anything else is a programmer error.
  [[nodiscard]] static Card of(int rank, Suit suit);
  [[nodiscard]] static Card joker();
  /// Number 1-90; anything else is a programmer error.
  [[nodiscard]] static Card ball(int number);
  /// Errors: malformed_card.
  [[nodiscard]] static Result<Card> parse(std::string_view text);
  [[nodiscard]] static Result<Card> from_code(std::uint8_t code);

  [[nodiscard]] constexpr std::uint8_t code() const { return code_; }
  /// Which kind of deck it belongs to.
  [[nodiscard]] CardFamily family() const;
  /// 1-13 French, 1-12 Spanish, 0 for a joker, the number of a ball.
  [[nodiscard]] int rank() const;
  /// Not for jokers and balls (programmer error).
  [[nodiscard]] Suit suit() const;
  [[nodiscard]] bool is_joker() const { return family() == CardFamily::joker; }
  [[nodiscard]] bool is_ball() const { return family() == CardFamily::ball; }
  [[nodiscard]] std::string text() const;

  friend constexpr auto operator<=>(const Card&, const Card&) = default;

 private:
  explicit constexpr Card(std::uint8_t code) : code_(code) {}
  std::uint8_t code_ = 0;
};
static_assert(sizeof(Card) == 1);

}  // namespace talla::shuffle
