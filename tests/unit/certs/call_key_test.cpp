// Goal: a signature over a call holds under its key, its statement and no other, whoever asked
//       before and at the same time: the key and its contexts are kept from one check to the next.
// Method: keys of OpenSSL, signatures of Botan; good and bad ones in turn, on several threads.
#include "certs/call_key.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "fixture.hpp"
#include "seat_pair.hpp"
#include "verify/call_key.hpp"

namespace talla::certs {
namespace {

using testing::must;
using testing::seat_pair;

struct Signed {
  Bytes spki;
  Bytes statement;
  SignatureP256 signature{};
};

Signed signed_of(std::uint8_t of) {
  const auto pair = seat_pair();
  Signed made{.spki = pair.spki, .statement = Bytes(60U + of, of), .signature = {}};
  made.signature = must(CallKey::load(pair.pem)).sign(made.statement);
  return made;
}

bool holds(const Signed& one) {
  return call_signature_holds(one.spki, one.statement, one.signature);
}

TEST(CallKeys, a_signature_holds_again_and_again_and_no_other_one_does_between) {
  const auto good = signed_of(1);
  const auto other = signed_of(2);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(holds(good));
    EXPECT_FALSE(call_signature_holds(good.spki, other.statement, good.signature));
    EXPECT_FALSE(call_signature_holds(good.spki, good.statement, other.signature));
    EXPECT_FALSE(call_signature_holds(other.spki, good.statement, good.signature));
    for (const std::size_t at : {0U, 31U, 32U, 63U}) {
      auto bent = good;
      bent.signature.at(at) ^= 1;
      EXPECT_FALSE(holds(bent)) << at;
    }
    EXPECT_FALSE(call_signature_holds(good.spki, good.statement, {}));
    EXPECT_TRUE(holds(other));
  }
}

TEST(CallKeys, what_is_no_key_on_P_256_signs_nothing) {
  const auto good = signed_of(3);
  const auto larger = seat_pair("P-384");
  EXPECT_FALSE(check_call_key(larger.spki).has_value());
  EXPECT_FALSE(call_signature_holds(larger.spki, good.statement, good.signature));
  EXPECT_FALSE(call_signature_holds({}, good.statement, good.signature));
  EXPECT_TRUE(check_call_key(good.spki).has_value());
}

TEST(CallKeys, threads_check_by_the_same_keys_at_once) {
  constexpr int times = 200;
  const std::array all{signed_of(4), signed_of(5), signed_of(6)};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < 4; ++first) {
    threads.emplace_back([&, first] {
      for (std::size_t i = first; i < first + times; ++i) {
        const auto& one = all.at(i % all.size());
        const auto& next = all.at((i + 1) % all.size());
        if (!holds(one)) ++wrong;
        if (call_signature_holds(one.spki, next.statement, one.signature)) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace talla::certs
