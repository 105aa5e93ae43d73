/// \file
/// What `talla` itself refuses, in Spanish as in English: for commands that take --language.
/// Codes, names of options and what others say (the system, an appliance) stay as they are.
/// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace talla::cli {

/// The error's detail in "es" or "en".
[[nodiscard]] std::string detail_in(const Error& error, std::string_view language);

}  // namespace talla::cli
