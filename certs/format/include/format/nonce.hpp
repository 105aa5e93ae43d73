/// \file
/// The nonce of a cut or a draw, which its client chooses (FORMAT.md sections 7 and 8); public.
#pragma once

#include <cstddef>

namespace talla::certs {

inline constexpr std::size_t nonce_bytes_min = 16;
inline constexpr std::size_t nonce_bytes_max = 64;

[[nodiscard]] constexpr bool nonce_length_valid(std::size_t bytes) {
  return bytes >= nonce_bytes_min && bytes <= nonce_bytes_max;
}

}  // namespace talla::certs
