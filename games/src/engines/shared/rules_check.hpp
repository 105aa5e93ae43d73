/// \file
/// What `check_rules` of several engines ask of a game's rules in the same way.
///
/// Errors: Errc::catalogue_malformed, naming game and key. Threads: pure functions.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "games/rules.hpp"

namespace talla::games {

/// Rules that no engine of the family can play: what is wrong, alone or after the name of the game.
[[nodiscard]] tl::unexpected<Error> bad_rules(const std::string& what);
[[nodiscard]] tl::unexpected<Error> bad_rules(const GameRules& rules, const std::string& what);

/// A choice parameter of that id is there, and all its values are known.
[[nodiscard]] Status check_choice(const GameRules& rules, std::string_view id,
                                  std::initializer_list<std::string_view> known);

}  // namespace talla::games
