#include "usb/chaoskey.hpp"

#include <array>

namespace talla::usb {
namespace {

constexpr std::uint16_t packet_bytes = 64;
constexpr std::uint32_t default_millibits = 4000;
constexpr std::uint8_t high_nibble_of_word = 0xF0;  // bits 12..15, in the word's second byte

class ChaosKey final : public Driver {
 public:
  [[nodiscard]] std::string_view model() const override { return "chaoskey"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 1> table{{{.id = chaoskey_id, .product_prefix = "ChaosKey"}}};
    return table;
  }
  [[nodiscard]] std::string_view assessment_origin() const override {
    return "house default: half of the 8 bits per sample that the device's own folding takes; not measured "
           "on this unit";
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
    plan.interface_number = 0;
    plan.stream = {
        .endpoint = chaoskey_raw_endpoint, .transfer_bytes = 16UL * packet_bytes, .transfers_count = 8};
    return plan;
  }

  [[nodiscard]] Status initialise(Device& /*device*/) override { return {}; }

  [[nodiscard]] Status decode(ByteView transfer, Bytes& samples) override {
    if (transfer.size() % 2 != 0) {
      return fail(UsbErrc::nonsense,
                  "ChaosKey sent " + std::to_string(transfer.size()) + " bytes, not whole words");
    }
    std::uint8_t excess = 0;
    for (std::size_t at = 1; at < transfer.size(); at += 2) {
      excess = static_cast<std::uint8_t>(excess | (transfer[at] & high_nibble_of_word));
    }
    if (excess != 0) return fail(UsbErrc::nonsense, "ChaosKey sent a word of more than 12 bits");
    for (std::size_t at = 0; at < transfer.size(); at += 2) {
      const unsigned word = transfer[at] | (static_cast<unsigned>(transfer[at + 1]) << 8U);
      samples.push_back(static_cast<std::uint8_t>((word >> 1U) & 0xFFU));
    }
    return {};
  }

  [[nodiscard]] entropy::SourceDescription describe(const DeviceInfo& info,
                                                    const DriverOptions& options) const override {
    entropy::SourceDescription description;
    description.model = model();
    description.serial = info.serial;
    description.source_class = entropy::SourceClass::raw_physical;
    description.bits_per_sample = 8;
    description.assessed_millibits_per_sample = options.assessed_millibits_per_sample != 0
                                                    ? options.assessed_millibits_per_sample
                                                    : default_millibits;
    description.nominal_rate_hz = options.nominal_rate_hz;
    return description;
  }
};

}  // namespace

std::unique_ptr<Driver> make_chaoskey() {
  return std::make_unique<ChaosKey>();
}

}  // namespace talla::usb
