/// \file
/// The mathematics of one game at one table on paper (a PAR sheet): what it was worked out from, by
/// digest; what is assumed; the exact figures of every bet; every end of a round with its chance
/// where such a law is known; what other readings of the text would change; the rules as they read,
/// each with its section; the parameters.
///
/// All figures are exact fractions beside their decimals. The same table and program give the same
/// bytes. Nothing here is signed.
/// Errors: those of games::bet_odds. Threads: pure functions.
#pragma once

#include <string>

#include "games/table.hpp"
#include "report/paper.hpp"

namespace talla::report {

struct OddsPaperOptions {
  std::string program;  ///< the program that works the odds out, by name, version and digest
  /// Also what other values of the parameters do: some games take half a minute.
  bool readings = true;
};

/// The blocks of the sheet. `table`: one of games::odds_table, whose minimum leaves no remainders.
[[nodiscard]] Result<Paper> odds_paper(const games::Table& table, Language language,
                                       const OddsPaperOptions& options);

}  // namespace talla::report
