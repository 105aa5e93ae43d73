/// \file
/// All kinds of records, for who lists or checks their names.
#pragma once

#include <vector>

#include "format/record.hpp"

namespace talla::certs {

/// In the order of their numbers, without `unknown`. Threads: any.
[[nodiscard]] std::vector<Kind> all_kinds();

}  // namespace talla::certs
