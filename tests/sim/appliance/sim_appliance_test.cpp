// Goal: whatever fails and whenever, what must always hold holds (README.md): nothing
//   acknowledged is lost or changed, nothing is drawn twice, no commitment while the latch stands,
//   every CALL is answered, every claim verifies, nothing leaks.
// Method: lives of a whole appliance from seeds: guests play games of all catalogues over the API
//   while network, disk, clock and generator fail. A failure prints its seed; TALLA_SIM_SEED=n
//   lives that life again. TALLA_LONG=1: 10^7 rounds, in as many processes as there are
//   processors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <thread>

#include "lives.hpp"
#include "support/figures.hpp"

namespace talla::sim {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t rounds_normal = 300;
#else
constexpr std::uint64_t rounds_normal = 1000;
#endif
constexpr std::uint64_t first_seed = 20261122;

std::optional<std::uint64_t> number_in(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  if (value == nullptr) return std::nullopt;
  return std::strtoull(value, nullptr, 10);
}

void tell(const LifeCounts& seen) {
  std::cout << seen.lives << " lives, " << seen.rounds << " rounds, " << seen.records
            << " records, " << seen.requests << " requests (" << seen.requests_lost << " lost, "
            << seen.replies_lost << " replies lost, " << seen.repeated << " repeated), "
            << seen.power_cuts << " power cuts (" << seen.sectors_lost << " sectors lost), "
            << seen.kills << " kills, " << seen.disk_errors << " disk errors, " << seen.latches
            << " latches, " << seen.clock_steps << " clock steps; " << seen.opened
            << " numbers opened, " << seen.kept_back << " kept back, " << seen.lies
            << " lies refused, " << seen.orders << " calls ordered by two persons; "
            << seen.judged.alarms << " alarms, " << seen.judged.suspended << " tables suspended, "
            << seen.judged.finished << " finished and " << seen.judged.voided
            << " voided by two persons; starts refused: " << seen.around.anchors_away
            << " without an anchor, " << seen.around.anchors_lying << " with another one, "
            << seen.around.copies_refused << " on an older disk; " << seen.around.anchors_forgetful
            << " anchors set back, " << seen.around.anchor_writes_failed << " not written; "
            << seen.around.tiles_blocked << " times no tiles, " << seen.around.tiles_torn
            << " torn, " << seen.around.tiles_read << " read; "
            << "a witness was away " << seen.around.witness_away << " times, refused "
            << seen.around.histories_refused << " second histories and "
            << seen.around.witness_refused << " older disks with their anchor; "
            << seen.acknowledged << " replies held to, " << seen.verified << " claims verified; "
            << static_cast<double>(seen.simulated_us) / (365.25 * 86400e6) << " simulated years\n";
  const auto rounds = static_cast<double>(std::max<std::uint64_t>(seen.rounds, 1));
  const auto all = std::accumulate(seen.spent.begin(), seen.spent.end(), std::int64_t{0});
  std::cout << "processor time of a round: " << static_cast<double>(all) / 1e6 / rounds << " ms:";
  for (std::size_t i = 0; i < parts_count; ++i) {
    std::cout << (i == 0 ? " " : ", ") << part_name(static_cast<Part>(i)) << ' '
              << static_cast<double>(seen.spent.at(i)) / 1e6 / rounds;
  }
  std::cout << '\n';
}

/// For the report of a laboratory's run.
json::Object figures_of(const LifeCounts& seen) {
  return {{"claims_verified", seen.verified},
          {"disk_errors", seen.disk_errors},
          {"kills", seen.kills},
          {"latches", seen.latches},
          {"lives", seen.lives},
          {"power_cuts", seen.power_cuts},
          {"records", seen.records},
          {"rounds", seen.rounds}};
}

TEST(Appliance, keeps_its_promises_in_every_life) {
  if (const auto seed = number_in("TALLA_SIM_SEED")) {
    LifeCounts seen;
    ASSERT_NO_THROW(seen = live_all({.first_seed = *seed, .rounds = 1}));
    tell(seen);
    return;
  }
  const bool all = number_in("TALLA_LONG") == std::uint64_t{1};
  LivesPlan plan;
  plan.first_seed = number_in("TALLA_SIM_FIRST").value_or(first_seed);
  plan.rounds = number_in("TALLA_SIM_ROUNDS").value_or(all ? 10'000'000 : rounds_normal);
  plan.told_every =
      std::max<std::uint64_t>(number_in("TALLA_SIM_TOLD").value_or(plan.told_every), 1);
  plan.processes = all ? std::max(std::thread::hardware_concurrency(), 1U) : 1;
  LifeCounts seen;
  ASSERT_NO_THROW(seen = live_all(plan));
  EXPECT_GT(seen.power_cuts, 0U);
  EXPECT_GT(seen.sectors_lost, 0U);
  EXPECT_GT(seen.replies_lost, 0U);
  EXPECT_GT(seen.verified, 0U);
  EXPECT_GT(seen.opened, 0U);
  EXPECT_GT(seen.kept_back, 0U);
  EXPECT_GT(seen.lies, 0U);
  EXPECT_GT(seen.contributed, 0U);
  EXPECT_GT(seen.judged.suspended, 0U);
  EXPECT_GT(seen.judged.finished + seen.judged.voided, 0U);
  EXPECT_GT(seen.around.anchors_away, 0U);
  EXPECT_GT(seen.around.anchors_lying, 0U);
  EXPECT_GT(seen.around.anchor_writes_failed, 0U);
  EXPECT_GT(seen.around.tiles_blocked, 0U);
  EXPECT_GT(seen.around.tiles_read, 0U);
  EXPECT_GT(seen.around.histories_refused, 0U);
  tell(seen);
  if (!HasFailure()) test::keep_figures("simulator", figures_of(seen));
}

TEST(Appliance, of_a_seed_is_the_same_to_the_last_byte_of_its_log) {
  constexpr LifePlan plan{.seed = 1, .guests = 3, .rounds = 20};
  LifeCounts first;
  LifeCounts again;
  LifeCounts other;
  ASSERT_NO_THROW(first = live(plan));
  ASSERT_NO_THROW(other = live({.seed = 2, .guests = 3, .rounds = 20}));
  ASSERT_NO_THROW(again = live(plan));
  EXPECT_EQ(to_hex(first.log_root), to_hex(again.log_root));
  EXPECT_EQ(first.requests, again.requests);
  EXPECT_NE(to_hex(first.log_root), to_hex(other.log_root));
}

}  // namespace
}  // namespace talla::sim
