// OneRNG. Facts: firmware of the device: commands are "cmd" and a letter or digit; the digit is a mode nibble (bit 0
// whitener off, bit 1 radio noise on, bit 2 avalanche off); the stream starts paused and needs RTS; the firmware drops
// runs of equal bytes, which the host sees as silence.
#include <algorithm>
#include <array>

#include "bulk.hpp"
#include "byte_driver.hpp"
#include "cdc.hpp"
#include "timeouts.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {
namespace {

constexpr UsbId onerng_id{.vendor_id = 0x1d50, .product_id = 0x6086};
constexpr unsigned pool_quiet_ms = 50;
constexpr std::size_t pool_bytes = 7168;
constexpr std::uint32_t raw_millibits = 2000;

struct OneRngMode {
  std::string_view name;
  char digit;
  bool raw;
};
constexpr std::array<OneRngMode, 7> onerng_modes{{{.name = "avalanche-raw", .digit = '1', .raw = true},
                                                  {.name = "avalanche", .digit = '0', .raw = false},
                                                  {.name = "both-raw", .digit = '3', .raw = true},
                                                  {.name = "both", .digit = '2', .raw = false},
                                                  {.name = "rf-raw", .digit = '7', .raw = true},
                                                  {.name = "rf", .digit = '6', .raw = false},
                                                  {.name = "silent", .digit = '4', .raw = false}}};

class OneRng final : public ByteDriver {
 public:
  [[nodiscard]] std::string_view model() const override { return "onerng"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 2> table{
        {{.id = onerng_id, .product_prefix = "OneRNG"}, {.id = onerng_id, .product_prefix = "00"}}};
    return table;
  }
  [[nodiscard]] StreamClaim claim() const override {
    return {.source_class =
                mode_->raw ? entropy::SourceClass::raw_physical : entropy::SourceClass::conditioned_physical,
            .millibits_per_sample = mode_->raw ? raw_millibits : 8000,
            .origin = mode_->raw
                          ? "house default: a quarter of the 8 comparator bits of a byte, which the firmware "
                            "makes by XOR of two successive shifts; not measured on this unit"
                          : "none: the CRC-16 whitener hides the noise, so the stream is never credited"};
  }
  [[nodiscard]] std::string_view quirks() const override {
    return "settings mode=avalanche-raw|avalanche|both-raw|both|rf-raw|rf|silent; the firmware holds back "
           "runs of equal "
           "bytes, so a stuck source is silent";
  }
  [[nodiscard]] Status configure(const DeviceInfo& info, const Settings& settings) override {
    for (const auto& [key, value] : settings) {
      const auto* found = std::ranges::find(onerng_modes, value, &OneRngMode::name);
      if (key != "mode" || found == onerng_modes.end()) return ByteDriver::configure(info, settings);
      mode_ = &*found;
    }
    return {};
  }
  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    TALLA_TRY(const cdc::Port port, cdc::port_of(info));
    if (port.out == 0) return fail(UsbErrc::impostor, info.place() + " has no way to take commands");
    return {};
  }
  [[nodiscard]] StreamPlan plan(const DeviceInfo& info) const override {
    const cdc::Port port = *cdc::port_of(info);
    StreamPlan plan;
    plan.interfaces = port.interfaces();
    plan.stream = {.endpoint = port.in, .transfer_bytes = 8UL * port.packet_bytes, .transfers_count = 4};
    plan.initialise_at_restart = true;
    return plan;
  }
  [[nodiscard]] Status initialise(Device& device) override {
    TALLA_TRY(const cdc::Port port, cdc::port_of(device.info()));
    TALLA_TRY_STATUS(cdc::set_lines(device, port, cdc::dtr | cdc::rts));
    TALLA_TRY_STATUS(command(device, port, 'o'));
    TALLA_TRY_STATUS(drain_endpoint(device, port.in, 4 * pool_bytes, pool_quiet_ms));
    TALLA_TRY_STATUS(command(device, port, mode_->digit));
    TALLA_TRY_STATUS(command(device, port, 'w'));
    return command(device, port, 'O');
  }

 private:
  [[nodiscard]] static Status command(Device& device, const cdc::Port& port, char letter) {
    const Bytes text{'c', 'm', 'd', static_cast<std::uint8_t>(letter), '\n'};
    return device.bulk_out(port.out, text, write_timeout_ms);
  }
  const OneRngMode* mode_ = onerng_modes.data();
};

}  // namespace

std::unique_ptr<Driver> make_onerng() {
  return std::make_unique<OneRng>();
}

}  // namespace talla::usb
