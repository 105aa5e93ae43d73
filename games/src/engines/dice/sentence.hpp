/// \file
/// The form of a dice bet as a sentence, for people (es, en).
#pragma once

#include <string>
#include <string_view>

#include "games/rules.hpp"

namespace talla::games::dice {

/// "first throw: 7, 11 win, 2, 3, 12 lose; then the point wins, 7 loses". Empty when the bet has no
/// form.
[[nodiscard]] std::string sentence_of(const Catalogue& catalogue, const GameRules& rules,
                                      const BetRule& bet, std::string_view language);

}  // namespace talla::games::dice
