// Infinite Noise: a modular noise multiplier behind an FT240X in synchronous bit-bang.
#include "ftdi_model.hpp"

namespace talla::emulator {
namespace {

class InfnoiseModel final : public FtdiModel {
 public:
  InfnoiseModel(const ModelOptions& options, unsigned gain_permille)
      : FtdiModel({.vendor_id = 0x0403,
                   .product_id = 0x6015,
                   .manufacturer = "13-37.org",
                   .product = options.product.empty() ? "Infinite Noise TRNG" : options.product,
                   .serial = options.serial,
                   .interfaces = {{.number = 0, .endpoints = {{in}, {out}}}}},
                  options),
        noise_(options.noise),
        gain_(gain_permille / 1000.0) {}

 protected:
  void on_bit_mode(unsigned value) override { bit_bang_ = value == 0x04ED; }
  void on_purge_out() override { clocks_.clear(); }
  [[nodiscard]] Reply on_bulk_out(std::uint8_t endpoint, ByteView data) override {
    if (endpoint != out) return stall();
    if (!bit_bang_ || !clocks_.empty())
      return {};  // written ahead of the read: the chip would deadlock
    if (noise_.silent()) return {};
    forget_time();
    clocks_.assign(data.begin(), data.end());
    send_now_ = true;
    return {};
  }
  void clock_in(std::int64_t now_ns) override {
    std::size_t ready = yielded(now_ns, clocks_.size(), noise_.rate_permille());
    take(ready);
    for (; ready > 0; --ready) {
      clocks_.pop_front();
      pending_.push_back(pins());
    }
    send_now_ = send_now_ || !pending_.empty();
  }
  bool spoil(Bytes& packet) override {
    packet.resize(1);
    return true;
  }

 private:
  /// One step of the multiplier: above the middle the bit is 1 and the voltage is taken back before
  /// it is multiplied.
  std::uint8_t pins() {
    const unsigned healthy = voltage_ >= 0.5 ? 1U : 0U;
    voltage_ = gain_ * voltage_ - (healthy != 0 ? gain_ - 1.0 : 0.0);
    const double thermal = static_cast<double>(noise_.word() >> 11U) * 0x1.0p-53 +  //
                           static_cast<double>(noise_.word() >> 11U) * 0x1.0p-53 - 1.0;
    voltage_ = std::min(std::max(voltage_ + 0.004 * thermal, 0.0), 1.0);
    const std::uint8_t bit = noise_.shape(static_cast<std::uint8_t>(healthy));
    record(bit);
    const std::uint8_t other = noise_.word() % 2 == 0 ? 0x00 : 0xED;  // the pins that say nothing
    const bool odd = place_++ % 2 == 1;
    return static_cast<std::uint8_t>(other | (bit != 0 ? (odd ? 0x10U : 0x02U) : 0U));
  }
  Noise noise_;
  double gain_;
  double voltage_ = 0.3;
  std::deque<std::uint8_t> clocks_;
  std::size_t place_ = 0;
  bool bit_bang_ = false;
};

}  // namespace

Model infnoise_with_gain(const ModelOptions& options, unsigned gain_permille) {
  return std::make_unique<InfnoiseModel>(options, gain_permille);
}
Model infnoise(const ModelOptions& options) {
  return infnoise_with_gain(options, 1840);
}

}  // namespace talla::emulator
