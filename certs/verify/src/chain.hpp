/// \file
/// Step 1: the X.509 chain at a recorded time, and the log key statement it signs (FORMAT.md
/// section 5).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/log_key.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

/// How a signature is written: a DER pair of integers, or r || s of 32 bytes each.
enum class SignatureForm : std::uint8_t { der, pair };
/// Which check a signer did not pass.
enum class SignerFault : std::uint8_t { chain, name, usage, signature };

/// A statement, its signature, and who may sign it.
struct SignedText {
  const std::vector<Bytes>& chain;  ///< DER, the signer first
  const Bytes& signature;
  Bytes message;     ///< what is signed: domain and statement
  std::string uri;   ///< subject alternative name that the signer's certificate must have
  std::string what;  ///< in front of errors
  SignatureForm form = SignatureForm::der;
  SignerFault* fault = nullptr;  ///< where to say which check failed; null: nobody asks
};
struct Signer {
  bool development = false;      ///< the signer's certificate is a development certificate
  bool any_development = false;  ///< or another one of the chain, roots included
  Digest spki{};                 ///< SHA-256 of its SubjectPublicKeyInfo
};
/// Errors: bad_root_file, untrusted_chain, wrong_statement. Revocation is not looked at.
[[nodiscard]] Result<Signer> verify_signer(const SignedText& text, std::string_view roots_pem,
                                           std::int64_t time_us);

/// Whether two PEM texts have a certificate in common; an empty one has none. Errors:
/// bad_root_file.
[[nodiscard]] Result<bool> share_a_root(std::string_view one_pem, std::string_view other_pem);

struct TrustedKey {
  LogKeyStatement statement;
  /// A certificate of the chain, root included, is a development certificate.
  bool development = false;
};
/// Errors: bad_root_file, untrusted_chain, wrong_statement. Revocation is not looked at.
[[nodiscard]] Result<TrustedKey> verify_log_key(const LogKey& log_key, std::string_view roots_pem,
                                                std::int64_t time_us);

}  // namespace talla::certs
