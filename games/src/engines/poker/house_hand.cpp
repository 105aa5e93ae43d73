#include "engines/poker/house_hand.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/shared/state_json.hpp"

namespace talla::games::poker::house {
namespace {

bool is_french(Card card) {
  return card.family() == shuffle::CardFamily::french;
}

Status french(Card card) {
  return is_french(card) ? Status() : Status(fail(Errc::card_invalid, "a French card is due"));
}

}  // namespace

json::Array to_json(const Cards& cards) {
  json::Array out;
  for (const auto& card : cards) out.emplace_back(card ? card->text() : std::string());
  return out;
}

bool read_cards(const json::Value& value, Cards& out, std::size_t most) {
  if (!value.is_array() || value.array().empty() || value.array().size() > most) return false;
  for (const auto& one : value.array()) {
    if (!one.is_string()) return false;
    if (one.string().empty()) {
      out.emplace_back(std::nullopt);
      continue;
    }
    const auto card = Card::parse(one.string());
    if (!card || !is_french(*card)) return false;
    out.emplace_back(*card);
  }
  return true;
}

std::size_t first_covered(const Cards& cards, std::size_t count) {
  const auto end = cards.begin() + static_cast<std::ptrdiff_t>(std::min(count, cards.size()));
  const auto found = std::find(cards.begin(), end, std::nullopt);
  return found == end ? cards.size() : static_cast<std::size_t>(found - cards.begin());
}

std::vector<Card> open_cards(const Cards& cards) {
  std::vector<Card> out;
  for (const auto& card : cards) {
    TALLA_CHECK(card.has_value());
    out.push_back(*card);
  }
  return out;
}

bool any_twice(std::span<const Card> cards) {
  std::vector<Card> sorted(cards.begin(), cards.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

Status take(Cards& cards, const CardDealt& event, Face face) {
  if (event.card.has_value() != (face == Face::open))
    return fail(Errc::card_invalid, "a card is named exactly when it lies open");
  if (event.card) TALLA_TRY_STATUS(french(*event.card));
  cards.push_back(event.card);
  return {};
}

Status turn(Cards& cards, std::size_t index, Card card) {
  TALLA_CHECK(index < cards.size() && !cards.at(index));
  TALLA_TRY_STATUS(french(card));
  cards.at(index) = card;
  return {};
}

}  // namespace talla::games::poker::house
