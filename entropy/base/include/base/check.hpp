/// \file
/// Programmer errors stop the program, in release builds too: better to stop than to serve a wrong
/// result.
#pragma once

namespace talla {

/// Prints file, line and the failed condition (never values, which may be secret) and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace talla

/// Stays on in every build. One condition a line, so that the message names it.
#define TALLA_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::talla::check_failed(#condition, __FILE__, __LINE__))
