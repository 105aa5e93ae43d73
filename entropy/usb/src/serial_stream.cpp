#include "serial_stream.hpp"

#include "byte_driver.hpp"
#include "cdc.hpp"

namespace talla::usb {
namespace {

class SerialStream final : public ByteDriver {
 public:
  explicit SerialStream(const SerialFacts& facts) : facts_(facts) {}
  [[nodiscard]] std::string_view model() const override { return facts_.model; }
  [[nodiscard]] std::span<const Match> matches() const override { return {&facts_.match, 1}; }
  [[nodiscard]] StreamClaim claim() const override {
    return {.source_class = entropy::SourceClass::conditioned_physical,
            .rate_hz = facts_.rate_hz,
            .rate_origin = facts_.rate_origin,
            .origin = facts_.origin};
  }
  [[nodiscard]] std::string_view quirks() const override { return facts_.quirks; }
  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    TALLA_TRY(const cdc::Port port, cdc::port_of(info));
    static_cast<void>(port);
    return {};
  }
  [[nodiscard]] StreamPlan plan(const DeviceInfo& info) const override {
    const cdc::Port port = *cdc::port_of(info);
    StreamPlan plan;
    plan.interfaces = port.interfaces();
    plan.stream = {
        .endpoint = port.in, .transfer_bytes = 8UL * port.packet_bytes, .transfers_count = 8};
    return plan;
  }
  [[nodiscard]] Status initialise(Device& device) override {
    TALLA_TRY(const cdc::Port port, cdc::port_of(device.info()));
    TALLA_TRY_STATUS(cdc::set_lines(device, port, cdc::none));
    TALLA_TRY_STATUS(cdc::drop_buffered(device, port));
    return cdc::set_lines(device, port, facts_.lines);
  }

 private:
  SerialFacts facts_;
};

}  // namespace

std::unique_ptr<Driver> make_serial_stream(const SerialFacts& facts) {
  return std::make_unique<SerialStream>(facts);
}

}  // namespace talla::usb
