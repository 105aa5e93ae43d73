/// \file
/// The next Ed25519 key of a log and its statement, which names the present key as the one before
/// (FORMAT.md section 5).
///
/// The certificate that signs statements stays, or is a new one of the root for the same log.
/// Nothing is overwritten.
/// Errors:  key_exists, key_file_missing, key_file_open, key_malformed, id_malformed,
///          crypto_failed. Threads: no shared state.
#pragma once

#include <string>

#include "certs/errc.hpp"
#include "format/log_key.hpp"

namespace talla::certs {

struct NextLogKeyOptions {
  std::string statement_path;        ///< of the present key: log-key.json
  std::string certificate_key_path;  ///< key of the certificate that signs statements
  std::string certificate_path;      ///< that certificate, PEM
  /// Where the next key is (pkcs11: or credential:); empty: made in `key_path`.
  std::string log_key;
  std::string key_path;  ///< written, mode 0600
  std::string out_path;  ///< the statement, written
};
/// The digest by which two persons know it: H(D("key") || canonical KEY body), as the act
/// `log-key-rotate` shows it.
[[nodiscard]] Result<Digest> make_next_log_key(const NextLogKeyOptions& options);

/// Does this statement go on from the present key, for the same log? `production`: a development
/// key never does.
/// Errors: wrong_log_key.
[[nodiscard]] Status log_key_follows(const LogKey& present, const LogKey& next, bool production);

}  // namespace talla::certs
