// Goal: what the tests of SP 800-90B share: strings of symbols, figures of an estimate, NIST's
//   vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stats/sp800_90b/non_iid.hpp"
#include "support/vectors.hpp"

namespace sp800_90b_test {

using String = std::vector<std::uint8_t>;
using talla::test::vector_bytes;
using talla::test::vector_text;
inline const std::string folder = "sp800-90b/";

/// -1 when there is none of that name.
[[nodiscard]] inline double figure(const talla::stats::sp800_90b::Estimate& estimate,
                                   const std::string& name) {
  for (const auto& one : estimate.figures) {
    if (one.name == name) return one.value;
  }
  return -1.0;
}

}  // namespace sp800_90b_test
