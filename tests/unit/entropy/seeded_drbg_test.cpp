// Goal: a DRBG with its seeds counts calls, bytes and time to the last unit that is stated, and
//   what waits in a pool of blocks goes out once, whole or wiped.
// Method: known seeds, a twin beside it, each bound and one before it.
#include "seeded_drbg.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "base/bytes.hpp"
#include "block_pool.hpp"
#include "rig.hpp"

namespace talla::entropy {
namespace {

struct Seeded {
  KnownOsRandom os{99};
  KnownRdSeed cpu{false};
  SeededDrbg drbg;

  explicit Seeded(SeedLimits limits)
      : drbg(DrbgKind::ctr_aes256_df, {"test", 1, 2, 0, 0}, limits) {}
  LatchReason seed(std::int64_t now_ns) { return drbg.seed(SecretBytes(64, 5), os, cpu, now_ns); }
  /// The next bytes of it.
  SecretBytes bytes(std::size_t size = 64) {
    SecretBytes out(size);
    EXPECT_TRUE(drbg.generate(out));
    return out;
  }
};

constexpr SeedLimits three_calls{.calls = 3, .interval_ns = 1'000};
constexpr SeedLimits far{.calls = 1'000'000, .interval_ns = 86'400 * second_ns};

TEST(SeededDrbg, without_a_seed_there_is_none_and_one_is_due) {
  Seeded one(three_calls);
  SecretBytes out(16);
  EXPECT_FALSE(one.drbg.exists());
  EXPECT_TRUE(one.drbg.seed_due());
  EXPECT_FALSE(one.drbg.generate(out));
  EXPECT_TRUE(one.drbg.cycle(0, 1, 1)) << "nothing to run on";
  EXPECT_EQ(one.drbg.cycles() + one.drbg.calls() + one.drbg.seeds(), 0U);
  one.os.broken = true;
  EXPECT_EQ(one.seed(0), LatchReason::seed_failed);
  EXPECT_FALSE(one.drbg.exists());
  EXPECT_TRUE(one.drbg.seed_due());
}

TEST(SeededDrbg, a_seed_is_due_and_overdue_at_its_calls_and_at_its_age) {
  Seeded one(three_calls);
  ASSERT_EQ(one.seed(5'000), LatchReason::none);
  EXPECT_TRUE(one.drbg.exists());
  EXPECT_EQ(one.drbg.seeds(), 1U);
  one.drbg.age(5'999);
  EXPECT_FALSE(one.drbg.seed_due());
  EXPECT_FALSE(one.drbg.overdue(6'999));
  EXPECT_TRUE(one.drbg.overdue(7'000));
  one.drbg.age(6'000);
  EXPECT_TRUE(one.drbg.seed_due());
  ASSERT_EQ(one.seed(6'000), LatchReason::none);
  EXPECT_FALSE(one.drbg.seed_due());
  EXPECT_FALSE(one.drbg.overdue(7'999));
  for (int call = 1; call <= 48; ++call) {
    EXPECT_FALSE(one.drbg.overdue(6'000)) << call;
    EXPECT_EQ(one.drbg.seed_due(), call > 3) << call;
    static_cast<void>(one.bytes(16));
  }
  EXPECT_TRUE(one.drbg.overdue(6'000));
  EXPECT_EQ(one.drbg.calls(), 48U);
  ASSERT_EQ(one.seed(6'000), LatchReason::none);
  EXPECT_FALSE(one.drbg.overdue(6'000)) << "all is counted anew";
  EXPECT_EQ(one.drbg.calls(), 48U) << "but those since creation";
  EXPECT_EQ(one.drbg.seeds(), 3U);
}

TEST(SeededDrbg, sp800_90c_6_4_2_is_spent_at_16384_bytes) {
  Seeded one(far);
  ASSERT_EQ(one.seed(0), LatchReason::none);
  static_cast<void>(one.bytes(16'383));
  EXPECT_FALSE(one.drbg.spent() || one.drbg.seed_due());
  static_cast<void>(one.bytes(1));
  EXPECT_TRUE(one.drbg.spent() && one.drbg.seed_due());
  EXPECT_TRUE(one.drbg.cycle(0, 1, 1));
  EXPECT_EQ(one.drbg.cycles(), 0U) << "what is spent does not run on";
  ASSERT_EQ(one.seed(0), LatchReason::none);
  EXPECT_FALSE(one.drbg.spent());
  static_cast<void>(one.bytes(16'383));
  EXPECT_FALSE(one.drbg.spent());
}

TEST(SeededDrbg, that_was_destroyed_comes_back_as_another) {
  Seeded one(far);
  ASSERT_EQ(one.seed(0), LatchReason::none);
  const SecretBytes first = one.bytes();
  one.drbg.destroy();
  EXPECT_FALSE(one.drbg.exists());
  EXPECT_TRUE(one.drbg.seed_due());
  KnownOsRandom again(99);
  ASSERT_EQ(one.drbg.seed(SecretBytes(64, 5), again, one.cpu, 0), LatchReason::none);
  EXPECT_NE(one.bytes(), first) << "the same block and the same system, another incarnation";
  EXPECT_EQ(one.drbg.seeds(), 2U);
}

TEST(SeededDrbg, runs_on_at_a_time_that_its_own_bytes_say) {
  constexpr std::int64_t least_ns = 1'000;
  constexpr std::int64_t spread_ns = std::int64_t{1} << 40U;
  Seeded one(far);
  Seeded twin(far);
  ASSERT_EQ(one.seed(0), LatchReason::none);
  ASSERT_EQ(twin.seed(0), LatchReason::none);
  std::int64_t now_ns = 7;
  for (std::uint64_t cycles = 1; cycles <= 5; ++cycles) {
    ASSERT_TRUE(one.drbg.cycle(now_ns, least_ns, spread_ns));
    ASSERT_EQ(one.drbg.cycles(), cycles);
    ASSERT_EQ(one.drbg.calls(), cycles);
    const SecretBytes thrown_away = twin.bytes();
    // Its first two bytes are a share of the spread.
    const std::int64_t share = 256 * thrown_away[0] + thrown_away[1];
    now_ns += least_ns + spread_ns / 65'536 * share;
    ASSERT_TRUE(one.drbg.cycle(now_ns - 1, least_ns, spread_ns));
    ASSERT_EQ(one.drbg.cycles(), cycles) << "not a nanosecond sooner";
  }
}

TEST(SeededDrbg, takes_its_share_of_a_processor_that_has_one_and_no_seed_without_it) {
  Seeded without(far);
  ASSERT_EQ(without.seed(0), LatchReason::none);
  std::set<SecretBytes> streams{without.bytes()};
  for (const std::uint8_t value : Bytes{0x00, 0x42, 0x43}) {
    Seeded one(far);
    KnownRdSeed present{true};
    present.value = value;
    ASSERT_EQ(one.drbg.seed(SecretBytes(64, 5), one.os, present, 0), LatchReason::none);
    streams.insert(one.bytes());
    present.broken = true;
    EXPECT_EQ(one.drbg.seed(SecretBytes(64, 5), one.os, present, 0), LatchReason::seed_failed);
    EXPECT_EQ(one.drbg.seeds(), 1U);
    EXPECT_EQ(one.seed(0), LatchReason::none) << "it goes on as it was";
  }
  EXPECT_EQ(streams.size(), 4U);
}

TEST(SeededDrbg, that_fails_is_gone) {
  Seeded one(far);
  ASSERT_EQ(one.seed(0), LatchReason::none);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SecretBytes out(16);
    const bool gave = one.drbg.generate(out);
    ::_exit(!gave && !one.drbg.exists() && one.drbg.seed_due() && one.drbg.calls() == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(one.drbg.exists());
}

Bytes filled(std::uint8_t value) {
  return Bytes(64, value);
}

TEST(BlockPool, gives_its_blocks_in_order_once_and_wipes_what_is_not_used_of_them) {
  BlockPool pool(3);
  for (std::uint8_t round = 0; round < 3; ++round) {
    for (std::uint8_t i = 1; i <= 3; ++i) {
      EXPECT_FALSE(pool.full());
      pool.push(filled(i), {10 * i, 10 * i + 5});
    }
    EXPECT_TRUE(pool.full());
    for (std::uint8_t i = 1; i <= 3; ++i) {
      Bytes out(i == 2 ? 10 : 64, 0xFF);
      const std::uint64_t before = wiped_bytes();
      const TimeRange samples = pool.take_xor(out);
      EXPECT_EQ(wiped_bytes() - before, 64U);
      EXPECT_EQ(out, Bytes(out.size(), static_cast<std::uint8_t>(0xFF - i)));
      EXPECT_EQ(samples.from_ns, 10 * i);
      EXPECT_EQ(samples.to_ns, 10 * i + 5);
      EXPECT_EQ(pool.size(), 3U - i);
    }
  }
}

TEST(BlockPool, drops_what_came_at_or_after_a_time_and_keeps_the_rest) {
  BlockPool pool(3);
  for (std::uint8_t i = 1; i <= 3; ++i) pool.push(filled(i), {10 * i, 10 * i + 5});
  const std::uint64_t before = wiped_bytes();
  EXPECT_EQ(pool.drop_since(25), 2U);
  EXPECT_EQ(wiped_bytes() - before, 2U * 64U);
  EXPECT_EQ(pool.size(), 1U);
  EXPECT_EQ(pool.drop_since(16), 0U);
  pool.push(filled(4), {40, 45});
  pool.push(filled(5), {50, 55});
  EXPECT_TRUE(pool.full());
  for (const std::uint8_t value : Bytes{1, 4, 5}) {
    Bytes out(64, 0);
    static_cast<void>(pool.take_xor(out));
    EXPECT_EQ(out, filled(value));
  }
  pool.push(filled(6), {60, 65});
  EXPECT_EQ(pool.wipe(), 1U);
  EXPECT_EQ(pool.size(), 0U);
  EXPECT_EQ(pool.wipe(), 0U);
}

}  // namespace
}  // namespace talla::entropy
