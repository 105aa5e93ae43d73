// Goal: the algorithms of the corridor are those of the provider that OpenSSL is configured with,
//   and where it has none of them nothing is made: no way leads back to another provider.
// Method: a process of its own for each configuration; a stand-in provider that counts what it is
//   asked for, since no validated module is at hand.
#include <gtest/gtest.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "entropy/conditioner.hpp"
#include "entropy/drbg.hpp"
#include "entropy/errc.hpp"
#include "rig.hpp"
#include "seeded_drbg.hpp"

namespace talla::entropy {
namespace {

int drbgs_asked_for = 0;  // NOLINT(*-avoid-non-const-global-variables): what callbacks count

void* stand_in_new(void* /*provider*/, void* /*parent*/, const OSSL_DISPATCH* /*calls*/) {
  ++drbgs_asked_for;
  return &drbgs_asked_for;
}
void stand_in_free(void* /*context*/) {}
int stand_in_instantiate(void* /*context*/, unsigned /*strength*/, int /*resistance*/,
                         const unsigned char* /*text*/, std::size_t /*size*/,
                         const OSSL_PARAM* /*params*/) {
  return 1;
}
int stand_in_uninstantiate(void* /*context*/) {
  return 1;
}
int stand_in_generate(void* /*context*/, unsigned char* out, std::size_t size,
                      unsigned /*strength*/, int /*resistance*/, const unsigned char* /*text*/,
                      std::size_t /*text_size*/) {
  std::fill_n(out, size, std::uint8_t{0x5a});
  return 1;
}
int stand_in_get(void* /*context*/, OSSL_PARAM* params) {
  OSSL_PARAM* most = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_MAX_REQUEST);
  return most == nullptr || OSSL_PARAM_set_size_t(most, 65'536) == 1 ? 1 : 0;
}

template <class Function>
OSSL_DISPATCH stand_in_entry(int id, Function* function) {
  return {id, reinterpret_cast<void (*)()>(function)};  // NOLINT: OpenSSL's way
}

const OSSL_ALGORITHM* stand_in_query(void* /*provider*/, int operation, int* no_cache) {
  static const std::array<OSSL_DISPATCH, 7> functions{
      {stand_in_entry(OSSL_FUNC_RAND_NEWCTX, stand_in_new),
       stand_in_entry(OSSL_FUNC_RAND_FREECTX, stand_in_free),
       stand_in_entry(OSSL_FUNC_RAND_INSTANTIATE, stand_in_instantiate),
       stand_in_entry(OSSL_FUNC_RAND_UNINSTANTIATE, stand_in_uninstantiate),
       stand_in_entry(OSSL_FUNC_RAND_GENERATE, stand_in_generate),
       stand_in_entry(OSSL_FUNC_RAND_GET_CTX_PARAMS, stand_in_get),
       {0, nullptr}}};
  static const std::array<OSSL_ALGORITHM, 3> algorithms{
      {{"CTR-DRBG", "provider=stand-in", functions.data(), nullptr},
       {"HMAC-DRBG", "provider=stand-in", functions.data(), nullptr},
       {nullptr, nullptr, nullptr, nullptr}}};
  *no_cache = 0;
  return operation == OSSL_OP_RAND ? algorithms.data() : nullptr;
}

int stand_in_init(const OSSL_CORE_HANDLE* /*handle*/, const OSSL_DISPATCH* /*in*/,
                  const OSSL_DISPATCH** out, void** context) {
  static const std::array<OSSL_DISPATCH, 2> functions{
      {stand_in_entry(OSSL_FUNC_PROVIDER_QUERY_OPERATION, stand_in_query), {0, nullptr}}};
  static int present = 1;
  *out = functions.data();
  *context = &present;
  return 1;
}

/// A hash that is none: whatever goes in, the same comes out.
void* no_hash_new(void* /*provider*/) {
  return &drbgs_asked_for;
}
void no_hash_free(void* /*context*/) {}
/// Its step that fails, counted from the beginning of a hash; none: nought.
int no_hash_fails_at = 0;       // NOLINT(*-avoid-non-const-global-variables): set by a test
int no_hash_steps = 0;          // NOLINT(*-avoid-non-const-global-variables): counted by callbacks
std::size_t no_hash_size = 64;  // NOLINT(*-avoid-non-const-global-variables): set by a test

int no_hash_init(void* /*context*/, const OSSL_PARAM* /*params*/) {
  no_hash_steps = 1;
  return no_hash_fails_at == 1 ? 0 : 1;
}
int no_hash_update(void* /*context*/, const unsigned char* /*in*/, std::size_t /*size*/) {
  return ++no_hash_steps == no_hash_fails_at ? 0 : 1;
}
int no_hash_final(void* /*context*/, unsigned char* out, std::size_t* size, std::size_t /*room*/) {
  std::fill_n(out, 64, std::uint8_t{0x5a});
  *size = no_hash_size;
  return ++no_hash_steps == no_hash_fails_at ? 0 : 1;
}
int no_hash_get(OSSL_PARAM* params) {
  OSSL_PARAM* size = OSSL_PARAM_locate(params, OSSL_DIGEST_PARAM_SIZE);
  OSSL_PARAM* block = OSSL_PARAM_locate(params, OSSL_DIGEST_PARAM_BLOCK_SIZE);
  return (size == nullptr || OSSL_PARAM_set_size_t(size, 64) == 1) &&
                 (block == nullptr || OSSL_PARAM_set_size_t(block, 128) == 1)
             ? 1
             : 0;
}

const OSSL_ALGORITHM* no_hash_query(void* /*provider*/, int operation, int* no_cache) {
  static const std::array<OSSL_DISPATCH, 7> functions{
      {stand_in_entry(OSSL_FUNC_DIGEST_NEWCTX, no_hash_new),
       stand_in_entry(OSSL_FUNC_DIGEST_FREECTX, no_hash_free),
       stand_in_entry(OSSL_FUNC_DIGEST_INIT, no_hash_init),
       stand_in_entry(OSSL_FUNC_DIGEST_UPDATE, no_hash_update),
       stand_in_entry(OSSL_FUNC_DIGEST_FINAL, no_hash_final),
       stand_in_entry(OSSL_FUNC_DIGEST_GET_PARAMS, no_hash_get),
       {0, nullptr}}};
  static const std::array<OSSL_ALGORITHM, 2> algorithms{
      {{"SHA2-512", "provider=no-hash", functions.data(), nullptr},
       {nullptr, nullptr, nullptr, nullptr}}};
  *no_cache = 0;
  return operation == OSSL_OP_DIGEST ? algorithms.data() : nullptr;
}

int no_hash_start(const OSSL_CORE_HANDLE* /*handle*/, const OSSL_DISPATCH* /*in*/,
                  const OSSL_DISPATCH** out, void** context) {
  static const std::array<OSSL_DISPATCH, 2> functions{
      {stand_in_entry(OSSL_FUNC_PROVIDER_QUERY_OPERATION, no_hash_query), {0, nullptr}}};
  static int present = 1;
  *out = functions.data();
  *context = &present;
  return 1;
}

/// A DRBG that takes its seeds as it should, one a call or more, and gives one byte for ever.
struct Crooked {
  void* parent = nullptr;
  OSSL_FUNC_rand_get_seed_fn* get_seed = nullptr;
  OSSL_FUNC_rand_clear_seed_fn* clear_seed = nullptr;
};

int seeds_taken_a_call = 1;  // NOLINT(*-avoid-non-const-global-variables): set before it is made

void* crooked_new(void* /*provider*/, void* parent, const OSSL_DISPATCH* calls) {
  auto* made = new Crooked{.parent = parent};  // NOLINT: OpenSSL frees it
  for (; calls != nullptr && calls->function_id != 0; ++calls) {
    if (calls->function_id == OSSL_FUNC_RAND_GET_SEED)
      made->get_seed = OSSL_FUNC_rand_get_seed(calls);
    if (calls->function_id == OSSL_FUNC_RAND_CLEAR_SEED)
      made->clear_seed = OSSL_FUNC_rand_clear_seed(calls);
  }
  return made;
}
void crooked_free(void* context) {
  delete static_cast<Crooked*>(context);  // NOLINT
}
int take_seeds(void* context) {
  const Crooked& crooked = *static_cast<Crooked*>(context);
  int taken = 0;
  for (int i = 0; i < seeds_taken_a_call; ++i) {
    unsigned char* seed = nullptr;
    const std::size_t size = crooked.get_seed(crooked.parent, &seed, 256, 32, 1024, 0, nullptr, 0);
    if (size == 0) continue;
    crooked.clear_seed(crooked.parent, seed, size);
    ++taken;
  }
  return taken > 0 ? 1 : 0;
}
int crooked_instantiate(void* context, unsigned /*strength*/, int /*resistance*/,
                        const unsigned char* /*text*/, std::size_t /*size*/,
                        const OSSL_PARAM* /*params*/) {
  return take_seeds(context);
}
int crooked_reseed(void* context, int /*resistance*/, const unsigned char* /*seed*/,
                   std::size_t /*seed_size*/, const unsigned char* /*text*/,
                   std::size_t /*text_size*/) {
  return take_seeds(context);
}

const OSSL_ALGORITHM* crooked_query(void* /*provider*/, int operation, int* no_cache) {
  static const std::array<OSSL_DISPATCH, 8> functions{
      {stand_in_entry(OSSL_FUNC_RAND_NEWCTX, crooked_new),
       stand_in_entry(OSSL_FUNC_RAND_FREECTX, crooked_free),
       stand_in_entry(OSSL_FUNC_RAND_INSTANTIATE, crooked_instantiate),
       stand_in_entry(OSSL_FUNC_RAND_UNINSTANTIATE, stand_in_uninstantiate),
       stand_in_entry(OSSL_FUNC_RAND_GENERATE, stand_in_generate),
       stand_in_entry(OSSL_FUNC_RAND_RESEED, crooked_reseed),
       stand_in_entry(OSSL_FUNC_RAND_GET_CTX_PARAMS, stand_in_get)}};
  static const std::array<OSSL_ALGORITHM, 3> algorithms{
      {{"CTR-DRBG", "provider=crooked", functions.data(), nullptr},
       {"HMAC-DRBG", "provider=crooked", functions.data(), nullptr},
       {nullptr, nullptr, nullptr, nullptr}}};
  *no_cache = 0;
  return operation == OSSL_OP_RAND ? algorithms.data() : nullptr;
}

int crooked_start(const OSSL_CORE_HANDLE* /*handle*/, const OSSL_DISPATCH* /*in*/,
                  const OSSL_DISPATCH** out, void** context) {
  static const std::array<OSSL_DISPATCH, 2> functions{
      {stand_in_entry(OSSL_FUNC_PROVIDER_QUERY_OPERATION, crooked_query)}};
  static int present = 1;
  *out = functions.data();
  *context = &present;
  return 1;
}

/// Ends a child with the line of the first condition that does not hold.
void want(bool holds, int line) {
  if (!holds) ::_exit(line % 200 + 1);
}

class ConfiguredProvider : public testing::Test {
 protected:
  ConfiguredProvider() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void its_drbg_is_the_one_that_is_asked() {
  want(::OSSL_PROVIDER_add_builtin(nullptr, "stand-in", stand_in_init) == 1, __LINE__);
  want(::OSSL_PROVIDER_load(nullptr, "default") != nullptr, __LINE__);
  want(::OSSL_PROVIDER_load(nullptr, "stand-in") != nullptr, __LINE__);
  want(::EVP_set_default_properties(nullptr, "?provider=stand-in") == 1, __LINE__);
  for (const DrbgKind kind : {DrbgKind::ctr_aes256_df, DrbgKind::hmac_sha512}) {
    const int before = drbgs_asked_for;
    // It takes no seed and gives one byte for ever: neither passes for a DRBG.
    want(!Drbg::self_test(kind), __LINE__);
    want(drbgs_asked_for > before, __LINE__);
  }
  ::_exit(0);
}

void where_it_has_no_algorithm_nothing_is_made() {
  want(::EVP_set_default_properties(nullptr, "fips=yes") == 1, __LINE__);
  const std::vector<std::uint8_t> seed(64, 7);
  const std::array<std::uint8_t, 4> name{1, 2, 3, 4};
  for (const DrbgKind kind : {DrbgKind::ctr_aes256_df, DrbgKind::hmac_sha512}) {
    const auto drbg = Drbg::instantiate(kind, seed, name);
    want(!drbg && drbg.error().is(Errc::crypto_failed), __LINE__);
  }
  const std::vector<std::uint8_t> samples(144, 3);
  const std::array<Contribution, 1> parts{{{samples, 4000, true, false}}};
  for (const ConditionerKind kind : {ConditionerKind::sha512, ConditionerKind::hmac_sha512}) {
    const auto block = condition(kind, parts);
    want(!block && block.error().is(Errc::crypto_failed), __LINE__);
  }
  ::_exit(0);
}

void the_seed_source_keeps_no_provider_out() {
  const std::vector<std::uint8_t> seed(64, 7);
  const std::array<std::uint8_t, 4> name{1, 2, 3, 4};
  want(Drbg::instantiate(DrbgKind::ctr_aes256_df, seed, name).has_value(), __LINE__);
  EVP_MD* md = ::EVP_MD_fetch(nullptr, "SHA2-256", nullptr);
  want(md != nullptr, __LINE__);
  ::EVP_MD_free(md);
  ::_exit(0);
}

/// A generator over it does not get beyond its known answers, and its latch says which they are.
void what_answers_wrongly_starts_nothing(const char* name, OSSL_provider_init_fn* init) {
  want(::OSSL_PROVIDER_add_builtin(nullptr, name, init) == 1, __LINE__);
  want(::OSSL_PROVIDER_load(nullptr, "default") != nullptr, __LINE__);
  want(::OSSL_PROVIDER_load(nullptr, name) != nullptr, __LINE__);
  want(::EVP_set_default_properties(nullptr, ("?provider=" + std::string(name)).c_str()) == 1,
       __LINE__);
  Rig rig;
  want(rig.make_raw().has_value(), __LINE__);
  want(!rig.generator->start().has_value(), __LINE__);
  want(rig.generator->latched() == LatchReason::self_test_failed, __LINE__);
  want(rig.generator->metrics().sources[0].raw_samples == 0, __LINE__);
  want(gives_nothing(*rig.generator), __LINE__);
  ::_exit(0);
}

void use(const char* name, OSSL_provider_init_fn* init) {
  want(::OSSL_PROVIDER_add_builtin(nullptr, name, init) == 1, __LINE__);
  want(::OSSL_PROVIDER_load(nullptr, "default") != nullptr, __LINE__);
  want(::OSSL_PROVIDER_load(nullptr, name) != nullptr, __LINE__);
  want(::EVP_set_default_properties(nullptr, ("?provider=" + std::string(name)).c_str()) == 1,
       __LINE__);
}

void a_drbg_asks_for_one_seed_a_call_and_its_answers_decide() {
  use("crooked", crooked_start);
  const std::vector<std::uint8_t> seed(64, 7);
  const std::array<std::uint8_t, 4> name{1, 2, 3, 4};
  for (const DrbgKind kind : {DrbgKind::ctr_aes256_df, DrbgKind::hmac_sha512}) {
    seeds_taken_a_call = 1;
    want(Drbg::instantiate(kind, seed, name).has_value(), __LINE__);
    const Status known = Drbg::self_test(kind);
    want(!known && known.error().is(Errc::self_test_failed), __LINE__);
    for (const int asked : {0, 2}) {
      seeds_taken_a_call = asked;
      want(!Drbg::instantiate(kind, seed, name), __LINE__);
      seeds_taken_a_call = 1;
      const auto drbg = Drbg::instantiate(kind, seed, name);
      want(drbg.has_value(), __LINE__);
      seeds_taken_a_call = asked;
      want(!(*drbg)->reseed(seed, {}) && !(*drbg)->alive(), __LINE__);
      KnownOsRandom os(1);
      KnownRdSeed cpu(false);
      SeededDrbg seeded(kind, {"test", 1, 2, 0, 0}, {1'000, 1'000});
      want(seeded.seed(seed, os, cpu, 0) == LatchReason::drbg_failed, __LINE__);
      seeds_taken_a_call = 1;
      want(seeded.seed(seed, os, cpu, 0) == LatchReason::none, __LINE__);
      seeds_taken_a_call = asked;
      want(seeded.seed(seed, os, cpu, 0) == LatchReason::drbg_failed, __LINE__);
      want(!seeded.exists() && seeded.seed_due(), __LINE__);
    }
  }
  ::_exit(0);
}

void a_drbg_that_takes_no_seed_is_none() {
  use("stand-in", stand_in_init);
  const std::vector<std::uint8_t> seed(64, 7);
  const std::array<std::uint8_t, 4> name{1, 2, 3, 4};
  want(!Drbg::instantiate(DrbgKind::ctr_aes256_df, seed, name), __LINE__);
  ::_exit(0);
}

void a_hash_that_fails_at_any_step_makes_no_block() {
  use("no-hash", no_hash_start);
  const std::vector<std::uint8_t> samples(144, 3);
  const std::array<Contribution, 1> parts{{{samples, 4000, true, false}}};
  const auto made = [&parts] {
    const auto block = condition(ConditionerKind::sha512, parts);
    return block.has_value() || !block.error().is(Errc::crypto_failed);
  };
  want(made(), __LINE__);
  const int steps = no_hash_steps;  // its beginning, domain, length, samples and its end
  want(steps == 5, __LINE__);
  for (no_hash_fails_at = 1; no_hash_fails_at <= steps; ++no_hash_fails_at) want(!made(), __LINE__);
  no_hash_size = 63;
  want(!made(), __LINE__);
  ::_exit(0);
}

TEST_F(ConfiguredProvider, is_held_to_one_seed_a_call_and_to_the_known_answers) {
  EXPECT_EXIT(a_drbg_asks_for_one_seed_a_call_and_its_answers_decide(), testing::ExitedWithCode(0),
              "");
}
TEST_F(ConfiguredProvider, whose_drbg_takes_no_seed_makes_none) {
  EXPECT_EXIT(a_drbg_that_takes_no_seed_is_none(), testing::ExitedWithCode(0), "");
}
TEST_F(ConfiguredProvider, whose_hash_fails_at_any_step_makes_no_block) {
  EXPECT_EXIT(a_hash_that_fails_at_any_step_makes_no_block(), testing::ExitedWithCode(0), "");
}
TEST_F(ConfiguredProvider, whose_drbg_answers_wrongly_starts_nothing) {
  EXPECT_EXIT(what_answers_wrongly_starts_nothing("stand-in", stand_in_init),
              testing::ExitedWithCode(0), "");
}
TEST_F(ConfiguredProvider, whose_hash_answers_wrongly_starts_nothing) {
  EXPECT_EXIT(what_answers_wrongly_starts_nothing("no-hash", no_hash_start),
              testing::ExitedWithCode(0), "");
}
TEST_F(ConfiguredProvider, has_its_drbg_asked) {
  EXPECT_EXIT(its_drbg_is_the_one_that_is_asked(), testing::ExitedWithCode(0), "");
}
TEST_F(ConfiguredProvider, without_an_algorithm_makes_nothing) {
  EXPECT_EXIT(where_it_has_no_algorithm_nothing_is_made(), testing::ExitedWithCode(0), "");
}
TEST_F(ConfiguredProvider, is_not_kept_out_by_the_seed_source) {
  EXPECT_EXIT(the_seed_source_keeps_no_provider_out(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace talla::entropy
