/// \file
/// SHA-256 and HMAC-SHA-256 without a library, for the module of the page: neither OpenSSL nor
/// Botan is in it, and the browser's own digest answers too late for a synchronous call.
///
/// Standards: FIPS 180-4 (SHA-256), FIPS 198-1 (HMAC).
/// Threads:   stateless; const calls may run in parallel.
/// Secrecy:   not for keys: what it hashes stands in evidence that anybody may read.
#pragma once

#include <memory>

#include "base/hash.hpp"

namespace talla::web {

class PlainHashes final : public HashSuite {
 public:
  [[nodiscard]] Digest sha256(std::initializer_list<ByteView> parts) const override;
  [[nodiscard]] std::unique_ptr<HmacKey> hmac_key(ByteView key) const override;
};

}  // namespace talla::web
