// TrueRNGpro and pro V2. Facts: the maker's mode scripts and pages: a knock of baud rates 110, 300,
// 110 and then the mode's rate; raw binary is four bytes a pair of 10-bit converter words, the two
// upper bits of each byte counting 0 to 3, the words of generators 1 and 2 in turn: bits 9..6 in
// bytes 0 and 2, bits 5..0 in bytes 1 and 3. The converter favours one value of bit 0, and bit 9
// follows the level: bits 1 to 8 are kept.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/secret.hpp"
#include "cdc.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {
namespace {

constexpr UsbId pro_id{.vendor_id = 0x16d0, .product_id = 0x0aa0};
constexpr UsbId pro_v2_id{.vendor_id = 0x04d8, .product_id = 0xebb5};
constexpr std::uint32_t voltage_mode = 1200;
constexpr std::uint32_t raw_mode = 19200;
constexpr std::uint32_t pro_rate_hz = 100'000;
constexpr std::string_view pro_rate_origin = "assumed: no figure for what is read here is at hand";

struct TrueRngMode {
  std::string_view name;
  std::uint32_t baud;
  bool raw;
  bool v2_only;
};
constexpr std::array<TrueRngMode, 5> truerng_modes{
    {{.name = "raw", .baud = raw_mode, .raw = true, .v2_only = false},
     {.name = "unwhitened", .baud = 57600, .raw = true, .v2_only = true},
     {.name = "normal", .baud = 300, .raw = false, .v2_only = false},
     {.name = "generator-1", .baud = 4800, .raw = false, .v2_only = false},
     {.name = "generator-2", .baud = 9600, .raw = false, .v2_only = false}}};

/// A whole number of millivolts in the text of the voltage mode: the last complete line of digits.
std::optional<std::uint32_t> millivolts_in(std::string_view text) {
  std::optional<std::uint32_t> found;
  while (true) {
    const std::size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos) return found;
    std::uint32_t value = 0;
    const char* last = text.data() + end;
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): its end is given
    const auto [stop, error] = std::from_chars(text.data(), last, value);
    if (end > 0 && error == std::errc() && stop == last) found = value;
    text.remove_prefix(end + 1);
  }
}

class TrueRngPro final : public Driver {
 public:
  [[nodiscard]] std::string_view model() const override { return "truerng-pro"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 2> table{{{.id = pro_id, .product_prefix = "TrueRNG"},
                                                 {.id = pro_v2_id, .product_prefix = "TrueRNG"}}};
    return table;
  }
  [[nodiscard]] StreamClaim claim() const override {
    if (!mode_->raw) {
      return {.source_class = entropy::SourceClass::conditioned_physical,
              .rate_hz = pro_rate_hz,
              .rate_origin = pro_rate_origin,
              .origin =
                  "none: a Mersenne Twister hides the noise in this mode, so the stream is never "
                  "credited"};
    }
    return {.source_class = entropy::SourceClass::raw_physical,
            .millibits_per_sample = 3000,
            .rate_hz = pro_rate_hz,
            .rate_origin = pro_rate_origin,
            .origin =
                "assumed: 3 of the 8 middle bits of a 10-bit converter word with a bell-shaped "
                "distribution; not measured on this unit"};
  }
  [[nodiscard]] std::string_view quirks() const override {
    return "settings mode=raw|unwhitened|normal|generator-1|generator-2, millivolts-min, "
           "millivolts-max; the "
           "supply "
           "voltage is read at the start";
  }
  [[nodiscard]] Status configure(const DeviceInfo& info, const Settings& settings) override;
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
    plan.initialise_at_restart = true;
    return plan;
  }
  [[nodiscard]] Status initialise(Device& device) override;
  [[nodiscard]] Status decode(ByteView transfer, std::int64_t arrived_ns,
                              SecretBytes& samples) override;
  [[nodiscard]] DeviceFigures figures() const override {
    return {.supply_millivolts = millivolts_};
  }

 private:
  [[nodiscard]] static Status enter(Device& device, const cdc::Port& port, std::uint32_t baud);
  [[nodiscard]] Status check_voltage(Device& device, const cdc::Port& port);
  const TrueRngMode* mode_ = truerng_modes.data();
  std::uint32_t millivolts_min_ = 1000;
  std::uint32_t millivolts_max_ = 100'000;
  std::uint32_t millivolts_ = 0;  ///< Measured at the last set-up.
  unsigned expected_ = 0;         ///< Counter of the next raw byte; 4: not in step yet.
  std::uint8_t upper_ = 0;        ///< Bits 9..6 of the word whose lower bits come next.
};

Status TrueRngPro::configure(const DeviceInfo& info, const Settings& settings) {
  for (const auto& [key, value] : settings) {
    if (key == "mode") {
      const auto* found = std::ranges::find(truerng_modes, value, &TrueRngMode::name);
      if (found == truerng_modes.end())
        return fail(UsbErrc::bad_option, "truerng-pro has no mode \"" + value + "\"");
      if (found->v2_only && info.vendor_id != pro_v2_id.vendor_id)
        return fail(UsbErrc::bad_option, "mode \"" + value + "\" is one of the TrueRNGpro V2");
      mode_ = &*found;
      continue;
    }
    std::uint32_t* bound = key == "millivolts-min"   ? &millivolts_min_
                           : key == "millivolts-max" ? &millivolts_max_
                                                     : nullptr;
    if (bound == nullptr)
      return fail(UsbErrc::bad_option, "truerng-pro has no setting \"" + key + "\"");
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), *bound);
    if (error != std::errc() || stop != value.data() + value.size())
      return fail(UsbErrc::bad_option, key + " is a whole number of millivolts");
  }
  return {};
}

/// The knock, each step an opening of the port at that rate, as serial programs do it.
Status TrueRngPro::enter(Device& device, const cdc::Port& port, std::uint32_t baud) {
  constexpr std::array<std::uint32_t, 3> knock{110, 300, 110};
  for (const std::uint32_t step : knock) {
    TALLA_TRY_STATUS(cdc::set_baud(device, port, step));
    TALLA_TRY_STATUS(cdc::set_lines(device, port, cdc::dtr));
    TALLA_TRY_STATUS(cdc::set_lines(device, port, cdc::none));
  }
  TALLA_TRY_STATUS(cdc::set_baud(device, port, baud));
  return cdc::drop_buffered(device, port);
}

Status TrueRngPro::check_voltage(Device& device, const cdc::Port& port) {
  constexpr std::size_t text_bytes_max = 1024;
  constexpr unsigned line_timeout_ms = 2000;
  TALLA_TRY_STATUS(enter(device, port, voltage_mode));
  TALLA_TRY_STATUS(cdc::set_lines(device, port, cdc::dtr));
  std::string text;
  std::optional<std::uint32_t> millivolts;
  while (!millivolts && text.size() < text_bytes_max) {
    TALLA_TRY(const Bytes piece, device.bulk_in(port.in, port.packet_bytes, line_timeout_ms));
    if (piece.empty()) break;
    text.append(piece.begin(), piece.end());
    millivolts = millivolts_in(text);
  }
  TALLA_TRY_STATUS(cdc::set_lines(device, port, cdc::none));
  if (!millivolts)
    return fail(UsbErrc::nonsense, device.info().place() + " does not say its supply voltage");
  millivolts_ = *millivolts;
  if (*millivolts < millivolts_min_ || *millivolts > millivolts_max_) {
    return fail(UsbErrc::unhealthy, device.info().place() + " has a supply of " +
                                        std::to_string(*millivolts) + " mV, expected " +
                                        std::to_string(millivolts_min_) + " to " +
                                        std::to_string(millivolts_max_));
  }
  return {};
}

Status TrueRngPro::initialise(Device& device) {
  TALLA_TRY(const cdc::Port port, cdc::port_of(device.info()));
  TALLA_TRY_STATUS(check_voltage(device, port));
  TALLA_TRY_STATUS(enter(device, port, mode_->baud));
  constexpr unsigned not_in_step = 4;
  expected_ = not_in_step;
  return cdc::set_lines(device, port, cdc::dtr);
}

Status TrueRngPro::decode(ByteView transfer, std::int64_t /*arrived_ns*/, SecretBytes& samples) {
  if (mode_->baud != raw_mode) {
    samples.insert(samples.end(), transfer.begin(), transfer.end());
    return {};
  }
  const std::size_t before = samples.size();
  for (const std::uint8_t byte : transfer) {
    const unsigned counter = byte >> 6U;
    if (expected_ == 4) {  // the first bytes after a change of mode may be the rest of a pair
      if (counter != 0) continue;
      expected_ = 0;
    }
    if (counter != expected_) {
      take_back(samples, before);
      return fail(UsbErrc::nonsense, "TrueRNGpro: a byte of a raw pair is missing");
    }
    expected_ = (expected_ + 1) % 4;
    if (counter % 2 == 0) {
      upper_ = byte & 0x0FU;
    } else {
      const unsigned word = (static_cast<unsigned>(upper_) << 6U) | (byte & 0x3FU);
      samples.push_back(static_cast<std::uint8_t>((word >> 1U) & 0xFFU));
    }
  }
  return {};
}

}  // namespace

std::unique_ptr<Driver> make_truerng_pro() {
  return std::make_unique<TrueRngPro>();
}

}  // namespace talla::usb
