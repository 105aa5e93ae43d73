// Goal: what OpenSSL holds of secrets lies in secret memory: a DRBG's state, a key schedule; the
//   rest does not; what is given back or grows is wiped where it was; a process that asks too late
//   is told.
// Method: a process of its own for each case, since OpenSSL takes its memory functions once.
#include "entropy/openssl_memory.hpp"

#include <gtest/gtest.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/secret.hpp"
#include "entropy/conditioner.hpp"
#include "entropy/drbg.hpp"

namespace talla::entropy {
namespace {

class OpensslMemory : public testing::Test {
 protected:
  OpensslMemory() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Ends a child with the line of the first condition that does not hold.
void demand(bool holds, int line) {
  if (!holds) ::_exit(line % 200 + 1);
}

void a_drbg_state_is_secret() {
  demand(keep_openssl_secrets().has_value(), __LINE__);
  std::vector<std::uint8_t> seed(64, 7);
  const std::array<std::uint8_t, 4> name{1, 2, 3, 4};
  for (const DrbgKind kind : {DrbgKind::ctr_aes256_df, DrbgKind::hmac_sha512})
    demand(Drbg::instantiate(kind, seed, name).has_value(), __LINE__);  // loads what is shared
  for (const DrbgKind kind : {DrbgKind::ctr_aes256_df, DrbgKind::hmac_sha512}) {
    const std::size_t before = secret_memory().used_bytes;
    {
      const auto drbg = Drbg::instantiate(kind, seed, name);
      demand(drbg.has_value(), __LINE__);
      demand(secret_memory().used_bytes >= before + 256, __LINE__);
      std::array<std::uint8_t, 64> out{};
      demand((*drbg)->generate(out, {}).has_value(), __LINE__);
    }
    demand(secret_memory().used_bytes <= before + 128, __LINE__);  // states go with their DRBG
  }
  for (const DrbgKind kind : {DrbgKind::ctr_aes256_df, DrbgKind::hmac_sha512}) {
    auto drbg = Drbg::instantiate(kind, seed, name);
    demand(drbg.has_value(), __LINE__);
    const std::size_t held = secret_memory().used_bytes;
    const std::uint64_t wiped = wiped_bytes();
    drbg->reset();
    const std::size_t given_back = held - secret_memory().used_bytes;
    demand(given_back >= 128 && wiped_bytes() - wiped >= given_back, __LINE__);  // wiped, each byte
  }
  ::_exit(0);
}

void the_conditioner_keeps_its_state_secret() {
  demand(keep_openssl_secrets().has_value(), __LINE__);
  const std::vector<std::uint8_t> samples(144, 3);
  const std::array<Contribution, 1> parts{{{samples, 4000, true, false}}};
  demand(condition(ConditionerKind::sha512, parts).has_value(), __LINE__);  // loads what is shared
  const std::size_t before = secret_memory().used_bytes;
  const std::uint64_t wiped = wiped_bytes();
  demand(condition(ConditionerKind::sha512, parts).has_value(), __LINE__);
  demand(secret_memory().used_bytes == before, __LINE__);
  // The block twice (as made, and as given), and the state of SHA-512 with its last 16 samples.
  demand(wiped_bytes() - wiped >= 64 + 64 + 200, __LINE__);
  ::_exit(0);
}

void only_a_scope_makes_secret() {
  demand(keep_openssl_secrets().has_value(), __LINE__);
  const std::size_t before = secret_memory().used_bytes;
  void* ordinary = ::OPENSSL_malloc(1000);
  demand(secret_memory().used_bytes == before, __LINE__);
  void* secret = nullptr;
  {
    const SecretScope scope;
    const SecretScope nested;
    secret = ::OPENSSL_malloc(1000);
  }
  const std::size_t with_one = secret_memory().used_bytes;
  demand(with_one >= before + 1000, __LINE__);
  std::memset(secret, 0x5a, 1000);
  secret = ::OPENSSL_realloc(secret, 5000);  // outside: it stays secret
  demand(secret_memory().used_bytes >= before + 5000, __LINE__);
  const auto* bytes = static_cast<const std::uint8_t*>(secret);
  demand(std::count(bytes, bytes + 1000, 0x5a) == 1000, __LINE__);
  ::OPENSSL_free(secret);
  std::memset(ordinary, 0x5a, 1000);
  const std::uint64_t wiped = wiped_bytes();
  {
    const SecretScope scope;
    ordinary = ::OPENSSL_realloc(ordinary, 2000);  // it becomes secret, and where it lay is clean
  }
  demand(wiped_bytes() - wiped == 1000, __LINE__);
  demand(secret_memory().used_bytes >= before + 2000, __LINE__);
  ::OPENSSL_free(ordinary);
  demand(secret_memory().used_bytes == before, __LINE__);
  ::_exit(0);
}

void what_cannot_be_had_is_refused_and_what_is_given_back_is_free() {
  demand(keep_openssl_secrets().has_value(), __LINE__);
  for (const bool secret : {false, true}) {
    std::optional<SecretScope> scope;
    if (secret) scope.emplace();
    demand(::OPENSSL_malloc(0) == nullptr, __LINE__);
    demand(::OPENSSL_malloc(SIZE_MAX) == nullptr, __LINE__);
    const std::size_t before = secret_memory().used_bytes;
    void* held = ::OPENSSL_malloc(1000);
    demand(held != nullptr, __LINE__);
    std::memset(held, 0x5a, 1000);
    demand(::OPENSSL_realloc(held, SIZE_MAX) == nullptr, __LINE__);
    held = ::OPENSSL_realloc(held, 1);  // one byte is some
    demand(held != nullptr && *static_cast<std::uint8_t*>(held) == 0x5a, __LINE__);
    demand(::OPENSSL_realloc(held, 0) == nullptr, __LINE__);  // none is given back
    demand(secret_memory().used_bytes == before, __LINE__);
  }
  // As large as what the C library maps by itself, and unmaps when it is free.
  constexpr std::size_t large = std::size_t{64} << 20U;
  const std::size_t mapped = ::mallinfo2().hblkhd;
  ::OPENSSL_free(::OPENSSL_malloc(large));
  void* grown = ::OPENSSL_malloc(large);
  demand(grown != nullptr, __LINE__);
  demand(::OPENSSL_realloc(grown, 0) == nullptr, __LINE__);
  demand(::mallinfo2().hblkhd <= mapped + large / 2, __LINE__);
  ::_exit(0);
}

void asked_too_late_it_says_so() {
  ::OPENSSL_free(::OPENSSL_malloc(16));
  ::_exit(keep_openssl_secrets().has_value() ? 1 : 0);
}

TEST_F(OpensslMemory, holds_the_states_of_drbgs) {
  EXPECT_EXIT(a_drbg_state_is_secret(), testing::ExitedWithCode(0), "");
}
TEST_F(OpensslMemory, holds_the_state_of_the_conditioner) {
  EXPECT_EXIT(the_conditioner_keeps_its_state_secret(), testing::ExitedWithCode(0), "");
}
TEST_F(OpensslMemory, is_secret_in_a_scope_and_stays_so) {
  EXPECT_EXIT(only_a_scope_makes_secret(), testing::ExitedWithCode(0), "");
}
TEST_F(OpensslMemory, refuses_what_cannot_be_had_and_frees_what_is_given_back) {
  EXPECT_EXIT(what_cannot_be_had_is_refused_and_what_is_given_back_is_free(),
              testing::ExitedWithCode(0), "");
}
TEST_F(OpensslMemory, asked_for_too_late_is_refused) {
  EXPECT_EXIT(asked_too_late_it_says_so(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace talla::entropy
