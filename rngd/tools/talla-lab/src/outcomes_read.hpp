/// \file
/// Reads results of a game from text, records or bundles.
#pragma once

#include <string>

#include "outcomes.hpp"

namespace talla::lab {

/// Reads everything there is. Errors: file, line, and what is wrong there.
[[nodiscard]] stats::Result<LeftOut> read_outcomes(const App& app, const std::string& path,
                                                   const std::string& table, GameTests& game);

}  // namespace talla::lab
