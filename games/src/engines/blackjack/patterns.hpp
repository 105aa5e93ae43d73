/// \file
/// Combinations that an authorisation adds (es-valencia-2003 03 V.2), as data: block "patterns", by
/// name { cards = [[6], [7], [8]], suits = "same" }: the first cards hold one of each list of ranks
/// (ace 1 to king 13), in any order.
///
/// Errors: catalogue_malformed. Threads: pure functions.
#pragma once

#include <span>
#include <string_view>

#include "games/rules.hpp"
#include "shuffle/card.hpp"

namespace talla::games::blackjack {

/// The pattern of that name, or nullptr.
[[nodiscard]] const json::Value* find_pattern(const GameRules& rules, std::string_view name);
/// Precondition: check_patterns accepted the rules.
[[nodiscard]] bool holds_pattern(const json::Value& pattern, std::span<const shuffle::Card> cards);
/// Every pattern is one that holds_pattern understands.
[[nodiscard]] Status check_patterns(const GameRules& rules);

}  // namespace talla::games::blackjack
