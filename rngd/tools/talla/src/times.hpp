/// \file
/// Times as commands print and take them, to the second: UTC in the form of RFC 3339, and what the
/// clock on this machine's wall shows.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "report/times.hpp"

namespace talla::cli {

inline constexpr std::int64_t day_us = 86'400'000'000;

/// "2026-11-22T04:05:06Z"
[[nodiscard]] std::string time_text(std::int64_t time_us);
using report::local_time_text;
/// "2026-11-22 05:05:06 CET (2026-11-22T04:05:06Z)"; the first alone where the zone is UTC.
[[nodiscard]] std::string both_times_text(std::int64_t time_us);
/// The same text as microseconds. `option` stands in front of the error (usage).
[[nodiscard]] Result<std::int64_t> time_of(const std::string& option, const std::string& text);
/// A moment as people write it, in microseconds: "23:10" (the last time this machine's clock showed
/// it), "2026-11-22T23:10" and "2026-11-22T23:10:05" (this machine's zone), or the text above.
/// `option` stands in front of the error (usage).
[[nodiscard]] Result<std::int64_t> moment_of(const std::string& option, const std::string& text);
/// The same of a clock that shows `now_us`.
[[nodiscard]] Result<std::int64_t> moment_of(const std::string& option, const std::string& text,
                                             std::int64_t now_us);
/// "&from=...&to=..." of the moments that `--from` and `--to` were given; nothing of an empty one.
[[nodiscard]] Result<std::string> range_query(const std::string& from, const std::string& to);
/// "2026-11-22" as its first microsecond. `option` stands in front of the error (usage).
[[nodiscard]] Result<std::int64_t> day_of(const std::string& option, const std::string& text);

}  // namespace talla::cli
