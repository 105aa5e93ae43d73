// Written by unit_trial: TALLA_WRITE_REFERENCE=FILE build/bin/unit_trial --gtest_filter='*TheReference*', between the braces.
#include "trial/reference.hpp"

#include <array>

namespace talla::trial {

std::span<const Reference> references() {
  static constexpr std::array<Reference, 1> all{{
      {.name = "none", .model = "none", .text = ""},
  }};
  return all;
}

}  // namespace talla::trial
