/// \file
/// SHA-256, HMAC-SHA-256 and Ed25519 verification by Botan: the verifier's own, never the
/// appliance's.
///
/// Threads: const calls may run in parallel on different objects; one object belongs to one thread
///          at a time.
#pragma once

#include <memory>

#include "base/hash.hpp"
#include "format/checkpoint.hpp"

namespace talla::certs {

class BotanHashes final : public HashSuite {
 public:
  BotanHashes();
  ~BotanHashes() override;
  [[nodiscard]] Digest sha256(std::initializer_list<ByteView> parts) const override;
  [[nodiscard]] std::unique_ptr<HmacKey> hmac_key(ByteView key) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Ed25519 by Botan.
class BotanEd25519 final : public Ed25519Verifier {
 public:
  [[nodiscard]] bool verify(const Digest& public_key, ByteView message,
                            const Signature64& signature) const override;
};

}  // namespace talla::certs
