/// \file
/// Many lives, one after the other or spread over processes: a life has the simulated disk of its
/// process to itself.
#pragma once

#include <cstdint>

#include "life.hpp"

namespace talla::sim {

struct LivesPlan {
  std::uint64_t first_seed = 0;
  std::uint64_t rounds = 0;  ///< at least; every life that has begun is lived to its end
  /// 1: this one. More: the lives of process i have the seeds first_seed + i, first_seed + i +
  /// processes, ...
  unsigned processes = 1;
  std::uint64_t told_every = 100'000;  ///< rounds, at least 1
};

/// Prints how far it has come. Throws Failure, with the seed to live
/// again in its words, or on stderr where another process lived it; all others end with it.
[[nodiscard]] LifeCounts live_all(const LivesPlan& plan);

}  // namespace talla::sim
