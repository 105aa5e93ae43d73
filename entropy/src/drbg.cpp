#include "entropy/drbg.hpp"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>

#include "base/secret.hpp"
#include "drbg_known_answers.hpp"
#include "entropy/errc.hpp"
#include "seed_provider.hpp"

namespace talla::entropy {

namespace {

using Context = std::unique_ptr<EVP_RAND_CTX, OpensslFree<EVP_RAND_CTX_free>>;

char* text(const char* literal) {
  return const_cast<char*>(literal);  // NOLINT: OSSL_PARAM wants a mutable pointer
}

/// A context under the seed provider, its mechanism set and every reseeding of its own switched
/// off; of whatever provider OpenSSL's configuration names for it.
Context make_context(DrbgKind kind, const SeedProvider& provider) {
  const bool ctr = kind == DrbgKind::ctr_aes256_df;
  const std::unique_ptr<EVP_RAND, OpensslFree<EVP_RAND_free>> method(
      EVP_RAND_fetch(nullptr, ctr ? "CTR-DRBG" : "HMAC-DRBG", nullptr));
  const SecretScope secret;
  Context context(EVP_RAND_CTX_new(method.get(), provider.parent()));
  if (context == nullptr) return nullptr;
  int use_df = 1;
  unsigned requests = 0;
  std::uint64_t interval = 0;
  std::array<OSSL_PARAM, 5> params{};  // an empty one ends them
  std::size_t next = 0;
  if (ctr) {
    params[next++] =
        OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_CIPHER, text("AES-256-CTR"), 0);
    params[next++] = OSSL_PARAM_construct_int(OSSL_DRBG_PARAM_USE_DF, &use_df);
  } else {
    params[next++] = OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_MAC, text("HMAC"), 0);
    params[next++] = OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_DIGEST, text("SHA512"), 0);
  }
  params[next++] = OSSL_PARAM_construct_uint(OSSL_DRBG_PARAM_RESEED_REQUESTS, &requests);
  params[next] = OSSL_PARAM_construct_uint64(OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL, &interval);
  return EVP_RAND_CTX_set_params(context.get(), params.data()) == 1 ? std::move(context) : nullptr;
}

}  // namespace

class Drbg::Impl {
 public:
  Impl(std::unique_ptr<SeedProvider> provider, Context context)
      : provider_(std::move(provider)), context_(std::move(context)) {}

  [[nodiscard]] bool instantiate(std::span<const std::uint8_t> seed,
                                 std::span<const std::uint8_t> personalisation) {
    const SecretScope secret;
    // A null personalisation would be replaced by OpenSSL's own; an empty one (known answers only)
    // is not.
    static constexpr std::uint8_t none = 0;
    const auto* bytes = personalisation.empty() ? &none : personalisation.data();
    const bool good =
        provider_->lend(seed) && EVP_RAND_instantiate(context_.get(), strength_bits, 0, bytes,
                                                      personalisation.size(), nullptr) == 1;
    return settle(good, 1);
  }
  [[nodiscard]] bool reseed(std::span<const std::uint8_t> seed,
                            std::span<const std::uint8_t> additional) {
    if (!context_) return false;
    const SecretScope secret;
    const bool good =
        provider_->lend(seed) &&
        EVP_RAND_reseed(context_.get(), 0, nullptr, 0, additional.data(), additional.size()) == 1;
    return settle(good, 1);
  }
  [[nodiscard]] bool generate(std::span<std::uint8_t> out,
                              std::span<const std::uint8_t> additional) {
    if (!context_) return false;
    const SecretScope secret;
    const bool good = EVP_RAND_generate(context_.get(), out.data(), out.size(), strength_bits, 0,
                                        additional.data(), additional.size()) == 1;
    if (settle(good, 0)) return true;
    wipe(out.data(), out.size());
    return false;
  }
  [[nodiscard]] bool alive() const { return context_ != nullptr; }
  [[nodiscard]] std::uint64_t calls() const { return provider_->calls(); }

 private:
  /// After each call: the seed source was asked exactly as often as the call explains, or the
  ///                  context goes.
  [[nodiscard]] bool settle(bool good, std::uint64_t seeds_explained) {
    const bool taken_back = provider_->lend({});
    calls_explained_ += seeds_explained;
    if (good && taken_back && provider_->calls() == calls_explained_) return true;
    context_.reset();
    ERR_clear_error();
    return false;
  }
  std::unique_ptr<SeedProvider> provider_;
  Context context_;
  std::uint64_t calls_explained_ = 0;
};

Drbg::Drbg(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Drbg::~Drbg() = default;

Result<std::unique_ptr<Drbg>> Drbg::make(DrbgKind kind, std::span<const std::uint8_t> seed,
                                         std::span<const std::uint8_t> personalisation) {
  if (seed.size() < instantiate_seed_bytes_min || seed.size() > seed_bytes_max) {
    return fail(Errc::bad_settings, "a first seed has 48 to 1024 bytes");
  }
  TALLA_TRY(std::unique_ptr<SeedProvider> provider, SeedProvider::create());
  Context context = make_context(kind, *provider);
  if (!context) return fail(Errc::crypto_failed, "DRBG context");
  auto impl = std::make_unique<Impl>(std::move(provider), std::move(context));
  if (!impl->instantiate(seed, personalisation))
    return fail(Errc::crypto_failed, "DRBG instantiate");
  return std::unique_ptr<Drbg>(new Drbg(std::move(impl)));  // NOLINT: private constructor
}

Result<std::unique_ptr<Drbg>> Drbg::instantiate(DrbgKind kind, std::span<const std::uint8_t> seed,
                                                std::span<const std::uint8_t> personalisation) {
  if (personalisation.empty()) return fail(Errc::bad_settings, "the personalisation is empty");
  return make(kind, seed, personalisation);
}

Status Drbg::generate(std::span<std::uint8_t> out, std::span<const std::uint8_t> additional) {
  if (out.empty() || out.size() > request_bytes_max)
    return fail(Errc::bad_settings, "a request has 1 to 65536 bytes");
  if (!impl_->generate(out, additional)) return fail(Errc::crypto_failed, "DRBG generate");
  return {};
}

Status Drbg::reseed(std::span<const std::uint8_t> seed, std::span<const std::uint8_t> additional) {
  if (seed.size() < reseed_seed_bytes_min || seed.size() > seed_bytes_max) {
    return fail(Errc::bad_settings, "a further seed has 32 to 1024 bytes");
  }
  if (!impl_->reseed(seed, additional)) return fail(Errc::crypto_failed, "DRBG reseed");
  return {};
}

bool Drbg::alive() const {
  return impl_->alive();
}
std::uint64_t Drbg::seed_calls() const {
  return impl_->calls();
}

Status Drbg::self_test(DrbgKind kind) {
  const DrbgKnownAnswer& known = drbg_known_answer(kind);
  const Bytes seed = from_hex(known.entropy_and_nonce).value_or(Bytes{});
  const Bytes personalisation = from_hex(known.personalisation).value_or(Bytes{});
  const Bytes reseed_entropy = from_hex(known.reseed_entropy).value_or(Bytes{});
  const Bytes reseed_additional = from_hex(known.reseed_additional).value_or(Bytes{});
  const Bytes expected = from_hex(known.output).value_or(Bytes{});
  TALLA_TRY(const auto drbg, instantiate(kind, seed, personalisation));
  TALLA_TRY_STATUS(drbg->reseed(reseed_entropy, reseed_additional));
  Bytes out(expected.size());
  for (const std::string_view additional : {known.additional_first, known.additional_second}) {
    TALLA_TRY_STATUS(drbg->generate(out, from_hex(additional).value_or(Bytes{})));
  }
  if (expected.empty() || out != expected) return fail(Errc::self_test_failed, "DRBG known answer");
  if (drbg->seed_calls() != 2)
    return fail(Errc::self_test_failed, "DRBG asked for seeds by itself");
  // Error handling: without a lent seed the reseed must fail, and nothing may come afterwards.
  if (drbg->impl_->reseed({}, {}) || drbg->alive())
    return fail(Errc::self_test_failed, "DRBG reseeded from nowhere");
  if (drbg->impl_->generate(out, {}))
    return fail(Errc::self_test_failed, "DRBG went on after a failure");
  return {};
}

}  // namespace talla::entropy
