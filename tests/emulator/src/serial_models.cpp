// TrueRNG, NeuG, OneRNG and TrueRNGpro: noise behind a serial port.
#include <string_view>

#include "serial_model.hpp"

namespace talla::emulator {
namespace {

class PlainSerial final : public SerialModel {
 public:
  using SerialModel::SerialModel;
};

/// Paused until `cmdO` with RTS set; `cmd` and a digit sets the mode; a stuck comparator yields
/// nothing.
class OneRngModel final : public SerialModel {
 public:
  explicit OneRngModel(const ModelOptions& options)
      : SerialModel(
            {.vendor_id = 0x1d50,
             .product_id = 0x6086,
             .manufacturer = "Moonbase Otago",
             .product = "00",
             .serial = options.serial,
             .interfaces = {{.number = 0, .class_code = 2, .endpoints = {{0x82, 3, 32}}},
                            {.number = 1, .class_code = 10, .endpoints = {{0x85}, {0x05}}}}},
            options, 0x85),
        version_(options.firmware_version) {}

 protected:
  void on_lines(unsigned lines) override {
    ready_ = (lines & 2U) != 0;
    update();
  }
  [[nodiscard]] Reply on_bulk_out(std::uint8_t endpoint, ByteView data) override {
    if (endpoint != 0x05) return stall();
    text_.append(data.begin(), data.end());
    while (text_.size() >= 4) {
      const std::size_t at = text_.find("cmd");
      if (at == std::string::npos || at + 3 >= text_.size()) break;
      obey(text_[at + 3]);
      text_.erase(0, at + 4);
    }
    return {};
  }
  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                 std::int64_t now_ns) override {
    if (ready_ && going_ && asked_ && endpoint == 0x85) {
      asked_ = false;
      const std::string text = "\r\nVersion " + std::to_string(version_) + "\r\n";
      return Bytes(text.begin(), text.end());
    }
    if (mode_ == '4') return std::nullopt;
    return SerialModel::next_packet(endpoint, now_ns);
  }
  void produce(Bytes& packet) override {
    const std::uint8_t sample = noise_.sample();
    if (sample == last_ && (sample == 0x00 || sample == 0xFF)) {
      if (++equal_ >= 8) {  // the firmware holds it back: from the host's side the stream dries up
        dry_ = true;
        running_ = false;  // what fills the last packet is sent all the same
      }
    } else {
      equal_ = 1;
    }
    last_ = sample;
    record(sample);
    packet.push_back(sample);
  }

 private:
  void obey(char command) {
    if (command == 'O') going_ = true;
    if (command == 'o') going_ = false;
    if (command == 'v') asked_ = version_ != 0;
    if ((command >= '0' && command <= '9') || (command >= 'a' && command <= 'f')) mode_ = command;
    update();
  }
  void update() { running_ = ready_ && going_ && !dry_; }
  std::string text_;
  bool ready_ = false;
  bool going_ = false;
  bool dry_ = false;
  unsigned version_;
  bool asked_ = false;  ///< for its version
  char mode_ = '0';
  std::uint8_t last_ = 1;
  unsigned equal_ = 0;
};

/// Modes by baud rate behind a knock of 110, 300, 110.
class TrueRngProModel final : public SerialModel {
 public:
  TrueRngProModel(const ModelOptions& options, bool v2, unsigned millivolts)
      : SerialModel({.vendor_id = static_cast<std::uint16_t>(v2 ? 0x04d8 : 0x16d0),
                     .product_id = static_cast<std::uint16_t>(v2 ? 0xebb5 : 0x0aa0),
                     .manufacturer = "ubld.it",
                     .product = v2 ? "TrueRNGproV2" : "TrueRNGpro",
                     .serial = options.serial,
                     .interfaces = serial_interfaces()},
                    options),
        millivolts_(millivolts) {
    unit_ = 4;
  }

 protected:
  void on_baud(std::uint32_t baud) override {
    if (knocks_ == 3) mode_ = baud;
    const bool expected = (knocks_ % 2 == 0 && baud == 110) || (knocks_ == 1 && baud == 300);
    knocks_ = knocks_ < 3 && expected ? knocks_ + 1 : (baud == 110 ? 1 : 0);
  }
  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                 std::int64_t now_ns) override {
    if (mode_ != 1200) return SerialModel::next_packet(endpoint, now_ns);
    if (!running_ || endpoint != serial_in) return std::nullopt;
    const std::string line = std::to_string(millivolts_) + "\r\n";
    return Bytes(line.begin(), line.end());
  }
  void produce(Bytes& packet) override {
    if (mode_ != 19200) {
      unit_ = 1;
      SerialModel::produce(packet);
      return;
    }
    unit_ = 4;
    for (unsigned generator = 0; generator < 2; ++generator) {
      const unsigned word = noise_.converter_word(10);
      record(static_cast<std::uint8_t>((word >> 1U) & 0xFFU));
      packet.push_back(static_cast<std::uint8_t>((2 * generator) << 6U | word >> 6U));
      packet.push_back(static_cast<std::uint8_t>((2 * generator + 1) << 6U | (word & 0x3FU)));
    }
  }
  bool spoil(Bytes& packet) override {
    packet.erase(packet.begin() + 1);
    return true;
  }

 private:
  unsigned millivolts_;
  unsigned knocks_ = 0;
  std::uint32_t mode_ = 300;
};

}  // namespace

Model truerng(const ModelOptions& options) {
  return std::make_unique<PlainSerial>(Identity{.vendor_id = 0x04d8,
                                                .product_id = 0xf5fe,
                                                .manufacturer = "ubld.it",
                                                .product = "TrueRNG",
                                                .serial = options.serial,
                                                .interfaces = serial_interfaces()},
                                       options);
}
Model neug(const ModelOptions& options) {
  return std::make_unique<PlainSerial>(Identity{.vendor_id = 0x234b,
                                                .product_id = 0x0001,
                                                .manufacturer = "Free Software Initiative of Japan",
                                                .product = "NeuG True RNG",
                                                .serial = options.serial,
                                                .interfaces = serial_interfaces()},
                                       options);
}
Model onerng(const ModelOptions& options) {
  return std::make_unique<OneRngModel>(options);
}
Model truerng_pro_at(const ModelOptions& options, unsigned millivolts) {
  return std::make_unique<TrueRngProModel>(options, false, millivolts);
}
Model truerng_pro(const ModelOptions& options) {
  return truerng_pro_at(options, 5000);
}
Model truerng_pro_v2(const ModelOptions& options) {
  return std::make_unique<TrueRngProModel>(options, true, 5000);
}

}  // namespace talla::emulator
