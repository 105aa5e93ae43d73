/// \file
/// The final order of a tournament, and what each place wins. Pure arithmetic, in whole units.
///
/// Source: es-euskadi-2010 art. 2 bis 1.b (criteria and rules of the conditions), 1.d (fees go to
/// the prizes, less a small percentage). All prizes together are the fund, to the last unit: what
/// the shares leave over has its rule, too.
/// Threads: pure functions.
#pragma once

#include <vector>

#include "engines/tournament/rules.hpp"
#include "engines/tournament/state.hpp"

namespace talla::games::tournament {

/// The account of a tournament: fees + added = kept + prizes.
struct Fund {
  Units fees = 0;    ///< all that was paid for entries, rebuys and add-ons
  Units kept = 0;    ///< for organisation
  Units added = 0;   ///< by the organiser, up to the guaranteed prizes
  Units prizes = 0;  ///< what is given out
};
[[nodiscard]] Fund fund_of(const Figures& figures, const BetBook& bets);

/// Best first: who has chips, then who went out later; of one hand as the figures say.
[[nodiscard]] std::vector<Place> order_of(const Figures& figures,
                                          const std::vector<Player>& players);

/// The prize of each place when `players` take part; together exactly `prizes`.
[[nodiscard]] std::vector<Units> place_prizes(const Figures& figures, Units prizes,
                                              std::size_t players);

struct Award {
  Seat seat = 0;
  Units prize = 0;
};
/// What each seat of that order wins, in the order; who shares a place shares the prizes of all
/// places they take up.
[[nodiscard]] std::vector<Award> awards(const std::vector<Place>& order,
                                        const std::vector<Units>& prizes);

}  // namespace talla::games::tournament
