/// \file
/// The USB bus as an effect that is passed in: find, open, claim, talk, stream, notice plugging,
/// close.
///
/// Two implementations: `LibusbTransport` (usb/libusb_transport.hpp), and a scripted fake in the
/// tests. Nothing here knows a generator: that is the drivers' work (usb/driver.hpp). Nothing here
/// retries: the policy for stalls and silence is one class for all devices (usb/noise_source.hpp).
///
/// Threads:  a transport and its devices belong to one thread; `interrupt` may be called from any.
/// Lifetime: a transport outlives its devices.
/// Secrecy:  stream bytes are raw noise; no implementation stores, counts by value or logs them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "usb/device_info.hpp"
#include "usb/errors.hpp"

namespace talla::usb {

struct UsbId {
  std::uint16_t vendor_id = 0;   ///< idVendor.
  std::uint16_t product_id = 0;  ///< idProduct.
  bool operator==(const UsbId&) const = default;
};

/// The set-up packet of a control transfer (USB 2.0 table 9-2) without its length.
struct ControlRequest {
  std::uint8_t request_type = 0;  ///< bmRequestType; bit 7 must fit the direction of the call.
  std::uint8_t request = 0;
  std::uint16_t value = 0;
  std::uint16_t index = 0;
};

/// A ring of asynchronous bulk IN transfers that are always in flight.
struct StreamOptions {
  std::uint8_t endpoint = 0;          ///< bEndpointAddress, bit 7 set: IN.
  std::size_t transfer_bytes = 1024;  ///< A multiple of the endpoint's packet size, 1 to 65,536.
  unsigned transfers_count = 8;       ///< 1 to 64.
};

/// What a wait for the stream ended with.
enum class StreamEvent : std::uint8_t {
  /// One transfer completed; its bytes were handed out. May be empty (a zero-length packet).
  data,
  none,     ///< Nothing happened within the time given, or `interrupt` was called.
  stalled,  ///< The endpoint halted. The ring stands still until `restart_stream`.
  gone,     ///< The device left the bus. The only call that makes sense now is the destructor.
  failed,  ///< A transfer ended in any other way (overflow, protocol error). The ring stands still.
};

/// One opened device.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  /// Orderly close: cancel every transfer, reap all, release the interfaces (the kernel's driver is
  /// attached again where it was detached), then close.
  virtual ~Device() = default;

  /// The device as it was found.
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  /// Takes an interface; a kernel driver that holds it is detached and comes back at close.
  /// Errors: busy, access_denied, gone.
  [[nodiscard]] virtual Status claim(std::uint8_t interface_number) = 0;
  /// Errors: stalled (the device refuses the request), timed_out, gone, transfer_failed.
  [[nodiscard]] virtual Result<Bytes> control_in(const ControlRequest& request,
                                                 std::uint16_t size_bytes, unsigned timeout_ms) = 0;
  [[nodiscard]] virtual Status control_out(const ControlRequest& request, ByteView data,
                                           unsigned timeout_ms) = 0;
  /// One bulk exchange outside the ring, for set-up dialogues. A short answer is a success.
  [[nodiscard]] virtual Result<Bytes> bulk_in(std::uint8_t endpoint, std::size_t size_bytes,
                                              unsigned timeout_ms) = 0;
  [[nodiscard]] virtual Status bulk_out(std::uint8_t endpoint, ByteView data,
                                        unsigned timeout_ms) = 0;
  [[nodiscard]] virtual Status clear_halt(std::uint8_t endpoint) = 0;
  /// Lets the device have its time, for set-up dialogues that need some. Transports with a clock of
  /// their own let it pass.
  virtual void pause(unsigned ms);

  /// Submits the ring; one stream per device. Precondition (checked): options in their ranges, none
  /// running.
  [[nodiscard]] virtual Status start_stream(const StreamOptions& options) = 0;
  /// Waits at most `timeout_ms` for the oldest completed transfer; `bytes` is replaced by its
  /// content when the event is `data`. The transfer is submitted again at once.
  [[nodiscard]] virtual StreamEvent next(Bytes& bytes, unsigned timeout_ms) = 0;
  /// Cancels, reaps and frees the ring; what was in flight is dropped. `start_stream` may follow.
  [[nodiscard]] virtual Status stop_stream() = 0;
  /// Cancels and reaps the whole ring (what was in flight is dropped), clears the halt if asked,
  /// submits it anew.
  [[nodiscard]] virtual Status restart_stream(bool with_clear_halt) = 0;
  /// Makes a waiting `next` return; safe from any thread while the device lives.
  virtual void interrupt() = 0;
};

/// A device came or went.
struct HotplugEvent {
  bool arrived = false;  ///< false: left.
  std::uint8_t bus = 0;
  std::uint8_t address = 0;
  UsbId id;
  bool operator==(const HotplugEvent&) const = default;
};

/// The USB bus: libusb's, or an emulated one.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Attached devices with one of these ids, in order of bus and address. Each is opened for a
  /// moment to read its strings; one that cannot be opened is listed with its `access_problem`.
  /// Errors: unavailable.
  [[nodiscard]] virtual Result<std::vector<DeviceInfo>> enumerate(std::span<const UsbId> ids) = 0;
  /// Opens exactly that device (bus, address and ids must still agree). Errors: gone,
  /// access_denied, busy.
  [[nodiscard]] virtual Result<std::unique_ptr<Device>> open(const DeviceInfo& info) = 0;
  /// Plugging and unplugging of these ids since the first call, waiting at most `timeout_ms` for
  /// the first event. The first call only starts the watch and reports nothing that was there
  /// before. Errors: unavailable (no hot-plug support on this system).
  [[nodiscard]] virtual Result<std::vector<HotplugEvent>> hotplug(std::span<const UsbId> ids,
                                                                  unsigned timeout_ms) = 0;
};

}  // namespace talla::usb
