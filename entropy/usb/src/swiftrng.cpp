// SwiftRNG, both generations. Facts: the maker's API: one byte is a command, its answer ends with a
// status byte that must be 0; '<' and '>' bring 16,000 raw bytes of noise source 1 and 2, 'x'
// 16,000 processed ones, 'v' the version (4 bytes).
#include <array>

#include "bulk.hpp"
#include "cdc.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {
namespace {

constexpr std::size_t swiftrng_block_bytes = 16000;
constexpr std::size_t version_bytes = 4;
constexpr std::uint32_t swift_rate_hz = 500'000;
constexpr std::string_view swift_rate_origin =
    "assumed: no figure for what is read here is at hand";
constexpr unsigned rest_quiet_ms = 100;
constexpr unsigned command_timeout_ms = 2000;
constexpr std::size_t rest_bytes_max = 4 * swiftrng_block_bytes;

struct Wires {
  std::uint8_t in = 0;
  std::uint8_t out = 0;
  std::uint16_t packet_bytes = 64;
  std::vector<std::uint8_t> interfaces;
};

class SwiftRng : public Driver {
 public:
  [[nodiscard]] StreamClaim claim() const override {
    if (command_ == 'x') {
      return {
          .source_class = entropy::SourceClass::conditioned_physical,
          .rate_hz = swift_rate_hz,
          .rate_origin = swift_rate_origin,
          .origin =
              "none: both sources are mixed and processed inside, so the stream is never credited"};
    }
    return {.source_class = entropy::SourceClass::raw_physical,
            .millibits_per_sample = 4000,
            .rate_hz = swift_rate_hz,
            .rate_origin = swift_rate_origin,
            .origin = "assumed: half of the 8 bits of a raw byte; not measured on this unit"};
  }
  [[nodiscard]] std::string_view quirks() const override {
    return "setting noise=1|2|processed; answers of 16,000 bytes, each with a verdict of the "
           "device's own "
           "tests";
  }
  [[nodiscard]] Status configure(const DeviceInfo& /*info*/, const Settings& settings) override {
    for (const auto& [key, value] : settings) {
      if (key != "noise")
        return fail(UsbErrc::bad_option, std::string(model()) + " has no setting \"" + key + "\"");
      if (value != "1" && value != "2" && value != "processed")
        return fail(UsbErrc::bad_option, "noise is 1, 2 or processed");
      command_ = value == "1" ? '<' : value == "2" ? '>' : 'x';
    }
    return {};
  }
  [[nodiscard]] Status check_layout(const DeviceInfo& info) const override {
    TALLA_TRY(const Wires wires, wires_of(info));
    static_cast<void>(wires);
    return {};
  }
  [[nodiscard]] StreamPlan plan(const DeviceInfo& info) const override {
    const Wires wires = *wires_of(info);
    StreamPlan plan;
    plan.interfaces = wires.interfaces;
    plan.stream = {
        .endpoint = wires.in, .transfer_bytes = 32UL * wires.packet_bytes, .transfers_count = 8};
    plan.initialise_at_restart = true;
    return plan;
  }
  [[nodiscard]] Status initialise(Device& device) override {
    TALLA_TRY(wires_, wires_of(device.info()));
    left_ = 0;
    TALLA_TRY_STATUS(prepare(device));
    TALLA_TRY_STATUS(drain_endpoint(device, wires_.in, rest_bytes_max, rest_quiet_ms));
    TALLA_TRY_STATUS(send(device, 'v'));
    TALLA_TRY(const Bytes answer, read_exactly(device, wires_.in, version_bytes + 1,
                                               wires_.packet_bytes, command_timeout_ms));
    return check_status(answer.back());
  }
  [[nodiscard]] Status feed(Device& device, std::int64_t /*now_ns*/) override {
    if (left_ > 0) return {};
    TALLA_TRY_STATUS(send(device, command_));
    left_ = swiftrng_block_bytes + 1;
    return {};
  }
  [[nodiscard]] Status decode(ByteView transfer, std::int64_t /*arrived_ns*/,
                              SecretBytes& samples) override {
    if (transfer.size() > left_)
      return fail(UsbErrc::nonsense, "SwiftRNG sent more than it was asked for");
    const bool ends = transfer.size() == left_;
    if (ends) TALLA_TRY_STATUS(check_status(transfer.back()));
    left_ -= transfer.size();
    samples.insert(samples.end(), transfer.begin(), transfer.end() - (ends ? 1 : 0));
    return {};
  }

 protected:
  [[nodiscard]] virtual Result<Wires> wires_of(const DeviceInfo& info) const = 0;
  [[nodiscard]] virtual Status prepare(Device& device) = 0;

 private:
  [[nodiscard]] Status send(Device& device, char command) const {
    return device.bulk_out(wires_.out, Bytes{static_cast<std::uint8_t>(command)},
                           command_timeout_ms);
  }
  [[nodiscard]] static Status check_status(std::uint8_t status) {
    if (status == 0) return {};
    return fail(UsbErrc::unhealthy, "SwiftRNG: its own tests say " + std::to_string(status));
  }
  Wires wires_;
  char command_ = '<';
  std::size_t left_ = 0;  ///< Bytes of the answer that are still to come, its status included.
};

class SwiftRngBulk final : public SwiftRng {
 public:
  [[nodiscard]] std::string_view model() const override { return "swiftrng"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 1> table{
        {{.id = {.vendor_id = 0x1fc9, .product_id = 0x8110}, .product_prefix = "SwiftRNG"}}};
    return table;
  }

 protected:
  [[nodiscard]] Result<Wires> wires_of(const DeviceInfo& info) const override {
    const EndpointInfo* in = info.find_endpoint(0, 0x81);
    const EndpointInfo* out = info.find_endpoint(0, 0x01);
    if (in == nullptr || out == nullptr || in->type != TransferType::bulk ||
        out->type != TransferType::bulk) {
      return fail(UsbErrc::impostor,
                  info.place() + " has no bulk endpoints 0x81 and 0x01 on interface 0");
    }
    return Wires{.in = 0x81, .out = 0x01, .packet_bytes = in->packet_bytes_max, .interfaces = {0}};
  }
  [[nodiscard]] Status prepare(Device& /*device*/) override { return {}; }
};

class SwiftRngCdc final : public SwiftRng {
 public:
  [[nodiscard]] std::string_view model() const override { return "swiftrng-cdc"; }
  [[nodiscard]] std::span<const Match> matches() const override {
    static constexpr std::array<Match, 5> table{
        {{.id = {.vendor_id = 0x1fc9, .product_id = 0x8111}, .product_prefix = "SwiftRNG"},
         {.id = {.vendor_id = 0x3975, .product_id = 0x0001}, .product_prefix = "SwiftRNG"},
         {.id = {.vendor_id = 0x3975, .product_id = 0x0002}, .product_prefix = "SwiftRNG"},
         {.id = {.vendor_id = 0x3975, .product_id = 0x0003}, .product_prefix = "SwiftRNG"},
         {.id = {.vendor_id = 0x3975, .product_id = 0x0004}, .product_prefix = "SwiftRNG"}}};
    return table;
  }

 protected:
  [[nodiscard]] Result<Wires> wires_of(const DeviceInfo& info) const override {
    TALLA_TRY(const cdc::Port port, cdc::port_of(info));
    if (port.out == 0)
      return fail(UsbErrc::impostor, info.place() + " has no way to take commands");
    return Wires{.in = port.in,
                 .out = port.out,
                 .packet_bytes = port.packet_bytes,
                 .interfaces = port.interfaces()};
  }
  [[nodiscard]] Status prepare(Device& device) override {
    TALLA_TRY(const cdc::Port port, cdc::port_of(device.info()));
    return cdc::set_lines(device, port, cdc::dtr | cdc::rts);
  }
};

}  // namespace

std::unique_ptr<Driver> make_swiftrng() {
  return std::make_unique<SwiftRngBulk>();
}

std::unique_ptr<Driver> make_swiftrng_cdc() {
  return std::make_unique<SwiftRngCdc>();
}

}  // namespace talla::usb
