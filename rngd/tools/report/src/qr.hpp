/// \file
/// QR codes (ISO/IEC 18004) of short texts: byte mode, error correction M, versions 1 to 10. The
/// same modules as the page's own (rngd/web/app/qr.js). Threads: pure functions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace talla::report {

/// White modules around a code, on each side.
inline constexpr std::size_t quiet_zone = 4;

/// Rows from above; true is dark. Nothing: the text is longer than version 10 holds (213 bytes).
[[nodiscard]] std::optional<std::vector<std::vector<bool>>> qr_modules(std::string_view text);

}  // namespace talla::report
