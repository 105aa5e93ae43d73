/// \file
/// A bus whose devices are made ill before their driver: the transfers of another transport, spoilt
/// on purpose, so that the drivers' own checks can be seen to work, on an emulated or a real
/// device.
///
/// Faults strike from the next transfer or request on. Threads: as of the transport below it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "usb/driver.hpp"
#include "usb/transport.hpp"

namespace talla::usb {

enum class WireFault : std::uint8_t {
  none,
  silent,      ///< Transfers come and are thrown away.
  halted,      ///< The endpoint says that it halts, again and again.
  gone,        ///< The device seems to have left.
  flat,        ///< ChaosKey: converter words that vary by 31 at most.
  wide_words,  ///< ChaosKey: a bit above the 12 of a word.
  equal_bits,  ///< Infinite Noise: all comparator bits 1.
  fair_bits,   ///< Infinite Noise: comparator bits of a fair coin (gain 2).
  /// Infinite Noise: each fourth comparator bit is the opposite of the one before (a gain too low).
  tied_bits,
  late,       ///< 6 ms pass behind each transfer.
  lost_byte,  ///< One byte of each transfer is missing.
  /// SwiftRNG: the last byte of an answer is 1. Quantis: its modules say that they do not work.
  bad_status,
};

/// One check of a driver with the fault that must trip it.
struct DriverCheck {
  std::string_view name;  ///< e.g. "variance"
  WireFault fault = WireFault::none;
  std::string_view code;  ///< Of the error that ends the stream, e.g. "usb_unhealthy".
  std::string_view what;  ///< In words.
};
/// The checks of a model, those of the common engine (silence, halt, unplugging) behind its own.
[[nodiscard]] std::vector<DriverCheck> driver_checks(std::string_view model);

/// A transport that spoils what the one below brings.
class FaultyTransport final : public Transport {
 public:
  /// `inner` outlives this. `sleep` lets time pass for `late`.
  FaultyTransport(Transport& inner, std::function<void(unsigned ms)> sleep)
      : inner_(inner), sleep_(std::move(sleep)) {}
  [[nodiscard]] Result<std::vector<DeviceInfo>> enumerate(std::span<const UsbId> ids) override {
    return inner_.enumerate(ids);
  }
  [[nodiscard]] Result<std::unique_ptr<Device>> open(const DeviceInfo& info) override;
  [[nodiscard]] Result<std::vector<HotplugEvent>> hotplug(std::span<const UsbId> ids,
                                                          unsigned timeout_ms) override {
    return inner_.hotplug(ids, timeout_ms);
  }
  void set(WireFault fault) { *fault_ = fault; }

 private:
  Transport& inner_;
  std::function<void(unsigned ms)> sleep_;
  std::shared_ptr<WireFault> fault_ = std::make_shared<WireFault>(WireFault::none);
};

}  // namespace talla::usb
