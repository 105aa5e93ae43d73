/// \file
/// SHA-256 and HMAC-SHA-256 of OpenSSL for tests and benches. A failing call stops the program.
#pragma once

#include "base/hash.hpp"

namespace talla::test {

class OpenSslHashes final : public HashSuite {
 public:
  [[nodiscard]] Digest sha256(std::initializer_list<ByteView> parts) const override;
  [[nodiscard]] std::unique_ptr<HmacKey> hmac_key(ByteView key) const override;
};

}  // namespace talla::test
