#include "engines/blackjack/patterns.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace talla::games::blackjack {
namespace {

constexpr std::array<std::string_view, 4> suit_words = {"any", "same", "not-same", "all-different"};
/// Prizes are for the first three cards at most: nobody must draw further ones for them.
constexpr std::size_t pattern_cards_max = 3;

bool suits_fit(std::string_view word, std::span<const shuffle::Card> cards) {
  std::set<shuffle::Suit> suits;
  for (const auto& card : cards) suits.insert(card.suit());
  if (word == "same") return suits.size() == 1;
  if (word == "not-same") return suits.size() > 1;
  return word == "any" || suits.size() == cards.size();
}

bool lists(const json::Value& ranks, int rank) {
  return std::any_of(ranks.array().begin(), ranks.array().end(),
                     [&](const json::Value& one) { return one.integer() == rank; });
}

Status check_pattern(const std::string& where, const json::Value& value) {
  json::Reader reader(value, where);
  TALLA_TRY(const auto* cards, reader.array("cards"));
  TALLA_TRY(const auto suits, reader.string("suits"));
  TALLA_TRY_STATUS(reader.finish());
  if (std::find(suit_words.begin(), suit_words.end(), suits) == suit_words.end())
    return fail(Errc::catalogue_malformed,
                where + ": suits is any, same, not-same or all-different");
  if (cards->empty() || cards->size() > pattern_cards_max)
    return fail(Errc::catalogue_malformed, where + ": one to three cards");
  for (const auto& ranks : *cards) {
    const bool fits =
        ranks.is_array() && !ranks.array().empty() &&
        std::all_of(ranks.array().begin(), ranks.array().end(), [](const json::Value& one) {
          return one.is_integer() && one.integer() >= 1 && one.integer() <= 13;
        });
    if (!fits)
      return fail(Errc::catalogue_malformed,
                  where + ": each card is a list of ranks, ace 1 to king 13");
  }
  return {};
}

}  // namespace

const json::Value* find_pattern(const GameRules& rules, std::string_view name) {
  const auto block = rules.data.find("patterns");
  return block == rules.data.end() ? nullptr : block->second.value.find(name);
}

bool holds_pattern(const json::Value& pattern, std::span<const shuffle::Card> cards) {
  const auto& wanted = pattern.find("cards")->array();
  if (cards.size() < wanted.size()) return false;
  const auto first = cards.first(wanted.size());
  if (!suits_fit(pattern.find("suits")->string(), first)) return false;
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    bool all = true;
    for (std::size_t i = 0; i < order.size(); ++i)
      all = all && lists(wanted[order[i]], first[i].rank());
    if (all) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

Status check_patterns(const GameRules& rules) {
  const auto block = rules.data.find("patterns");
  if (block == rules.data.end()) return {};
  if (!block->second.value.is_object())
    return fail(Errc::catalogue_malformed, "data.patterns is a table");
  for (const auto& [name, value] : block->second.value.object())
    TALLA_TRY_STATUS(check_pattern("data.patterns." + name, value));
  return {};
}

}  // namespace talla::games::blackjack
