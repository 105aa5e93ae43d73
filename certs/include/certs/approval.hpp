/// \file
/// What two persons sign so that a restored backup is taken up (PROTOCOL sections 2 and 8):
/// offline, each on a machine of their own.
///
/// An approval is canonical JSON: `statement` (text: canonical JSON of the terms, the person's id
/// and the time), `signature` (base64, DER ECDSA P-256 with SHA-256 over D("restore-approval") ||
/// statement), `chain` (base64 DER certificates, the person's first). It is good for one backup,
/// one new log and one day.
/// Errors:  ApprovalErrc::approval_refused, those of key files. Threads: no shared state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "certs/backup.hpp"

namespace talla::certs {

enum class ApprovalErrc : std::uint16_t {
  /// Of other terms, not signed, over, or by a certificate that is not good.
  approval_refused = 685
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(ApprovalErrc errc);

/// What both persons must say alike.
struct RestoreTerms {
  std::string successor;  ///< origin of the new log
  std::string origin;     ///< of the log in the backup
  std::uint64_t size = 0;
  Digest root{};
  /// An anchor knows more records than the backup has: they are lost, and this is agreed to.
  bool older = false;
  bool lost = false;  ///< no anchor or key of the old appliance is left to ask
  bool operator==(const RestoreTerms&) const = default;
};

/// How long a signed approval counts: a day.
inline constexpr std::int64_t approval_lifetime_us = 86'400'000'000;

/// Signed by the key of a person's client certificate (PEM files).
[[nodiscard]] Result<std::string> make_approval(const RestoreTerms& terms,
                                                const std::string& certificate_path,
                                                const std::string& key_path, std::int64_t now_us);

/// Who signed an approval, as its certificate says.
struct Approver {
  std::string id;            ///< URI of the certificate
  Digest spki{};             ///< of its key
  std::int64_t time_us = 0;  ///< when it was signed
};
/// By which certificates an approval is believed.
struct ApprovalTrust {
  std::string roots;    ///< path, PEM: roots of client certificates
  std::string revoked;  ///< path, PEM: their lists; empty: none
};
[[nodiscard]] Result<Approver> check_approval(std::string_view text, const RestoreTerms& terms,
                                              const ApprovalTrust& trust, std::int64_t now_us);

}  // namespace talla::certs
