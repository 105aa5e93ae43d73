/// \file
/// What the core asks of an rngd-source that a service manager started for its connection: one line
/// of JSON, before anything else on the socket. A child of the core has the same in its arguments.
///
/// Form:   {"assessed_millibits":N,"device":"..","rate":N,"settings":"..","wait":N} and a line
///         feed; every member is there; at most `wish_bytes_max` bytes.
/// Errors: malformed_frame. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace talla::usb {

/// The longest wish, bytes.
inline constexpr std::size_t wish_bytes_max = 4096;

struct SourceWish {
  std::string device = "auto";                      ///< Selector (usb/discover.hpp).
  std::uint32_t assessed_millibits_per_sample = 0;  ///< 0: the driver's own figure.
  std::uint32_t nominal_rate_hz = 0;                ///< 0: not measured.
  std::string settings{};                           ///< Of the device (usb/driver.hpp).
  unsigned wait_for_device_s = 0;
  bool operator==(const SourceWish&) const = default;
};

/// The line, its line feed included.
[[nodiscard]] std::string encode_wish(const SourceWish& wish);
/// `line` is without its line feed.
[[nodiscard]] Result<SourceWish> decode_wish(std::string_view line);

}  // namespace talla::usb
