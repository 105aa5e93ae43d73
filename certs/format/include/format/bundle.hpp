/// \file
/// The evidence bundle (`.talla`): one claim with everything a verifier needs but the trusted root.
///
/// FORMAT.md section 9. Limits: 8 MiB of text, 1 to 20,000 records. Errors:
/// FormatErrc::malformed_bundle and those of its parts. Only form is judged here (order, types,
/// spelling); truth is judged by certs/verify.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/certification.hpp"
#include "format/key_change.hpp"
#include "format/log_key.hpp"

namespace talla::certs {

struct BundleRecord {
  std::string record;        ///< record bytes
  std::vector<Digest> path;  ///< inclusion path at the bundle's checkpoint
};

/// One bundle, its form judged and nothing else.
struct Bundle {
  std::uint64_t claim = 0;            ///< seq of the record it proves
  std::string checkpoint;             ///< signed note
  std::vector<BundleRecord> records;  ///< ascending by seq
  LogKey log_key;
  /// From the log's first key to `log_key`; empty: it is the first.
  std::vector<KeyChange> key_changes;
  std::optional<std::string> catalogue;
  std::optional<json::Value> state_before;
  std::vector<SignedCertification> certifications;  ///< 0 to 16
  /// It is a laboratory file (FORMAT.md section 15), of a table that nobody plays at.
  bool laboratory = false;
  std::optional<std::string> outcomes;  ///< of such a table, where they are shown
};
/// Canonical bytes. Precondition (checked): fields are valid UTF-8 text by construction.
[[nodiscard]] std::string format_bundle(const Bundle& bundle);
[[nodiscard]] Result<Bundle> parse_bundle(std::string_view text);

}  // namespace talla::certs
