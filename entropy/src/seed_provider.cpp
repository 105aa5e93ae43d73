#include "seed_provider.hpp"

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>

#include "base/secret.hpp"
#include "entropy/errc.hpp"

namespace talla::entropy {

namespace {

constexpr const char* algorithm_name = "TALLA-SEED-SOURCE";
constexpr const char* provider_name = "talla-seed";
constexpr const char* algorithm_properties = "provider=talla-seed";
/// Where only validated algorithms are fetched by default, this one is asked for all the same: it
/// computes nothing.
constexpr const char* fetched_by = "provider=talla-seed,-fips";
constexpr const char* param_seed = "talla-seed";
constexpr const char* param_calls = "talla-seed-calls";

/// What OpenSSL calls the algorithm context.
struct SeedSource {
  std::mutex lock;
  SecretBytes lent;
  std::atomic<std::uint64_t> calls{0};
};

SeedSource& source_of(void* context) {
  return *static_cast<SeedSource*>(context);
}

// OpenSSL calls these through C function pointers: nothing may be thrown out of them.
void* new_source(void* /*provider*/, void* parent, const OSSL_DISPATCH* /*calls*/) noexcept {
  return parent == nullptr ? new (std::nothrow) SeedSource : nullptr;
}
void free_source(void* context) noexcept {
  delete static_cast<SeedSource*>(context);
}
int instantiate(void* /*context*/, unsigned strength, int /*resistance*/,
                const unsigned char* /*text*/, std::size_t /*size*/,
                const OSSL_PARAM* /*params*/) noexcept {
  return strength <= strength_bits ? 1 : 0;
}
int uninstantiate(void* context) noexcept {
  source_of(context).lent.clear();
  return 1;
}
int generate(void* /*context*/, unsigned char* /*out*/, std::size_t /*size*/, unsigned /*strength*/,
             int /*resistance*/, const unsigned char* /*text*/,
             std::size_t /*text_size*/) noexcept {
  return 0;
}
int enable_locking(void* /*context*/) noexcept {
  return 1;
}
int lock_source(void* context) noexcept {
  source_of(context).lock.lock();
  return 1;
}
void unlock_source(void* context) noexcept {
  source_of(context).lock.unlock();
}

std::size_t get_seed(void* context, unsigned char** out, int entropy_bits, std::size_t size_min,
                     std::size_t size_max, int /*resistance*/, const unsigned char* /*text*/,
                     std::size_t /*text_size*/) noexcept {
  SeedSource& source = source_of(context);
  source.calls.fetch_add(1);
  const auto wanted = static_cast<std::size_t>(std::max(entropy_bits, 0) + 7) / 8;
  const std::size_t size = source.lent.size();
  if (size == 0 || size < std::max(wanted, size_min) || size > size_max) return 0;
  try {
    auto* seed = static_cast<unsigned char*>(allocate_secret(size));
    std::copy(source.lent.begin(), source.lent.end(), seed);
    SecretBytes().swap(source.lent);
    *out = seed;
    return size;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}
void clear_seed(void* /*context*/, unsigned char* seed, std::size_t size) noexcept {
  if (seed != nullptr) release_secret(seed, size);
}

const OSSL_PARAM* gettable(void* /*context*/, void* /*provider*/) noexcept {
  static const std::array<OSSL_PARAM, 5> params{
      {OSSL_PARAM_int(OSSL_RAND_PARAM_STATE, nullptr),
       OSSL_PARAM_uint(OSSL_RAND_PARAM_STRENGTH, nullptr),
       OSSL_PARAM_size_t(OSSL_RAND_PARAM_MAX_REQUEST, nullptr),
       OSSL_PARAM_uint64(param_calls, nullptr), OSSL_PARAM_END}};
  return params.data();
}
int get_params(void* context, OSSL_PARAM* params) noexcept {
  OSSL_PARAM* state = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_STATE);
  OSSL_PARAM* strength = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_STRENGTH);
  OSSL_PARAM* request = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_MAX_REQUEST);
  OSSL_PARAM* calls = OSSL_PARAM_locate(params, param_calls);
  // Always zero, the value a fresh child remembers: any other makes OpenSSL reseed the child by
  // itself.
  OSSL_PARAM* reseeds = OSSL_PARAM_locate(params, OSSL_DRBG_PARAM_RESEED_COUNTER);
  const bool good =
      (state == nullptr || OSSL_PARAM_set_int(state, EVP_RAND_STATE_READY) == 1) &&
      (strength == nullptr || OSSL_PARAM_set_uint(strength, strength_bits) == 1) &&
      (request == nullptr || OSSL_PARAM_set_size_t(request, 0) == 1) &&
      (calls == nullptr || OSSL_PARAM_set_uint64(calls, source_of(context).calls.load()) == 1) &&
      (reseeds == nullptr || OSSL_PARAM_set_uint(reseeds, 0) == 1);
  return good ? 1 : 0;
}
const OSSL_PARAM* settable(void* /*context*/, void* /*provider*/) noexcept {
  static const std::array<OSSL_PARAM, 2> params{
      {OSSL_PARAM_octet_string(param_seed, nullptr, 0), OSSL_PARAM_END}};
  return params.data();
}
int set_params(void* context, const OSSL_PARAM* params) noexcept {
  const OSSL_PARAM* seed = OSSL_PARAM_locate_const(params, param_seed);
  if (seed == nullptr) return 1;
  const void* bytes = nullptr;
  std::size_t size = 0;
  if (OSSL_PARAM_get_octet_string_ptr(seed, &bytes, &size) != 1) return 0;
  try {
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    SecretBytes fresh;
    fresh.assign(from, from + size);
    source_of(context).lent.swap(fresh);
    return 1;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

template <class Function>
OSSL_DISPATCH entry(int id, Function* function) {
  return {id, reinterpret_cast<void (*)()>(function)};
}

const OSSL_ALGORITHM* query(void* /*provider*/, int operation, int* no_cache) noexcept {
  static const std::array<OSSL_DISPATCH, 15> functions{
      {entry(OSSL_FUNC_RAND_NEWCTX, new_source), entry(OSSL_FUNC_RAND_FREECTX, free_source),
       entry(OSSL_FUNC_RAND_INSTANTIATE, instantiate),
       entry(OSSL_FUNC_RAND_UNINSTANTIATE, uninstantiate), entry(OSSL_FUNC_RAND_GENERATE, generate),
       entry(OSSL_FUNC_RAND_ENABLE_LOCKING, enable_locking),
       entry(OSSL_FUNC_RAND_LOCK, lock_source), entry(OSSL_FUNC_RAND_UNLOCK, unlock_source),
       entry(OSSL_FUNC_RAND_GET_SEED, get_seed), entry(OSSL_FUNC_RAND_CLEAR_SEED, clear_seed),
       entry(OSSL_FUNC_RAND_GETTABLE_CTX_PARAMS, gettable),
       entry(OSSL_FUNC_RAND_GET_CTX_PARAMS, get_params),
       entry(OSSL_FUNC_RAND_SETTABLE_CTX_PARAMS, settable),
       entry(OSSL_FUNC_RAND_SET_CTX_PARAMS, set_params)}};  // an empty one ends them
  static const std::array<OSSL_ALGORITHM, 2> algorithms{
      {{algorithm_name, algorithm_properties, functions.data(), "Seeds lent by the generator"},
       {nullptr, nullptr, nullptr, nullptr}}};
  *no_cache = 0;
  return operation == OSSL_OP_RAND ? algorithms.data() : nullptr;
}

int provider_init(const OSSL_CORE_HANDLE* /*handle*/, const OSSL_DISPATCH* /*in*/,
                  const OSSL_DISPATCH** out, void** /*context*/) noexcept {
  static const std::array<OSSL_DISPATCH, 2> functions{
      {entry(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query)}};  // an empty one ends them
  *out = functions.data();
  return 1;
}

/// Once for the process, which holds it to its end. What is configured, or OpenSSL's default
/// provider where nothing is, stays as it would be without this one.
bool seed_source_stands() {
  static const OSSL_PROVIDER* const held =
      ::OSSL_PROVIDER_add_builtin(nullptr, provider_name, provider_init) == 1
          ? ::OSSL_PROVIDER_try_load(nullptr, provider_name, 1)
          : nullptr;
  return held != nullptr;
}

}  // namespace

bool SeedProvider::open() {
  if (!seed_source_stands()) return false;
  const std::unique_ptr<EVP_RAND, OpensslFree<EVP_RAND_free>> method(
      ::EVP_RAND_fetch(nullptr, algorithm_name, fetched_by));
  if (method == nullptr) return false;
  parent_ = EVP_RAND_CTX_new(method.get(), nullptr);
  return parent_ != nullptr &&
         EVP_RAND_instantiate(parent_, strength_bits, 0, nullptr, 0, nullptr) == 1;
}

Result<std::unique_ptr<SeedProvider>> SeedProvider::create() {
  std::unique_ptr<SeedProvider> provider(new SeedProvider);  // NOLINT: private constructor
  if (!provider->open()) return fail(Errc::crypto_failed, "seed provider");
  return provider;
}

SeedProvider::~SeedProvider() {
  EVP_RAND_CTX_free(parent_);
}

bool SeedProvider::lend(std::span<const std::uint8_t> seed) {
  // The interface wants a mutable pointer and only reads from it.
  auto* bytes = const_cast<std::uint8_t*>(seed.data());  // NOLINT
  const std::array<OSSL_PARAM, 2> params{
      {OSSL_PARAM_construct_octet_string(param_seed, bytes, seed.size()), OSSL_PARAM_END}};
  return EVP_RAND_CTX_set_params(parent_, params.data()) == 1;
}

std::uint64_t SeedProvider::calls() const {
  std::uint64_t calls = 0;
  std::array<OSSL_PARAM, 2> params{
      {OSSL_PARAM_construct_uint64(param_calls, &calls), OSSL_PARAM_END}};
  return EVP_RAND_CTX_get_params(parent_, params.data()) == 1 ? calls : 0;
}

}  // namespace talla::entropy
