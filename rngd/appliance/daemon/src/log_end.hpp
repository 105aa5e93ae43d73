/// \file
/// What the root said about the end of this log: the file log-end.json in the data folder, if it is
/// there (certs/FORMAT.md section 5).
///
/// It is checked with the roots that `api.client_roots` names. A start with one that does not hold,
/// is of another log, or names another history than the ledger's is refused: nobody makes an
/// appliance go on, or stop, by putting any file there.
/// Errors: LogEndErrc, those of certs/verify and of the file. Threads: pure functions.
#pragma once

#include <optional>

#include "certs/log.hpp"
#include "config/config.hpp"
#include "verify/log_end.hpp"

namespace talla::rngd {

enum class LogEndErrc : std::uint16_t {
  /// Of another log, of another history, beyond the ledger, or by a development root in production.
  log_end_refused = 836,
};
[[nodiscard]] std::string_view errc_name(LogEndErrc errc);

/// Nothing when the file is not there.
[[nodiscard]] Result<std::optional<certs::EndedLog>> load_log_end(const Config& config);
/// The ledger holds exactly the history that the root names, and perhaps more behind it.
[[nodiscard]] Status check_log_end(const certs::EndedLog& end, const certs::Log& log);

}  // namespace talla::rngd
