/// \file
/// What the process gives up before it holds a secret: core dumps, tracing, new privileges, swap.
#pragma once

#include "base/result.hpp"
#include "config/config.hpp"

namespace talla::rngd {

enum class HardeningErrc : std::uint16_t { not_hardened = 830 };
[[nodiscard]] std::string_view errc_name(HardeningErrc errc);

/// No core dump, not traceable (PR_SET_DUMPABLE 0), no new privileges, umask 077. Production
/// refuses to start if memory cannot be locked, if OpenSSL's secrets are not kept in such memory
/// (`openssl_secrets`: what entropy::keep_openssl_secrets said), or if swap is on; later it takes
/// no memory for a secret that cannot be locked. Development logs a warning instead.
[[nodiscard]] Status harden_process(Profile profile, const Status& openssl_secrets);

}  // namespace talla::rngd
