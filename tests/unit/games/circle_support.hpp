/// \file
/// What the tests of poker among players share.
#pragma once

#include "play_support.hpp"

namespace talla::games::test {

/// The decision that must be taken now; nullptr when none must.
inline const Decide* speaker(const Needs& needs) {
  const auto* decide = find_need<Decide>(needs);
  return decide != nullptr && decide->required ? decide : nullptr;
}

}  // namespace talla::games::test
