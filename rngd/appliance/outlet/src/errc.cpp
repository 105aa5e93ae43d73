#include "outlet/errc.hpp"

namespace talla::outlet {

std::string_view errc_name(OutletErrc errc) {
  switch (errc) {
    case OutletErrc::malformed_command:
      return "malformed_command";
    case OutletErrc::cannot_listen:
      return "cannot_listen";
    case OutletErrc::no_permission:
      return "no_permission";
    case OutletErrc::kernel_refused:
      return "kernel_refused";
  }
  return "unknown";
}

}  // namespace talla::outlet
