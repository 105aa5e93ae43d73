// Ring 1: emulated devices on a transport of the house, in one thread, on a clock that moves only
// when somebody waits.
#pragma once

#include "base/clock.hpp"
#include "emulator/models.hpp"
#include "usb/transport.hpp"

namespace talla::emulator {

/// The emulated devices that are attached, and how they come and go.
class EmulatedBus {
 public:
  /// Plugs a device in; the bus owns it. Its address is its place in the order of plugging, from 1.
  DeviceModel& plug(Model model);
  void unplug(DeviceModel& model);
  [[nodiscard]] ManualClock& clock() { return clock_; }
  /// How far the clock moves at a time while somebody waits.
  void set_step_ns(std::int64_t step_ns) { step_ns_ = step_ns; }

 private:
  friend class EmulatedTransport;
  friend class EmulatedDevice;
  struct Port {
    Model model;
    bool present = true;
  };
  ManualClock clock_;
  std::int64_t step_ns_ = 50'000;
  std::vector<Port> ports_;
  std::vector<usb::HotplugEvent> events_;
};

/// A transport onto emulated devices.
class EmulatedTransport final : public usb::Transport {
 public:
  explicit EmulatedTransport(EmulatedBus& bus) : bus_(bus) {}
  [[nodiscard]] Result<std::vector<usb::DeviceInfo>> enumerate(
      std::span<const usb::UsbId> ids) override;
  [[nodiscard]] Result<std::unique_ptr<usb::Device>> open(const usb::DeviceInfo& info) override;
  [[nodiscard]] Result<std::vector<usb::HotplugEvent>> hotplug(std::span<const usb::UsbId> ids,
                                                               unsigned timeout_ms) override;

 private:
  EmulatedBus& bus_;
};

/// What the transport says of a model.
[[nodiscard]] usb::DeviceInfo info_of(const Identity& identity, std::uint8_t address);

}  // namespace talla::emulator
