/// \file
/// The appliance's own randomness behind OpenSSL: nonces of sealing, keys, ephemeral keys, TLS.
///
/// OpenSSL asks one source for everything that it draws itself. While a LibraryRandom lives, that
/// source is an SP 800-90A DRBG of 256 bits of strength, seeded with full entropy of the
/// appliance's generator and reseeded from it; before, it is the operating system's behind
/// OpenSSL's own DRBG. It is no part of any draw: the bits of draws are RBG3(XOR) output
/// (entropy/generator.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "base/secret.hpp"

namespace talla::entropy {

class LibraryRandom {
 public:
  /// Full-entropy bytes, at once; an error when there are none now.
  using Bits = std::function<Result<SecretBytes>(std::size_t bytes)>;
  /// Requests of OpenSSL after which new bits are asked for, or `Drbg::seed_output_bytes` of
  /// output, whichever is first. Without any the DRBG goes on (SP 800-90A allows 2^48 requests) and
  /// asks at each further one: TLS has to work while the generator is latched, or nobody could
  /// reset it.
  static constexpr std::uint64_t reseed_requests = 4096;
  static constexpr std::size_t seed_bytes = 64;

  /// `name` becomes the personalisation string. One at a time in a process. Errors: those of
  /// `bits`; crypto_failed; wrong_state when there is one.
  [[nodiscard]] static Result<std::unique_ptr<LibraryRandom>> install(Bits bits,
                                                                      const std::string& name);
  LibraryRandom(const LibraryRandom&) = delete;
  LibraryRandom& operator=(const LibraryRandom&) = delete;
  /// OpenSSL draws from its own DRBG again. No thread may be drawing.
  ~LibraryRandom();

  /// Mixes bytes in that count for nothing: what two copies of a machine draw is other from then
  /// on, where these bytes are. Any thread.
  void stir(std::span<const std::uint8_t> bytes);

  /// Seeds taken so far, the first included. Any thread.
  [[nodiscard]] std::uint64_t seeds() const;

 private:
  class Impl;
  explicit LibraryRandom(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talla::entropy
