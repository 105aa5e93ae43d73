/// \file
/// Points of a baccarat hand, shared by every game of the kin (punto y banca, chemin de fer,
/// banque): what each rank counts, the sum modulo ten, and which two-card totals are naturals.
///
/// Data blocks: "values" {ranks: 13 figures 0-9, ace to king} and "natural" {totals: 0-9}; each
///              with its citation.
/// Errors: Errc::catalogue_malformed. Threads: plain values.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "games/rules.hpp"
#include "shuffle/card.hpp"

namespace talla::games::baccarat {

struct Points {
  std::array<int, 13> values{};          ///< points of ace .. king in a hand
  std::array<bool, 10> natural_total{};  ///< two-card totals that end the hand
  Citation values_cite;
  Citation natural_cite;
};
/// Reads both blocks and refuses anything else in them.
[[nodiscard]] Result<Points> read_points(const GameRules& rules);

/// Points of one card. Precondition: a French card.
[[nodiscard]] inline int value_of(const Points& points, shuffle::Card card) {
  return points.values[static_cast<std::size_t>(card.code() % 13)];
}
/// A hand's points: sum modulo 10.
[[nodiscard]] int total(const Points& points, std::span<const shuffle::Card> hand);

/// The data block of that name, or catalogue_malformed.
[[nodiscard]] Result<const DataBlock*> block_of(const GameRules& rules, std::string_view name);
/// Thirteen figures 0 to `max`, ace to king, under `key`; nothing else may stand in the block.
[[nodiscard]] Result<std::array<int, 13>> read_ranks(const DataBlock& block,
                                                     const std::string& where, int max);
/// A list of totals 0 to 9.
[[nodiscard]] Result<std::array<bool, 10>> read_totals(json::Reader& reader,
                                                       const std::string& where,
                                                       std::string_view key);

}  // namespace talla::games::baccarat
