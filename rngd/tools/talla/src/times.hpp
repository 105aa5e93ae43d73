/// \file
/// Times as commands print and take them: UTC, to the second, in the form of RFC 3339.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace talla::cli {

inline constexpr std::int64_t day_us = 86'400'000'000;

/// "2026-11-22T04:05:06Z"
[[nodiscard]] std::string time_text(std::int64_t time_us);
/// The same text as microseconds. `option` stands in front of the error (usage).
[[nodiscard]] Result<std::int64_t> time_of(const std::string& option, const std::string& text);
/// "2026-11-22" as its first microsecond. `option` stands in front of the error (usage).
[[nodiscard]] Result<std::int64_t> day_of(const std::string& option, const std::string& text);

}  // namespace talla::cli
