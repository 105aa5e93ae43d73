/// \file
/// Assembly of evidence bundles from the ledger (FORMAT.md section 9).
///
/// Errors: not_found (no such claim, or a kind that is no claim), ledger_damaged, the log's.
/// Threads: the log's thread. Secrecy: records only hold what is open.
#pragma once

#include <optional>
#include <string>

#include "certs/log.hpp"

namespace talla::certs {

struct BundleRequest {
  std::uint64_t claim = 0;
  LogKey log_key;
  /// Size of the checkpoint everything is proven against; none: the log's present size.
  std::optional<std::uint64_t> size{};
  /// For a SETTLEMENT: the engine's state at ROUND_OPEN; its catalogue comes from the ledger.
  std::optional<json::Value> state_before{};
};
[[nodiscard]] Result<Bundle> make_bundle(Log& log, const BundleRequest& request);

}  // namespace talla::certs
