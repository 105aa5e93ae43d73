// Goal: the seed source that stands under the DRBGs lends each seed once, whole, to whom it is long
//   enough for, counts who asks, and gives nothing else.
// Method: its functions are called as OpenSSL finds them, one by one.
#include <gtest/gtest.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <array>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "entropy/drbg.hpp"
#include "seed_provider.hpp"

namespace talla::entropy {
namespace {

/// The functions of the source, and one of its contexts.
class SeedSource : public testing::Test {
 public:
  ~SeedSource() override { function<OSSL_FUNC_rand_freectx_fn>(OSSL_FUNC_RAND_FREECTX)(context_); }

 protected:
  SeedSource() {
    // Loads it.
    EXPECT_TRUE(SeedProvider::create());
    EVP_RAND* method = ::EVP_RAND_fetch(nullptr, "TALLA-SEED-SOURCE", "provider=talla-seed");
    EXPECT_NE(method, nullptr);
    provider_ = ::EVP_RAND_get0_provider(method);
    ::EVP_RAND_free(method);
    int no_cache = 7;
    const OSSL_ALGORITHM* algorithms =
        ::OSSL_PROVIDER_query_operation(provider_, OSSL_OP_RAND, &no_cache);
    EXPECT_EQ(no_cache, 0) << "what it offers may be kept";
    functions_ = algorithms->implementation;
    context_ = function<OSSL_FUNC_rand_newctx_fn>(OSSL_FUNC_RAND_NEWCTX)(nullptr, nullptr, nullptr);
    EXPECT_NE(context_, nullptr);
  }

  template <class Function>
  Function* function(int id) const {
    for (const OSSL_DISPATCH* one = functions_; one->function_id != 0; ++one)
      if (one->function_id == id) return reinterpret_cast<Function*>(one->function);  // NOLINT
    ADD_FAILURE() << id;
    return nullptr;
  }
  void lend(Bytes seed) const {
    const std::array<OSSL_PARAM, 2> params{
        {OSSL_PARAM_construct_octet_string("talla-seed", seed.data(), seed.size()),
         OSSL_PARAM_END}};
    EXPECT_EQ(function<OSSL_FUNC_rand_set_ctx_params_fn>(OSSL_FUNC_RAND_SET_CTX_PARAMS)(
                  context_, params.data()),
              1);
  }
  /// What is given to who asks for so much; nothing: none.
  [[nodiscard]] Bytes asked(int entropy_bits, std::size_t least, std::size_t most) const {
    unsigned char* seed = nullptr;
    const std::size_t size = function<OSSL_FUNC_rand_get_seed_fn>(OSSL_FUNC_RAND_GET_SEED)(
        context_, &seed, entropy_bits, least, most, 0, nullptr, 0);
    EXPECT_EQ(seed == nullptr, size == 0);
    if (seed == nullptr) return {};
    Bytes given(seed, seed + size);
    const std::uint64_t before = wiped_bytes();
    function<OSSL_FUNC_rand_clear_seed_fn>(OSSL_FUNC_RAND_CLEAR_SEED)(context_, seed, size);
    EXPECT_GE(wiped_bytes() - before, size);
    return given;
  }
  [[nodiscard]] int get(OSSL_PARAM param) const {
    std::array<OSSL_PARAM, 2> params{{param, OSSL_PARAM_END}};
    return function<OSSL_FUNC_rand_get_ctx_params_fn>(OSSL_FUNC_RAND_GET_CTX_PARAMS)(context_,
                                                                                     params.data());
  }
  [[nodiscard]] std::uint64_t calls() const {
    std::uint64_t calls = 99;
    EXPECT_EQ(get(OSSL_PARAM_construct_uint64("talla-seed-calls", &calls)), 1);
    return calls;
  }

  const OSSL_PROVIDER* provider_ = nullptr;
  const OSSL_DISPATCH* functions_ = nullptr;
  void* context_ = nullptr;
};

Bytes counted(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i + 1);
  return bytes;
}

TEST_F(SeedSource, lends_a_seed_once_and_counts_who_asks) {
  EXPECT_EQ(calls(), 0U);
  EXPECT_EQ(asked(0, 0, 1000), Bytes()) << "none is lent";
  lend(counted(48));
  EXPECT_EQ(asked(384, 32, 1000), counted(48));
  EXPECT_EQ(asked(384, 32, 1000), Bytes()) << "it has gone";
  lend(counted(1));
  EXPECT_EQ(asked(8, 1, 1), counted(1));
  lend(counted(48));
  lend({});
  EXPECT_EQ(asked(0, 0, 1000), Bytes()) << "it was taken back";
  EXPECT_EQ(calls(), 5U);
}

TEST_F(SeedSource, lends_none_that_is_too_short_or_too_long_for_who_asks) {
  struct Wish {
    int entropy_bits;
    std::size_t least;
    std::size_t most;
    bool fits;
  };
  for (const Wish& wish : std::array<Wish, 9>{{{384, 48, 48, true},
                                               {377, 0, 48, true},
                                               {385, 0, 1000, false},
                                               {392, 0, 1000, false},
                                               {0, 49, 1000, false},
                                               {0, 48, 47, false},
                                               {0, 0, 48, true},
                                               {-1000, 0, 1000, true},
                                               {8, 0, 1000, true}}}) {
    lend(counted(48));
    EXPECT_EQ(asked(wish.entropy_bits, wish.least, wish.most) == counted(48), wish.fits)
        << wish.entropy_bits << " " << wish.least << " " << wish.most;
  }
}

TEST_F(SeedSource, is_ready_at_256_bits_and_has_nothing_to_give_itself) {
  int state = 99;
  unsigned strength = 99;
  std::size_t most = 99;
  unsigned reseeds = 99;
  EXPECT_EQ(get(OSSL_PARAM_construct_int(OSSL_RAND_PARAM_STATE, &state)), 1);
  EXPECT_EQ(get(OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &strength)), 1);
  EXPECT_EQ(get(OSSL_PARAM_construct_size_t(OSSL_RAND_PARAM_MAX_REQUEST, &most)), 1);
  EXPECT_EQ(get(OSSL_PARAM_construct_uint(OSSL_DRBG_PARAM_RESEED_COUNTER, &reseeds)), 1);
  EXPECT_EQ(state, EVP_RAND_STATE_READY);
  EXPECT_EQ(strength, 256U);
  EXPECT_EQ(most, 0U);
  EXPECT_EQ(reseeds, 0U) << "another number makes OpenSSL reseed by itself";
  Bytes out(16, 0);
  EXPECT_EQ(function<OSSL_FUNC_rand_generate_fn>(OSSL_FUNC_RAND_GENERATE)(
                context_, out.data(), out.size(), 0, 0, nullptr, 0),
            0);
  EXPECT_EQ(out, Bytes(16, 0));
}

TEST_F(SeedSource, says_so_where_it_cannot_answer) {
  std::array<char, 4> text{};
  for (const char* name :
       {OSSL_RAND_PARAM_STATE, OSSL_RAND_PARAM_STRENGTH, OSSL_RAND_PARAM_MAX_REQUEST,
        OSSL_DRBG_PARAM_RESEED_COUNTER, "talla-seed-calls"})
    EXPECT_EQ(get(OSSL_PARAM_construct_utf8_string(name, text.data(), text.size())), 0) << name;
  EXPECT_EQ(get(OSSL_PARAM_construct_utf8_string("another", text.data(), text.size())), 1);
  auto* const set = function<OSSL_FUNC_rand_set_ctx_params_fn>(OSSL_FUNC_RAND_SET_CTX_PARAMS);
  std::array<OSSL_PARAM, 2> params{
      {OSSL_PARAM_construct_utf8_string("talla-seed", text.data(), text.size()), OSSL_PARAM_END}};
  EXPECT_EQ(set(context_, params.data()), 0) << "no bytes";
  params[0] = OSSL_PARAM_construct_utf8_string("another", text.data(), text.size());
  EXPECT_EQ(set(context_, params.data()), 1) << "none of its business";
}

TEST_F(SeedSource, begins_and_ends_as_openssl_asks) {
  auto* const begin = function<OSSL_FUNC_rand_instantiate_fn>(OSSL_FUNC_RAND_INSTANTIATE);
  EXPECT_EQ(begin(context_, 256, 0, nullptr, 0, nullptr), 1);
  EXPECT_EQ(begin(context_, 257, 0, nullptr, 0, nullptr), 0);
  EXPECT_EQ(function<OSSL_FUNC_rand_enable_locking_fn>(OSSL_FUNC_RAND_ENABLE_LOCKING)(context_), 1);
  EXPECT_EQ(function<OSSL_FUNC_rand_lock_fn>(OSSL_FUNC_RAND_LOCK)(context_), 1);
  function<OSSL_FUNC_rand_unlock_fn>(OSSL_FUNC_RAND_UNLOCK)(context_);
  lend(counted(48));
  EXPECT_EQ(function<OSSL_FUNC_rand_uninstantiate_fn>(OSSL_FUNC_RAND_UNINSTANTIATE)(context_), 1);
  EXPECT_EQ(asked(0, 0, 1000), Bytes()) << "what was lent has gone";
  EXPECT_EQ(function<OSSL_FUNC_rand_newctx_fn>(OSSL_FUNC_RAND_NEWCTX)(nullptr, context_, nullptr),
            nullptr)
      << "nothing stands above it";
}

TEST_F(SeedSource, ends_its_list_and_offers_nothing_but_itself) {
  std::size_t count = 0;
  while (count < 15 && functions_[count].function_id != 0) ++count;
  EXPECT_EQ(count, 14U);
  int no_cache = 7;
  EXPECT_EQ(::OSSL_PROVIDER_query_operation(provider_, OSSL_OP_DIGEST, &no_cache), nullptr);
}

TEST_F(SeedSource, goes_with_what_is_lent_when_its_owner_goes) {
  const std::size_t before = secret_memory().used_bytes;
  {
    const auto owner = SeedProvider::create();
    ASSERT_TRUE(owner);
    ASSERT_TRUE((*owner)->lend(counted(64)));
    EXPECT_GT(secret_memory().used_bytes, before);
  }
  EXPECT_EQ(secret_memory().used_bytes, before);
}

}  // namespace
}  // namespace talla::entropy
