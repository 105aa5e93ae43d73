/// \file
/// SHA-256 and HMAC-SHA-256 of OpenSSL for the appliance, with little cost per small message; of
/// another provider (a validated module) where OpenSSL's configuration names one for SHA-256.
///
/// Standards: FIPS 180-4, FIPS 198-1. HMAC keys keep the two padded states and copy them for each
///            message.
/// Threads:   stateless; one object may serve all threads.
/// Secrecy:   HMAC states are wiped with the key object, and of each message nothing stays behind
///            but its digest.
/// Errors:    none; a provider that refuses to hash ends the process.
#pragma once

#include "base/hash.hpp"

namespace talla::certs {

class OpensslHashes final : public HashSuite {
 public:
  [[nodiscard]] Digest sha256(std::initializer_list<ByteView> parts) const override;
  [[nodiscard]] std::unique_ptr<HmacKey> hmac_key(ByteView key) const override;
};

}  // namespace talla::certs
