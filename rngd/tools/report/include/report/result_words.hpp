/// \file
/// What a bet came to, in words.
#pragma once

#include <string>

#include "games/settlement.hpp"
#include "report/round_report.hpp"

namespace talla::report {

/// "se pierde", "lost": as reports say it.
[[nodiscard]] std::string result_words(games::BetResult result, Language language);

}  // namespace talla::report
