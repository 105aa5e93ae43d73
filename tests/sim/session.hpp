/// \file
/// One simulated session: a table of one game, people who bet and decide at random, cards and draws
/// from a seed, and every check after every event and every round. The same seed gives the same
/// session.
#pragma once

#include <cstdint>

#include "ledger.hpp"
#include "subject.hpp"
#include "tables.hpp"

namespace talla::sim {

struct Plan {
  GameId game;
  std::uint64_t seed = 0;
  /// A session ends there, or earlier when its last round is announced.
  std::size_t rounds_max = 1;
  bool thorough = true;  ///< false: without the second runs of each event and round
  Maker maker;           ///< empty: the driver itself
  /// Of a thorough session: of so many events one has its state go through JSON before it, and of
  /// so many cards one has the views looked at after it. The end of a round has both.
  std::size_t one_in = 1;
};

/// Plays it. Throws Failure at the first thing that is wrong.
[[nodiscard]] Coverage play(const Plan& plan);

}  // namespace talla::sim
