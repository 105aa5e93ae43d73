// Says in words what lies between two bounds.
#include "format/bounds.hpp"

namespace talla::certs {

std::string bounds_text(Between bounds) {
  const std::string least = std::to_string(bounds.min);
  return bounds.max == json::integer_max ? "from " + least
                                         : least + " to " + std::to_string(bounds.max);
}

}  // namespace talla::certs
