// Goal: as many groups wait for the disk at once as the sequencer's own work leaves time for, and
//       no more. Method: made-up times.
#include "pace.hpp"

#include <gtest/gtest.h>

namespace talla::core {
namespace {

constexpr std::int64_t ms = 1'000'000;

/// Commands of 30 us each; a sync of 3 ms.
Pace measured() {
  Pace pace(4, ms);
  for (int i = 0; i < 200; ++i) pace.turn_took(100 * 30'000, 100);
  pace.sync_took(3 * ms);
  return pace;
}

TEST(Pace, groups_follow_one_another_while_a_sync_is_quick) {
  Pace pace = measured();
  pace.sync_took(ms - 1);
  EXPECT_EQ(pace.groups(1000), 1U);
  pace.sync_took(ms);
  EXPECT_GT(pace.groups(1000), 1U);
}

TEST(Pace, nothing_measured_yet_is_a_quick_disk) {
  EXPECT_EQ(Pace(4, ms).groups(1000), 1U);
}

TEST(Pace, as_few_as_fill_the_time_of_a_sync_and_half_as_much_again) {
  const Pace pace = measured();
  EXPECT_EQ(pace.groups(320), 2U) << "160 commands are 4.8 ms";
  EXPECT_EQ(pace.groups(240), 3U) << "120 are 3.6 ms, 160 are 4.8 ms";
  EXPECT_EQ(pace.groups(210), 4U) << "140 are 4.2 ms";
  EXPECT_EQ(pace.groups(1), 4U) << "no number of groups keeps it busy: the most";
}

TEST(Pace, never_more_than_the_configuration_says) {
  for (const std::size_t most : {0U, 1U, 2U, 3U}) {
    Pace pace(most, 0);
    pace.sync_took(3 * ms);
    for (const std::size_t commands : {0U, 1U, 100U, 100'000U}) {
      EXPECT_LE(pace.groups(commands), std::max<std::size_t>(most, 1));
      EXPECT_GE(pace.groups(commands), 1U);
    }
  }
}

TEST(Pace, a_turn_without_commands_says_nothing_of_their_cost) {
  Pace pace = measured();
  for (int i = 0; i < 200; ++i) pace.turn_took(1000 * ms, 0);
  EXPECT_EQ(pace.groups(240), 3U);
}

}  // namespace
}  // namespace talla::core
