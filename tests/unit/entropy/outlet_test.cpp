// Goal: entropy given to others is full, comes from samples and a DRBG of its own, never before the
// draws have theirs, and never outside the operational state.
// Method: one answer is recomputed by hand beside the draws'; states, alarms and a drained pool are
//         induced on simulated time.
#include <gtest/gtest.h>

#include <set>

#include "blocks_by_hand.hpp"
#include "corridor_by_hand.hpp"
#include "entropy/drbg.hpp"
#include "entropy/gate.hpp"

namespace talla::entropy {
namespace {

constexpr std::size_t draws_blocks = 8;  // the pool of the draws
constexpr std::size_t others_blocks = 4;

GeneratorOptions with_outlet() {
  GeneratorOptions options = Rig::options();
  options.pool_blocks = draws_blocks;
  options.outlet_blocks = others_blocks;
  return options;
}

struct OutletRig : Rig {
  explicit OutletRig(const ModelOptions& model = raw(42)) {
    std::vector<SourceSlot> slots;
    slots.push_back(slot(model));
    EXPECT_TRUE(make(with_outlet(), std::move(slots)));
  }
  bool pump_until_spare() {
    return pump_until([&] { return generator->spare_bits() == others_blocks * 512; });
  }
};

Bytes personalisation_of_the_outlet() {
  ByteWriter writer;
  writer.field("talla/entropy/outlet/v1").field("test-appliance");
  return writer.u64(7).u64(0).u64(1).take();  // boot, instance, first incarnation
}

TEST(Outlet, sp800_90c_6_4_2_its_seed_comes_before_more_than_2_to_the_17_bits) {
  OutletRig rig;
  ASSERT_TRUE(rig.generator->start());
  std::uint64_t seeds = 1;
  std::size_t output = 0;
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(rig.pump_until_spare());
    ASSERT_EQ(rig.generator->metrics().outlet_seeds - seeds, output == 16'384 ? 1U : 0U);
    if (output == 16'384) {
      output = 0;
      ++seeds;
    }
    ASSERT_TRUE(rig.generator->give_away(64));
    output += 64;
  }
  EXPECT_EQ(seeds, 3U);
}

TEST(Outlet, its_bytes_are_reproduced_by_hand_from_samples_that_no_draw_used) {
  OutletRig rig;
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until_spare());
  const auto given = rig.generator->give_away(100);
  ASSERT_TRUE(given) << given.error().text();

  // The first block seeded the draws' DRBG, the next eight filled their pool, the tenth seeded the
  // outlet.
  ModelSource twin(Rig::raw(42));
  Bytes samples(startup_samples + 8 * gate_window_samples);
  ASSERT_EQ(twin.read(samples, 1).value(), samples.size());
  KnownOsRandom os(99);
  Bytes from_os(32);
  ASSERT_TRUE(os.fill(from_os));  // went into the draws' seed
  ASSERT_TRUE(os.fill(from_os));
  ByteWriter input;
  input.field("talla/entropy/seed/v1").field(block_of(samples, 9)).field(from_os).field(ByteView{});
  input.field(personalisation_of_the_outlet()).field(ByteWriter().u64(0).take());
  const SecretBytes seed = hash_df_sha512(input.bytes(), 64).value();
  const auto drbg =
      Drbg::instantiate(DrbgKind::ctr_aes256_df, seed, personalisation_of_the_outlet()).value();
  SecretBytes expected(100);
  ASSERT_TRUE(drbg->generate(expected));
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] ^= block_of(samples, 10 + i / 64)[i % 64];
  EXPECT_EQ(to_hex(given->bytes), to_hex(expected));
  EXPECT_EQ(given->assessed_bits, 800U);

  // The draws' own output is still made of the blocks in between.
  const auto drawn = rig.generator->full_entropy(64 * draws_blocks);
  ASSERT_TRUE(drawn);
  const Metrics metrics = rig.generator->metrics();
  EXPECT_EQ(metrics.outlet_seeds, 1U);
  EXPECT_EQ(metrics.outlet_blocks_given, 2U);
  EXPECT_EQ(metrics.blocks_made, 1 + draws_blocks + 1 + others_blocks);
}

TEST(Outlet, draws_come_first_and_a_drained_pool_leaves_nothing_to_spare) {
  OutletRig rig;
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until_spare());
  ASSERT_TRUE(rig.generator->give_away(64 * others_blocks));
  // Whenever blocks for others are made, the pool of the draws is full.
  std::uint64_t seen = rig.generator->metrics().outlet_blocks;
  for (int step = 0; step < 200; ++step) {
    ASSERT_TRUE(rig.pump_until([&] { return rig.generator->ready_bits() >= 512; }));
    if (step % 3 == 0) static_cast<void>(rig.generator->full_entropy(64));
    rig.generator->pump(100);
    const Metrics now = rig.generator->metrics();
    if (now.outlet_blocks > seen) {
      EXPECT_EQ(now.pool_blocks, now.pool_blocks_max);
    }
    seen = now.outlet_blocks;
    if (seen > 0) static_cast<void>(rig.generator->give_away(64));
    seen = rig.generator->metrics().outlet_blocks;
  }
}

TEST(Outlet, of_a_stream_half_of_what_may_wait_stays_for_the_draws) {
  OutletRig rig;
  ASSERT_TRUE(rig.generator->start());
  std::uint64_t given = 0;
  for (int step = 0; step < 400; ++step) {
    rig.generator->pump(100);
    while (rig.generator->give_away(64)) ++given;
  }
  ASSERT_GT(given, 50U);
  // Four windows of 4,096 samples wait: 197 blocks for draws, without a sample more from the
  // source.
  rig.models[0]->set_illness(Illness::silent);
  std::size_t drawn = 0;
  while (rig.generator->full_entropy(64)) {
    ++drawn;
    rig.generator->pump(0);
  }
  EXPECT_GE(drawn, 4 * gate_window_samples / per_block);
}

TEST(Outlet, a_source_that_is_read_on_request_serves_both) {
  ModelOptions model = Rig::raw(3);
  model.description.nominal_rate_hz = 0;
  OutletRig rig(model);
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until_spare());
  ASSERT_TRUE(rig.generator->give_away(256));
  ASSERT_TRUE(rig.pump_until_spare());
  EXPECT_EQ(rig.generator->metrics().pool_blocks, draws_blocks);
}

TEST(Outlet, gives_nothing_before_the_start_nor_when_latched_and_is_wiped) {
  OutletRig rig;
  EXPECT_EQ(rig.generator->give_away(1).error().code, errc_name(Errc::not_started));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until_spare());
  rig.generator->latch(LatchReason::other);
  EXPECT_EQ(rig.generator->spare_bits(), 0U);
  EXPECT_EQ(rig.generator->give_away(1).error().code, errc_name(Errc::latched));
  EXPECT_EQ(rig.generator->metrics().outlet_blocks, 0U);
  ASSERT_TRUE(rig.generator->reset_latch());
  ASSERT_TRUE(rig.pump_until_spare());
  EXPECT_TRUE(rig.generator->give_away(1));
  EXPECT_EQ(rig.generator->metrics().outlet_seeds, 2U) << "a new DRBG after the latch";
}

TEST(Outlet, gives_nothing_while_suspended_and_drops_what_an_alarm_covers) {
  OutletRig rig;
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until_spare());
  rig.models[0]->set_illness(Illness::stuck, 1000, 10);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->state() == State::suspended; }));
  EXPECT_EQ(rig.generator->spare_bits(), 0U);
  EXPECT_EQ(rig.generator->give_away(1).error().code, errc_name(Errc::suspended));
  ASSERT_TRUE(rig.pump_until_spare());
  EXPECT_TRUE(rig.generator->give_away(1));
  EXPECT_EQ(rig.generator->metrics().outlet_seeds, 2U) << "a new seed after the alarm";
}

TEST(Outlet, its_blocks_go_with_an_alarm_that_suspects_their_samples) {
  ModelOptions model = Rig::raw(42);
  model.period = 1500;
  OutletRig rig(model);
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until_spare());
  ASSERT_TRUE(rig.generator->give_away(64 * others_blocks));
  rig.models[0]->set_illness(Illness::periodic, 150);  // one lag sees it, in one window of 255
  ASSERT_TRUE(rig.pump_until_spare()) << "of samples that are bad already";
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->state() != State::operational; }));
  ASSERT_EQ(rig.generator->state(), State::suspended) << "a latch would wipe all of them";
  EXPECT_EQ(rig.generator->metrics().outlet_blocks, 0U);
}

TEST(Outlet, has_a_new_seed_behind_a_test_on_demand) {
  OutletRig rig;
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until_spare());
  ASSERT_TRUE(rig.generator->test_on_demand());
  ASSERT_TRUE(rig.pump_until_spare());
  EXPECT_EQ(rig.generator->metrics().outlet_seeds, 2U);
}

TEST(Outlet, is_closed_by_default_and_never_gives_more_than_it_keeps) {
  Rig plain;
  ASSERT_TRUE(plain.make_raw());
  ASSERT_TRUE(plain.generator->start());
  EXPECT_EQ(plain.generator->give_away(1).error().code, errc_name(Errc::request_too_large));
  EXPECT_EQ(plain.generator->spare_bits(), 0U);
  EXPECT_EQ(plain.generator->metrics().outlet_seeds, 0U);

  OutletRig rig;
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until_spare());
  EXPECT_EQ(rig.generator->give_away(0).error().code, errc_name(Errc::bad_settings));
  EXPECT_EQ(rig.generator->give_away(64 * others_blocks + 1).error().code,
            errc_name(Errc::request_too_large));
  EXPECT_TRUE(rig.generator->give_away(64 * others_blocks));
  EXPECT_EQ(rig.generator->give_away(1).error().code, errc_name(Errc::not_ready));
}

TEST(Outlet, an_uncertified_source_gives_bytes_that_count_nothing) {
  Rig rig;
  GeneratorOptions options = with_outlet();
  options.allow_uncertified = true;
  std::vector<SourceSlot> slots;
  slots.push_back(
      {.source = std::make_unique<SystemSource>(rig.os), .independent = false, .required = true});
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->spare_bits() > 0; }));
  const auto given = rig.generator->give_away(32);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->assessed_bits, 0U);
}

TEST(Outlet, an_assumed_figure_counts_nothing_for_others) {
  Rig rig;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  slots[0].assessment = {};
  ASSERT_TRUE(rig.make(with_outlet(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->spare_bits() > 0; }));
  const auto given = rig.generator->give_away(32);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->assessed_bits, 0U);
}

TEST(Outlet, no_block_is_given_twice_nor_to_a_draw_as_well) {
  OutletRig rig;
  ASSERT_TRUE(rig.generator->start());
  std::set<std::string> seen;
  std::size_t count = 0;
  for (int step = 0; step < 300; ++step) {
    rig.generator->pump(100);
    if (const auto given = rig.generator->give_away(64); given)
      count += seen.insert(to_hex(given->bytes)).second ? 1U : 0U;
    if (const auto drawn = rig.generator->full_entropy(64); drawn)
      count += seen.insert(to_hex(drawn->bytes)).second ? 1U : 0U;
  }
  const Metrics metrics = rig.generator->metrics();
  EXPECT_EQ(count, metrics.blocks_given + metrics.outlet_blocks_given);
  EXPECT_EQ(metrics.blocks_made, metrics.blocks_for_seeds + metrics.outlet_seeds +
                                     metrics.blocks_given + metrics.outlet_blocks_given +
                                     metrics.pool_blocks + metrics.outlet_blocks +
                                     metrics.blocks_wiped);
  EXPECT_GT(metrics.outlet_blocks_given, 50U);
}

TEST(Outlet, gives_nothing_while_the_seed_of_the_draws_is_overdue_nor_suspended_for_it) {
  GeneratorOptions options = by_output_alone(64);
  options.outlet_blocks = others_blocks;
  options.reseed_calls = 1;
  ByHand one(SourceClass::raw_physical, options);
  one.open(8);
  one.corridor->advance();
  ASSERT_EQ(one.corridor->spare_bits(), 512 * others_blocks);
  one.leave(0);
  FullEntropy drawn;
  drawn.bytes.resize(1);
  for (int call = 0; call < 16; ++call) ASSERT_TRUE(one.corridor->draw(drawn)) << call;
  ASSERT_FALSE(one.corridor->draw(drawn));
  GivenAway given;
  given.bytes.resize(1);
  EXPECT_EQ(one.corridor->spare_bits(), 0U);
  EXPECT_TRUE(one.corridor->give_away(given).error().is(Errc::not_ready));
  one.corridor->advance();
  ASSERT_EQ(one.corridor->state(), State::suspended);
  EXPECT_EQ(one.corridor->spare_bits(), 0U);
  EXPECT_TRUE(one.corridor->give_away(given).error().is(Errc::suspended));
  EXPECT_EQ(one.corridor->metrics().outlet_blocks, others_blocks) << "there is something to give";
}

TEST(Outlet, gives_nothing_of_a_seed_that_is_too_old_even_when_nobody_looks) {
  GeneratorOptions options = ByHand::small();
  options.reseed_interval_ns = 5 * second_ns;
  ByHand one(SourceClass::raw_physical, options);
  one.open(8);
  one.corridor->advance();
  GivenAway given;
  given.bytes.resize(1);
  one.clock.advance_ns(5 * second_ns - 1);
  EXPECT_TRUE(one.corridor->give_away(given));
  one.clock.advance_ns(1);
  EXPECT_TRUE(one.corridor->give_away(given).error().is(Errc::not_ready));
}

TEST(Outlet, a_seed_of_its_own_that_cannot_be_made_latches_too) {
  ByHand one(SourceClass::raw_physical);
  one.open(2);  // nothing to spare yet
  ASSERT_EQ(one.corridor->metrics().outlet_seeds, 0U);
  one.os.broken = true;
  for (int i = 0; i < 6; ++i) one.feed(gate_window_samples);
  one.corridor->advance();
  EXPECT_EQ(one.corridor->state(), State::latched);
  EXPECT_EQ(one.corridor->reason(), LatchReason::seed_failed);
}

}  // namespace
}  // namespace talla::entropy
