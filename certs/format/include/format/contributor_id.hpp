/// \file
/// How one who contributes to a table's calls is named (FORMAT.md section 8).
///
/// Threads: pure.
#pragma once

#include <string_view>

namespace talla::certs {

/// 1 to 128 of letters, digits and `:./_-`: it stands in sentences of verdicts.
[[nodiscard]] bool contributor_id_fits(std::string_view id);

}  // namespace talla::certs
