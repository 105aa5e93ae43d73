// The one place of the tests whose code depends on where the source tree lies.
#include "support/source_tree.hpp"

namespace talla::test {

std::filesystem::path source_tree() {
  return TALLA_SOURCE_DIR;
}

}  // namespace talla::test
