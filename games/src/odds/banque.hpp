/// \file
/// Every hand of chemin de fer and of baccarat with two cloths counted, by what was decided in it;
/// and the best replies where the text leaves a choice. Private to games.
///
/// Choices are made by points: a player knows his two-card total, the banker his own and the third
/// cards that were asked for. Nobody knows what was dealt before.
/// Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engines/banque/rules.hpp"
#include "games/ratio.hpp"

namespace talla::games::banque {

/// How many cards of each points value lie in the shoe.
using Values = std::array<std::uint32_t, 10>;
[[nodiscard]] Values values_of_decks(const Law& law, std::uint32_t decks);

/// How a player (or both) takes his free total.
enum class Free : std::uint8_t {
  best,         ///< drawn as often as leaves the banker no better reply; one cloth
  draws,        ///< always drawn on
  stands,       ///< never
  draws_first,  ///< drawn on by the first cloth only
};
/// How the banker takes his.
enum class Banker : std::uint8_t {
  best,   ///< the best reply to the players
  chart,  ///< he asked for the chart; its optional cells, and what it leaves free, are best replies
};

/// Chances of a hand by what each cloth has won of the bank: [0] the bank wins, [1] nobody, [2] the
/// player does.
struct OneCloth {
  std::array<Ratio, 3> ends;
  Ratio player_draws;  ///< how often the free total is drawn on
  /// How often the banker draws, by his total and the third card (10: none asked for).
  std::array<std::array<Ratio, 11>, 8> banker_draws;
  /// A player who is free on every total could do no better against this banker.
  bool freedom_is_idle = false;
};
/// Precondition (checked): 6 to 416 cards.
[[nodiscard]] OneCloth one_cloth(const Law& law, const Values& cards, Free free, Banker banker);

/// Whether the banker draws, by his total and what each cloth shows: its third card, 10: it stands,
/// 11: a natural.
using BankerDraws = std::array<std::array<std::array<bool, 12>, 12>, 8>;
struct TwoCloths {
  std::array<std::array<Ratio, 3>, 3> ends;  ///< by first and second cloth
  /// The same of who makes banco and does what is best for him on every total of both, where the
  /// banker plays as here.
  std::array<std::array<Ratio, 3>, 3> banco;
  BankerDraws banker_draws{};
};
/// What one table's parameters say of two cloths.
struct TwoClothsLaw {
  bool zero_draws = false;     ///< a banker with zero must draw
  bool natural_binds = false;  ///< a shown natural binds him to the chart of the other cloth
  bool nine_beats = false;     ///< a natural nine beats a nine of three cards
  bool gross = false;          ///< deducted from the cloths that won, not from the balance
};
[[nodiscard]] TwoClothsLaw two_cloths_law(const Table& table);
/// What the house takes of the bank when each cloth has the same stake, in such stakes.
[[nodiscard]] Fraction deduction(const Law& law, const TwoClothsLaw& more, std::size_t first,
                                 std::size_t second);
/// For each way to take the free total: against the best reply, which is that for equal stakes on
/// both cloths, and against the chart.
/// Precondition (checked): 9 to 312 cards; none is `best`.
[[nodiscard]] std::vector<std::pair<TwoCloths, TwoCloths>> two_cloths(const Law& law,
                                                                      const TwoClothsLaw& more,
                                                                      const Values& cards,
                                                                      std::span<const Free> frees);

}  // namespace talla::games::banque
