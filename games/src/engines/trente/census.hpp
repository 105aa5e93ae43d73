/// \file
/// How often the two rows of a coup of trente et quarante end with the same total, from cards whose
/// order is random. Exact, no floating point.
///
/// Method: a row of total t is a set of cards of t points one of which, of at least t - reach + 1
/// points, lies last. Pairs of sets are counted value by value, modulo primes of 58 bits; the count
/// is put together from its remainders.
/// Cost:   about a quarter of a second for six decks. Threads: a pure function.
#pragma once

#include <array>
#include <cstdint>

#include "engines/trente/rules.hpp"
#include "games/ratio.hpp"

namespace talla::games::trente {

inline constexpr std::size_t points_most = 10;  ///< of a card
/// Totals with which a row may end: `reach` to `reach` + 9.
inline constexpr std::size_t totals_count = points_most;
/// The longest rows that are counted.
inline constexpr int reach_most = 40;

/// How many cards of each number of points there are; none of 0 points.
using Points = std::array<std::uint32_t, points_most + 1>;
[[nodiscard]] Points points_of_decks(const Figures& figures, std::uint32_t decks);

/// Probability that both rows end with `reach` + i points, by i.
/// Precondition (checked): `reach` is 11 to reach_most; at most 416 cards, none of 0 points.
[[nodiscard]] std::array<Ratio, totals_count> equal_rows(const Points& cards, int reach);

}  // namespace talla::games::trente
