/// \file
/// What can go wrong between a USB generator and a sample. Numbers 150 to 189 of the entropy range.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace talla::usb {

enum class UsbErrc : std::uint16_t {
  unavailable = 150,    ///< The USB library cannot start or enumerate here.
  no_device = 151,      ///< No attached device fits what was asked for.
  access_denied = 152,  ///< The device is there and this user may not open it.
  busy = 153,           ///< Another program or driver holds the interface.
  impostor = 154,   ///< The id fits a supported generator, product name or endpoint layout do not.
  gone = 155,       ///< Unplugged, or the bus gave up on it.
  stalled = 156,    ///< The endpoint halts again and again in spite of clear-halt.
  silent = 157,     ///< No data for too long in spite of restarts.
  timed_out = 158,  ///< One control or bulk request got no answer in time.
  transfer_failed = 159,  ///< A transfer ended in a way that is none of the above.
  nonsense = 160,         ///< Data that the device's format excludes.
  stopped = 161,          ///< `stop` was called.
  bad_selector = 162,     ///< A device selector that is not of the documented form.
  bad_option = 163,       ///< An assessed entropy, rate or setting that the device does not have.
  unhealthy = 164,    ///< The device's own check failed (gain, variance, supply voltage, status).
  unsupported = 165,  ///< The hub, or the system, cannot do this to the port.
  malformed_frame = 170,  ///< Bytes on the source socket that the frame grammar excludes.
  process_failed = 171,   ///< The source process could not be started, or died.
  /// The source process claims to be, or to be worth, what the core does not know it to be.
  claim_refused = 173,
  /// The source process reported an error of its own; detail holds its code and words.
  source_failed = 172,
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(UsbErrc errc);

}  // namespace talla::usb
