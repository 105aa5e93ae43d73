/// \file
/// The offline verifier of sealed archives (FORMAT.md section 13).
///
/// Archives of one log are given in its order; each is read once, from the first byte to the last.
/// What is checked: the chain of the log's key at the recorded time of the last record, the
/// checkpoint's signature (and cosignatures under a policy), every record's canonical form and
/// place, the chains of all tables and what the appliance contributed elsewhere, states and
/// catalogues, and that each archive goes on where the one before ends.
/// Errors:  VerifyErrc, ArchiveErrc, FormatErrc. Threads: a verifier belongs to one thread.
/// Memory:  as format/archive.hpp, and an entry for each open table, each place in the house, each
///          key that contributes elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "format/archive.hpp"
#include "verify/answers.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/signed_steps.hpp"
#include "verify/verify.hpp"

namespace talla::certs {

class LogChains;

struct ArchiveVerdict {
  /// Of the last record; `claim_text` names the span. The class is the worst that any of the
  /// records tells.
  Verdict verdict;
  ArchiveFacts facts;
};

/// Verifies the archives of one log, one after another.
class ArchiveVerifier {
 public:
  /// What the arguments view must outlive the verifier; `options.openings` is not looked at.
  ArchiveVerifier(std::string_view trusted_roots_pem, const VerifyOptions& options);
  ArchiveVerifier(const ArchiveVerifier&) = delete;
  ArchiveVerifier& operator=(const ArchiveVerifier&) = delete;
  ~ArchiveVerifier();
  /// The next archive of the log. After an error no further one is judged.
  [[nodiscard]] Result<ArchiveVerdict> verify(ByteSource& source, const ArchiveCheck& check = {});

 private:
  [[nodiscard]] Result<ArchiveVerdict> judge(ByteSource& source, const ArchiveCheck& check);
  BotanHashes hashes_;
  std::string_view roots_;
  VerifyOptions options_;
  std::optional<ArchiveFacts> before_;
  Answers answers_;                    // of all archives so far
  SignedSteps steps_;                  // the same
  std::unique_ptr<LogChains> chains_;  // likewise
  bool failed_ = false;
};

}  // namespace talla::certs
