// A device that sends packets of noise by itself while `running`.
#pragma once

#include "emulator/models.hpp"

namespace talla::emulator {

class StreamModel : public DeviceModel {
 public:
  StreamModel(Identity identity, const ModelOptions& options, std::uint8_t stream_endpoint)
      : DeviceModel(std::move(identity), options.rate),
        noise_(options.noise),
        endpoint_(stream_endpoint) {}

 protected:
  [[nodiscard]] Reply on_control(const Setup& /*setup*/, ByteView /*out*/) override {
    return stall();
  }
  [[nodiscard]] Reply on_bulk_out(std::uint8_t /*endpoint*/, ByteView /*data*/) override {
    return stall();
  }
  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                 std::int64_t now_ns) override {
    if (endpoint != endpoint_ || !running_ || noise_.silent()) return std::nullopt;
    std::size_t size = packet_bytes(endpoint);
    if (short_packets()) size = unit_ * (1 + noise_.word() % (size / unit_));
    if (yielded(now_ns, size, noise_.rate_permille()) < size) return std::nullopt;
    take(size);
    Bytes packet;
    while (packet.size() < size) produce(packet);
    return packet;
  }
  /// One sample, or the smallest group of them, onto the packet and into the truth.
  virtual void produce(Bytes& packet) {
    const std::uint8_t sample = noise_.sample();
    record(sample);
    packet.push_back(sample);
  }

  Noise noise_;
  std::uint8_t endpoint_;
  std::size_t unit_ = 1;  ///< bytes that `produce` appends
  bool running_ = true;
};

}  // namespace talla::emulator
