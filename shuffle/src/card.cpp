#include "shuffle/card.hpp"

#include <charconv>

#include "base/check.hpp"

namespace talla::shuffle {
namespace {

constexpr std::string_view french_ranks = "A23456789TJQK";
constexpr std::string_view french_suits = "CDHS";
constexpr std::string_view spanish_ranks = "123456789SCR";
constexpr std::string_view spanish_suits = "oceb";
constexpr std::string_view joker_text = "Jk";
constexpr int french_ranks_count = 13;
constexpr int spanish_ranks_count = 12;
constexpr int joker_code = 52;
constexpr int spanish_first_code = 64;
constexpr int spanish_end_code = spanish_first_code + suits_count * spanish_ranks_count;
constexpr char ball_letter = 'B';
constexpr int ball_first_code = 128;
constexpr int ball_end_code = ball_first_code + ball_number_max;

/// The number of a ball, or 0.
int ball_number(std::string_view text) {
  if (text.size() < 2 || text.size() > 3 || text.front() != ball_letter || text[1] == '0') return 0;
  text.remove_prefix(1);
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = code == std::errc() && end == text.data() + text.size();
  return whole && number >= 1 && number <= ball_number_max ? number : 0;
}

}  // namespace

Card Card::of(int rank, Suit suit) {
  const int suit_index = static_cast<int>(suit);
  TALLA_CHECK(rank >= 1);
  if (suit_index < suits_count) {
    TALLA_CHECK(rank <= french_ranks_count);
    return Card(static_cast<std::uint8_t>(french_ranks_count * suit_index + rank - 1));
  }
  TALLA_CHECK(suit_index < 2 * suits_count);
  TALLA_CHECK(rank <= spanish_ranks_count);
  return Card(static_cast<std::uint8_t>(
      spanish_first_code + spanish_ranks_count * (suit_index - suits_count) + rank - 1));
}

Card Card::joker() {
  return Card(joker_code);
}

Card Card::ball(int number) {
  TALLA_CHECK(number >= 1);
  TALLA_CHECK(number <= ball_number_max);
  return Card(static_cast<std::uint8_t>(ball_first_code + number - 1));
}

Result<Card> Card::parse(std::string_view text) {
  if (text == joker_text) return joker();
  if (const int number = ball_number(text); number != 0) return ball(number);
  if (text.size() == 2) {
    const auto french_rank = french_ranks.find(text[0]);
    const auto french_suit = french_suits.find(text[1]);
    if (french_rank != std::string_view::npos && french_suit != std::string_view::npos) {
      return of(static_cast<int>(french_rank) + 1, static_cast<Suit>(french_suit));
    }
    const auto spanish_rank = spanish_ranks.find(text[0]);
    const auto spanish_suit = spanish_suits.find(text[1]);
    if (spanish_rank != std::string_view::npos && spanish_suit != std::string_view::npos) {
      return of(static_cast<int>(spanish_rank) + 1, static_cast<Suit>(suits_count + spanish_suit));
    }
  }
  return fail(Errc::malformed_card,
              "a card is rank then suit, as 7H, TS, 7o, Ro, or Jk; a ball is B1 to B90");
}

Result<Card> Card::from_code(std::uint8_t code) {
  if (code <= joker_code || (code >= spanish_first_code && code < spanish_end_code))
    return Card(code);
  if (code >= ball_first_code && code < ball_end_code) return Card(code);
  return fail(Errc::malformed_card, "no card has this byte");
}

CardFamily Card::family() const {
  if (code_ < joker_code) return CardFamily::french;
  if (code_ == joker_code) return CardFamily::joker;
  return code_ < ball_first_code ? CardFamily::spanish : CardFamily::ball;
}

int Card::rank() const {
  switch (family()) {
    case CardFamily::french:
      return code_ % french_ranks_count + 1;
    case CardFamily::spanish:
      return (code_ - spanish_first_code) % spanish_ranks_count + 1;
    case CardFamily::ball:
      return code_ - ball_first_code + 1;
    case CardFamily::joker:
      break;
  }
  return 0;
}

Suit Card::suit() const {
  TALLA_CHECK(!is_joker());
  TALLA_CHECK(!is_ball());
  if (family() == CardFamily::french) return static_cast<Suit>(code_ / french_ranks_count);
  return static_cast<Suit>(suits_count + (code_ - spanish_first_code) / spanish_ranks_count);
}

std::string Card::text() const {
  if (is_joker()) return std::string(joker_text);
  if (is_ball()) return ball_letter + std::to_string(rank());
  const auto rank_index = static_cast<std::size_t>(rank()) - 1;
  const auto suit_index = static_cast<std::size_t>(suit());
  if (family() == CardFamily::french) return {french_ranks[rank_index], french_suits[suit_index]};
  return {spanish_ranks[rank_index], spanish_suits[suit_index - suits_count]};
}

}  // namespace talla::shuffle
