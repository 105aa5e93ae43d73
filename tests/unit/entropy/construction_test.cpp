// Goal: the output is the stated construction and nothing else, and no order of calls finds a way
// around the states.
// Method: one answer is recomputed by hand from all its inputs; then every sequence of three acts,
// after a start, is tried.
#include <gtest/gtest.h>

#include "blocks_by_hand.hpp"
#include "entropy/drbg.hpp"
#include "entropy/gate.hpp"
#include "rig.hpp"

namespace talla::entropy {
namespace {

Bytes personalisation() {
  ByteWriter writer;
  writer.field("talla/entropy/drbg/v1").field("test-appliance");
  return writer.u64(7).u64(0).u64(1).take();  // boot, instance, first incarnation
}

TEST(Construction, sp800_90c_rbg3_xor_is_reproduced_by_hand_from_disjoint_samples) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw(42));
  ASSERT_TRUE(rig.generator->start());
  const SecretBytes got = rig.generator->full_entropy(128)->bytes;

  ModelSource twin(Rig::raw(42));
  Bytes samples(startup_samples + 2 * gate_window_samples);
  ASSERT_EQ(twin.read(samples, 1).value(), samples.size());
  Bytes from_os(32);
  KnownOsRandom os(99);
  ASSERT_TRUE(os.fill(from_os));
  ByteWriter seed_input;
  seed_input.field("talla/entropy/seed/v1")
      .field(block_of(samples, 0))
      .field(from_os)
      .field(ByteView{});
  seed_input.field(personalisation()).field(ByteWriter().u64(0).take());
  const SecretBytes seed = hash_df_sha512(seed_input.bytes(), 64).value();
  const auto drbg = Drbg::instantiate(DrbgKind::ctr_aes256_df, seed, personalisation()).value();
  SecretBytes expected(64);
  ASSERT_TRUE(drbg->generate(expected));  // the first background cycle
  expected.resize(128);
  ASSERT_TRUE(drbg->generate(expected));
  for (std::size_t i = 0; i < 64; ++i) {
    expected[i] ^= block_of(samples, 1)[i];
    expected[64 + i] ^= block_of(samples, 2)[i];
  }
  EXPECT_EQ(to_hex(got), to_hex(expected));
}

enum class Act : std::uint8_t { pump, start, latch, reset, on_demand, fall_ill, recover, wait };
constexpr std::size_t act_count = 8;

void perform(Rig& rig, Act act) {
  Generator& generator = *rig.generator;
  switch (act) {
    case Act::pump:
      static_cast<void>(generator.pump(10));
      break;
    case Act::start:
      static_cast<void>(generator.start(5000));
      break;
    case Act::latch:
      generator.latch(LatchReason::other);
      break;
    case Act::reset:
      static_cast<void>(generator.reset_latch(5000));
      break;
    case Act::on_demand:
      static_cast<void>(generator.test_on_demand());
      break;
    case Act::fall_ill:
      rig.models[0]->set_illness(Illness::stuck);
      break;
    case Act::recover:
      rig.models[0]->set_illness(Illness::healthy);
      break;
    case Act::wait:
      rig.clock.advance_ns(2 * Rig::options().reseed_interval_ns);
      break;
  }
}

/// What may follow what, from the page: bits only in operational; latched left by reset alone; off
/// by start alone.
void check_step(State before, State after, Act act, Generator& generator) {
  if (before == State::latched && after != State::latched) {
    EXPECT_EQ(act, Act::reset);
  }
  if (before == State::off && after != State::off) {
    EXPECT_TRUE(act == Act::start || act == Act::latch);
  }
  EXPECT_FALSE(before != State::off && after == State::off);
  EXPECT_EQ(generator.latched().has_value(), after == State::latched);
  const bool ready = generator.ready_bits() > 0;
  const auto got = generator.full_entropy(32);
  EXPECT_EQ(got.has_value(), ready);
  if (got) {
    EXPECT_EQ(after, State::operational);
    EXPECT_EQ(got->evidence.state, State::operational);
    EXPECT_EQ(got->evidence.sources[0].verdict, Verdict::good);
  }
}

TEST(Construction, every_sequence_of_three_acts_gives_bits_in_operational_only) {
  std::size_t total = 1;
  for (int i = 0; i < 3; ++i) total *= act_count;
  std::size_t with_bits = 0;
  for (std::size_t sequence = 0; sequence < total; ++sequence) {
    // Before `start` nothing but it matters: the rest of the sequences find the generator started.
    std::size_t code = sequence;
    Rig rig;
    ASSERT_TRUE(rig.make_raw());
    if (sequence % act_count != static_cast<std::size_t>(Act::start)) perform(rig, Act::start);
    for (int step = 0; step < 3; ++step, code /= act_count) {
      const auto act = static_cast<Act>(code % act_count);
      const State before = rig.generator->state();
      perform(rig, act);
      check_step(before, rig.generator->state(), act, *rig.generator);
      with_bits += rig.generator->ready_bits() > 0 ? 1U : 0U;
      ASSERT_FALSE(testing::Test::HasFailure()) << "sequence " << sequence << " step " << step;
    }
  }
  EXPECT_GT(with_bits, total);
}

}  // namespace
}  // namespace talla::entropy
