/// \file
/// A finite Markov chain with rewards whose states may offer a choice, solved exactly. Private to
/// games.
///
/// Threads: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
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
  Ratio square;                       ///< of the whole amount
  std::vector<std::size_t> policy{};  ///< the option taken in each state
};

struct ChainStep {
  std::optional<std::size_t> to;  ///< nothing: it ends
  Ratio probability;
  ChainSums sums{};  ///< added when the step is taken
  /// What is left of the amounts behind the step (a stake in prison that is halved again).
  Ratio scale = 1;
  std::size_t end = 0;  ///< which end of the chain it is, where it is one
};
/// Steps whose probabilities add up to 1.
using ChainOption = std::vector<ChainStep>;

struct ChainState {
  std::vector<ChainOption> options;    ///< at least one; the player takes one of them
  std::vector<std::string> choices{};  ///< what each option is called; none: chance goes on
};

/// What is expected from the first state on, under the best fixed choice in each state (the first
/// one offered among equals). Nothing when the chain need never end.
[[nodiscard]] std::optional<ChainValue> solve_chain(const std::vector<ChainState>& states);

/// How a chain goes on from one state under a fixed choice in each.
struct ChainLaw {
  struct End {
    Ratio probability;
    Ratio amount;  ///< expected, where that end counts alone
  };
  std::map<std::size_t, End> ends;
  Ratio rounds;             ///< steps of chance until the end, on average
  std::vector<Ratio> over;  ///< chance that it has ended behind the first such step, the second ...
};
/// Nothing when the chain need never end.
[[nodiscard]] std::optional<ChainLaw> chain_law(const std::vector<ChainState>& states,
                                                const std::vector<std::size_t>& policy,
                                                std::size_t from, std::size_t rounds);

}  // namespace talla::games
