/// \file
/// Times as papers and commands print them, from microseconds since 1970.
/// Threads: pure functions, but for the time zone of the process.
#pragma once

#include <cstdint>
#include <string>

namespace talla::report {

/// "2026-01-01 00:00:00.006 UTC"
[[nodiscard]] std::string time_text(std::int64_t time_us);
/// "2026-01-01 01:00:00 CET": as a clock on the wall shows it where this runs.
[[nodiscard]] std::string local_time_text(std::int64_t time_us);
/// "2026-01-01 01:00:00 CET (2026-01-01 00:00:00.006 UTC)"; the second alone where the zone is UTC.
[[nodiscard]] std::string both_times_text(std::int64_t time_us);

}  // namespace talla::report
