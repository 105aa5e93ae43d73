/// \file
/// A serial-port generator with one mode: it sends conditioned bytes while its lines are set. What
/// was buffered before is dropped.
#pragma once

#include "usb/driver.hpp"

namespace talla::usb {

struct SerialFacts {
  std::string_view model;
  Match match;
  std::uint16_t lines = 0;  ///< cdc::Lines that make the data flow
  std::string_view origin;
  std::string_view quirks;
  std::uint32_t rate_hz = 0;  ///< bytes a second, nominal
  std::string_view rate_origin;
};

[[nodiscard]] std::unique_ptr<Driver> make_serial_stream(const SerialFacts& facts);

}  // namespace talla::usb
