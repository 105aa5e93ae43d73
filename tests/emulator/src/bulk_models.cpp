// ChaosKey, Alea and Quantis: vendor interface, noise on a bulk endpoint.
#include "stream_model.hpp"

namespace talla::emulator {
namespace {

class ChaosKeyModel final : public StreamModel {
 public:
  explicit ChaosKeyModel(const ModelOptions& options)
      : StreamModel({.vendor_id = 0x1d50,
                     .product_id = 0x60c6,
                     .manufacturer = "altusmetrum.org",
                     .product = "ChaosKey-hw-1.0-sw-1.6.7",
                     .serial = options.serial,
                     .interfaces = {{.number = 0, .endpoints = {{0x85}, {0x86}}}}},
                    options, 0x86) {
    unit_ = 2;
  }

 protected:
  void produce(Bytes& packet) override {
    const unsigned word = noise_.converter_word(12);
    record(static_cast<std::uint8_t>((word >> 1U) & 0xFFU));
    packet.push_back(static_cast<std::uint8_t>(word & 0xFFU));
    packet.push_back(static_cast<std::uint8_t>(word >> 8U));
  }
  bool spoil(Bytes& packet) override {
    packet[1] |= 0x40U;
    return true;
  }
};

class AleaModel final : public StreamModel {
 public:
  explicit AleaModel(const ModelOptions& options)
      : StreamModel({.vendor_id = 0x12d8,
                     .product_id = 0x0001,
                     .manufacturer = "Araneus",
                     .product = "Alea II",
                     .serial = options.serial,
                     .interfaces = {{.number = 0, .endpoints = {{0x81}}}}},
                    options, 0x81) {}

 protected:
  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                 std::int64_t now_ns) override {
    constexpr std::int64_t first_read_ns = 1'900'000'000;
    if (first_asked_ns_ < 0) first_asked_ns_ = now_ns;
    if (now_ns - first_asked_ns_ < first_read_ns) return std::nullopt;
    return StreamModel::next_packet(endpoint, now_ns);
  }

 private:
  std::int64_t first_asked_ns_ = -1;
};

class QuantisModel final : public StreamModel {
 public:
  explicit QuantisModel(const ModelOptions& options, bool asleep = false)
      : StreamModel({.vendor_id = 0x0aba,
                     .product_id = 0x0102,
                     .manufacturer = "id Quantique",
                     .product = "Quantis USB",
                     .serial = options.serial,
                     .interfaces = {{.number = 0, .endpoints = {{0x86, 2, 512}}}},
                     .high_speed = true},
                    options, 0x86),
        good_(asleep ? 0 : 1),
        asleep_(asleep) {}

 protected:
  [[nodiscard]] Reply on_control(const Setup& setup, ByteView /*out*/) override {
    if (setup.type == 0xC1 && setup.request == 0x13) return {.status = 0, .bytes = {good_}};
    if (setup.type == 0xC1 && setup.request == 0x15) return {.status = 0, .bytes = {0x01}};
    if (setup.type == 0x41 && setup.request == 0x11) off_ = true;
    if (setup.type == 0x41 && setup.request == 0x12 && off_ && asleep_) waking_ = true;
    if (setup.type == 0x41 && (setup.request == 0x11 || setup.request == 0x12)) return {};
    return stall();
  }
  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                 std::int64_t now_ns) override {
    constexpr std::int64_t wakes_ns = 1'000'000'000;
    if (waking_ && now_ns >= wakes_ns) good_ = 1;  // the clock of the bus begins at 0
    waking_ = false;
    return StreamModel::next_packet(endpoint, now_ns);
  }
  bool spoil(Bytes& /*packet*/) override {
    good_ = 0;  // the modules fail: the status says so
    return true;
  }

 private:
  std::uint8_t good_;
  bool asleep_;
  bool off_ = false;
  bool waking_ = false;
};

}  // namespace

Model chaoskey(const ModelOptions& options) {
  return std::make_unique<ChaosKeyModel>(options);
}
Model alea(const ModelOptions& options) {
  return std::make_unique<AleaModel>(options);
}
Model quantis(const ModelOptions& options) {
  return std::make_unique<QuantisModel>(options);
}
Model quantis_asleep(const ModelOptions& options) {
  return std::make_unique<QuantisModel>(options, true);
}

}  // namespace talla::emulator
