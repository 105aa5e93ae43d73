// talla.so: an OpenSSL 3 provider with one algorithm, the seed source TALLA-SEED-SRC, whose bytes
// come from the appliance. It can stand for OpenSSL's generators as well (`random =`): then each
// request is answered by the appliance.
//
// OpenSSL 3.0 seeds from the operating system by itself when a configured seed source cannot be
// *instantiated*. So this one always can be, and fails where the seed is asked for: then the
// generator above it fails, with our words in the error queue.
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdarg>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include "base/secret.hpp"
#include "provider/egd_client.hpp"

namespace {

using namespace talla;
using namespace talla::provider;

constexpr unsigned strength_bits = 256;
constexpr std::size_t request_bytes_max = 65'536;

/// What stands in the error queue.
enum class Reason : std::uint32_t {
  absent = 1,
  silent = 2,
  broke_off = 3,
  memory = 4,
  bad_timeout = 5
};
// NOLINTBEGIN(cppcoreguidelines-pro-type-const-cast): OpenSSL reads these texts
constexpr std::array<OSSL_ITEM, 6> reason_texts{
    {{1, const_cast<char*>("the Talla appliance is not there")},
     {2, const_cast<char*>("the Talla appliance gives no entropy")},
     {3, const_cast<char*>("the Talla appliance broke off")},
     {4, const_cast<char*>("out of memory")},
     {5, const_cast<char*>("timeout_ms is not 1 to 600000")},
     {0, nullptr}}};
// NOLINTEND(cppcoreguidelines-pro-type-const-cast)

struct Provider {
  const OSSL_CORE_HANDLE* core = nullptr;
  OSSL_FUNC_core_new_error_fn* new_error = nullptr;
  OSSL_FUNC_core_set_error_debug_fn* set_error_debug = nullptr;
  OSSL_FUNC_core_vset_error_fn* set_error = nullptr;
  ClientOptions client;

  void raise(Reason reason, const char* format, ...) const {  // NOLINT: the interface of the core
    if (new_error == nullptr || set_error_debug == nullptr || set_error == nullptr) return;
    std::va_list arguments;
    va_start(arguments, format);
    new_error(core);
    set_error_debug(core, __FILE__, __LINE__, __func__);
    set_error(core, static_cast<std::uint32_t>(reason), format, arguments);
    va_end(arguments);
  }
};

Reason reason_of(const Error& error) {
  if (error.is(ClientErrc::appliance_absent)) return Reason::absent;
  return error.is(ClientErrc::appliance_silent) ? Reason::silent : Reason::broke_off;
}

/// The bytes, or nothing and words in the error queue.
std::optional<SecretBytes> fetch(const Provider& provider, std::size_t n_bytes) {
  auto bytes = fetch_entropy(provider.client, n_bytes);
  if (bytes) return std::move(*bytes);
  provider.raise(reason_of(bytes.error()), "%s", bytes.error().detail.c_str());
  return std::nullopt;
}

struct SeedSource {
  const Provider* provider = nullptr;
  int state = EVP_RAND_STATE_UNINITIALISED;
};

// OpenSSL calls these through C function pointers: nothing may be thrown out of them.
/// A parent is what OpenSSL gives when this is configured as its generator too (`random =`);
/// nothing is taken from it.
void* new_source(void* provider, void* /*parent*/, const OSSL_DISPATCH* /*calls*/) noexcept {
  return new (std::nothrow) SeedSource{.provider = static_cast<const Provider*>(provider)};
}
void free_source(void* source) noexcept {
  delete static_cast<SeedSource*>(source);
}
int instantiate(void* source, unsigned strength, int /*resistance*/, const unsigned char* /*text*/,
                std::size_t /*size*/, const OSSL_PARAM* /*params*/) noexcept {
  if (strength > strength_bits) return 0;
  static_cast<SeedSource*>(source)->state = EVP_RAND_STATE_READY;
  return 1;
}
int uninstantiate(void* source) noexcept {
  static_cast<SeedSource*>(source)->state = EVP_RAND_STATE_UNINITIALISED;
  return 1;
}
int reseed(void* /*source*/, int /*resistance*/, const unsigned char* /*entropy*/,
           std::size_t /*size*/, const unsigned char* /*text*/,
           std::size_t /*text_size*/) noexcept {
  return 1;  // every byte is fresh
}
int generate(void* source, unsigned char* out, std::size_t size, unsigned strength,
             int /*resistance*/, const unsigned char* /*text*/,
             std::size_t /*text_size*/) noexcept {
  if (strength > strength_bits || size > request_bytes_max) return 0;
  if (size == 0) return 1;
  const Provider& provider = *static_cast<SeedSource*>(source)->provider;
  try {
    const auto bytes = fetch(provider, size);
    if (!bytes) return 0;
    std::copy(bytes->begin(), bytes->end(), out);
    return 1;
  } catch (const std::bad_alloc&) {
    provider.raise(Reason::memory, nullptr);
    return 0;
  }
}
std::size_t get_seed(void* source, unsigned char** out, int entropy_bits, std::size_t size_min,
                     std::size_t size_max, int /*resistance*/, const unsigned char* /*text*/,
                     std::size_t /*text_size*/) noexcept {
  const Provider& provider = *static_cast<SeedSource*>(source)->provider;
  // Full entropy: eight bits a byte.
  const auto wanted = static_cast<std::size_t>(std::max(entropy_bits, 0) + 7) / 8;
  const std::size_t size = std::max({wanted, size_min, std::size_t{1}});
  if (size > size_max || size > request_bytes_max) return 0;
  try {
    const auto bytes = fetch(provider, size);
    if (!bytes) return 0;
    auto* seed = static_cast<unsigned char*>(allocate_secret(size));
    std::copy(bytes->begin(), bytes->end(), seed);
    *out = seed;
    return size;
  } catch (const std::bad_alloc&) {
    provider.raise(Reason::memory, nullptr);
    return 0;
  }
}
void clear_seed(void* /*source*/, unsigned char* seed, std::size_t size) noexcept {
  if (seed != nullptr) release_secret(seed, size);
}
// Nothing in a source changes while it is used: there is nothing to lock.
int enable_locking(void* /*source*/) noexcept {
  return 1;
}
int lock_source(void* /*source*/) noexcept {
  return 1;
}
void unlock_source(void* /*source*/) noexcept {}
int verify_zeroization(void* /*source*/) noexcept {
  return 1;
}

const OSSL_PARAM* gettable_of_source(void* /*source*/, void* /*provider*/) noexcept {
  static const std::array<OSSL_PARAM, 4> params{
      {OSSL_PARAM_int(OSSL_RAND_PARAM_STATE, nullptr),
       OSSL_PARAM_uint(OSSL_RAND_PARAM_STRENGTH, nullptr),
       OSSL_PARAM_size_t(OSSL_RAND_PARAM_MAX_REQUEST, nullptr), OSSL_PARAM_END}};
  return params.data();
}
int get_source_params(void* source, OSSL_PARAM* params) noexcept {
  OSSL_PARAM* state = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_STATE);
  OSSL_PARAM* strength = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_STRENGTH);
  OSSL_PARAM* request = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_MAX_REQUEST);
  // Always the value a fresh child remembers: any other makes OpenSSL reseed the child at every
  // call.
  OSSL_PARAM* reseeds = OSSL_PARAM_locate(params, OSSL_DRBG_PARAM_RESEED_COUNTER);
  const bool good =
      (state == nullptr ||
       OSSL_PARAM_set_int(state, static_cast<SeedSource*>(source)->state) == 1) &&
      (strength == nullptr || OSSL_PARAM_set_uint(strength, strength_bits) == 1) &&
      (request == nullptr || OSSL_PARAM_set_size_t(request, request_bytes_max) == 1) &&
      (reseeds == nullptr || OSSL_PARAM_set_uint(reseeds, 0) == 1);
  return good ? 1 : 0;
}

template <class Function>
OSSL_DISPATCH entry(int id, Function* function) {
  return {id, reinterpret_cast<void (*)()>(function)};
}

const OSSL_ALGORITHM* query(void* /*provider*/, int operation, int* no_cache) noexcept {
  static const std::array<OSSL_DISPATCH, 15> functions{
      {entry(OSSL_FUNC_RAND_NEWCTX, new_source),
       entry(OSSL_FUNC_RAND_FREECTX, free_source),
       entry(OSSL_FUNC_RAND_INSTANTIATE, instantiate),
       entry(OSSL_FUNC_RAND_UNINSTANTIATE, uninstantiate),
       entry(OSSL_FUNC_RAND_GENERATE, generate),
       entry(OSSL_FUNC_RAND_RESEED, reseed),
       entry(OSSL_FUNC_RAND_ENABLE_LOCKING, enable_locking),
       entry(OSSL_FUNC_RAND_LOCK, lock_source),
       entry(OSSL_FUNC_RAND_UNLOCK, unlock_source),
       entry(OSSL_FUNC_RAND_GET_SEED, get_seed),
       entry(OSSL_FUNC_RAND_CLEAR_SEED, clear_seed),
       entry(OSSL_FUNC_RAND_VERIFY_ZEROIZATION, verify_zeroization),
       entry(OSSL_FUNC_RAND_GETTABLE_CTX_PARAMS, gettable_of_source),
       entry(OSSL_FUNC_RAND_GET_CTX_PARAMS, get_source_params),
       {0, nullptr}}};
  static const std::array<OSSL_ALGORITHM, 2> algorithms{
      {{"TALLA-SEED-SRC", "provider=talla", functions.data(), "Seeds from a Talla appliance"},
       {nullptr, nullptr, nullptr, nullptr}}};
  *no_cache = 0;
  return operation == OSSL_OP_RAND ? algorithms.data() : nullptr;
}

const OSSL_PARAM* gettable(void* /*provider*/) noexcept {
  static const std::array<OSSL_PARAM, 4> params{
      {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, nullptr, 0),
       OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, nullptr, 0),
       OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, nullptr), OSSL_PARAM_END}};
  return params.data();
}
int get_params(void* /*provider*/, OSSL_PARAM* params) noexcept {
  OSSL_PARAM* name = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME);
  OSSL_PARAM* version = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_VERSION);
  OSSL_PARAM* status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
  const bool good = (name == nullptr || OSSL_PARAM_set_utf8_ptr(name, "Talla seed source") == 1) &&
                    (version == nullptr || OSSL_PARAM_set_utf8_ptr(version, TALLA_VERSION) == 1) &&
                    (status == nullptr || OSSL_PARAM_set_int(status, 1) == 1);
  return good ? 1 : 0;
}
const OSSL_ITEM* reasons(void* /*provider*/) noexcept {
  return reason_texts.data();
}
void teardown(void* provider) noexcept {
  delete static_cast<Provider*>(provider);
}

/// The provider's section of the configuration: `socket`, `timeout_ms`. False, with a word in the
/// queue, for nonsense.
bool configure(Provider& provider, OSSL_FUNC_core_get_params_fn* get_core_params) {
  if (get_core_params == nullptr) return true;
  char* socket = nullptr;
  char* timeout = nullptr;
  std::array<OSSL_PARAM, 3> params{{OSSL_PARAM_construct_utf8_ptr("socket", &socket, 0),
                                    OSSL_PARAM_construct_utf8_ptr("timeout_ms", &timeout, 0),
                                    OSSL_PARAM_END}};
  if (get_core_params(provider.core, params.data()) != 1) return true;
  if (socket != nullptr) provider.client.socket_path = socket;
  if (timeout == nullptr) return true;
  const char* end = timeout + std::strlen(timeout);
  const auto read = std::from_chars(timeout, end, provider.client.timeout_ms);
  const bool good = read.ec == std::errc() && read.ptr == end && provider.client.timeout_ms >= 1 &&
                    provider.client.timeout_ms <= 600'000;
  if (!good) provider.raise(Reason::bad_timeout, "%s", timeout);
  return good;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int OSSL_provider_init(
    const OSSL_CORE_HANDLE* core, const OSSL_DISPATCH* in, const OSSL_DISPATCH** out,
    void** context) {
  static const std::array<OSSL_DISPATCH, 6> functions{
      {entry(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query),
       entry(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable),
       entry(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
       entry(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, reasons),
       entry(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
       {0, nullptr}}};
  try {
    auto provider = std::make_unique<Provider>();
    provider->core = core;
    OSSL_FUNC_core_get_params_fn* get_core_params = nullptr;
    for (; in->function_id != 0; ++in) {
      if (in->function_id == OSSL_FUNC_CORE_NEW_ERROR)
        provider->new_error = OSSL_FUNC_core_new_error(in);
      if (in->function_id == OSSL_FUNC_CORE_SET_ERROR_DEBUG) {
        provider->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
      }
      if (in->function_id == OSSL_FUNC_CORE_VSET_ERROR)
        provider->set_error = OSSL_FUNC_core_vset_error(in);
      if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS)
        get_core_params = OSSL_FUNC_core_get_params(in);
    }
    if (!configure(*provider, get_core_params)) return 0;
    *out = functions.data();
    *context = provider.release();
    return 1;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}
