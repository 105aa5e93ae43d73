// Araneus Alea I and II. Facts: the kernel's chaoskey driver serves it with two differences: the
// first read takes almost two seconds, and a suspended device is slow again.
#include <array>

#include "bulk.hpp"
#include "byte_driver.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {
namespace {

constexpr UsbId alea_id{.vendor_id = 0x12d8, .product_id = 0x0001};

class Alea final : public ByteDriver {
 public:
  [[nodiscard]] std::string_view model() const override { return "alea"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 2> table{
        {{.id = alea_id, .product_prefix = "Alea"}, {.id = alea_id, .product_prefix = "Araneus"}}};
    return table;
  }
  [[nodiscard]] StreamClaim claim() const override {
    return {
        .source_class = entropy::SourceClass::conditioned_physical,
        .rate_hz = 12'500,
        .rate_origin = "assumed: 100 kbit/s",
        .origin =
            "none: the maker's processing cannot be switched off, so the stream is never credited"};
  }
  [[nodiscard]] std::string_view quirks() const override {
    return "the first read takes almost two seconds; the kernel's chaoskey module is detached";
  }
  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    if (find_bulk(info, 0, true) == nullptr) {
      return fail(UsbErrc::impostor, info.place() + " has no bulk IN endpoint on interface 0");
    }
    return {};
  }
  [[nodiscard]] StreamPlan plan(const DeviceInfo& info) const override {
    const EndpointInfo* in = find_bulk(info, 0, true);
    StreamPlan plan;
    plan.stream = {
        .endpoint = in->address, .transfer_bytes = in->packet_bytes_max, .transfers_count = 4};
    return plan;
  }
  [[nodiscard]] Status initialise(Device& /*device*/) override { return {}; }
};

}  // namespace

std::unique_ptr<Driver> make_alea() {
  return std::make_unique<Alea>();
}

}  // namespace talla::usb
