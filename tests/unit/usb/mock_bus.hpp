// A USB device under the real libusb: umockdev answers the usbfs ioctls in this process, without privileges.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/bytes.hpp"

struct _UMockdevTestbed;
struct _UMockdevIoctlBase;
struct _UMockdevIoctlData;
struct _UMockdevIoctlClient;

namespace talla::usb::test {

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

/// What one bulk transfer meets.
struct Reply {
  int status = 0;  ///< 0, or a negative errno as usbfs reports it: -EPIPE stall, -EPROTO, -EOVERFLOW.
  Bytes bytes{};   ///< Cut to the transfer's size.
};

class MockBus {
 public:
  MockBus();
  MockBus(const MockBus&) = delete;
  MockBus& operator=(const MockBus&) = delete;
  ~MockBus();

  /// Attaches the one device of this bus and sends the hot-plug event.
  void plug(const MockDescription& description = {});
  /// Every transfer in flight ends with "no device", later requests are refused, the hot-plug event is sent.
  void unplug();
  /// Replies for bulk transfers, in order; then `endless` is asked; without it nothing comes.
  void reply(Reply reply);
  void set_endless(std::function<Bytes(std::size_t)> endless);
  /// Refuses the next claim as a driver that will not let go does.
  void hold_interface();

  [[nodiscard]] std::string root_dir() const;
  [[nodiscard]] long count(const std::string& call) const;
  [[nodiscard]] std::vector<std::string> calls() const;
  [[nodiscard]] std::size_t in_flight() const;

 private:
  using Data = std::shared_ptr<_UMockdevIoctlData>;
  struct Urb {
    Data data;
    Data buffer;
    bool discarded = false;
  };
  static int on_ioctl(_UMockdevIoctlBase* handler, _UMockdevIoctlClient* client, void* self);
  bool handle(_UMockdevIoctlClient* client);
  bool submit(_UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  bool reap(_UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  bool discard(_UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  bool try_complete(Urb& urb);
  void answer_control(Urb& urb);
  [[nodiscard]] Bytes string_descriptor(unsigned index) const;

  _UMockdevTestbed* testbed_;
  _UMockdevIoctlBase* handler_;
  mutable std::mutex mutex_;  ///< Everything below: umockdev answers in a thread of its own.
  MockDescription description_;
  std::deque<Reply> replies_;
  std::function<Bytes(std::size_t)> endless_;
  std::list<Urb> flying_;
  std::vector<std::string> calls_;
  bool halted_ = false;
  bool gone_ = false;
  bool held_ = false;
};

}  // namespace talla::usb::test
