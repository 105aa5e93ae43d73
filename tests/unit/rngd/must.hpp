// What a rig's own step gives, or the end of the test program with what was refused.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/result.hpp"

namespace talla::core::test {

template <class T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().text();
    std::abort();
  }
  return std::move(*result);
}
inline void must(Status status) {
  if (!status) {
    ADD_FAILURE() << status.error().text();
    std::abort();
  }
}

}  // namespace talla::core::test
