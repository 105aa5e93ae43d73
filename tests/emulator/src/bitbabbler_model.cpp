// BitBabbler White and Black: generators behind an FT232H in MPSSE mode.
#include "ftdi_model.hpp"

namespace talla::emulator {
namespace {

class BitBabblerModel final : public FtdiModel {
 public:
  BitBabblerModel(const ModelOptions& options, bool black)
      : FtdiModel({.vendor_id = 0x0403,
                   .product_id = 0x7840,
                   .manufacturer = "BitBabbler",
                   .product = black ? "Black RNG" : "White RNG",
                   .serial = options.serial,
                   .interfaces = {{.number = 0, .endpoints = {{in, 2, 512}, {out, 2, 512}}}},
                   .high_speed = true},
                  options),
        noise_(options.noise) {}

 protected:
  void on_bit_mode(unsigned value) override {
    mpsse_ = value == 0x0200;
    if (mpsse_) deaf_ = deaf();
    modem_ =
        mpsse_ ? 0x32 : 0x01;  // DSR, CTS and packets of 512, as the maker's program wants them
    wanted_ = 0;
  }
  void on_purge_out() override { commands_.clear(); }
  [[nodiscard]] Reply on_bulk_out(std::uint8_t endpoint, ByteView data) override {
    if (endpoint != out) return stall();
    if (!mpsse_) return {};
    forget_time();
    commands_.insert(commands_.end(), data.begin(), data.end());
    obey();
    return {};
  }
  void clock_in(std::int64_t now_ns) override {
    constexpr std::size_t fifo_bytes = 8192;
    const std::size_t room = pending_.size() < fifo_bytes ? fifo_bytes - pending_.size() : 0;
    if (noise_.silent()) return;
    std::size_t ready = yielded(now_ns, std::min(wanted_, room), noise_.rate_permille());
    take(ready);
    for (; ready > 0; --ready, --wanted_) {
      const std::uint8_t sample = noise_.sample();
      record(sample);
      pending_.push_back(sample);
    }
  }
  bool spoil(Bytes& packet) override {
    packet.resize(1);
    return true;
  }

 private:
  static std::size_t length_of(std::uint8_t opcode) {
    switch (opcode) {
      case 0x20:
      case 0x80:
      case 0x82:
      case 0x86:
        return 3;
      default:
        return 1;
    }
  }
  void obey() {
    while (!commands_.empty() && commands_.size() >= length_of(commands_.front())) {
      const std::uint8_t opcode = commands_.front();
      const std::size_t length = length_of(opcode);
      const unsigned low = length == 3 ? commands_[1] : 0U;
      const unsigned high = length == 3 ? commands_[2] : 0U;
      commands_.erase(commands_.begin(), commands_.begin() + static_cast<std::ptrdiff_t>(length));
      switch (opcode) {
        case 0x20:
          if (enabled_) wanted_ += (low | high << 8U) + 1;
          break;
        case 0x80:
          enabled_ = (high & 0xF0U) != 0xF0U;
          break;  // an enable pin that is driven is off
        case 0x87:
          send_now_ = true;
          break;
        case 0x85:  // what was clocked in before every pin stood
          pending_.insert(pending_.end(), {0xA5, 0x5A, 0xA5});
          break;
        case 0x82:
        case 0x86:
        case 0x8A:
        case 0x8D:
        case 0x97:
          break;
        default:
          if (deaf_) break;
          pending_.push_back(0xFA);
          pending_.push_back(opcode);
          send_now_ = true;
      }
    }
  }
  Noise noise_;
  std::deque<std::uint8_t> commands_;
  std::size_t wanted_ = 0;
  bool mpsse_ = false;
  bool deaf_ = false;  ///< until it is set up anew
  bool enabled_ = false;
};

}  // namespace

Model bitbabbler_white(const ModelOptions& options) {
  return std::make_unique<BitBabblerModel>(options, false);
}
Model bitbabbler_black(const ModelOptions& options) {
  return std::make_unique<BitBabblerModel>(options, true);
}

const std::vector<BenchEntry>& bench() {
  static const std::vector<BenchEntry> all{
      {"ChaosKey", "chaoskey", &chaoskey, true, 8, true},
      {"Alea", "alea", &alea, false, 8, false},
      {"InfiniteNoise", "infnoise", &infnoise, true, 1, true},
      {"BitBabblerWhite", "bitbabbler", &bitbabbler_white, true, 8, true},
      {"BitBabblerBlack", "bitbabbler", &bitbabbler_black, true, 8, true},
      {"OneRng", "onerng", &onerng, true, 8, false},
      {"TrueRng", "truerng", &truerng, false, 8, false},
      {"TrueRngPro", "truerng-pro", &truerng_pro, true, 8, true},
      {"TrueRngProV2", "truerng-pro", &truerng_pro_v2, true, 8, true},
      {"SwiftRng", "swiftrng", &swiftrng, true, 8, true},
      {"SwiftRngCdc", "swiftrng-cdc", &swiftrng_cdc, true, 8, true},
      {"Quantis", "quantis-usb", &quantis, false, 8, true},
      {"NeuG", "neug", &neug, false, 8, false},
  };
  return all;
}

}  // namespace talla::emulator
