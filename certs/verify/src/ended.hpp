/// \file
/// Step 2b: what the root says about the end of the log, and of one that it names as the next
/// (FORMAT.md section 5).
#pragma once

#include "format/record.hpp"
#include "key_chain.hpp"
#include "verify/log_end.hpp"
#include "verify/verify.hpp"

namespace talla::certs {

/// Adds to `checked` and to what the verdict says of the end. Errors: log_ended,
/// contradicting_ends, wrong_statement, untrusted_chain, malformed_proof.
[[nodiscard]] Status check_ended(const HashSuite& hashes, const Checkpoint& head,
                                 const std::vector<KeyEpoch>& keys, std::string_view roots_pem,
                                 const VerifyOptions& options, Verdict& verdict);
/// The first KEY of a log that follows one which has ended names its last checkpoint. Errors:
/// log_ended.
[[nodiscard]] Status check_predecessor(const Record& record, std::string_view roots_pem,
                                       const VerifyOptions& options);

}  // namespace talla::certs
