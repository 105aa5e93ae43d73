#include "emulator/emulated_transport.hpp"

#include <algorithm>
#include <cerrno>

#include "base/check.hpp"

namespace talla::emulator {
namespace {

/// A transfer takes time, an empty one too.
constexpr std::int64_t packet_ns = 1'000;

Error error_of(int status) {
  if (status == -EPIPE) return {usb::UsbErrc::stalled, "stalled"};
  return {usb::UsbErrc::transfer_failed, "transfer failed"};
}

}  // namespace

class EmulatedDevice final : public usb::Device {
 public:
  EmulatedDevice(EmulatedBus& bus, std::size_t port)
      : bus_(bus),
        port_(port),
        info_(info_of(model().identity(), static_cast<std::uint8_t>(port + 1))) {}

  [[nodiscard]] const usb::DeviceInfo& info() const override { return info_; }
  [[nodiscard]] Status claim(std::uint8_t interface_number) override {
    claimed_.push_back(interface_number);
    return here();
  }
  [[nodiscard]] Result<Bytes> control_in(const usb::ControlRequest& request,
                                         std::uint16_t size_bytes,
                                         unsigned /*timeout_ms*/) override {
    TALLA_TRY_STATUS(here());
    Reply reply = model().control(setup_of(request, size_bytes), {});
    if (reply.status != 0) return tl::unexpected<Error>(error_of(reply.status));
    return std::move(reply.bytes);
  }
  [[nodiscard]] Status control_out(const usb::ControlRequest& request, ByteView data,
                                   unsigned /*timeout_ms*/) override {
    TALLA_TRY_STATUS(here());
    const Reply reply =
        model().control(setup_of(request, static_cast<std::uint16_t>(data.size())), data);
    if (reply.status != 0) return tl::unexpected<Error>(error_of(reply.status));
    return {};
  }
  [[nodiscard]] Result<Bytes> bulk_in(std::uint8_t endpoint, std::size_t size_bytes,
                                      unsigned timeout_ms) override {
    TALLA_CHECK(owns(endpoint));
    const std::int64_t until_ns =
        bus_.clock().monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
    while (true) {
      TALLA_TRY_STATUS(here());
      if (auto reply = model().bulk_in(endpoint, size_bytes, bus_.clock().monotonic_ns())) {
        if (reply->status != 0) return tl::unexpected<Error>(error_of(reply->status));
        return std::move(reply->bytes);
      }
      if (bus_.clock().monotonic_ns() >= until_ns) break;
      bus_.clock().advance_ns(bus_.step_ns_);
    }
    model().cancel(endpoint);
    return fail(usb::UsbErrc::timed_out, "nothing came");
  }
  [[nodiscard]] Status bulk_out(std::uint8_t endpoint, ByteView data,
                                unsigned /*timeout_ms*/) override {
    TALLA_CHECK(owns(endpoint));
    TALLA_TRY_STATUS(here());
    const Reply reply = model().bulk_out(endpoint, data);
    if (reply.status != 0) return tl::unexpected<Error>(error_of(reply.status));
    return {};
  }
  [[nodiscard]] Status clear_halt(std::uint8_t endpoint) override {
    TALLA_TRY_STATUS(here());
    model().clear_halt(endpoint);
    return {};
  }
  void pause(unsigned ms) override { bus_.clock().advance_ns(std::int64_t{ms} * 1'000'000); }
  [[nodiscard]] Status start_stream(const usb::StreamOptions& options) override {
    TALLA_CHECK(!streaming_ && owns(options.endpoint));
    TALLA_TRY_STATUS(here());
    stream_ = options;
    streaming_ = true;
    standing_ = usb::StreamEvent::none;
    return {};
  }
  [[nodiscard]] usb::StreamEvent next(Bytes& bytes, unsigned timeout_ms) override {
    TALLA_CHECK(streaming_);
    bytes.clear();
    const std::int64_t until_ns =
        bus_.clock().monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
    while (true) {
      if (!here()) return usb::StreamEvent::gone;
      if (standing_ != usb::StreamEvent::none) return standing_;
      if (auto reply = model().bulk_in(stream_.endpoint, stream_.transfer_bytes,
                                       bus_.clock().monotonic_ns())) {
        bus_.clock().advance_ns(packet_ns);
        if (reply->status == 0) {
          bytes = std::move(reply->bytes);
          return usb::StreamEvent::data;
        }
        return standing_ =
                   reply->status == -EPIPE ? usb::StreamEvent::stalled : usb::StreamEvent::failed;
      }
      if (bus_.clock().monotonic_ns() >= until_ns) return usb::StreamEvent::none;
      bus_.clock().advance_ns(bus_.step_ns_);
    }
  }
  [[nodiscard]] Status stop_stream() override {
    TALLA_CHECK(streaming_);
    streaming_ = false;
    model().cancel(stream_.endpoint);
    return here();
  }
  [[nodiscard]] Status restart_stream(bool with_clear_halt) override {
    TALLA_TRY_STATUS(stop_stream());
    if (with_clear_halt) TALLA_TRY_STATUS(clear_halt(stream_.endpoint));
    return start_stream(stream_);
  }
  void interrupt() override {}

 private:
  [[nodiscard]] DeviceModel& model() const { return *bus_.ports_[port_].model; }
  [[nodiscard]] Status here() {
    if (bus_.ports_[port_].present && model().wants_to_go()) bus_.unplug(model());
    if (bus_.ports_[port_].present) return {};
    return fail(usb::UsbErrc::gone, "unplugged");
  }
  /// The endpoint belongs to an interface that was claimed: the kernel refuses anything else.
  [[nodiscard]] bool owns(std::uint8_t endpoint) const {
    return std::ranges::any_of(claimed_, [&](std::uint8_t number) {
      return info_.find_endpoint(number, endpoint) != nullptr;
    });
  }
  static Setup setup_of(const usb::ControlRequest& request, std::uint16_t length) {
    return {.type = request.request_type,
            .request = request.request,
            .value = request.value,
            .index = request.index,
            .length = length};
  }
  EmulatedBus& bus_;
  std::size_t port_;
  usb::DeviceInfo info_;
  std::vector<std::uint8_t> claimed_;
  usb::StreamOptions stream_;
  usb::StreamEvent standing_ = usb::StreamEvent::none;
  bool streaming_ = false;
};

usb::DeviceInfo info_of(const Identity& identity, std::uint8_t address) {
  usb::DeviceInfo info;
  info.bus = 1;
  info.address = address;
  info.port = "1-" + std::to_string(address);
  info.vendor_id = identity.vendor_id;
  info.product_id = identity.product_id;
  info.manufacturer = identity.manufacturer;
  info.product = identity.product;
  info.serial = identity.serial;
  for (const Interface& each : identity.interfaces) {
    usb::InterfaceInfo known{.number = each.number, .class_code = each.class_code, .endpoints = {}};
    for (const Endpoint& endpoint : each.endpoints) {
      known.endpoints.push_back({.address = endpoint.address,
                                 .type = static_cast<usb::TransferType>(endpoint.attributes & 3U),
                                 .packet_bytes_max = endpoint.packet_bytes});
    }
    info.interfaces.push_back(std::move(known));
  }
  return info;
}

DeviceModel& EmulatedBus::plug(Model model) {
  ports_.push_back({.model = std::move(model)});
  DeviceModel& plugged = *ports_.back().model;
  events_.push_back({.arrived = true,
                     .bus = 1,
                     .address = static_cast<std::uint8_t>(ports_.size()),
                     .id = {plugged.identity().vendor_id, plugged.identity().product_id}});
  return plugged;
}

void EmulatedBus::unplug(DeviceModel& model) {
  for (std::size_t k = 0; k < ports_.size(); ++k) {
    if (ports_[k].model.get() != &model || !ports_[k].present) continue;
    ports_[k].present = false;
    events_.push_back({.arrived = false,
                       .bus = 1,
                       .address = static_cast<std::uint8_t>(k + 1),
                       .id = {model.identity().vendor_id, model.identity().product_id}});
  }
}

Result<std::vector<usb::DeviceInfo>> EmulatedTransport::enumerate(std::span<const usb::UsbId> ids) {
  std::vector<usb::DeviceInfo> found;
  for (std::size_t k = 0; k < bus_.ports_.size(); ++k) {
    if (!bus_.ports_[k].present) continue;
    const Identity& identity = bus_.ports_[k].model->identity();
    if (std::ranges::find(ids, usb::UsbId{identity.vendor_id, identity.product_id}) == ids.end())
      continue;
    found.push_back(info_of(identity, static_cast<std::uint8_t>(k + 1)));
  }
  return found;
}

Result<std::unique_ptr<usb::Device>> EmulatedTransport::open(const usb::DeviceInfo& info) {
  const std::size_t port = static_cast<std::size_t>(info.address) - 1;
  if (port >= bus_.ports_.size() || !bus_.ports_[port].present) {
    return fail(usb::UsbErrc::gone, "not attached");
  }
  return std::unique_ptr<usb::Device>(new EmulatedDevice(bus_, port));
}

Result<std::vector<usb::HotplugEvent>> EmulatedTransport::hotplug(
    std::span<const usb::UsbId> /*ids*/, unsigned timeout_ms) {
  if (bus_.events_.empty()) bus_.clock().advance_ns(std::int64_t{timeout_ms} * 1'000'000);
  return std::exchange(bus_.events_, {});
}

}  // namespace talla::emulator
