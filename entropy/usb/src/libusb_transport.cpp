#include "usb/libusb_transport.hpp"

#include <libusb.h>

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "libusb_device.hpp"
#include "timeouts.hpp"

namespace talla::usb {
namespace {

/// The list libusb hands out, given back on every way out.
class DeviceList {
 public:
  explicit DeviceList(libusb_context* context) : count_(libusb_get_device_list(context, &list_)) {}
  DeviceList(const DeviceList&) = delete;
  DeviceList& operator=(const DeviceList&) = delete;
  ~DeviceList() {
    if (count_ >= 0) libusb_free_device_list(list_, 1);
  }
  [[nodiscard]] int code() const { return count_ < 0 ? static_cast<int>(count_) : 0; }
  [[nodiscard]] std::span<libusb_device*> devices() const {
    return count_ > 0 ? std::span(list_, static_cast<std::size_t>(count_))
                      : std::span<libusb_device*>();
  }

 private:
  libusb_device** list_ = nullptr;
  ssize_t count_;
};

UsbId id_of(libusb_device* device) {
  libusb_device_descriptor descriptor{};
  if (libusb_get_device_descriptor(device, &descriptor) != 0) return {};
  return {.vendor_id = descriptor.idVendor, .product_id = descriptor.idProduct};
}

class LibusbTransport final : public Transport {
 public:
  explicit LibusbTransport(std::shared_ptr<LibusbContext> context) : context_(std::move(context)) {}
  LibusbTransport(const LibusbTransport&) = delete;
  LibusbTransport& operator=(const LibusbTransport&) = delete;
  ~LibusbTransport() override {
    for (const auto callback : watches_)
      libusb_hotplug_deregister_callback(context_->handle, callback);
  }

  [[nodiscard]] Result<std::vector<DeviceInfo>> enumerate(std::span<const UsbId> ids) override;
  [[nodiscard]] Result<std::unique_ptr<Device>> open(const DeviceInfo& info) override;
  [[nodiscard]] Result<std::vector<HotplugEvent>> hotplug(std::span<const UsbId> ids,
                                                          unsigned timeout_ms) override;

 private:
  [[nodiscard]] Status watch(std::span<const UsbId> ids);
  static int LIBUSB_CALL on_hotplug(libusb_context* /*context*/, libusb_device* device,
                                    libusb_hotplug_event event, void* self);
  std::shared_ptr<LibusbContext> context_;
  std::vector<libusb_hotplug_callback_handle> watches_;
  std::vector<HotplugEvent> events_;
};

Result<std::vector<DeviceInfo>> LibusbTransport::enumerate(std::span<const UsbId> ids) {
  const DeviceList list(context_->handle);
  if (list.code() != 0) {
    return fail(UsbErrc::unavailable,
                std::string("enumeration: ") + libusb_error_name(list.code()));
  }
  std::vector<DeviceInfo> found;
  for (libusb_device* device : list.devices()) {
    if (std::ranges::find(ids, id_of(device)) == ids.end()) continue;
    OpenedDevice opened;
    opened.open_code = libusb_open(device, &opened.handle);
    found.push_back(describe_device(device, opened));
    if (opened.open_code == 0) libusb_close(opened.handle);
  }
  std::ranges::sort(found, {},
                    [](const DeviceInfo& info) { return std::pair(info.bus, info.address); });
  return found;
}

Result<std::unique_ptr<Device>> LibusbTransport::open(const DeviceInfo& info) {
  const DeviceList list(context_->handle);
  for (libusb_device* device : list.devices()) {
    if (libusb_get_bus_number(device) != info.bus ||
        libusb_get_device_address(device) != info.address)
      continue;
    if (id_of(device) != UsbId{.vendor_id = info.vendor_id, .product_id = info.product_id}) break;
    OpenedDevice opened;
    opened.open_code = libusb_open(device, &opened.handle);
    if (opened.open_code != 0) {
      return tl::unexpected<Error>(libusb_error(opened.open_code, "open of " + info.place()));
    }
    DeviceInfo current = describe_device(device, opened);
    return std::unique_ptr<Device>(new LibusbDevice(context_, opened.handle, std::move(current)));
  }
  return fail(UsbErrc::gone, info.place() + " is not attached any more");
}

Status LibusbTransport::watch(std::span<const UsbId> ids) {
  if (libusb_has_capability(LIBUSB_CAP_HAS_HOTPLUG) == 0) {
    return fail(UsbErrc::unavailable, "no hot-plug support on this system");
  }
  for (const UsbId& id : ids) {
    libusb_hotplug_callback_handle callback = 0;
    const int code = libusb_hotplug_register_callback(
        context_->handle, LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT, 0,
        id.vendor_id, id.product_id, LIBUSB_HOTPLUG_MATCH_ANY, &LibusbTransport::on_hotplug, this,
        &callback);
    if (code != 0)
      return fail(UsbErrc::unavailable, std::string("hot plug: ") + libusb_error_name(code));
    watches_.push_back(callback);
  }
  return {};
}

int LIBUSB_CALL LibusbTransport::on_hotplug(libusb_context* /*context*/, libusb_device* device,
                                            libusb_hotplug_event event, void* self) {
  static_cast<LibusbTransport*>(self)->events_.push_back(
      {.arrived = event == LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED,
       .bus = libusb_get_bus_number(device),
       .address = libusb_get_device_address(device),
       .id = id_of(device)});
  return 0;
}

Result<std::vector<HotplugEvent>> LibusbTransport::hotplug(std::span<const UsbId> ids,
                                                           unsigned timeout_ms) {
  if (watches_.empty()) TALLA_TRY_STATUS(watch(ids));
  const std::int64_t until_ns =
      context_->clock.monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
  while (events_.empty()) {
    const std::int64_t left_ms = (until_ns - context_->clock.monotonic_ns()) / 1'000'000;
    const int code =
        context_->handle_events(static_cast<unsigned>(std::max<std::int64_t>(left_ms, 0)));
    if (code < 0 && code != LIBUSB_ERROR_INTERRUPTED) {
      return fail(UsbErrc::unavailable, std::string("hot plug: ") + libusb_error_name(code));
    }
    if (left_ms <= 0) break;
  }
  return std::exchange(events_, {});
}

/// String descriptor `index` in the device's first language; empty when there is none or it is
/// malformed.
std::string read_string(libusb_device_handle* handle, std::uint8_t index) {
  constexpr std::uint16_t english_us = 0x0409;
  if (index == 0) return {};
  std::array<std::uint8_t, 255> raw{};
  const int got = libusb_control_transfer(
      handle, LIBUSB_ENDPOINT_IN, LIBUSB_REQUEST_GET_DESCRIPTOR,
      static_cast<std::uint16_t>((LIBUSB_DT_STRING << 8) | index), english_us, raw.data(),
      static_cast<std::uint16_t>(raw.size()), control_timeout_ms);
  if (got < 0) return {};
  auto text = decode_string_descriptor(ByteView(raw).first(static_cast<std::size_t>(got)));
  return text ? *text : std::string();
}

std::vector<InterfaceInfo> read_interfaces(libusb_device* device) {
  libusb_config_descriptor* config = nullptr;
  if (libusb_get_active_config_descriptor(device, &config) != 0) return {};
  std::vector<InterfaceInfo> interfaces;
  for (const libusb_interface& candidate : std::span(config->interface, config->bNumInterfaces)) {
    if (candidate.num_altsetting < 1) continue;
    const libusb_interface_descriptor& setting = candidate.altsetting[0];
    InterfaceInfo info{
        .number = setting.bInterfaceNumber, .class_code = setting.bInterfaceClass, .endpoints = {}};
    for (const libusb_endpoint_descriptor& endpoint :
         std::span(setting.endpoint, setting.bNumEndpoints)) {
      info.endpoints.push_back(
          {.address = endpoint.bEndpointAddress,
           .type = static_cast<TransferType>(endpoint.bmAttributes & LIBUSB_TRANSFER_TYPE_MASK),
           .packet_bytes_max = static_cast<std::uint16_t>(endpoint.wMaxPacketSize & 0x7FFU)});
    }
    interfaces.push_back(std::move(info));
  }
  libusb_free_config_descriptor(config);
  return interfaces;
}

/// "1-4.2": bus, port, ports of the hubs behind it; empty for a device without ports above it.
std::string port_of(libusb_device* device) {
  std::array<std::uint8_t, 7> numbers{};  // as deep as USB goes
  const int depth =
      libusb_get_port_numbers(device, numbers.data(), static_cast<int>(numbers.size()));
  if (depth <= 0) return {};
  std::string port = std::to_string(libusb_get_bus_number(device));
  for (int k = 0; k < depth; ++k)
    port += (k == 0 ? "-" : ".") + std::to_string(numbers[static_cast<std::size_t>(k)]);
  return port;
}

}  // namespace

LibusbContext::~LibusbContext() {
  if (handle != nullptr && !keep) libusb_exit(handle);
}

Clock& LibusbContext::machine_clock() {
  static SystemClock clock;  // has no state
  return clock;
}

int LibusbContext::handle_events(unsigned timeout_ms) const {
  timeval wait{.tv_sec = timeout_ms / 1000,
               .tv_usec = static_cast<suseconds_t>(timeout_ms % 1000) * 1000};
  return libusb_handle_events_timeout_completed(handle, &wait, nullptr);
}

Error libusb_error(int code, const std::string& what) {
  const std::string detail = what + ": " + libusb_error_name(code);
  switch (code) {
    case LIBUSB_ERROR_NO_DEVICE:
      return {UsbErrc::gone, detail};
    case LIBUSB_ERROR_ACCESS:
      return {UsbErrc::access_denied, detail + " (udev rule missing?)"};
    case LIBUSB_ERROR_BUSY:
      return {UsbErrc::busy, detail + " (another program or driver has it)"};
    case LIBUSB_ERROR_PIPE:
      return {UsbErrc::stalled, detail};
    case LIBUSB_ERROR_TIMEOUT:
      return {UsbErrc::timed_out, detail};
    default:
      return {UsbErrc::transfer_failed, detail};
  }
}

DeviceInfo describe_device(libusb_device* device, const OpenedDevice& opened) {
  DeviceInfo info;
  info.bus = libusb_get_bus_number(device);
  info.address = libusb_get_device_address(device);
  info.port = port_of(device);
  libusb_device_descriptor descriptor{};
  if (libusb_get_device_descriptor(device, &descriptor) == 0) {
    info.vendor_id = descriptor.idVendor;
    info.product_id = descriptor.idProduct;
    info.release_bcd = descriptor.bcdDevice;
  }
  info.interfaces = read_interfaces(device);
  if (opened.open_code != 0) {
    info.access_problem = libusb_error(opened.open_code, "open of " + info.place()).text();
    return info;
  }
  info.manufacturer = read_string(opened.handle, descriptor.iManufacturer);
  info.product = read_string(opened.handle, descriptor.iProduct);
  info.serial = read_string(opened.handle, descriptor.iSerialNumber);
  return info;
}

Result<std::unique_ptr<Transport>> make_libusb_transport() {
  return make_libusb_transport(LibusbContext::machine_clock());
}

Result<std::unique_ptr<Transport>> make_libusb_transport(Clock& clock) {
  auto context = std::make_shared<LibusbContext>(clock);
  const int code = libusb_init(&context->handle);
  if (code != 0) {
    context->handle = nullptr;
    return fail(UsbErrc::unavailable,
                std::string("libusb does not start here: ") + libusb_error_name(code));
  }
  return std::unique_ptr<Transport>(new LibusbTransport(std::move(context)));
}

}  // namespace talla::usb
