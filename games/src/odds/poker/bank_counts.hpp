/// \file
/// How many of a growing set of five-card hands hold a given card and none of a player's: the
/// counting behind the odds of games in which a bank of five cards shows one of them.
///
/// Method:  inclusion and exclusion over the player's cards. For every set of up to four cards, and
///          every further card, a counter says how many of the hands added hold them all.
/// Memory:  19 MiB.
/// Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/poker/hand_table.hpp"

namespace talla::games::poker {

inline constexpr std::size_t five_cards = 5;
/// Codes of cards, ascending.
using FiveCodes = std::array<std::uint8_t, five_cards>;
/// A number for each card shown, by its code.
using ByShown = std::array<std::int32_t, deck_cards_count>;

/// All 2,598,960 hands by the level that the table gives them.
using HandsByLevel = std::vector<std::vector<FiveCodes>>;
[[nodiscard]] HandsByLevel hands_by_level(const HandTable<5>& table);

class BankCounts {
 public:
  BankCounts();
  void add(const FiveCodes& hand);
  /// For each card: how many of the hands added hold it and none of `own` (meaningless for the
  /// cards of `own` themselves).
  /// Precondition: codes ascending, each once.
  [[nodiscard]] ByShown apart_from(std::span<const std::uint8_t> own) const;

 private:
  using Quad = std::array<std::int8_t, 64>;  // 0 or 1 by card; a full line of cache
  ByShown all_{};
  std::vector<ByShown> ones_;
  std::vector<ByShown> twos_;
  std::vector<ByShown> threes_;
  std::vector<Quad> fours_;
};

}  // namespace talla::games::poker
