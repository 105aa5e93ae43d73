/// \file
/// What can go wrong with entropy for others. None of it stops a draw.
#pragma once

#include <cstdint>
#include <string_view>

namespace talla::outlet {

enum class OutletErrc : std::uint16_t {
  malformed_command = 816,  ///< A byte that is no command of the EGD protocol.
  cannot_listen = 817,      ///< The socket cannot be made; `detail` says which and why.
  no_permission = 818,      ///< Feeding the kernel needs CAP_SYS_ADMIN and /dev/random.
  kernel_refused = 819,     ///< The kernel refused what it was fed.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(OutletErrc errc);

}  // namespace talla::outlet
