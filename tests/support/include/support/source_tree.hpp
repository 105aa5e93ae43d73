/// \file
/// Where the source tree lies that this program was built from: for tests that read its files.
#pragma once

#include <filesystem>

namespace talla::test {

/// Its top folder. No path stands in a test's own code, so that a second checkout finds its objects
/// in the compiler cache.
[[nodiscard]] std::filesystem::path source_tree();

}  // namespace talla::test
