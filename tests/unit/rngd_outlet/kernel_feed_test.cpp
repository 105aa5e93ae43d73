// Goal: the kernel gets no more than the rate, and no more credit than was assessed and configured.
// Method: a recorded pool on simulated time, and for the wipe of what was fed the kernel of this
//         machine, without credit; what a real kernel says stands in tests/kernel.
#include "outlet/kernel_feed.hpp"

#include <gtest/gtest.h>

#include "fake_giver.hpp"
#include "outlet/errc.hpp"
#include "support/wiped.hpp"

namespace talla::outlet {
namespace {

class RecordedPool final : public KernelPool {
 public:
  [[nodiscard]] Status add(std::span<const std::uint8_t> bytes,
                           std::uint32_t credited_bits) override {
    if (refuse) return fail(OutletErrc::kernel_refused, "no");
    fed.insert(fed.end(), bytes.begin(), bytes.end());
    credits.push_back(credited_bits);
    return {};
  }
  Bytes fed;
  std::vector<std::uint32_t> credits;
  bool refuse = false;
};

struct Feeding {
  explicit Feeding(KernelFeedOptions options = {})
      : feed(options, giver, pool, clock,
             [this](const std::string& event, const std::string&) { said.push_back(event); }) {}
  ManualClock clock;
  FakeGiver giver;
  RecordedPool pool;
  std::vector<std::string> said;
  KernelFeed feed;
};

TEST(KernelFeed, feeds_at_its_rate_what_was_given_and_nothing_else) {
  Feeding f({.bytes_per_second = 64});
  f.feed.step();
  EXPECT_EQ(f.pool.fed.size(), 1024U) << "what was saved up at the start";
  for (int k = 0; k < 100; ++k) {
    f.clock.advance_ns(100'000'000);
    f.feed.step();
  }
  EXPECT_EQ(f.pool.fed.size(), 1024U + 640U);
  EXPECT_EQ(f.pool.fed, f.giver.given());
  EXPECT_EQ(f.feed.counters().bytes_fed, 1664U);
}

TEST(KernelFeed, credits_at_most_what_is_configured_and_assessed) {
  Feeding half({.bytes_per_second = 64, .credit_bits_per_byte = 4});
  half.feed.step();
  for (const std::uint32_t credit : half.pool.credits) EXPECT_EQ(credit, 256U);
  Feeding full;
  full.feed.step();
  for (const std::uint32_t credit : full.pool.credits) EXPECT_EQ(credit, 512U);
  EXPECT_EQ(full.feed.counters().bits_credited, 8 * full.pool.fed.size());
  Feeding none;
  none.giver.set_certified(false);
  none.feed.step();
  ASSERT_FALSE(none.pool.credits.empty());
  for (const std::uint32_t credit : none.pool.credits)
    EXPECT_EQ(credit, 0U) << "an uncertified source credits nothing";
}

TEST(KernelFeed, waits_when_there_is_nothing_to_spare) {
  Feeding f;
  f.giver.set_stock(0);
  f.feed.step();
  EXPECT_TRUE(f.pool.fed.empty());
  f.giver.set_stock(64);
  f.feed.step();
  EXPECT_EQ(f.pool.fed.size(), 64U);
}

TEST(KernelFeed, a_refusal_ends_it_with_one_word) {
  Feeding f;
  f.pool.refuse = true;
  for (int k = 0; k < 5; ++k) f.feed.step();
  EXPECT_EQ(f.said, std::vector<std::string>{"kernel_feed_ended"});
  EXPECT_TRUE(f.feed.counters().failed);
  f.pool.refuse = false;
  f.feed.step();
  EXPECT_TRUE(f.pool.fed.empty());
}

TEST(KernelFeed, what_the_kernel_got_is_wiped_whole_on_this_side) {
  auto pool = LinuxKernelPool::open();
  if (!pool) GTEST_SKIP() << pool.error().text();
  const Bytes worthless(10, 1);  // mixed in and credited nothing
  Status added;
  EXPECT_EQ(test::wiped_by([&] { added = (*pool)->add(worthless, 0); }), 4U + 4U + 64U)
      << "two numbers and room for 64 bytes";
  EXPECT_TRUE(added) << added.error().text();
}

TEST(KernelFeed, its_thread_starts_and_ends) {
  FakeGiver giver;
  RecordedPool pool;
  SystemClock clock;
  KernelFeed feed({.bytes_per_second = 1'000'000}, giver, pool, clock,
                  [](const std::string&, const std::string&) {});
  feed.start();
  while (feed.counters().bytes_fed < 5000) std::this_thread::yield();
  feed.stop();
  EXPECT_EQ(pool.fed.size(), feed.counters().bytes_fed);
}

}  // namespace
}  // namespace talla::outlet
