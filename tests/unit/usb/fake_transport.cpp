#include "fake_transport.hpp"

#include <algorithm>

#include "usb/chaoskey.hpp"

namespace talla::usb::test {
namespace {

Status taken(std::vector<Error>& errors) {
  if (errors.empty()) return {};
  Error error = std::move(errors.back());
  errors.pop_back();
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace

long FakeBus::count(const std::string& call) const {
  return std::ranges::count(calls, call);
}

DeviceInfo chaoskey_info(const std::string& serial) {
  DeviceInfo info;
  info.bus = 1;
  info.address = 4;
  info.vendor_id = 0x1d50;
  info.product_id = 0x60c6;
  info.manufacturer = "altusmetrum.org";
  info.product = "ChaosKey-hw-1.0-sw-1.6";
  info.serial = serial;
  info.interfaces = {{.number = 0,
                      .class_code = 0xFF,
                      .endpoints = {{0x85, TransferType::bulk, 64},
                                    {0x86, TransferType::bulk, 64},
                                    {0x87, TransferType::bulk, 64}}}};
  return info;
}

Status FakeDevice::claim(std::uint8_t interface_number) {
  bus_.calls.push_back("claim " + std::to_string(interface_number));
  return taken(bus_.claim_errors);
}
Result<Bytes> FakeDevice::control_in(const ControlRequest& request, std::uint16_t /*size*/,
                                     unsigned /*timeout*/) {
  bus_.calls.push_back("control_in " + std::to_string(request.request));
  return Bytes{};
}
Status FakeDevice::control_out(const ControlRequest& request, ByteView /*data*/,
                               unsigned /*timeout*/) {
  bus_.calls.push_back("control_out " + std::to_string(request.request));
  return {};
}
Result<Bytes> FakeDevice::bulk_in(std::uint8_t /*endpoint*/, std::size_t /*size*/,
                                  unsigned /*timeout*/) {
  bus_.calls.emplace_back("bulk_in");
  if (bus_.answers.empty()) return Bytes{};
  Bytes answer = std::move(bus_.answers.front());
  bus_.answers.pop_front();
  return answer;
}
Status FakeDevice::bulk_out(std::uint8_t /*endpoint*/, ByteView /*data*/, unsigned /*timeout*/) {
  bus_.calls.emplace_back("bulk_out");
  return {};
}
Status FakeDevice::clear_halt(std::uint8_t /*endpoint*/) {
  bus_.calls.emplace_back("clear_halt");
  return {};
}
Status FakeDevice::start_stream(const StreamOptions& options) {
  bus_.calls.push_back("start " + std::to_string(options.endpoint));
  return {};
}

StreamEvent FakeDevice::next(Bytes& bytes, unsigned timeout_ms) {
  bytes.clear();
  if (bus_.on_next) bus_.on_next();
  if (bus_.script.empty() || bus_.script.front().takes_ms > timeout_ms) {
    bus_.clock.advance_ns(std::int64_t{timeout_ms} * 1'000'000);
    if (!bus_.script.empty()) bus_.script.front().takes_ms -= timeout_ms;
    return StreamEvent::none;
  }
  Step step = std::move(bus_.script.front());
  bus_.script.pop_front();
  bus_.clock.advance_ns(step.takes_ms * 1'000'000);
  bytes = std::move(step.bytes);
  return step.event;
}

Status FakeDevice::stop_stream() {
  bus_.calls.emplace_back("stop");
  return taken(bus_.restart_errors);
}
Status FakeDevice::restart_stream(bool with_clear_halt) {
  bus_.calls.emplace_back(with_clear_halt ? "restart with clear-halt" : "restart");
  return taken(bus_.restart_errors);
}

Result<std::vector<DeviceInfo>> FakeTransport::enumerate(std::span<const UsbId> ids) {
  std::vector<DeviceInfo> found;
  for (const DeviceInfo& info : bus_.attached) {
    if (std::ranges::find(ids, UsbId{info.vendor_id, info.product_id}) != ids.end())
      found.push_back(info);
  }
  return found;
}

Result<std::unique_ptr<Device>> FakeTransport::open(const DeviceInfo& info) {
  for (const DeviceInfo& each : bus_.attached) {
    if (each.bus == info.bus && each.address == info.address)
      return std::make_unique<FakeDevice>(bus_, each);
  }
  return fail(UsbErrc::gone, "not attached");
}

Result<std::vector<HotplugEvent>> FakeTransport::hotplug(std::span<const UsbId> /*ids*/,
                                                         unsigned timeout_ms) {
  bus_.clock.advance_ns(std::int64_t{timeout_ms} * 1'000'000);
  return std::vector<HotplugEvent>{};
}

}  // namespace talla::usb::test
