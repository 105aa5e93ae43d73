/// \file
/// What an act overwrites of memory that held secrets, counted byte by byte.
#pragma once

#include <cstdint>

#include "base/secret.hpp"

namespace talla::test {

/// Bytes that this thread overwrites with `wipe` while `act` runs; a secret that is given back
/// counts with its whole block (32 bytes, 64, ... 4,096, above that whole pages).
template <class Act>
[[nodiscard]] std::uint64_t wiped_by(Act&& act) {
  const std::uint64_t before = wiped_bytes();
  act();
  return wiped_bytes() - before;
}

}  // namespace talla::test
