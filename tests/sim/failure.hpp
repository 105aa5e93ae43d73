/// \file
/// How a check of the simulator ends a session: it throws, the runner catches and prints the seed.
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>

namespace talla::sim {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const char* what) {
  if (!holds) throw Failure(what);
}
/// The sentence is made only when it is needed: most checks hold.
template <std::invocable What>
void require(bool holds, const What& what) {
  if (!holds) throw Failure(what());
}

}  // namespace talla::sim
