/// \file
/// The client's key of a table: signs its calls (FORMAT.md section 8). With Botan, so that what
/// signs and what the appliance checks with share no code.
///
/// Errors:  VerifyErrc::wrong_statement (no such key).
/// Threads: const calls from any thread. Secrecy: the key lives in Botan's memory only.
#pragma once

#include <memory>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "format/call.hpp"

namespace talla::certs {

class CallKey {
 public:
  /// From PKCS#8 PEM of a key on P-256.
  [[nodiscard]] static Result<CallKey> load(std::string_view private_key_pem);
  CallKey(CallKey&&) noexcept;
  CallKey& operator=(CallKey&&) noexcept;
  CallKey(const CallKey&) = delete;
  CallKey& operator=(const CallKey&) = delete;
  ~CallKey();

  /// DER SubjectPublicKeyInfo.
  [[nodiscard]] const Bytes& spki() const { return spki_; }
  /// r || s over SHA-256 of the statement.
  [[nodiscard]] SignatureP256 sign(ByteView statement) const;
  /// Whether this key made the signature.
  [[nodiscard]] bool has_signed(ByteView statement, const SignatureP256& signature) const;

 private:
  struct Key;
  explicit CallKey(std::unique_ptr<const Key> key, Bytes spki);
  std::unique_ptr<const Key> key_;
  Bytes spki_;
};

}  // namespace talla::certs
