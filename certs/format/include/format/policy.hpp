/// \file
/// C2SP tlog-policy: which logs are known, which witnesses, and which of them must have cosigned.
///
/// Limits:  64 KiB, 64 logs, 64 witnesses and 64 groups (the specification asks for 32 of each).
/// Errors:  FormatErrc::malformed_policy with the line; malformed_key. Threads: pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "format/cosignature.hpp"

namespace talla::certs {

struct PolicyWitness {
  std::string name;  ///< inside the file only
  VerifierKey key;
  std::string url;  ///< may be empty
};

/// A log that the policy is about.
struct PolicyLog {
  VerifierKey key;
  std::string url;  ///< may be empty
};

/// Members of which `threshold` must have signed.
struct PolicyGroup {
  std::string name;
  std::size_t threshold = 1;         ///< 1 to the number of members
  std::vector<std::string> members;  ///< witnesses and groups defined before
};

/// Which logs, which witnesses, and whose signatures suffice (C2SP tlog-policy).
struct Policy {
  std::vector<PolicyLog> logs;  ///< empty: the logs are known from elsewhere
  std::vector<PolicyWitness> witnesses;
  std::vector<PolicyGroup> groups;  ///< in the order of the file: members come first
  std::string quorum;               ///< a witness, a group, or empty: `none`

  /// `cosigned`: names of the witnesses whose cosignature verified.
  [[nodiscard]] bool satisfied(const std::set<std::string>& cosigned) const;
};

/// Reads a policy. Errors: FormatErrc::malformed_policy, naming the line.
[[nodiscard]] Result<Policy> parse_policy(const HashSuite& hashes, std::string_view text);

/// What a signed checkpoint is worth under a policy.
struct PolicyFinding {
  bool log_known = false;  ///< no log is listed, or one of them signed the note
  /// Names of the file whose cosignature verified, in its order.
  std::vector<std::string> cosigned;
  std::uint64_t earliest_s = 0;  ///< the earliest of their times; 0: none
  bool quorum = false;           ///< true also for `quorum none`
};
/// Errors: malformed_cosignature when a line of a known key does not verify: such a note is refused
///         whole.
[[nodiscard]] Result<PolicyFinding> judge_note(const Policy& policy, const SignedNote& note,
                                               const Ed25519Verifier& verifier);

}  // namespace talla::certs
