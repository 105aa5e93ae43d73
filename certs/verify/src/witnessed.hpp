/// \file
/// Cosignatures of witnesses on a checkpoint, judged under a policy (C2SP tlog-policy,
/// tlog-cosignature).
#pragma once

#include <string_view>

#include "base/hash.hpp"
#include "format/checkpoint.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

/// Errors: malformed_policy, malformed_cosignature, wrong_signature (a log the policy does not
/// list), unwitnessed. Without a policy (empty) only what was not checked is added. Adds to
/// `checked`, `not_checked` and the witnesses of the verdict.
[[nodiscard]] Status check_witnesses(const HashSuite& hashes, const SignedCheckpoint& checkpoint,
                                     std::string_view policy, Verdict& verdict);

}  // namespace talla::certs
