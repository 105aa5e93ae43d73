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

Result<Cards> read_cards(json::Reader& reader, std::string_view key, std::size_t most) {
  Cards out;
  if (!reader.has(key)) return out;
  TALLA_TRY(const auto* list, reader.array(key));
  if (list->empty() || list->size() > most)
    return bad_state(std::string(key) + ": too few or too many cards");
  for (const auto& value : *list) {
    if (!value.is_string()) return bad_state(std::string(key) + ": a card is a text");
    if (value.string().empty()) {
      out.emplace_back(std::nullopt);
      continue;
    }
    TALLA_TRY(const auto card, Card::parse(value.string()));
    if (!is_french(card)) return bad_state(std::string(key) + ": a French card is due");
    out.emplace_back(card);
  }
  return out;
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
