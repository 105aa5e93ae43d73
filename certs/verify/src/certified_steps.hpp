/// \file
/// Step 7: do certifications cover each commitment of the file (FORMAT.md section 14)?
#pragma once

#include "evidence.hpp"
#include "key_chain.hpp"
#include "verify/verify.hpp"

namespace talla::certs {

/// Sets whether the evidence is certified, and says so or why not. Errors: a withdrawal or a file
/// given by the reader that does not hold, bad_root_file.
[[nodiscard]] Status check_certified(Evidence& evidence, const std::vector<KeyEpoch>& keys,
                                     std::string_view log_roots, const VerifyOptions& options);

}  // namespace talla::certs
