// Goal: the filter knows every digest that was added, and takes few new ones for known.
#include "seen_filter.hpp"

#include <gtest/gtest.h>

#include "certs/openssl_hashes.hpp"

namespace talla::certs {
namespace {

Digest numbered(std::uint64_t number) {
  static const OpensslHashes hashes;
  return hashes.sha256({ByteWriter().u64(number).take()});
}

TEST(SeenFilter, knows_every_digest_that_was_added_through_all_its_tables) {
  SeenFilter filter;
  for (std::uint64_t i = 0; i < 300'000; ++i) filter.add(numbered(i));
  for (std::uint64_t i = 0; i < 300'000; ++i) ASSERT_TRUE(filter.maybe(numbered(i))) << i;
}

TEST(SeenFilter, takes_few_new_digests_for_known_ones) {
  SeenFilter filter;
  for (std::uint64_t i = 0; i < 65'536; ++i) filter.add(numbered(i));
  int taken = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i)
    taken += filter.maybe(numbered(1'000'000 + i)) ? 1 : 0;
  EXPECT_LT(taken, 400) << "(1 - e^(-1/4))^4 = 0.0024 of 100,000 are expected: 240, sigma 15";
  EXPECT_GT(taken, 100);
}

TEST(SeenFilter, an_empty_one_knows_nothing) {
  const SeenFilter filter;
  EXPECT_FALSE(filter.maybe(Digest{}));
  EXPECT_FALSE(filter.maybe(numbered(1)));
}

}  // namespace
}  // namespace talla::certs
