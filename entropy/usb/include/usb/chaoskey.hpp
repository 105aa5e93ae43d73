/// \file
/// ChaosKey (Altus Metrum): transistor noise, sampled by a 12-bit converter, read from the raw
/// endpoint.
///
/// Facts:    1d50:60c6, interface 0, bulk IN 0x86, 64-byte packets; 16-bit little-endian words,
///           sample in bits 0..11.
/// Sample:   bits 1..8 of each word as one byte: bit 0 is left out because converters favour one
///           value of it, bits 9..11 because they follow the slow drift of the level; the maker's
///           own
///           reading program keeps the same eight.
/// Entropy:  4,000 millibits per sample unless configured. Origin: the firmware's own cooked stream
///           takes 8 bits out of each sample; half of that, as no data set of the maker is
///           published.
///           Assess your unit and configure it.
/// Rate:     the maker publishes none; 0 (not judged) unless configured.
/// Variance: below 128 x 128 over 4,096 words (the threshold the firmware has for a packet) the
///           stream ends: unhealthy.
/// Nonsense: a word above 0x0FFF, or an odd number of bytes, is no ChaosKey and ends the stream.
#pragma once

#include "usb/driver.hpp"

namespace talla::usb {

/// How a ChaosKey is known, and the endpoint of its raw noise.
inline constexpr UsbId chaoskey_id{.vendor_id = 0x1d50, .product_id = 0x60c6};
inline constexpr std::uint8_t chaoskey_raw_endpoint = 0x86;

/// A driver for one device.
[[nodiscard]] std::unique_ptr<Driver> make_chaoskey();

}  // namespace talla::usb
