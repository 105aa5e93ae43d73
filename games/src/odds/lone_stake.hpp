/// \file
/// A stake laid down alone, of an amount that the bet takes. Private to games.
///
/// Errors: the table's refusal of a bet. Threads: pure functions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "games/driver.hpp"

namespace talla::games {

/// Percentages of the table minimum, one of which every bet takes: many have a minimum or a maximum
/// of their own.
inline constexpr std::array<Units, 16> stake_percentages = {
    100, 110, 120, 125, 150, 160, 180, 200, 220, 250, 300, 400, 500, 1000, 2000, 5000};

/// Lays it down; the amount.
[[nodiscard]] Result<Units> lay_lone_stake(Driver& driver, const std::string& bet,
                                           const std::vector<std::string>& on);

}  // namespace talla::games
