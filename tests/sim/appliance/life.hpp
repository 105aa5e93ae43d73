/// \file
/// One life of a simulated appliance: guests at tables of random games, a network that loses and
/// repeats, a disk that loses its power, a clock that drifts and steps, a generator that fails; all
/// of it, and every key, from one seed: the same seed is the same life (chance.hpp).
#pragma once

#include <cstdint>

#include "around.hpp"
#include "base/hash.hpp"
#include "judges.hpp"
#include "spent.hpp"

namespace talla::sim {

struct LifePlan {
  std::uint64_t seed = 0;
  std::size_t guests = 4;
  std::size_t rounds = 60;  ///< of all guests together; then everybody leaves
};

/// What happened, so that a test can see that it was about something.
struct LifeCounts {
  std::uint64_t lives = 0, rounds = 0, requests = 0, replies_lost = 0, requests_lost = 0,
                repeated = 0;
  std::uint64_t power_cuts = 0, kills = 0, clean_stops = 0, disk_errors = 0, sectors_lost = 0;
  std::uint64_t latches = 0, clock_steps = 0, dry_pools = 0, records = 0, acknowledged = 0,
                verified = 0;
  std::uint64_t opened = 0, kept_back = 0, lies = 0, contributed = 0,
                orders = 0;  ///< of contributors
  Digest log_root{};         ///< of the last life: all that was recorded in it
  AroundCounts around;
  JudgeCounts judged;
  std::int64_t simulated_us = 0;
  Spent spent{};  ///< processor time
  void add(const LifeCounts& other);
};

/// Lives it. Throws Failure at the first thing that does not hold (README.md, what must hold).
[[nodiscard]] LifeCounts live(const LifePlan& plan);

}  // namespace talla::sim
