// Goal: an address begins its rate of handshakes and a burst of ten seconds' worth, others and
//       those who give theirs back pay nothing, and no number of addresses makes the list grow for
//       ever.
// Method: the buckets on a clock of the test.
#include "handshake_rate.hpp"

#include <gtest/gtest.h>

using namespace talla;  // NOLINT: test file

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t begin_ns = 5 * second_ns;

int taken(http::HandshakeRate& rate, const std::string& address, std::int64_t now_ns) {
  int count = 0;
  while (count < 100'000 && rate.take(address, now_ns)) ++count;
  return count;
}

TEST(HandshakeRate, gives_a_burst_and_then_its_rate) {
  http::HandshakeRate rate(7);
  EXPECT_EQ(taken(rate, "a", begin_ns), 70);
  EXPECT_EQ(taken(rate, "a", begin_ns), 0);
  EXPECT_EQ(taken(rate, "b", begin_ns), 70);
  EXPECT_EQ(taken(rate, "a", begin_ns + 2 * second_ns), 14);
  EXPECT_EQ(taken(rate, "a", begin_ns + 1000 * second_ns), 70) << "no more than the burst is saved";
  EXPECT_EQ(taken(rate, "a", begin_ns), 0) << "a clock that goes back gives nothing";
}

TEST(HandshakeRate, what_is_given_back_does_not_count) {
  http::HandshakeRate rate(1);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(rate.take("a", begin_ns));
    rate.give_back("a");
  }
  rate.give_back("a");
  EXPECT_EQ(taken(rate, "a", begin_ns), 10) << "nobody gives back what was not taken";
}

TEST(HandshakeRate, more_addresses_than_there_is_room_for_share_one_bucket) {
  http::HandshakeRate rate(1);
  for (std::size_t i = 0; i < http::HandshakeRate::addresses_max; ++i)
    ASSERT_TRUE(rate.take("address " + std::to_string(i), begin_ns));
  int more = 0;
  for (int i = 0; i < 1000; ++i) more += rate.take("more " + std::to_string(i), begin_ns) ? 1 : 0;
  EXPECT_EQ(more, 10);
  EXPECT_TRUE(rate.take("address 3", begin_ns)) << "who has a bucket keeps it";
  const auto later = begin_ns + 100 * second_ns;
  EXPECT_EQ(taken(rate, "new", later), 10) << "full buckets are forgotten";
}

}  // namespace
