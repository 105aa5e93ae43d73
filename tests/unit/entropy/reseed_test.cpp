// Goal: a new seed comes when it is due, by calls, by age and by output, to the call, the
//       nanosecond and the byte; without it nothing more is given.
// Method: generators over emulated noise on simulated time, in which nothing else asks the DRBG.
#include <gtest/gtest.h>

#include "entropy/drbg.hpp"
#include "rig.hpp"

namespace talla::entropy {
namespace {

TEST(Reseed, is_due_at_the_call_that_is_stated_and_not_one_later) {
  Rig rig;
  GeneratorOptions options = Rig::options();
  options.reseed_calls = 5;
  options.cycle_min_ns = 86'400 * second_ns;  // no calls but ours
  options.cycle_spread_ns = 0;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  // The first cycle comes right after the start, and counts.
  const std::uint64_t at_start = rig.generator->evidence().generate_counter;
  for (std::uint64_t call = at_start; call < 4; ++call)
    ASSERT_TRUE(rig.generator->full_entropy(16));
  rig.generator->pump(10);
  ASSERT_EQ(rig.generator->evidence().generate_counter, 4U);
  EXPECT_EQ(rig.generator->evidence().reseed_counter, 1U)
      << "four calls are within the first seed's";
  ASSERT_TRUE(rig.generator->full_entropy(16));
  rig.generator->pump(10);
  EXPECT_EQ(rig.generator->evidence().reseed_counter, 2U)
      << "the fifth call makes the next seed due";
}

TEST(Reseed, is_due_at_the_age_that_is_stated_and_not_a_nanosecond_later) {
  Rig rig;
  GeneratorOptions options = by_output_alone(64);
  options.reseed_interval_ns = 5 * second_ns;
  ModelOptions model = Rig::raw();
  model.description.nominal_rate_hz = 0;  // it answers on request, and moves no clock
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(model));
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  rig.clock.advance_ns(5 * second_ns - 1);
  rig.generator->pump(0);
  EXPECT_EQ(rig.generator->evidence().reseed_counter, 1U);
  rig.clock.advance_ns(1);
  rig.generator->pump(0);
  EXPECT_EQ(rig.generator->evidence().reseed_counter, 2U);
}

TEST(Reseed, that_is_overdue_by_calls_stops_the_output_even_when_nobody_pumps) {
  Rig rig;
  GeneratorOptions options = by_output_alone(64);
  options.reseed_calls = 2;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->metrics().pool_blocks == 64; }));
  std::uint64_t calls = rig.generator->evidence().generate_counter;
  ASSERT_EQ(rig.generator->evidence().reseed_counter, 1U);
  while (rig.generator->full_entropy(16)) ++calls;
  EXPECT_EQ(calls, 16U * 2U);
  EXPECT_TRUE(gives_nothing(*rig.generator));
  rig.generator->pump(100);
  EXPECT_TRUE(rig.generator->full_entropy(16)) << "the seed that was due has come";
}

TEST(Reseed, sp800_90c_6_4_2_a_seed_comes_before_more_than_2_to_the_17_bits) {
  for (const bool pumped : {true, false}) {
    Rig rig;
    std::vector<SourceSlot> slots;
    slots.push_back(rig.slot(Rig::raw()));
    ASSERT_TRUE(rig.make(by_output_alone(1024), std::move(slots)));
    ASSERT_TRUE(rig.generator->start());
    ASSERT_TRUE(rig.pump_until([&] { return rig.generator->metrics().pool_blocks == 1024; }));
    // The cycle right after the start has taken 64 bytes already.
    std::size_t output = 64 * rig.generator->evidence().generate_counter;
    std::uint64_t seeds = rig.generator->evidence().reseed_counter;
    for (int i = 0; i < 1000; ++i) {
      const bool more = rig.generator->ready_bits() >= 512;
      const auto drawn = rig.generator->full_entropy(64);
      ASSERT_EQ(drawn.has_value(), more);
      if (!drawn) break;
      if (drawn->evidence.reseed_counter != seeds) {
        EXPECT_EQ(output, Drbg::seed_output_bytes);
        output = 0;
        seeds = drawn->evidence.reseed_counter;
      }
      output += 64;
      ASSERT_LE(output, Drbg::seed_output_bytes);
      if (pumped) rig.generator->pump(10);
    }
    EXPECT_GE(seeds, 4U) << "62.5 KiB of output";
  }
}

TEST(Reseed, sp800_90c_6_4_2_without_a_block_for_it_nothing_more_is_given) {
  Rig rig;
  ModelOptions poor = Rig::raw();
  poor.description.assessed_millibits_per_sample = 250;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(poor));
  ASSERT_TRUE(rig.make(by_output_alone(4096), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->metrics().pool_blocks == 4096; }));
  std::size_t given = 0;
  while (rig.generator->full_entropy(1024)) given += 1024;
  EXPECT_GT(rig.generator->metrics().pool_blocks, 3000U) << "the pool is not what ended it";
  EXPECT_EQ(given, Drbg::seed_output_bytes) << "whatever came went into the pool";
  EXPECT_TRUE(gives_nothing(*rig.generator));
  EXPECT_TRUE(rig.generator->full_entropy(64).error().is(Errc::not_ready));
  EXPECT_EQ(rig.generator->state(), State::operational);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->ready_bits() > 0; }));
  EXPECT_TRUE(rig.generator->full_entropy(64));
}

TEST(Reseed, one_request_is_never_more_than_one_call_of_the_drbg_may_give) {
  Rig rig;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  ASSERT_TRUE(rig.make(by_output_alone(1025), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->metrics().pool_blocks == 1025; }));
  EXPECT_TRUE(rig.generator->full_entropy(65'537).error().is(Errc::request_too_large));
  EXPECT_TRUE(rig.generator->full_entropy(65'536));
  const auto seeds = rig.generator->evidence().reseed_counter;
  EXPECT_TRUE(rig.generator->full_entropy(1));
  EXPECT_EQ(rig.generator->evidence().reseed_counter, seeds + 1);
}

}  // namespace
}  // namespace talla::entropy
