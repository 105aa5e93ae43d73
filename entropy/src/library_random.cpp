// Stands in for OpenSSL's random source with a DRBG that the appliance's generator seeds.
#include "entropy/library_random.hpp"

#include <openssl/rand.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>

#include "base/bytes.hpp"
#include "entropy/drbg.hpp"
#include "entropy/errc.hpp"

// OpenSSL 3 calls this way of standing in deprecated, and honours it: RAND_bytes_ex and
// RAND_priv_bytes_ex ask a method that was set before any DRBG of a library context.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace talla::entropy {

class LibraryRandom::Impl {
 public:
  Impl(std::unique_ptr<Drbg> drbg, Bits bits) : drbg_(std::move(drbg)), bits_(std::move(bits)) {}

  /// False in another process, or when the DRBG has failed.
  [[nodiscard]] bool fill(std::span<std::uint8_t> out) {
    const std::scoped_lock lock(mutex_);
    if (::getpid() != process_) return false;
    ++requests_;
    while (!out.empty()) {
      if (requests_ > reseed_requests || output_ >= Drbg::seed_output_bytes) reseed();
      const auto piece = out.first(std::min(out.size(), Drbg::request_bytes_max));
      if (!drbg_->generate(piece, {})) return false;
      output_ += piece.size();
      out = out.subspan(piece.size());
    }
    return true;
  }
  void stir(std::span<const std::uint8_t> bytes) {
    const std::scoped_lock lock(mutex_);
    SecretBytes thrown_away(seed_bytes);
    // A DRBG that fails here is gone, and every later request says so.
    if (::getpid() == process_) static_cast<void>(drbg_->generate(thrown_away, bytes));
  }
  [[nodiscard]] std::uint64_t seeds() const { return seeds_; }

 private:
  void reseed() {
    const auto seed = bits_(seed_bytes);
    if (!seed || seed->size() != seed_bytes || !drbg_->reseed(*seed, {})) return;
    ++seeds_;
    requests_ = 0;
    output_ = 0;
  }

  const pid_t process_ = ::getpid();
  std::mutex mutex_;
  std::unique_ptr<Drbg> drbg_;  // mutex_
  Bits bits_;                   // mutex_
  std::uint64_t requests_ = 0;  // mutex_
  std::size_t output_ = 0;      // mutex_; bytes since the last seed
  std::atomic<std::uint64_t> seeds_{1};
};

namespace {

/// What OpenSSL's method asks; OpenSSL's function pointers carry no object.
std::function<bool(std::span<std::uint8_t>)> fill_from;  // NOLINT: one process, one source

int method_bytes(unsigned char* out, int count) {
  return count >= 0 && fill_from && fill_from({out, static_cast<std::size_t>(count)}) ? 1 : 0;
}
int method_ready() {
  return fill_from ? 1 : 0;
}
int no_seed(const void* /*bytes*/, int /*count*/) {
  return 1;
}
int no_addition(const void* /*bytes*/, int /*count*/, double /*entropy*/) {
  return 1;
}

constexpr RAND_METHOD generator_method{.seed = no_seed,
                                       .bytes = method_bytes,
                                       .cleanup = nullptr,
                                       .add = no_addition,
                                       .pseudorand = method_bytes,
                                       .status = method_ready};

}  // namespace

LibraryRandom::LibraryRandom(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<LibraryRandom>> LibraryRandom::install(Bits bits, const std::string& name) {
  if (fill_from) return fail(Errc::wrong_state, "OpenSSL draws from the generator already");
  TALLA_TRY(const SecretBytes seed, bits(seed_bytes));
  TALLA_TRY(auto drbg, Drbg::instantiate(DrbgKind::ctr_aes256_df, seed, as_bytes(name)));
  auto impl = std::make_unique<Impl>(std::move(drbg), std::move(bits));
  fill_from = [impl = impl.get()](std::span<std::uint8_t> out) { return impl->fill(out); };
  std::unique_ptr<LibraryRandom> made(
      new LibraryRandom(std::move(impl)));  // NOLINT: private constructor
  if (::RAND_set_rand_method(&generator_method) != 1)
    return fail(Errc::crypto_failed, "OpenSSL keeps its own source");
  return made;
}

LibraryRandom::~LibraryRandom() {
  static_cast<void>(::RAND_set_rand_method(nullptr));
  fill_from = nullptr;
}

void LibraryRandom::stir(std::span<const std::uint8_t> bytes) {
  impl_->stir(bytes);
}

std::uint64_t LibraryRandom::seeds() const {
  return impl_->seeds();
}

}  // namespace talla::entropy

#pragma GCC diagnostic pop
