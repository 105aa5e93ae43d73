/// \file
/// OpenSSL's own objects in secret memory: DRBG states, key schedules, private keys.
///
/// OpenSSL takes all its memory through three functions. Here they give memory of `base/secret.hpp`
/// while a SecretScope lives on the thread, and ordinary memory otherwise; what was secret stays
/// secret when it grows, and is wiped when it is given back, by whatever thread.
#pragma once

#include "base/result.hpp"

namespace talla::entropy {

/// Once for a process, before anything else of OpenSSL is called. Errc::bad_settings when OpenSSL
/// has allocated already: then its memory stays ordinary, and scopes change nothing. Not
/// thread-safe.
[[nodiscard]] Status keep_openssl_secrets();

}  // namespace talla::entropy
