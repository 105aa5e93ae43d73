// Infinite Noise. Facts: host library and kernel module of the project: FT240X in synchronous
// bit-bang at 30,000 baud divisor units, pin mask 0xED; 512 bytes that alternate the two switches
// are written and 512 read back, never more ahead of the read; even places carry COMP1 (bit 1), odd
// ones COMP2 (bit 4). A block that took longer than 5 ms is thrown away: the hold capacitor drifts.
// The set-up sometimes has to run twice. What comes first is dropped until the maker's estimate has
// the 80,000 bits it asks for without a fault.
#include <array>

#include "base/secret.hpp"
#include "ftdi.hpp"
#include "infnoise_gain.hpp"
#include "timeouts.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {
namespace {

constexpr std::size_t infnoise_block_bytes = 512;
constexpr std::int64_t block_ns_max = 5'000'000;
constexpr unsigned warm_up_blocks = 157;       // 80,384 bits: the first whole blocks above 80,000
constexpr unsigned warm_up_blocks_max = 2000;  // a million bits: then it is no working multiplier
constexpr unsigned warm_up_ms = 8000;          // for so many blocks and what a bus adds
constexpr std::uint8_t switch_1 = 0x04;
constexpr std::uint8_t switch_2 = 0x01;

class Infnoise final : public Driver {
 public:
  [[nodiscard]] std::string_view model() const override { return "infnoise"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 2> table{
        {{.id = {.vendor_id = 0x0403, .product_id = 0x6015}, .product_prefix = "Infinite Noise"},
         {.id = {.vendor_id = 0x1209, .product_id = 0x3701}, .product_prefix = "Infinite Noise"}}};
    return table;
  }
  [[nodiscard]] StreamClaim claim() const override {
    return {
        .source_class = entropy::SourceClass::raw_physical,
        .bits_per_sample = 1,
        .millibits_per_sample = 350,
        .rate_hz = 480'000,
        .rate_origin = "its clock: 16 bit times of 30,000 baud",
        .origin =
            "assumed: whoever knows 14 bits guesses 62 % of the next ones (0.70), and the "
            "compression "
            "estimate of SP 800-90B gives 0.39 on an emulated multiplier; 0.35 leaves room; not "
            "measured on this unit"};
  }
  [[nodiscard]] std::string_view quirks() const override {
    return "one bit a sample; blocks slower than 5 ms are dropped, and the first 80,384 bits; the "
           "gain is watched; "
           "the kernel's ftdi_sio is detached; product=any takes a unit that has the chip's own "
           "product string";
  }
  [[nodiscard]] bool may_lack_product() const override { return true; }
  [[nodiscard]] Status configure(const DeviceInfo& info, const Settings& settings) override {
    for (const auto& [key, value] : settings) {
      if (key != "product") return Driver::configure(info, {{key, value}});
      if (value != "any") return fail(UsbErrc::bad_option, "infnoise: product is any, or not set");
    }
    return {};
  }
  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    TALLA_TRY(const ftdi::Endpoints found, ftdi::endpoints_of(info));
    static_cast<void>(found);
    return {};
  }
  [[nodiscard]] StreamPlan plan(const DeviceInfo& info) const override {
    const ftdi::Endpoints found = *ftdi::endpoints_of(info);
    constexpr std::size_t data_bytes = 62;
    constexpr std::size_t packets = (infnoise_block_bytes + data_bytes - 1) / data_bytes;
    StreamPlan plan;
    plan.stream = {
        .endpoint = found.in, .transfer_bytes = packets * found.packet_bytes, .transfers_count = 4};
    plan.first_silence_ms = warm_up_ms;
    plan.initialise_at_restart = true;
    return plan;
  }
  [[nodiscard]] Status initialise(Device& device) override {
    TALLA_TRY(endpoints_, ftdi::endpoints_of(device.info()));
    left_ = 0;
    block_.clear();
    gain_.cut();
    warm_blocks_ = 0;
    warm_tries_ = 0;
    if (auto first = set_up(device); first || first.error().is(UsbErrc::gone)) return first;
    return set_up(device);
  }
  [[nodiscard]] Status feed(Device& device, std::int64_t now_ns) override {
    if (left_ > 0) return {};
    static const Bytes pattern = [] {
      Bytes bytes;
      while (bytes.size() < infnoise_block_bytes) bytes.insert(bytes.end(), {switch_1, switch_2});
      return bytes;
    }();
    begun_ns_ = now_ns;
    TALLA_TRY_STATUS(device.bulk_out(endpoints_.out, pattern, write_timeout_ms));
    left_ = infnoise_block_bytes;
    return {};
  }
  [[nodiscard]] Status decode(ByteView transfer, std::int64_t arrived_ns,
                              SecretBytes& samples) override {
    TALLA_TRY_STATUS(ftdi::for_each_packet(
        transfer, endpoints_.packet_bytes,
        [this](ByteView data) { block_.insert(block_.end(), data.begin(), data.end()); }));
    if (block_.size() > infnoise_block_bytes || left_ == 0) {
      if (block_.empty()) return {};
      return fail(UsbErrc::nonsense, "Infinite Noise sent more than was clocked out of it");
    }
    if (block_.size() < infnoise_block_bytes) return {};
    left_ = 0;
    const bool slow = arrived_ns - begun_ns_ > block_ns_max;
    auto taken = slow ? drop() : take(samples);
    wipe(block_.data(), block_.size());
    block_.clear();
    return taken;
  }
  [[nodiscard]] std::uint64_t dropped_blocks() const override { return dropped_; }
  [[nodiscard]] DeviceFigures figures() const override {
    return {.gain_permille = gain_.gain_permille()};
  }

 private:
  [[nodiscard]] static Status set_up(Device& device) {
    using ftdi::Request;
    constexpr std::uint16_t divisor_3_mhz = 0x0064;
    constexpr std::uint16_t bit_bang_with_mask = 0x04ED;
    TALLA_TRY_STATUS(ftdi::set(device, Request::reset, 0));
    TALLA_TRY_STATUS(ftdi::set(device, Request::latency_timer, 1));
    TALLA_TRY_STATUS(ftdi::set(device, Request::baud_rate, divisor_3_mhz));
    TALLA_TRY_STATUS(ftdi::set(device, Request::bit_mode, bit_bang_with_mask));
    TALLA_TRY_STATUS(ftdi::set(device, Request::reset, 1));
    return ftdi::set(device, Request::reset, 2);
  }
  [[nodiscard]] Status drop() {
    ++dropped_;
    gain_.cut();
    return {};
  }
  /// A block of the warm-up: judged, and dropped. A fault begins it anew, as the maker's program
  /// goes on through one.
  [[nodiscard]] Status warm_up() {
    if (++warm_tries_ > warm_up_blocks_max)
      return fail(UsbErrc::unhealthy, "Infinite Noise: not healthy within " +
                                          std::to_string(warm_up_blocks_max) +
                                          " blocks of its start");
    SecretBytes dropped;
    const Status judged = judge(dropped);
    warm_blocks_ = judged ? warm_blocks_ + 1 : 0;
    if (!judged) gain_.cut();
    return {};
  }
  [[nodiscard]] Status take(SecretBytes& samples) {
    return warm_blocks_ < warm_up_blocks ? warm_up() : judge(samples);
  }
  [[nodiscard]] Status judge(SecretBytes& samples) {
    constexpr unsigned comparator_1 = 1;
    constexpr unsigned comparator_2 = 4;
    const std::size_t before = samples.size();
    for (std::size_t k = 0; k < block_.size(); ++k) {
      const bool odd = k % 2 == 1;
      const unsigned bit =
          (static_cast<unsigned>(block_[k]) >> (odd ? comparator_2 : comparator_1)) & 1U;
      const GainVerdict verdict = gain_.add(bit, odd);
      if (verdict != GainVerdict::good) {
        take_back(samples, before);
        return refuse(verdict);
      }
      samples.push_back(static_cast<std::uint8_t>(bit));
    }
    return {};
  }
  [[nodiscard]] static Status refuse(GainVerdict verdict) {
    const char* what = verdict == GainVerdict::long_run  ? "more than 20 equal bits in a row"
                       : verdict == GainVerdict::too_low ? "the gain is more than 3 % below 1.84"
                                                         : "the gain is more than 3 % above 1.84";
    return fail(UsbErrc::unhealthy, std::string("Infinite Noise: ") + what);
  }
  ftdi::Endpoints endpoints_;
  InfnoiseGain gain_;
  SecretBytes block_;
  std::size_t left_ = 0;  ///< Clocked out and not yet read back; 0: the next block may be written.
  std::int64_t begun_ns_ = 0;
  std::uint64_t dropped_ = 0;
  /// Blocks without a fault since the set-up, up to the warm-up's number.
  unsigned warm_blocks_ = 0;
  unsigned warm_tries_ = 0;  ///< Blocks of the warm-up, with a fault or without.
};

}  // namespace

std::unique_ptr<Driver> make_infnoise() {
  return std::make_unique<Infnoise>();
}

}  // namespace talla::usb
