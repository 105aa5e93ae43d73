/// \file
/// A finite Markov chain with rewards whose states may offer a choice, solved exactly. Private to
/// games.
///
/// Threads: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "games/ratio.hpp"

namespace talla::games {

/// What is added up along the way: counts, and an amount of money, which the choices maximise.
inline constexpr std::size_t chain_counts = 3;
struct ChainSums {
  std::array<Ratio, chain_counts> counts{};
  Ratio amount;
};
/// What is expected from the first state on.
struct ChainValue {
  ChainSums sums;
  Ratio square;  ///< of the whole amount
};

struct ChainStep {
  std::optional<std::size_t> to;  ///< nothing: it ends
  Ratio probability;
  ChainSums sums{};  ///< added when the step is taken
  /// What is left of the amounts behind the step (a stake in prison that is halved again).
  Ratio scale = 1;
};
/// Steps whose probabilities add up to 1.
using ChainOption = std::vector<ChainStep>;

struct ChainState {
  std::vector<ChainOption> options;  ///< at least one; the player takes one of them
};

/// What is expected from the first state on, under the best fixed choice in each state (the first
/// one offered among equals). Nothing when the chain need never end.
[[nodiscard]] std::optional<ChainValue> solve_chain(const std::vector<ChainState>& states);

}  // namespace talla::games
