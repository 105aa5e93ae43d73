/// \file
/// A DRBG of OpenSSL that cannot seed itself: every seed comes from the caller, every failure
/// destroys it.
///
/// Standard: SP 800-90A Rev. 1, CTR_DRBG AES-256 with derivation function (10.2.1) or HMAC_DRBG
///   SHA-512 (10.1.2), both at 256 bits, through EVP_RAND, of the provider that OpenSSL's
///   configuration names (its own by default). Their parent is a small built-in provider that
///   answers get_seed only inside our own instantiate and reseed calls, once per call, with what
///   the caller handed in.
/// Closed:   no reseeding by count or time or by a parent's counter; no parentless context (OpenSSL
///   would seed it from the system); no call after a failed one (OpenSSL would instantiate anew
///   with a personalisation of its own); a forked child (OpenSSL wants to reseed there) gets an
///   error.
/// Limits:   65,536 bytes a call; 2^48 calls between seeds are far beyond the generator's own
///           policy.
/// Errors:   bad_settings (sizes; the context stays good), crypto_failed (the context is destroyed
///   and stays so).
/// Threads:  one object, one thread at a time. Secrecy: seeds and output are secret.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "entropy/generator_types.hpp"

namespace talla::entropy {

class Drbg {
 public:
  /// Entropy input and nonce in one: 1.5 times the strength.
  static constexpr std::size_t instantiate_seed_bytes_min = 48;
  static constexpr std::size_t reseed_seed_bytes_min = 32;
  static constexpr std::size_t seed_bytes_max = 1024;
  static constexpr std::size_t request_bytes_max = 65'536;
  /// 2^17 bits: whoever has given so many since a seed gives a new one before the next call (SP
  /// 800-90C 5.2.3 and 6.4.2). The caller counts.
  static constexpr std::size_t seed_output_bytes = 16'384;

  /// `seed` of 48 to 1,024 bytes. The personalisation must not be empty: OpenSSL would put in one
  /// of its own.
  [[nodiscard]] static Result<std::unique_ptr<Drbg>> instantiate(
      DrbgKind kind, std::span<const std::uint8_t> seed,
      std::span<const std::uint8_t> personalisation);
  Drbg(const Drbg&) = delete;
  Drbg& operator=(const Drbg&) = delete;
  ~Drbg();

  /// Fills `out` (1 to 65,536 bytes).
  [[nodiscard]] Status generate(std::span<std::uint8_t> out,
                                std::span<const std::uint8_t> additional = {});
  /// `seed` of 32 to 1,024 bytes.
  [[nodiscard]] Status reseed(std::span<const std::uint8_t> seed,
                              std::span<const std::uint8_t> additional = {});

  /// False after a failed call: nothing works any more.
  [[nodiscard]] bool alive() const;
  /// How often OpenSSL asked the provider for a seed, refused calls included: 1 + number of
  /// reseeds, else a hidden one.
  [[nodiscard]] std::uint64_t seed_calls() const;

  /// Known answers of instantiate, generate and reseed of this mechanism (SP 800-90A 11.3), and
  /// that a reseed without a seed fails and leaves nothing usable.
  [[nodiscard]] static Status self_test(DrbgKind kind);

 private:
  class Impl;
  friend struct DrbgTestAccess;
  [[nodiscard]] static Result<std::unique_ptr<Drbg>> make(
      DrbgKind kind, std::span<const std::uint8_t> seed,
      std::span<const std::uint8_t> personalisation);
  explicit Drbg(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talla::entropy
