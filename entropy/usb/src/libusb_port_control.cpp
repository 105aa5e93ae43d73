// Power and reset of hub ports over libusb. Facts: USB 2.0 tables 11-13 (hub descriptor), 11-16 and
// 11-17 (requests and feature selectors).
#include <array>

#include "libusb_device.hpp"
#include "timeouts.hpp"
#include "usb/port_control.hpp"

namespace talla::usb {
namespace {

constexpr std::uint8_t get_hub_descriptor = 0xA0;  // IN, class, device
constexpr std::uint8_t to_port = 0x23;             // OUT, class, other
constexpr std::uint8_t clear_feature = 1;
constexpr std::uint8_t set_feature = 3;
constexpr std::uint8_t get_descriptor = 6;
constexpr std::uint16_t port_power = 8;
constexpr std::uint16_t hub_descriptor_usb2 = 0x2900;
constexpr std::uint16_t hub_descriptor_usb3 = 0x2A00;
constexpr std::uint16_t usb3 = 0x0300;

/// An open handle, closed at the end of its block.
class Handle {
 public:
  explicit Handle(libusb_device* device) : code_(libusb_open(device, &handle_)) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (code_ == 0) libusb_close(handle_);
  }
  [[nodiscard]] int code() const { return code_; }
  [[nodiscard]] libusb_device_handle* get() const { return handle_; }

 private:
  libusb_device_handle* handle_ = nullptr;
  int code_;
};

/// Calls `use` with the device of that place while the list that keeps its parent alive is held.
template <class Use>
auto with_device(const LibusbContext& context, std::uint8_t bus, std::uint8_t address, Use use)
    -> decltype(use(static_cast<libusb_device*>(nullptr))) {
  libusb_device** list = nullptr;
  const ssize_t count = libusb_get_device_list(context.handle, &list);
  if (count < 0) return fail(UsbErrc::unavailable, "the bus cannot be listed");
  libusb_device* found = nullptr;
  for (libusb_device* device : std::span(list, static_cast<std::size_t>(count))) {
    if (libusb_get_bus_number(device) == bus && libusb_get_device_address(device) == address)
      found = device;
  }
  auto result = found != nullptr
                    ? use(found)
                    : decltype(use(found))(fail(UsbErrc::gone, "nothing is attached at " +
                                                                   std::to_string(bus) + "-" +
                                                                   std::to_string(address)));
  libusb_free_device_list(list, 1);
  return result;
}

Result<bool> switches_single_ports(libusb_device* hub, const std::string& what) {
  const Handle handle(hub);
  if (handle.code() != 0)
    return tl::unexpected<Error>(libusb_error(handle.code(), "open of " + what));
  libusb_device_descriptor about{};
  if (libusb_get_device_descriptor(hub, &about) != 0)
    return fail(UsbErrc::transfer_failed, what + " has no descriptor");
  const std::uint16_t type = about.bcdUSB >= usb3 ? hub_descriptor_usb3 : hub_descriptor_usb2;
  std::array<std::uint8_t, 15> descriptor{};
  const int got =  // NOLINTNEXTLINE(readability-suspicious-call-argument): libusb's own order
      libusb_control_transfer(handle.get(), get_hub_descriptor, get_descriptor, type, 0,
                              descriptor.data(), static_cast<std::uint16_t>(descriptor.size()),
                              control_timeout_ms);
  if (got < 0) return tl::unexpected<Error>(libusb_error(got, "descriptor of " + what));
  if (got < 7) return fail(UsbErrc::nonsense, what + " has a hub descriptor that is too short");
  return (descriptor[3] & 0x03U) == 0x01U;
}

class LibusbPortControl final : public PortControl {
 public:
  explicit LibusbPortControl(std::shared_ptr<LibusbContext> context)
      : context_(std::move(context)) {}

  [[nodiscard]] Result<HubPort> switchable_port(const DeviceInfo& info) override {
    return with_device(
        *context_, info.bus, info.address, [&](libusb_device* device) -> Result<HubPort> {
          libusb_device* hub = libusb_get_parent(device);
          if (hub == nullptr)
            return fail(UsbErrc::unsupported, "no hub is known above " + info.place());
          const HubPort port{.bus = info.bus,
                             .hub_address = libusb_get_device_address(hub),
                             .port = libusb_get_port_number(device)};
          const std::string what = "the hub above " + info.place();
          TALLA_TRY(const bool single, switches_single_ports(hub, what));
          if (!single || port.port == 0)
            return fail(UsbErrc::unsupported, what + " does not switch the power of single ports");
          return port;
        });
  }

  [[nodiscard]] Status set_power(const HubPort& port, bool on) override {
    return with_device(*context_, port.bus, port.hub_address, [&](libusb_device* hub) -> Status {
      const std::string what = "power of port " + std::to_string(port.port);
      const Handle handle(hub);
      if (handle.code() != 0) return tl::unexpected<Error>(libusb_error(handle.code(), what));
      const int code =
          libusb_control_transfer(handle.get(), to_port, on ? set_feature : clear_feature,
                                  port_power, port.port, nullptr, 0, control_timeout_ms);
      if (code < 0) return tl::unexpected<Error>(libusb_error(code, what));
      return {};
    });
  }

  [[nodiscard]] Status reset(const DeviceInfo& info) override {
    return with_device(*context_, info.bus, info.address, [&](libusb_device* device) -> Status {
      const Handle handle(device);
      if (handle.code() != 0)
        return tl::unexpected<Error>(libusb_error(handle.code(), "open of " + info.place()));
      const int code = libusb_reset_device(handle.get());
      // NOT_FOUND: the device came back under another address, which is a reset as well.
      if (code != 0 && code != LIBUSB_ERROR_NOT_FOUND)
        return tl::unexpected<Error>(libusb_error(code, "reset of " + info.place()));
      return {};
    });
  }

 private:
  std::shared_ptr<LibusbContext> context_;
};

}  // namespace

Result<std::unique_ptr<PortControl>> make_libusb_port_control() {
  auto context = std::make_shared<LibusbContext>();
  const int code = libusb_init(&context->handle);
  if (code != 0) {
    context->handle = nullptr;
    return fail(UsbErrc::unavailable,
                std::string("libusb does not start here: ") + libusb_error_name(code));
  }
  return std::unique_ptr<PortControl>(new LibusbPortControl(std::move(context)));
}

}  // namespace talla::usb
