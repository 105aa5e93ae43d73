/// \file
/// Step 1: the X.509 chain at a recorded time, and the log key statement it signs (FORMAT.md section 5).
#pragma once

#include <cstdint>
#include <string_view>

#include "format/log_key.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

struct TrustedKey {
  LogKeyStatement statement;
  bool development = false;  ///< a certificate of the chain, root included, is a development certificate
};
/// Errors: bad_root_file, untrusted_chain, wrong_statement. Revocation is not looked at.
[[nodiscard]] Result<TrustedKey> verify_log_key(const LogKey& log_key, std::string_view roots_pem,
                                                std::int64_t time_us);

}  // namespace talla::certs
