/// \file
/// The root ends a log: the statement up to which checkpoint it counts, made on the offline machine
///                      (FORMAT.md section 5).
///
/// The root gives certificates and lists, nothing else: its key usage says so. So it certifies a
/// fresh key for this one statement (URI talla:log-end:<origin>, a day), which signs it and is
/// forgotten. The certificate stays in issued/, the act in the transcript.
/// Errors:  key_exists, key_file_missing, key_malformed, id_malformed, count_refused, seal_refused
///          (passphrase), crypto_failed, FormatErrc of checkpoint and statements. Threads: one
///          caller at a time for one folder.
#pragma once

#include <string>
#include <vector>

#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "format/log_end.hpp"

namespace talla::certs {

struct EndTerms {
  std::string folder;  ///< of the root
  SecretBytes passphrase;
  /// The last that counts: a signed note, or a backup's manifest.json.
  std::string checkpoint_path;
  /// log-key.json of the log, or all its keys; one of them signed the checkpoint.
  std::vector<std::string> key_paths;
  EndReason reason = EndReason::closed;
  std::int64_t known_us = 0;
  std::string successor_path;  ///< log-key.json of the log that follows; empty: none is named
  /// Who is there, for the transcript: two or more, each once, printable ASCII.
  std::vector<std::string> persons;
  std::string out_path;  ///< written, never overwritten
  std::int64_t now_us = 0;
};
/// `verifier` checks the checkpoint's signature.
[[nodiscard]] Result<LogEndStatement> end_log(const EndTerms& terms,
                                              const Ed25519Verifier& verifier);

}  // namespace talla::certs
