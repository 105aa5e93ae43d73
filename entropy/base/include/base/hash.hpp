/// \file
/// SHA-256 and HMAC-SHA-256 as interfaces that are passed in: OpenSSL's in the appliance, Botan's
/// in the verifier. Nothing in shuffle, games or certs/format links either library.
///
/// Standards: FIPS 180-4 (SHA-256), FIPS 198-1 (HMAC).
/// Threads:   implementations are stateless or hold their own state per object; const calls may run
///            in parallel.
#pragma once

#include <initializer_list>
#include <memory>

#include "base/bytes.hpp"

namespace talla {

/// HMAC under one key whose padded states are computed once; wiped on destruction.
class HmacKey {
 public:
  HmacKey() = default;
  HmacKey(const HmacKey&) = delete;
  HmacKey& operator=(const HmacKey&) = delete;
  virtual ~HmacKey() = default;
  /// The MAC of the concatenation of the parts.
  [[nodiscard]] virtual Digest mac(std::initializer_list<ByteView> parts) const = 0;
};

/// The hash functions of one library.
class HashSuite {
 public:
  HashSuite() = default;
  HashSuite(const HashSuite&) = delete;
  HashSuite& operator=(const HashSuite&) = delete;
  virtual ~HashSuite() = default;
  /// SHA-256 of the concatenation of the parts.
  [[nodiscard]] virtual Digest sha256(std::initializer_list<ByteView> parts) const = 0;
  [[nodiscard]] virtual std::unique_ptr<HmacKey> hmac_key(ByteView key) const = 0;
};

}  // namespace talla
