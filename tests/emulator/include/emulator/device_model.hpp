// A USB device as its bus sees it: descriptors, control requests, bulk transfers packet by packet,
// and faults on demand. One model serves three rings: a fake transport, umockdev under libusb, and
// a real kernel through vhci-hcd.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace talla::emulator {

/// One endpoint of an emulated device.
struct Endpoint {
  std::uint8_t address = 0;     ///< bEndpointAddress
  std::uint8_t attributes = 2;  ///< bulk
  std::uint16_t packet_bytes = 64;
};
/// One interface of an emulated device.
struct Interface {
  std::uint8_t number = 0;         ///< bInterfaceNumber
  std::uint8_t class_code = 0xFF;  ///< bInterfaceClass
  std::vector<Endpoint> endpoints;
};
/// What an emulated device says of itself.
struct Identity {
  std::uint16_t vendor_id = 0;   ///< idVendor
  std::uint16_t product_id = 0;  ///< idProduct
  std::string manufacturer;
  std::string product;
  std::string serial;
  std::vector<Interface> interfaces;
  bool high_speed = false;
};
/// Device and configuration descriptor (USB 2.0 tables 9-8, 9-10, 9-12, 9-13).
[[nodiscard]] Bytes device_descriptor(const Identity& identity);
[[nodiscard]] Bytes configuration_descriptor(const Identity& identity);

/// The eight bytes of a control transfer's set-up stage.
struct Setup {
  std::uint8_t type = 0;     ///< bmRequestType
  std::uint8_t request = 0;  ///< bRequest
  std::uint16_t value = 0;   ///< wValue
  std::uint16_t index = 0;
  std::uint16_t length = 0;  ///< wLength, bytes
};

/// How a transfer ended: 0, or a negative errno as the kernel says it (-EPIPE: stall, -EPROTO).
struct Reply {
  int status = 0;
  Bytes bytes{};
};

/// What goes wrong, counted in bytes that left on the stream endpoint; 0: never.
struct Faults {
  std::uint64_t stall_after = 0;     ///< the endpoint halts once
  std::uint64_t error_after = 0;     ///< one transfer ends with -EPROTO
  std::uint64_t silent_after = 0;    ///< no more packets,
  std::uint64_t silent_ms = 0;       ///<   for this long (0: for ever)
  std::uint64_t nonsense_after = 0;  ///< the next packet is not what the protocol allows
  std::uint64_t gone_after = 0;      ///< the device leaves the bus
  bool short_packets = false;        ///< packets end early wherever the protocol allows it
  /// Stalls every request that is not a standard one, and takes no command.
  bool mute_setup = false;
  /// The first so many attempts to set it up get no answer, then one does.
  unsigned deaf_setups = 0;
};

/// One emulated device.
class DeviceModel {
 public:
  /// `rate`: bytes a second that the noise yields on the wire; 0: as many as are asked for.
  DeviceModel(Identity identity, std::uint64_t rate)
      : identity_(std::move(identity)), rate_(rate) {}
  DeviceModel(const DeviceModel&) = delete;
  DeviceModel& operator=(const DeviceModel&) = delete;
  virtual ~DeviceModel() = default;

  [[nodiscard]] const Identity& identity() const { return identity_; }
  /// What goes wrong from now on.
  void set_faults(const Faults& faults) { faults_ = faults; }
  [[nodiscard]] bool wants_to_go() const {
    return condition_.leaving || (faults_.gone_after != 0 && sent_ >= faults_.gone_after);
  }
  /// Everything its noise has yielded, as the samples that a right driver hands out, oldest first.
  [[nodiscard]] const Bytes& truth() const { return truth_; }
  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  /// What the host said, one entry a request: "40 00 0001 0001" (type, request, value, index), with
  /// data behind it, and "> " with the bytes of a bulk write. Standard requests are not in it.
  [[nodiscard]] const std::vector<std::string>& dialogue() const { return dialogue_; }

  /// A request, or a transfer, as the bus brings it.
  [[nodiscard]] Reply control(const Setup& setup, ByteView out);
  [[nodiscard]] Reply bulk_out(std::uint8_t endpoint, ByteView data);
  /// Nothing: not yet. A transfer ends when it is full or behind a short packet.
  [[nodiscard]] virtual std::optional<Reply> bulk_in(std::uint8_t endpoint, std::size_t size,
                                                     std::int64_t now_ns);
  virtual void clear_halt(std::uint8_t endpoint);
  /// What a host controller does when the endpoint's transfers are cancelled: half-filled ones are
  /// forgotten.
  void cancel(std::uint8_t endpoint) { filling_.erase(endpoint); }

 protected:
  [[nodiscard]] virtual Reply on_control(const Setup& setup, ByteView out) = 0;
  [[nodiscard]] virtual Reply on_bulk_out(std::uint8_t endpoint, ByteView data) = 0;
  /// The next packet, or nothing while there is none. At most the endpoint's packet size.
  [[nodiscard]] virtual std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                         std::int64_t now_ns) = 0;
  /// Makes a packet into one that the protocol forbids; false when everything is allowed.
  virtual bool spoil(Bytes& /*packet*/) { return false; }

  [[nodiscard]] std::size_t packet_bytes(std::uint8_t endpoint) const;
  /// Bytes the noise has yielded and nobody took, at most `most`; time passes at `permille` of the
  /// rate.
  [[nodiscard]] std::size_t yielded(std::int64_t now_ns, std::size_t most, unsigned permille);
  void take(std::size_t bytes) { yield_.credit -= static_cast<double>(bytes); }
  /// Time does not count while nothing is clocked out.
  void forget_time() { yield_.last_ns = -1; }
  void leave() { condition_.leaving = true; }
  void record(std::uint8_t sample) { truth_.push_back(sample); }
  [[nodiscard]] bool short_packets() const { return faults_.short_packets; }
  /// One of the attempts to set it up that get no answer.
  [[nodiscard]] bool deaf() {
    if (faults_.deaf_setups == 0) return false;
    --faults_.deaf_setups;
    return true;
  }
  [[nodiscard]] static Reply stall();

 private:
  [[nodiscard]] std::optional<Reply> standard(const Setup& setup) const;
  [[nodiscard]] std::optional<Reply> fault_due(std::uint8_t endpoint, std::int64_t now_ns,
                                               bool& wait);
  Identity identity_;
  std::uint64_t rate_;
  Faults faults_;
  Bytes truth_;
  std::vector<std::string> dialogue_;
  std::map<std::uint8_t, Bytes> filling_;
  /// What the noise has yielded at the model's rate and nobody took.
  struct Yield {
    double credit = 0;  ///< bytes
    std::int64_t last_ns = -1;
  };
  /// Where the faults have it.
  struct Condition {
    std::int64_t silent_since_ns = -1;
    bool halted = false;
    bool leaving = false;
  };
  std::uint64_t sent_ = 0;
  Yield yield_;
  Condition condition_;
};

}  // namespace talla::emulator
