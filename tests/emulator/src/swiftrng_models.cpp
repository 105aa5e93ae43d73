// SwiftRNG, both generations: one-byte commands, answers that end with a status byte.
#include "serial_model.hpp"

namespace talla::emulator {
namespace {

class SwiftRngModel final : public DeviceModel {
 public:
  SwiftRngModel(Identity identity, const ModelOptions& options, std::uint8_t in, std::uint8_t out)
      : DeviceModel(std::move(identity), options.rate), noise_(options.noise), in_(in), out_(out) {}

 protected:
  [[nodiscard]] Reply on_control(const Setup& setup, ByteView /*out*/) override {
    return setup.type == 0x21 && (setup.request == 0x20 || setup.request == 0x22) ? Reply{}
                                                                                  : stall();
  }
  [[nodiscard]] Reply on_bulk_out(std::uint8_t endpoint, ByteView data) override {
    if (endpoint != out_ || data.size() != 1) return stall();
    forget_time();
    answer_.clear();
    text_.clear();
    switch (data[0]) {
      case '<':
      case '>':
      case 'x':
        block_left_ = 16001;
        break;
      case 'v':
        text_ = "V2.0";
        break;
      case 'm':
        text_ = "SwiftRNG";
        break;
      case 's':
        text_ = "SWRNG0000000123";
        break;
      default:
        return stall();
    }
    if (!text_.empty()) {
      answer_.assign(text_.begin(), text_.end());
      answer_.push_back(0);
      block_left_ = 0;
    }
    return {};
  }
  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                 std::int64_t now_ns) override {
    if (endpoint != in_) return std::nullopt;
    if (!answer_.empty()) return std::exchange(answer_, {});
    if (block_left_ == 0 || noise_.silent()) return std::nullopt;
    const std::size_t size = std::min<std::size_t>(packet_bytes(endpoint), block_left_);
    if (yielded(now_ns, size, noise_.rate_permille()) < size) return std::nullopt;
    take(size);
    Bytes packet;
    for (; packet.size() < size; --block_left_) {
      if (block_left_ == 1) {
        packet.push_back(bad_ ? 1 : 0);
        continue;
      }
      const std::uint8_t sample = noise_.sample();
      record(sample);
      packet.push_back(sample);
    }
    return packet;
  }
  bool spoil(Bytes& /*packet*/) override {
    bad_ = true;
    return true;
  }

 private:
  Noise noise_;
  std::uint8_t in_;
  std::uint8_t out_;
  std::string text_;
  Bytes answer_;
  std::size_t block_left_ = 0;  ///< of an answer: noise, and one byte of status
  bool bad_ = false;
};

}  // namespace

Model swiftrng(const ModelOptions& options) {
  return std::make_unique<SwiftRngModel>(
      Identity{.vendor_id = 0x1fc9,
               .product_id = 0x8110,
               .manufacturer = "TectroLabs",
               .product = "SwiftRNG",
               .serial = options.serial,
               .interfaces = {{.number = 0, .endpoints = {{0x81}, {0x01}}}}},
      options, 0x81, 0x01);
}
Model swiftrng_cdc(const ModelOptions& options) {
  return std::make_unique<SwiftRngModel>(Identity{.vendor_id = 0x1fc9,
                                                  .product_id = 0x8111,
                                                  .manufacturer = "TectroLabs",
                                                  .product = "SwiftRNG LE",
                                                  .serial = options.serial,
                                                  .interfaces = serial_interfaces()},
                                         options, serial_in, serial_out);
}

}  // namespace talla::emulator
