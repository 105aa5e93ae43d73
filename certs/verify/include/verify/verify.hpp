/// \file
/// The offline verifier of bundles and receipts (FORMAT.md section 9, PROTOCOL section 2).
///
/// Needs the file and trusted root certificates, nothing else: no network, no clock, no appliance.
/// Everything is refused that does not follow; what was not checked is said in the verdict.
/// Errors:  VerifyErrc, FormatErrc, and those of shuffle and games where their own checks refuse.
/// Threads: pure functions; may run in parallel.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "verify/certified.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

struct VerifyOptions {
  /// Refuse development certificates instead of only marking them.
  bool production_only = false;
  /// Text of a C2SP tlog-policy: the checkpoint must be of one of its logs (where it lists any) and
  /// its quorum of witnesses must have cosigned it. Empty: cosignatures are not looked at.
  std::string_view policy{};
  /// The auditor's openings of one covered shoe (text of the file); empty: none. The bundle must
  /// hold that shoe.
  std::string_view openings{};
  /// A key of the log that is known already: text of its statement, or of all keys of the log. It
  /// must be one of those that the file shows. Empty: any that the root trusts.
  std::string_view known_key{};
  /// What the root says about the end of logs (texts of the files, FORMAT.md section 5). All of
  /// them must be valid, of one word on each log; evidence of a log that has ended is refused
  /// unless its checkpoint is the last one that counts, or `consistency` shows that it is part of
  /// it. Evidence of a log that one of them names as the next must have that key.
  std::span<const std::string> ended{};
  /// Text of a `talla-consistency` file; empty: none.
  std::string_view consistency{};
  /// SHA-256 of the reader's own key (its SubjectPublicKeyInfo): refused with not_mine unless its
  /// number is in every result that the claim rests on, and it rests on one.
  std::optional<Digest> mine{};
  /// Catalogues that the reader knows (texts of the files) beside those of this library.
  std::span<const std::string> catalogues{};
  /// Whom the reader trusts to certify. Without a root nothing is called certified.
  CertificationTrust certification{};
};

/// For VerifyOptions::mine: SHA-256 as 64 digits of hex, or a public key of P-256 (DER or PEM).
/// None where it is neither.
[[nodiscard]] std::optional<Digest> own_key_of(std::string_view text);

/// `trusted_roots_pem`: one or more PEM certificates, each trusted as a root.
[[nodiscard]] Result<Verdict> verify_bundle(std::string_view bundle,
                                            std::string_view trusted_roots_pem,
                                            const VerifyOptions& options = {});

/// A receipt carries no chain: the log key comes from `log_key_json`, canonical JSON of FORMAT.md
/// section 5: one statement, or all keys of a log whose key was rotated (`talla-log-keys`). It
/// carries no certification either: the class is lab where the record's context says so, else
/// uncertified.
[[nodiscard]] Result<Verdict> verify_receipt(std::string_view receipt,
                                             std::string_view log_key_json,
                                             std::string_view trusted_roots_pem,
                                             const VerifyOptions& options = {});

/// The key of `known` (a statement, or all keys of a log as of then) is one of `keys` (text of
/// `talla-log-keys`). Whether these are true `verify_receipt` says. Errors: wrong_statement.
[[nodiscard]] Status log_keys_follow(std::string_view known, std::string_view keys);

}  // namespace talla::certs
