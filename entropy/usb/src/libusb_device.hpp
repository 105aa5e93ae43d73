/// \file
/// One open device over libusb, with its ring of transfers. Private to the transport.
#pragma once

#include <libusb.h>

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "usb/transport.hpp"

namespace talla::usb {

/// The library's context. If a transfer ever refuses to come back, context and memory are kept for
/// good (`keep`): the kernel may still write there.
struct LibusbContext {
  libusb_context* handle = nullptr;
  Clock& clock;  ///< Times every wait of the house; libusb times its own requests by the machine's.
  bool keep = false;

  explicit LibusbContext(Clock& times = machine_clock()) : clock(times) {}
  LibusbContext(const LibusbContext&) = delete;
  LibusbContext& operator=(const LibusbContext&) = delete;
  ~LibusbContext();
  [[nodiscard]] static Clock& machine_clock();
  /// Lets libusb work for at most that long; returns its result code.
  int handle_events(unsigned timeout_ms) const;
};

[[nodiscard]] Error libusb_error(int code, const std::string& what);

/// Opens a device of the list and reads what it says of itself; the handle is the caller's.
struct OpenedDevice {
  libusb_device_handle* handle = nullptr;  ///< nullptr when it could not be opened.
  int open_code = 0;
};
[[nodiscard]] DeviceInfo describe_device(libusb_device* device, const OpenedDevice& opened);

class LibusbDevice final : public Device {
 public:
  LibusbDevice(std::shared_ptr<LibusbContext> context, libusb_device_handle* handle,
               DeviceInfo info);
  ~LibusbDevice() override;

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] Status claim(std::uint8_t interface_number) override;
  [[nodiscard]] Result<Bytes> control_in(const ControlRequest& request, std::uint16_t size_bytes,
                                         unsigned timeout_ms) override;
  [[nodiscard]] Status control_out(const ControlRequest& request, ByteView data,
                                   unsigned timeout_ms) override;
  [[nodiscard]] Result<Bytes> bulk_in(std::uint8_t endpoint, std::size_t size_bytes,
                                      unsigned timeout_ms) override;
  [[nodiscard]] Status bulk_out(std::uint8_t endpoint, ByteView data, unsigned timeout_ms) override;
  [[nodiscard]] Status clear_halt(std::uint8_t endpoint) override;
  [[nodiscard]] Status start_stream(const StreamOptions& options) override;
  [[nodiscard]] StreamEvent next(Bytes& bytes, unsigned timeout_ms) override;
  [[nodiscard]] Status stop_stream() override;
  [[nodiscard]] Status restart_stream(bool with_clear_halt) override;
  void interrupt() override;

 private:
  struct Slot {
    LibusbDevice* owner = nullptr;
    libusb_transfer* transfer = nullptr;
    Bytes buffer;
    bool in_flight = false;
  };
  static void LIBUSB_CALL on_complete(libusb_transfer* transfer);
  [[nodiscard]] int submit(Slot& slot);
  [[nodiscard]] Status submit_ring();
  [[nodiscard]] StreamEvent take(Slot& slot, Bytes& bytes);
  /// Cancels and reaps; false when a transfer did not come back within two seconds.
  [[nodiscard]] bool drain();
  [[nodiscard]] Status quiet();
  void free_ring();

  std::shared_ptr<LibusbContext> context_;
  libusb_device_handle* handle_;
  DeviceInfo info_;
  std::vector<std::uint8_t> claimed_;
  std::vector<std::unique_ptr<Slot>> ring_;
  /// In the order of completion, which is that of submission on one endpoint.
  std::deque<Slot*> completed_;
  unsigned in_flight_ = 0;
  std::uint8_t endpoint_ = 0;
  /// Stalled, failed or gone: what every `next` answers.
  StreamEvent standing_ = StreamEvent::none;
  /// Becomes `standing_` once the completed transfers are out.
  StreamEvent fault_after_ = StreamEvent::none;
  std::atomic<bool> interrupted_{false};
};

}  // namespace talla::usb
