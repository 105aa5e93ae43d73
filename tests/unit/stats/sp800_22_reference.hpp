/// \file
/// The fifteen tests of SP 800-22 Rev. 1a written as plainly as the text reads, slow, one bit at a
/// time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "stats/sp800_22/battery.hpp"

namespace reference {

using Sequence = std::vector<int>;  // 0 and 1

/// p-values by "Test item" ("Serial 1"), those of the profile nist-2.1.2 or corrected; NaN where
/// not applicable.
[[nodiscard]] std::map<std::string, double> sp800_22(
    const Sequence& bits, const talla::stats::sp800_22::Parameters& parameters, bool nist);

}  // namespace reference
