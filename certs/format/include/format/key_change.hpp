/// \file
/// A log key announced in the log by the one before it, and the chain of such announcements
/// (FORMAT.md section 5).
///
/// Errors: FormatErrc::malformed_bundle. Only form is judged here; certs/verify judges truth
///         (key_chain.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/log_key.hpp"

namespace talla::certs {

/// The KEY record is the last one that the old key has signed for: its checkpoint has the size
/// `seq` of the record plus 1.
struct KeyChange {
  LogKey log_key;            ///< the old key's statement
  std::string checkpoint;    ///< signed by the old key
  std::string record;        ///< bytes of the KEY
  std::vector<Digest> path;  ///< inclusion of the record in that checkpoint
  /// From that checkpoint to the next change's, or to the one that it stands beside.
  std::vector<Digest> consistency;
};
/// Oldest first; at most 256.
[[nodiscard]] json::Value key_changes_json(const std::vector<KeyChange>& changes);
[[nodiscard]] Result<std::vector<KeyChange>> key_changes_from(const json::Value& value);

/// Who signs a log, from its first key to the present one: `GET /v1/log-keys`.
struct LogKeys {
  LogKey log_key;                  ///< of the present key
  std::string checkpoint;          ///< signed by it
  std::vector<KeyChange> changes;  ///< empty: it is the first
};
/// Canonical JSON of `v` 1, `type` `talla-log-keys`, `log_key`, `checkpoint`, `key_changes`.
[[nodiscard]] std::string format_log_keys(const LogKeys& keys);
[[nodiscard]] Result<LogKeys> parse_log_keys(std::string_view text);

}  // namespace talla::certs
