// ID Quantique Quantis USB. Facts: the maker's Unix driver: vendor requests to the interface ask
// for power, module mask and status, a status above 0 is good and is asked for before each packet;
// reads are of exactly one packet; behind disable and enable it waits a second; after a reset 4,096
// bytes are dropped. The configuration is the only one, and active when the interface can be
// claimed.
#include <array>

#include "base/secret.hpp"
#include "bulk.hpp"
#include "byte_driver.hpp"
#include "timeouts.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {
namespace {

constexpr UsbId quantis_id{.vendor_id = 0x0aba, .product_id = 0x0102};
constexpr std::uint8_t data_endpoint = 0x86;
constexpr unsigned packet_timeout_ms = 1000;
constexpr unsigned enable_settles_ms = 1000;
constexpr std::size_t dropped_bytes = 4096;

enum Command : std::uint8_t { disable = 0x11, enable = 0x12, status = 0x13, module_mask = 0x15 };

class Quantis final : public ByteDriver {
 public:
  [[nodiscard]] std::string_view model() const override { return "quantis-usb"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 1> table{{{.id = quantis_id, .product_prefix = "Quantis"}}};
    return table;
  }
  [[nodiscard]] StreamClaim claim() const override {
    return {
        .source_class = entropy::SourceClass::conditioned_physical,
        .rate_hz = 500'000,
        .rate_origin = "assumed: one module of 4 Mbit/s",
        .origin =
            "none: the raw detections do not leave the device, so the stream is never credited"};
  }
  [[nodiscard]] std::string_view quirks() const override {
    return "reads of exactly one packet; the modules' status is asked for before each";
  }
  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    const EndpointInfo* data = info.find_endpoint(0, data_endpoint);
    if (data == nullptr || data->type != TransferType::bulk || data->packet_bytes_max == 0) {
      return fail(UsbErrc::impostor, info.place() + " has no bulk endpoint 0x86 on interface 0");
    }
    return {};
  }
  [[nodiscard]] StreamPlan plan(const DeviceInfo& info) const override {
    StreamPlan plan;
    plan.stream = {.endpoint = data_endpoint,
                   .transfer_bytes = info.find_endpoint(0, data_endpoint)->packet_bytes_max,
                   .transfers_count = 1};
    plan.initialise_at_restart = true;
    return plan;
  }
  [[nodiscard]] Status initialise(Device& device) override {
    TALLA_TRY(const std::uint8_t mask, ask(device, Command::module_mask));
    TALLA_TRY(const std::uint8_t good, ask(device, Command::status));
    if (mask == 0 || good == 0) {
      TALLA_TRY_STATUS(tell(device, Command::disable));
      TALLA_TRY_STATUS(tell(device, Command::enable));
      device.pause(enable_settles_ms);
    }
    const std::size_t packet = device.info().find_endpoint(0, data_endpoint)->packet_bytes_max;
    for (std::size_t dropped = 0; dropped < dropped_bytes;) {
      TALLA_TRY(Bytes piece, device.bulk_in(data_endpoint, packet, packet_timeout_ms));
      wipe(piece.data(), piece.size());
      if (piece.empty()) return fail(UsbErrc::nonsense, "Quantis sent an empty packet");
      dropped += piece.size();
    }
    return check(device);
  }
  [[nodiscard]] Status feed(Device& device, std::int64_t /*now_ns*/) override {
    return check(device);
  }

 private:
  [[nodiscard]] static Result<std::uint8_t> ask(Device& device, Command command) {
    constexpr std::uint8_t vendor_interface_in = 0xC1;
    TALLA_TRY(const Bytes answer,
              device.control_in(
                  {.request_type = vendor_interface_in, .request = command, .value = 0, .index = 0},
                  1, control_timeout_ms));
    if (answer.size() != 1) return fail(UsbErrc::nonsense, "Quantis answered without its byte");
    return answer[0];
  }
  [[nodiscard]] static Status tell(Device& device, Command command) {
    constexpr std::uint8_t vendor_interface_out = 0x41;
    return device.control_out(
        {.request_type = vendor_interface_out, .request = command, .value = 0, .index = 0}, {},
        control_timeout_ms);
  }
  [[nodiscard]] static Status check(Device& device) {
    TALLA_TRY(const std::uint8_t good, ask(device, Command::status));
    if (good != 0) return {};
    return fail(UsbErrc::unhealthy, "Quantis: its modules do not work");
  }
};

}  // namespace

std::unique_ptr<Driver> make_quantis() {
  return std::make_unique<Quantis>();
}

}  // namespace talla::usb
