/// \file
/// The offline verifier of bundles and receipts (FORMAT.md section 9, PROTOCOL section 2).
///
/// Needs the file and trusted root certificates, nothing else: no network, no clock, no appliance. Everything
/// is refused that does not follow; what was not checked is said in the verdict. Errors:  VerifyErrc,
/// FormatErrc, and those of shuffle and games where their own checks refuse. Threads: pure functions; may run
/// in parallel.
#pragma once

#include <string_view>

#include "verify/verdict.hpp"

namespace talla::certs {

struct VerifyOptions {
  /// Refuse development certificates instead of only marking them.
  bool production_only = false;
};

/// `trusted_roots_pem`: one or more PEM certificates, each trusted as a root.
[[nodiscard]] Result<Verdict> verify_bundle(std::string_view bundle, std::string_view trusted_roots_pem,
                                            const VerifyOptions& options = {});

/// A receipt carries no chain: the log key comes from `log_key_json`, canonical JSON of FORMAT.md section 5.
/// The class is that of the record's context where it has one; without a context it is uncertified_source.
[[nodiscard]] Result<Verdict> verify_receipt(std::string_view receipt, std::string_view log_key_json,
                                             std::string_view trusted_roots_pem,
                                             const VerifyOptions& options = {});

}  // namespace talla::certs
