// BitBabbler White and Black. Facts: the maker's host program: FT232H in MPSSE mode, synchronised
// by two bad opcodes; the first write sometimes gets no answer, so the pair is tried twice, and the
// whole set-up up to twenty times; a pin of 4 to 7 that is an output switches its generator off,
// and of both models none is by default; opcode 0x20 clocks bytes in, most significant bit first,
// 0x87 sends them at once; the bit rate is 30 MHz / (divisor + 1).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/secret.hpp"
#include "bulk.hpp"
#include "ftdi.hpp"
#include "timeouts.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {
namespace {

constexpr UsbId bitbabbler_id{.vendor_id = 0x0403, .product_id = 0x7840};
constexpr std::uint32_t clock_hz = 30'000'000;
constexpr std::uint32_t rate_min = 458;
constexpr std::uint32_t rate_default = 2'500'000;
constexpr std::string_view clocked = "its clock: the divisor; gaps between requests come on top";
constexpr std::size_t request_bytes = 16'384;
constexpr unsigned answer_timeout_ms = 1000;
constexpr unsigned setups_max = 20;        // as the maker's program
constexpr unsigned silent_setups_max = 3;  // of them without even the chip's status packets
constexpr unsigned mode_settles_ms = 50;
constexpr unsigned pins_settle_ms = 30;
constexpr std::uint8_t all_generators = 0x0F;

class BitBabbler final : public Driver {
 public:
  [[nodiscard]] std::string_view model() const override { return "bitbabbler"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 2> table{
        {{.id = bitbabbler_id, .product_prefix = "White RNG"},
         {.id = bitbabbler_id, .product_prefix = "Black RNG"}}};
    return table;
  }
  [[nodiscard]] StreamClaim claim() const override;
  [[nodiscard]] std::string_view quirks() const override {
    return "settings mask=1..15 (generators of a White), rate=458..30000000 bit/s, fold=0..4 (0: "
           "raw)";
  }
  [[nodiscard]] Status configure(const DeviceInfo& info, const Settings& settings) override;
  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    TALLA_TRY(const ftdi::Endpoints found, ftdi::endpoints_of(info));
    static_cast<void>(found);
    return {};
  }
  [[nodiscard]] StreamPlan plan(const DeviceInfo& info) const override {
    const ftdi::Endpoints found = *ftdi::endpoints_of(info);
    StreamPlan plan;
    plan.stream = {
        .endpoint = found.in, .transfer_bytes = 8UL * found.packet_bytes, .transfers_count = 8};
    plan.initialise_at_restart = true;
    return plan;
  }
  [[nodiscard]] Status initialise(Device& device) override;
  [[nodiscard]] Status feed(Device& device, std::int64_t now_ns) override;
  [[nodiscard]] Status decode(ByteView transfer, std::int64_t arrived_ns,
                              SecretBytes& samples) override;

 private:
  [[nodiscard]] std::uint32_t divisor() const { return clock_hz / rate_ - 1; }
  /// By the divisor; the gaps between requests are not in it.
  [[nodiscard]] std::uint32_t samples_per_second() const {
    return (clock_hz / (divisor() + 1) / 8) >> fold_;
  }
  [[nodiscard]] unsigned latency_ms() const;
  [[nodiscard]] Status enter_mpsse(Device& device) const;
  [[nodiscard]] Result<bool> in_step(Device& device) const;
  [[nodiscard]] Status settle(Device& device, unsigned ms) const;
  [[nodiscard]] Result<bool> synchronise(Device& device, std::uint8_t bad_opcode) const;
  [[nodiscard]] Status set_pins(Device& device) const;
  void fold(SecretBytes& samples);

  ftdi::Endpoints endpoints_;
  bool black_ = false;
  std::uint8_t mask_ = all_generators;
  std::uint32_t rate_ = rate_default;
  unsigned fold_ = 0;
  std::size_t left_ = 0;  ///< Asked for and not yet come.
  SecretBytes unfolded_;
};

StreamClaim BitBabbler::claim() const {
  if (fold_ > 0) {
    return {.source_class = entropy::SourceClass::conditioned_physical,
            .rate_hz = samples_per_second(),
            .rate_origin = clocked,
            .origin = "none: folded by XOR on this host, so the stream is never credited"};
  }
  const bool many = mask_ == all_generators && !black_;  // a Black has one, whatever the pins
  return {
      .source_class = entropy::SourceClass::raw_physical,
      .millibits_per_sample = many ? 4000U : 1000U,
      .rate_hz = samples_per_second(),
      .rate_origin = clocked,
      .origin =
          many ? "assumed: half of the 8 bits, as the maker folds all four generators once; not "
                 "measured on this unit"
               : "assumed: an eighth of the 8 bits, as the maker folds one generator three times; "
                 "not measured on this unit"};
}

Status BitBabbler::configure(const DeviceInfo& info, const Settings& settings) {
  black_ = info.product.starts_with("Black");
  for (const auto& [key, value] : settings) {
    std::uint32_t number = 0;
    const char* end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    const bool whole = error == std::errc() && stop == end;
    if (key == "mask" && whole && number >= 1 && number <= all_generators && !black_) {
      mask_ = static_cast<std::uint8_t>(number);
    } else if (key == "rate" && whole && number >= rate_min && number <= clock_hz) {
      rate_ = number;
    } else if (key == "fold" && whole && number <= 4) {
      fold_ = number;
    } else if (key == "mask" || key == "rate" || key == "fold") {
      return fail(UsbErrc::bad_option,
                  fmt::format("bitbabbler: {}={} is outside its range for this device{}", key,
                              value, black_ && key == "mask" ? ": a Black has one generator" : ""));
    } else {
      return fail(UsbErrc::bad_option, "bitbabbler has no setting \"" + key + "\"");
    }
  }
  return {};
}

Status BitBabbler::initialise(Device& device) {
  using ftdi::Request;
  TALLA_TRY(endpoints_, ftdi::endpoints_of(device.info()));
  left_ = 0;
  wipe(unfolded_.data(), unfolded_.size());
  unfolded_.clear();
  unsigned silent = 0;
  for (unsigned setup = 0; setup < setups_max; ++setup) {
    TALLA_TRY_STATUS(enter_mpsse(device));
    auto step = in_step(device);
    if (!step && !step.error().is(UsbErrc::timed_out)) return tl::unexpected<Error>(step.error());
    if (!step && ++silent == silent_setups_max) return tl::unexpected<Error>(step.error());
    if (!step || !*step) continue;
    TALLA_TRY_STATUS(set_pins(device));
    return settle(device, pins_settle_ms);
  }
  return fail(UsbErrc::nonsense, device.info().place() +
                                     " does not answer as a chip in MPSSE mode, after " +
                                     std::to_string(setups_max) + " set-ups");
}

/// Reset, latency, flow control, mode; what the chip had to say is dropped.
Status BitBabbler::enter_mpsse(Device& device) const {
  using ftdi::Request;
  constexpr std::uint16_t rts_cts_channel_a = 0x0101;
  constexpr std::uint16_t mpsse = 0x0200;
  constexpr std::uint8_t vendor_in = 0xC0;
  TALLA_TRY_STATUS(ftdi::set(device, Request::reset, 0));
  TALLA_TRY_STATUS(ftdi::set(device, Request::event_character, 0));
  TALLA_TRY_STATUS(ftdi::set(device, Request::error_character, 0));
  TALLA_TRY_STATUS(
      ftdi::set(device, Request::latency_timer, static_cast<std::uint16_t>(latency_ms())));
  TALLA_TRY_STATUS(ftdi::set(device, Request::flow_control, 0, rts_cts_channel_a));
  TALLA_TRY_STATUS(ftdi::set(device, Request::bit_mode, 0));
  TALLA_TRY_STATUS(ftdi::set(device, Request::bit_mode, mpsse));
  TALLA_TRY_STATUS(settle(device, mode_settles_ms));
  TALLA_TRY(const Bytes modem,
            device.control_in({.request_type = vendor_in,
                               .request = static_cast<std::uint8_t>(Request::modem_status),
                               .value = 0,
                               .index = ftdi::channel_a},
                              2, control_timeout_ms));
  if (modem.size() != ftdi::status_bytes)
    return fail(UsbErrc::nonsense, "BitBabbler answered without its status");
  return ftdi::set(device, Request::reset, 1);
}

/// Both bad opcodes come back, at the first or the second try.
Result<bool> BitBabbler::in_step(Device& device) const {
  constexpr unsigned tries = 2;
  for (unsigned k = 0; k < tries; ++k) {
    TALLA_TRY(const bool first, synchronise(device, 0xAA));
    if (!first) continue;
    TALLA_TRY(const bool second, synchronise(device, 0xAB));
    if (second) return true;
  }
  return false;
}

unsigned BitBabbler::latency_ms() const {
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(std::uint64_t{endpoints_.packet_bytes} * 8000 / rate_ + 2, 1, 255));
}

/// Drops what comes within that time. The chip sends a packet, if only its status, whenever the
/// latency timer fires: so many of them are the time.
Status BitBabbler::settle(Device& device, unsigned ms) const {
  for (unsigned passed_ms = 0; passed_ms < ms; passed_ms += latency_ms()) {
    auto packet = device.bulk_in(endpoints_.in, endpoints_.packet_bytes, answer_timeout_ms);
    if (!packet && packet.error().is(UsbErrc::timed_out)) return {};
    if (!packet) return tl::unexpected<Error>(std::move(packet).error());
    wipe(packet->data(), packet->size());
  }
  return {};
}

/// A bad opcode comes back behind 0xFA: the chip is in MPSSE mode and listens. Other bytes are of
/// before and dropped.
Result<bool> BitBabbler::synchronise(Device& device, std::uint8_t bad_opcode) const {
  constexpr std::uint8_t send_now = 0x87;
  constexpr std::uint8_t bad_command = 0xFA;
  constexpr unsigned empty_max = 10;  // packets of status alone, while the answer is on its way
  constexpr unsigned packets_max = 64;
  TALLA_TRY_STATUS(device.bulk_out(endpoints_.out, Bytes{bad_opcode, send_now}, write_timeout_ms));
  Bytes answer;  // an answer may come in pieces
  unsigned empty = 0;
  for (unsigned k = 0; k < packets_max && empty < empty_max; ++k) {
    TALLA_TRY(const Bytes transfer,
              device.bulk_in(endpoints_.in, endpoints_.packet_bytes, answer_timeout_ms));
    const std::size_t before = answer.size();
    TALLA_TRY_STATUS(ftdi::for_each_packet(
        transfer, endpoints_.packet_bytes,
        [&answer](ByteView data) { answer.insert(answer.end(), data.begin(), data.end()); }));
    if (answer.size() >= 2 && answer[answer.size() - 2] == bad_command &&
        answer.back() == bad_opcode)
      return true;
    empty = answer.size() == before ? empty + 1 : 0;
  }
  return false;
}

Status BitBabbler::set_pins(Device& device) const {
  constexpr std::uint8_t clock_60_mhz = 0x8A;
  constexpr std::uint8_t no_adaptive_clock = 0x97;
  constexpr std::uint8_t no_three_phase = 0x8D;
  constexpr std::uint8_t no_loopback = 0x85;
  const std::uint8_t level = 0;  // polarity of every generator as built
  const auto direction =
      static_cast<std::uint8_t>(0x0BU | ((~static_cast<unsigned>(mask_) << 4U) & 0xF0U));
  const Bytes commands{clock_60_mhz,
                       no_adaptive_clock,
                       no_three_phase,
                       0x80,
                       level,
                       direction,
                       0x82,
                       0x00,
                       0x00,
                       0x86,
                       static_cast<std::uint8_t>(divisor() & 0xFFU),
                       static_cast<std::uint8_t>(divisor() >> 8U),
                       no_loopback};
  return device.bulk_out(endpoints_.out, commands, write_timeout_ms);
}

Status BitBabbler::feed(Device& device, std::int64_t /*now_ns*/) {
  while (left_ <= request_bytes) {  // one request in work, one behind it
    constexpr std::size_t last = request_bytes - 1;
    TALLA_TRY_STATUS(device.bulk_out(endpoints_.out,
                                     Bytes{0x20, static_cast<std::uint8_t>(last & 0xFFU),
                                           static_cast<std::uint8_t>(last >> 8U), 0x87},
                                     write_timeout_ms));
    left_ += request_bytes;
  }
  return {};
}

Status BitBabbler::decode(ByteView transfer, std::int64_t /*arrived_ns*/, SecretBytes& samples) {
  SecretBytes& into = fold_ == 0 ? samples : unfolded_;
  const std::size_t before = into.size();
  TALLA_TRY_STATUS(ftdi::for_each_packet(transfer, endpoints_.packet_bytes, [&into](ByteView data) {
    into.insert(into.end(), data.begin(), data.end());
  }));
  const std::size_t came = into.size() - before;
  if (came > left_) {
    take_back(into, before);
    return fail(UsbErrc::nonsense, "BitBabbler sent more than it was asked for");
  }
  left_ -= came;
  if (fold_ > 0) fold(samples);
  return {};
}

/// The second half of each request onto the first, again and again.
void BitBabbler::fold(SecretBytes& samples) {
  while (unfolded_.size() >= request_bytes) {
    std::size_t size = request_bytes;
    for (unsigned k = 0; k < fold_; ++k) {
      size /= 2;
      for (std::size_t at = 0; at < size; ++at) unfolded_[at] ^= unfolded_[size + at];
    }
    samples.insert(samples.end(), unfolded_.begin(),
                   unfolded_.begin() + static_cast<std::ptrdiff_t>(size));
    wipe(unfolded_.data(), request_bytes);
    unfolded_.erase(unfolded_.begin(),
                    unfolded_.begin() + static_cast<std::ptrdiff_t>(request_bytes));
  }
}

}  // namespace

std::unique_ptr<Driver> make_bitbabbler() {
  return std::make_unique<BitBabbler>();
}

}  // namespace talla::usb
