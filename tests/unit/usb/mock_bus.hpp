// One scripted USB device under the real libusb: what each transfer meets is queued by the test.
#pragma once

#include <deque>
#include <functional>

#include "umockdev_bus.hpp"

namespace talla::usb::test {

using emulator::Reply;

/// What the device says of itself; a ChaosKey unless changed.
struct MockDescription {
  std::uint16_t vendor_id = 0x1d50;
  std::uint16_t product_id = 0x60c6;
  std::string manufacturer = "altusmetrum.org";
  std::string product = "ChaosKey-hw-1.0-sw-1.6";
  std::string serial = "0123";
  std::vector<std::uint8_t> bulk_endpoints{0x85, 0x86, 0x87};
  std::uint16_t packet_bytes = 64;
};

class MockBus {
 public:
  /// Attaches the one device of this bus and sends the hot-plug event.
  void plug(const MockDescription& description = {});
  void unplug() { bus_.unplug(*device_); }
  /// Replies for bulk transfers, in order; then `endless` is asked; without it nothing comes.
  void reply(Reply reply);
  void set_endless(std::function<Bytes(std::size_t)> endless);
  void hold_interface() { bus_.hold_interfaces(); }

  [[nodiscard]] std::string root_dir() const { return bus_.root_dir(); }
  [[nodiscard]] long count(const std::string& call) const { return bus_.count(call); }
  [[nodiscard]] std::vector<std::string> calls() const { return bus_.calls(); }
  [[nodiscard]] std::size_t in_flight() const { return bus_.in_flight(); }

 private:
  struct Script {
    std::deque<Reply> replies;
    std::function<Bytes(std::size_t)> endless;
  };
  class Scripted;
  Script script_;
  emulator::UmockdevBus bus_;
  emulator::DeviceModel* device_ = nullptr;
};

}  // namespace talla::usb::test
