/// \file
/// What the process gives up before it holds a secret: core dumps, tracing, new privileges, swap.
#pragma once

#include "base/result.hpp"
#include "config/config.hpp"

namespace talla::rngd {

enum class HardeningErrc : std::uint16_t { not_hardened = 830 };
[[nodiscard]] std::string_view errc_name(HardeningErrc errc);

/// No core dump, not traceable (PR_SET_DUMPABLE 0), no new privileges, umask 077.
/// Production refuses to start if memory cannot be locked or swap is on; development logs a warning instead.
[[nodiscard]] Status harden_process(Profile profile);

}  // namespace talla::rngd
