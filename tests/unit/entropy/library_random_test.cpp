// Goal: while it is installed all that OpenSSL draws comes from bits of the generator, and nothing
//   else does; it asks for new bits in time, goes on without them, and says nothing in another
//   process.
// Method: a source that gives known bits, and the same DRBG beside it as the oracle.
#include "entropy/library_random.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "base/bytes.hpp"
#include "entropy/drbg.hpp"
#include "entropy/errc.hpp"

// The method is what OpenSSL 3 calls deprecated, and honours.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace talla::entropy {
namespace {

/// Gives the bytes 0, 1, 2, ... on, as long as it is `open`.
struct Counting {
  bool open = true;
  std::uint8_t next = 0;
  Result<SecretBytes> operator()(std::size_t count) {
    if (!open) return fail(Errc::not_ready, "nothing now");
    SecretBytes out(count);
    for (auto& byte : out) byte = next++;
    return out;
  }
};

std::unique_ptr<LibraryRandom> installed(Counting& source) {
  auto made =
      LibraryRandom::install([&source](std::size_t count) { return source(count); }, "test");
  EXPECT_TRUE(made) << made.error().text();
  return made ? std::move(*made) : nullptr;
}

std::array<std::uint8_t, 32> drawn() {
  std::array<std::uint8_t, 32> out{};
  EXPECT_EQ(::RAND_bytes(out.data(), static_cast<int>(out.size())), 1);
  return out;
}

TEST(LibraryRandom, is_the_drbg_of_sp_80090_a_over_the_generators_bits) {
  Counting source;
  const auto random = installed(source);
  Counting again;
  const auto seed = again(LibraryRandom::seed_bytes);
  const auto oracle = Drbg::instantiate(DrbgKind::ctr_aes256_df, *seed, as_bytes("test"));
  ASSERT_TRUE(oracle);
  for (int i = 0; i < 3; ++i) {
    std::array<std::uint8_t, 32> expected{};
    ASSERT_TRUE((*oracle)->generate(expected, {}));
    EXPECT_EQ(drawn(), expected);
  }
  std::array<std::uint8_t, 32> expected{};
  std::array<std::uint8_t, 32> secret{};
  ASSERT_TRUE((*oracle)->generate(expected, {}));
  EXPECT_EQ(::RAND_priv_bytes(secret.data(), static_cast<int>(secret.size())), 1);
  EXPECT_EQ(secret, expected);
}

TEST(LibraryRandom, makes_the_keys_that_openssl_makes) {
  Bytes first;
  for (int round = 0; round < 2; ++round) {
    Counting source;
    const auto random = installed(source);
    EVP_PKEY* key = ::EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
    ASSERT_NE(key, nullptr);
    Bytes raw(32);
    std::size_t size = raw.size();
    ASSERT_EQ(::EVP_PKEY_get_raw_private_key(key, raw.data(), &size), 1);
    ::EVP_PKEY_free(key);
    if (round == 0) first = raw;
    EXPECT_EQ(raw, first) << "a key that has other bits in it";
  }
}

TEST(LibraryRandom, asks_for_new_bits_in_time_and_goes_on_without_them) {
  Counting source;
  const auto random = installed(source);
  EXPECT_EQ(random->seeds(), 1U);
  const auto one_byte = [] {
    std::uint8_t out = 0;
    EXPECT_EQ(::RAND_bytes(&out, 1), 1);
  };
  for (std::uint64_t i = 0; i < LibraryRandom::reseed_requests; ++i) one_byte();
  EXPECT_EQ(random->seeds(), 1U);
  one_byte();
  EXPECT_EQ(random->seeds(), 2U);
  source.open = false;
  for (std::uint64_t i = 0; i < 2 * LibraryRandom::reseed_requests; ++i) drawn();
  EXPECT_EQ(random->seeds(), 2U);
  source.open = true;
  drawn();
  EXPECT_EQ(random->seeds(), 3U);
}

TEST(LibraryRandom, sp800_90c_asks_for_new_bits_after_2_to_the_17_bits_of_output) {
  Counting source;
  const auto random = installed(source);
  for (int i = 0; i < 512; ++i) drawn();  // 512 times 32 bytes are 2^17 bits
  EXPECT_EQ(random->seeds(), 1U);
  drawn();
  EXPECT_EQ(random->seeds(), 2U);
  Bytes large(3 * 65'536);
  ASSERT_EQ(::RAND_bytes(large.data(), static_cast<int>(large.size())), 1);
  EXPECT_EQ(random->seeds(), 4U) << "between the calls of the DRBG that one request is made of";
}

TEST(LibraryRandom, stirred_otherwise_two_of_the_same_seed_go_apart) {
  std::array<std::array<std::uint8_t, 32>, 3> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    Counting source;
    const auto random = installed(source);
    const Bytes own(64, static_cast<std::uint8_t>(i / 2));
    random->stir(own);
    all.at(i) = drawn();
    EXPECT_EQ(random->seeds(), 1U);
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_NE(all[0], all[2]);
}

TEST(LibraryRandom, gives_large_requests_whole) {
  Counting source;
  const auto random = installed(source);
  Bytes out(200'001);
  ASSERT_EQ(::RAND_bytes(out.data(), static_cast<int>(out.size())), 1);
  EXPECT_NE(Bytes(out.end() - 32, out.end()), Bytes(32));
}

TEST(LibraryRandom, says_nothing_in_a_child) {
  Counting source;
  const auto random = installed(source);
  const pid_t child = ::fork();
  if (child == 0) {
    std::uint8_t byte = 0;
    ::_exit(::RAND_bytes(&byte, 1) == 1 ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(LibraryRandom, is_not_installed_without_bits_or_twice_and_leaves_openssl_as_it_was) {
  Counting closed{.open = false};
  EXPECT_FALSE(LibraryRandom::install([&](std::size_t count) { return closed(count); }, "test"));
  EXPECT_NE(drawn(), drawn());
  Counting source;
  {
    const auto random = installed(source);
    const auto second =
        LibraryRandom::install([&](std::size_t count) { return source(count); }, "test");
    ASSERT_FALSE(second);
    EXPECT_TRUE(second.error().is(Errc::wrong_state));
  }
  const auto last = source.next;
  EXPECT_NE(drawn(), drawn());
  EXPECT_EQ(source.next, last);
}

TEST(LibraryRandom, counts_requests_and_bytes_anew_with_each_seed) {
  Counting source;
  const auto random = installed(source);
  const auto draw = [](std::size_t size) {
    Bytes out(size);
    ASSERT_EQ(::RAND_bytes(out.data(), static_cast<int>(size)), 1);
  };
  for (std::uint64_t seeds = 1; seeds <= 4; ++seeds) {
    for (std::uint64_t i = 0; i < LibraryRandom::reseed_requests; ++i) {
      draw(1);
      // From the second seed on the request that brought it is the first of its own.
      ASSERT_EQ(random->seeds(), seeds) << i;
    }
    draw(1);
    ASSERT_EQ(random->seeds(), seeds + 1);
  }
}

TEST(LibraryRandom, asks_for_new_bits_after_16384_bytes_and_not_one_sooner) {
  Counting source;
  const auto random = installed(source);
  Bytes out(16'383);
  for (std::uint64_t seeds = 1; seeds <= 3; ++seeds) {
    ASSERT_EQ(::RAND_bytes(out.data(), static_cast<int>(out.size())), 1);
    EXPECT_EQ(random->seeds(), seeds);
    ASSERT_EQ(::RAND_bytes(out.data(), 1), 1);
    EXPECT_EQ(random->seeds(), seeds) << "16,383 bytes are within it";
  }
}

TEST(LibraryRandom, takes_no_seed_of_another_size) {
  for (const std::ptrdiff_t off : {-1, 1}) {
    bool exact = true;
    auto random = LibraryRandom::install(
        [&](std::size_t count) -> Result<SecretBytes> {
          return SecretBytes(
              exact ? count : static_cast<std::size_t>(static_cast<std::ptrdiff_t>(count) + off),
              7);
        },
        "test");
    ASSERT_TRUE(random);
    exact = false;
    for (std::uint64_t i = 0; i < 2 * LibraryRandom::reseed_requests; ++i) drawn();
    EXPECT_EQ((*random)->seeds(), 1U);
  }
}

TEST(LibraryRandom, who_keeps_the_method_beyond_its_end_gets_nothing_of_it) {
  const RAND_METHOD* method = nullptr;
  std::uint8_t byte = 0;
  {
    Counting source;
    const auto random = installed(source);
    method = ::RAND_get_rand_method();
    EXPECT_EQ(method->status(), 1);
    EXPECT_EQ(method->bytes(&byte, 1), 1);
    EXPECT_EQ(method->pseudorand(&byte, 1), 1);
    EXPECT_EQ(method->bytes(&byte, 0), 1) << "no bytes are no failure";
    EXPECT_EQ(method->bytes(&byte, -1), 0);
    const auto next = source.next;
    EXPECT_EQ(method->seed(&byte, 1), 1);
    EXPECT_EQ(method->add(&byte, 1, 8.0), 1);
    EXPECT_EQ(source.next, next);
  }
  EXPECT_EQ(method->status(), 0);
  EXPECT_EQ(method->bytes(&byte, 1), 0);
}

}  // namespace
}  // namespace talla::entropy
