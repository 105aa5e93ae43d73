#include "usb/chaoskey.hpp"

#include <array>

namespace talla::usb {
namespace {

constexpr std::uint16_t packet_bytes = 64;
constexpr std::uint32_t default_millibits = 4000;
constexpr std::uint8_t high_nibble_of_word = 0xF0;  // bits 12..15, in the word's second byte
constexpr std::uint64_t variance_words = 4096;
constexpr std::uint64_t variance_min = 128UL * 128UL;

class ChaosKey final : public Driver {
 public:
  [[nodiscard]] std::string_view model() const override { return "chaoskey"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 1> table{
        {{.id = chaoskey_id, .product_prefix = "ChaosKey"}}};
    return table;
  }
  [[nodiscard]] StreamClaim claim() const override {
    return {.source_class = entropy::SourceClass::raw_physical,
            .bits_per_sample = 8,
            .millibits_per_sample = default_millibits,
            .rate_hz = 480'000,
            .rate_origin =
                "assumed: words of two bytes at almost the million bytes a second of a full-speed "
                "bus",
            .origin =
                "assumed: half of the 8 bits per sample that the device's own folding takes; not "
                "measured on this unit"};
  }
  [[nodiscard]] std::string_view quirks() const override {
    return "raw 12-bit converter words, bits 1 to 8 kept; the kernel's chaoskey module is detached";
  }

  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    const EndpointInfo* raw = info.find_endpoint(0, chaoskey_raw_endpoint);
    if (raw == nullptr)
      return fail(UsbErrc::impostor, info.place() + " has no raw endpoint 0x86 on interface 0");
    if (raw->type != TransferType::bulk) {
      return fail(UsbErrc::impostor, info.place() + " has an endpoint 0x86 that is not bulk");
    }
    if (raw->packet_bytes_max != packet_bytes) {
      return fail(UsbErrc::impostor, info.place() + " has packets of " +
                                         std::to_string(raw->packet_bytes_max) +
                                         " bytes on endpoint 0x86, a ChaosKey has 64");
    }
    return {};
  }

  [[nodiscard]] StreamPlan plan(const DeviceInfo& /*info*/) const override {
    StreamPlan plan;
    plan.stream = {.endpoint = chaoskey_raw_endpoint,
                   .transfer_bytes = 16UL * packet_bytes,
                   .transfers_count = 8};
    return plan;
  }

  [[nodiscard]] Status initialise(Device& /*device*/) override { return {}; }

  [[nodiscard]] Status decode(ByteView transfer, std::int64_t /*arrived_ns*/,
                              SecretBytes& samples) override {
    if (transfer.size() % 2 != 0) {
      return fail(UsbErrc::nonsense,
                  "ChaosKey sent " + std::to_string(transfer.size()) + " bytes, not whole words");
    }
    std::uint8_t excess = 0;
    for (std::size_t at = 1; at < transfer.size(); at += 2) {
      excess = static_cast<std::uint8_t>(excess | (transfer[at] & high_nibble_of_word));
    }
    if (excess != 0) return fail(UsbErrc::nonsense, "ChaosKey sent a word of more than 12 bits");
    TALLA_TRY_STATUS(watch_variance(transfer));
    for (std::size_t at = 0; at < transfer.size(); at += 2) {
      const unsigned word = transfer[at] | (static_cast<unsigned>(transfer[at + 1]) << 8U);
      samples.push_back(static_cast<std::uint8_t>((word >> 1U) & 0xFFU));
    }
    return {};
  }

  [[nodiscard]] DeviceFigures figures() const override { return {.sample_variance = variance_}; }

 private:
  /// The firmware holds back a packet whose words vary too little; what arrives may be asked the
  /// same of.
  [[nodiscard]] Status watch_variance(ByteView transfer) {
    for (std::size_t at = 0; at < transfer.size(); at += 2) {
      const std::uint64_t word =
          transfer[at] | (static_cast<std::uint64_t>(transfer[at + 1]) << 8U);
      sum_ += word;
      squares_ += word * word;
      if (++words_ < variance_words) continue;
      const std::uint64_t scaled = words_ * squares_ - sum_ * sum_;
      const bool flat = scaled < variance_min * words_ * words_;
      variance_ = scaled / (words_ * words_);
      sum_ = squares_ = words_ = 0;
      if (flat)
        return fail(UsbErrc::unhealthy, "ChaosKey: the words of its converter vary too little");
    }
    return {};
  }

  std::uint64_t sum_ = 0;
  std::uint64_t squares_ = 0;
  std::uint64_t words_ = 0;
  std::uint64_t variance_ = 0;
};

}  // namespace

std::unique_ptr<Driver> make_chaoskey() {
  return std::make_unique<ChaosKey>();
}

}  // namespace talla::usb
