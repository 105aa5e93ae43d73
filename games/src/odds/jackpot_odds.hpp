/// \file
/// What a jackpot makes of a bet, from what each kind of cards takes out of it. Private to games.
///
/// Threads: pure functions.
#pragma once

#include <vector>

#include "games/odds.hpp"

namespace talla::games {

/// One way in which a stake of 1 is paid: a fixed part, and a share of what the jackpot holds.
struct JackpotLine {
  Ratio fixed;
  Ratio share;
  [[nodiscard]] Ratio at(const Ratio& jackpot) const { return fixed + share * jackpot; }
};

/// Cards of one kind: of their lines the one that pays most counts.
struct JackpotCards {
  Ratio chance;
  std::vector<JackpotLine> lines;  ///< one at least
  Ratio taken;                     ///< the share of it that is gone, what is deducted included
  bool reopens = false;            ///< what it begins with is put in again
};

/// `growth`: what a bet adds, in stakes; `opening`: what it begins with. The chances of all cards
/// make up 1.
[[nodiscard]] JackpotOdds jackpot_odds(const std::vector<JackpotCards>& all, const Ratio& growth,
                                       const Ratio& opening);

}  // namespace talla::games
