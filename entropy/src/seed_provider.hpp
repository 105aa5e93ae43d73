/// \file
/// The built-in OpenSSL provider that stands as parent of every DRBG: a seed source that answers
/// only when told to.
///
/// Its one algorithm, TALLA-SEED-SOURCE, is an EVP_RAND that never generates. The parameter
/// `talla-seed` lends it one seed; the next get_seed takes that seed and no later one gets
/// anything. Strength `strength_bits`. Locking by its own mutex. get_seed refuses when nothing is
/// lent, or when it holds less than max(entropy / 8, min_len) or more than max_len bytes.
/// Counters: `talla-seed-calls` counts every get_seed, refused ones included.
/// It stands in OpenSSL's default library context beside whatever is configured there, so the DRBG
/// on it is that of the configured provider: OpenSSL's own, or a validated module's.
#pragma once

#include <openssl/types.h>

#include <cstdint>
#include <memory>
#include <span>

#include "base/result.hpp"

namespace talla::entropy {

/// Security strength of the seed source and of every DRBG on it.
inline constexpr unsigned strength_bits = 256;

template <auto Free>
struct OpensslFree {
  template <class T>
  void operator()(T* object) const {
    static_cast<void>(Free(object));
  }
};

/// One instance of the seed source.
class SeedProvider {
 public:
  [[nodiscard]] static Result<std::unique_ptr<SeedProvider>> create();
  SeedProvider(const SeedProvider&) = delete;
  SeedProvider& operator=(const SeedProvider&) = delete;
  ~SeedProvider();

  [[nodiscard]] EVP_RAND_CTX* parent() const { return parent_; }
  /// Lends a seed for the next get_seed; an empty one takes back what was lent.
  [[nodiscard]] bool lend(std::span<const std::uint8_t> seed);
  [[nodiscard]] std::uint64_t calls() const;

 private:
  SeedProvider() = default;
  [[nodiscard]] bool open();
  EVP_RAND_CTX* parent_ = nullptr;
};

}  // namespace talla::entropy
