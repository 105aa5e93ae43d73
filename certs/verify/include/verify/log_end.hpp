/// \file
/// Statements of the root about the end of a log, judged (FORMAT.md section 5, "End of a log").
///
/// Errors:  FormatErrc::malformed_statement; VerifyErrc::bad_root_file, untrusted_chain,
///          wrong_statement (signer, signature, or a checkpoint that none of the keys named has
///          signed), contradicting_ends. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/log_end.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

/// A statement whose certificates lead to a trusted root.
struct EndedLog {
  LogEndStatement statement;
  Checkpoint last;  ///< of `statement.checkpoint`
  /// A certificate behind it, roots included, is a development certificate.
  bool development = false;
};
/// `files`: texts. Every one must be valid. Two about one log must name the same size and root and,
/// where both name one, the same successor.
[[nodiscard]] Result<std::vector<EndedLog>> verify_log_ends(std::span<const std::string> files,
                                                            std::string_view trusted_roots_pem);
/// The one about this log, or nullptr; of several the one that names a successor.
[[nodiscard]] const EndedLog* end_of(std::span<const EndedLog> ends, std::string_view origin);

/// Does this checkpoint of the log count? It does when it is the last one, or a proof of
/// `consistency` (text of the file; may be empty) leads from it to the last one. Its signature is
/// not looked at. Errors: log_ended, malformed_proof.
[[nodiscard]] Status check_counts(const HashSuite& hashes, const EndedLog& end,
                                  const Checkpoint& checkpoint, std::string_view consistency);

}  // namespace talla::certs
