// OneRNG. Facts: firmware of the device: commands are "cmd" and a letter or digit; the digit is a
// mode nibble (bit 0 whitener off, bit 1 radio noise on, bit 2 avalanche off); the stream starts
// paused and needs RTS; the firmware drops runs of equal bytes, which the host sees as silence. It
// says its version, "Version 2", in a packet between those of its noise, so it is asked with its
// sources off. All units have the product string and the serial number "00".
#include <algorithm>
#include <array>
#include <charconv>
#include <string>

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
constexpr std::uint32_t version_max = 65'535;
constexpr std::uint32_t raw_millibits = 2000;

struct OneRngMode {
  std::string_view name;
  char digit;
  bool raw;
};
constexpr std::array<OneRngMode, 7> onerng_modes{
    {{.name = "avalanche-raw", .digit = '1', .raw = true},
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
    return {.source_class = mode_->raw ? entropy::SourceClass::raw_physical
                                       : entropy::SourceClass::conditioned_physical,
            .millibits_per_sample = mode_->raw ? raw_millibits : 8000,
            .rate_hz = 43'750,
            .rate_origin = "its maker: 350 kbit/s",
            .origin =
                mode_->raw
                    ? "assumed: a quarter of the 8 readings of the comparator in a byte, which "
                      "follow each other closely; not measured on this unit"
                    : "none: the CRC-16 whitener hides the noise, so the stream is never credited"};
  }
  [[nodiscard]] std::string_view quirks() const override {
    return "settings mode=avalanche-raw|avalanche|both-raw|both|rf-raw|rf|silent, version=N (of "
           "the firmware, that "
           "the assessment was made with) or none (not asked); the firmware holds back runs of "
           "equal bytes, so a stuck source is "
           "silent; every unit says serial 00, so several are told apart by port";
  }
  [[nodiscard]] std::string_view assessed_with() const override { return "version"; }
  [[nodiscard]] bool units_alike() const override { return true; }
  [[nodiscard]] DeviceFigures figures() const override { return {.firmware_version = version_}; }
  [[nodiscard]] Status configure(const DeviceInfo& info, const Settings& settings) override {
    for (const auto& [key, value] : settings) {
      if (key == "version") {
        asks_ = value != "none";
        if (asks_) {
          TALLA_TRY(wanted_version_, number_of(value));
        }
        continue;
      }
      const auto* found = std::ranges::find(onerng_modes, value, &OneRngMode::name);
      if (key != "mode" || found == onerng_modes.end())
        return ByteDriver::configure(info, settings);
      mode_ = &*found;
    }
    return {};
  }
  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    TALLA_TRY(const cdc::Port port, cdc::port_of(info));
    if (port.out == 0)
      return fail(UsbErrc::impostor, info.place() + " has no way to take commands");
    return {};
  }
  [[nodiscard]] StreamPlan plan(const DeviceInfo& info) const override {
    const cdc::Port port = *cdc::port_of(info);
    StreamPlan plan;
    plan.interfaces = port.interfaces();
    plan.stream = {
        .endpoint = port.in, .transfer_bytes = 8UL * port.packet_bytes, .transfers_count = 4};
    plan.initialise_at_restart = true;
    return plan;
  }
  [[nodiscard]] Status initialise(Device& device) override {
    TALLA_TRY(const cdc::Port port, cdc::port_of(device.info()));
    TALLA_TRY_STATUS(cdc::set_lines(device, port, cdc::dtr | cdc::rts));
    TALLA_TRY_STATUS(command(device, port, 'o'));
    TALLA_TRY_STATUS(drain_endpoint(device, port.in, 4 * pool_bytes, pool_quiet_ms));
    TALLA_TRY_STATUS(ask_version(device, port));
    TALLA_TRY_STATUS(command(device, port, mode_->digit));
    TALLA_TRY_STATUS(command(device, port, 'w'));
    return command(device, port, 'O');
  }

 private:
  [[nodiscard]] static Result<std::uint32_t> number_of(std::string_view text) {
    std::uint32_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && stop == text.data() + text.size() && number >= 1 &&
        number <= version_max)
      return number;
    return fail(UsbErrc::bad_option,
                "onerng: version is none, or 1 to " + std::to_string(version_max));
  }
  /// With its sources off and its pool empty nothing but the version comes. A device that does not
  /// answer is set up anew: an answer that comes later would be taken for noise.
  [[nodiscard]] Status ask_version(Device& device, const cdc::Port& port) {
    constexpr char sources_off = '4';
    constexpr unsigned answer_ms = 250;
    constexpr unsigned packets_max = 8;
    version_ = 0;
    if (!asks_) return {};
    for (const char letter : {sources_off, 'w', 'v', 'O'})
      TALLA_TRY_STATUS(command(device, port, letter));
    std::string text;
    for (unsigned k = 0; k < packets_max && version_ == 0; ++k) {
      auto packet = device.bulk_in(port.in, port.packet_bytes, answer_ms);
      if (!packet && packet.error().is(UsbErrc::timed_out)) break;
      if (!packet) return tl::unexpected<Error>(packet.error());
      text.append(packet->begin(), packet->end());
      version_ = version_in(text);
    }
    TALLA_TRY_STATUS(command(device, port, 'o'));
    TALLA_TRY_STATUS(drain_endpoint(device, port.in, 4 * pool_bytes, pool_quiet_ms));
    if (version_ == 0) {
      return fail(UsbErrc::timed_out,
                  device.info().place() +
                      " does not say its firmware's version; with version=none it is not asked");
    }
    if (wanted_version_ == 0 || wanted_version_ == version_) return {};
    return fail(UsbErrc::impostor, device.info().place() + " runs firmware version " +
                                       std::to_string(version_) + ", its settings say " +
                                       std::to_string(wanted_version_));
  }
  /// N of a whole line "Version N"; 0: there is none.
  [[nodiscard]] static std::uint32_t version_in(std::string_view text) {
    constexpr std::string_view head = "Version ";
    const std::size_t at = text.find(head);
    if (at == std::string_view::npos) return 0;
    const std::string_view rest = text.substr(at + head.size());
    const std::size_t end = rest.find_first_of("\r\n");
    if (end == std::string_view::npos) return 0;
    const auto number = number_of(rest.substr(0, end));
    return number ? *number : 0;
  }
  [[nodiscard]] static Status command(Device& device, const cdc::Port& port, char letter) {
    const Bytes text{'c', 'm', 'd', static_cast<std::uint8_t>(letter), '\n'};
    return device.bulk_out(port.out, text, write_timeout_ms);
  }
  const OneRngMode* mode_ = onerng_modes.data();
  std::uint32_t wanted_version_ = 0;  ///< Of the settings; 0: any.
  std::uint32_t version_ = 0;         ///< What the device said; 0: not asked.
  bool asks_ = true;
};

}  // namespace

std::unique_ptr<Driver> make_onerng() {
  return std::make_unique<OneRng>();
}

}  // namespace talla::usb
