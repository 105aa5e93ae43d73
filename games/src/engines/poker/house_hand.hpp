/// \file
/// Poker against the house: the cards of one hand as far as anybody has seen them. A covered card
/// is a gap: engines never know what lies there until it is turned.
///
/// JSON: a list of card texts, "" where a card lies covered. Threads: plain values.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "games/event.hpp"

namespace talla::games::poker::house {

/// Cards in the order of the deal.
using Cards = std::vector<std::optional<Card>>;

[[nodiscard]] json::Array to_json(const Cards& cards);
/// Reads them back: a list that is not empty, of French cards and gaps, at most `most`; else false.
[[nodiscard]] bool read_cards(const json::Value& value, Cards& out, std::size_t most);
/// The member of a state's description (engines/shared/archive.hpp).
template <class A>
void cards_field(A& a, const char* key, Cards& cards, std::size_t most) {
  a.member(
      key, !cards.empty(), [&] { return to_json(cards); },
      [&](const json::Value& value) { return read_cards(value, cards, most); });
}

/// Index of the first gap among the first `count` cards, or cards.size() when all of them lie open.
[[nodiscard]] std::size_t first_covered(const Cards& cards, std::size_t count);
/// The cards themselves. Precondition (checked): none of them lies covered.
[[nodiscard]] std::vector<Card> open_cards(const Cards& cards);
/// Whether some card is there twice.
[[nodiscard]] bool any_twice(std::span<const Card> cards);
/// The card is dealt to the hand. Errors: card_invalid (no French card; named while covered, or the
/// other way round).
[[nodiscard]] Status take(Cards& cards, const CardDealt& event, Face face);
/// The card is turned; `index` names a gap. Errors: card_invalid (no French card).
[[nodiscard]] Status turn(Cards& cards, std::size_t index, Card card);

}  // namespace talla::games::poker::house
