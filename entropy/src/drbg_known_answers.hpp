/// \file
/// Known answers for the start-up test of the DRBGs (SP 800-90A 11.3): NIST CAVS 14.3, no
/// prediction resistance, with personalisation, reseed and additional input, case 0 of each
/// mechanism. Hexadecimal.
#pragma once

#include <string_view>

#include "entropy/generator_types.hpp"

namespace talla::entropy {

struct DrbgKnownAnswer {
  std::string_view entropy_and_nonce;
  std::string_view personalisation;
  std::string_view reseed_entropy;
  std::string_view reseed_additional;
  /// Of the first generate call, whose output is not looked at.
  std::string_view additional_first;
  std::string_view additional_second;
  std::string_view output;  ///< Of the second generate call.
};
[[nodiscard]] const DrbgKnownAnswer& drbg_known_answer(DrbgKind kind);

}  // namespace talla::entropy
