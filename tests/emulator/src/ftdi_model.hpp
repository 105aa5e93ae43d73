// An FTDI bridge: two status bytes before each packet, a latency timer that sends what there is,
//                 vendor requests.
#pragma once

#include "emulator/models.hpp"

namespace talla::emulator {

class FtdiModel : public DeviceModel {
 public:
  FtdiModel(Identity identity, const ModelOptions& options)
      : DeviceModel(std::move(identity), options.rate) {}
  static constexpr std::uint8_t in = 0x81;
  static constexpr std::uint8_t out = 0x02;

 protected:
  [[nodiscard]] Reply on_control(const Setup& setup, ByteView /*out*/) override {
    if (setup.type == 0xC0 && setup.request == 0x05) return {.status = 0, .bytes = {0x01, 0x60}};
    if (setup.type != 0x40) return stall();
    switch (setup.request) {
      case 0x00:
        if (setup.value != 2) pending_.clear();
        if (setup.value != 1) on_purge_out();
        break;
      case 0x09:
        latency_ms_ = setup.value;
        break;
      case 0x0B:
        on_bit_mode(setup.value);
        break;
      case 0x02:
      case 0x03:
      case 0x06:
      case 0x07:
        break;
      default:
        return stall();
    }
    return {};
  }
  virtual void on_bit_mode(unsigned value) = 0;
  virtual void on_purge_out() = 0;
  /// Moves what the noise has yielded into `pending`.
  virtual void clock_in(std::int64_t now_ns) = 0;

  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                 std::int64_t now_ns) override {
    if (endpoint != in) return std::nullopt;
    clock_in(now_ns);
    const std::size_t room = packet_bytes(endpoint) - 2;
    const bool timer = now_ns - last_packet_ns_ >= std::int64_t{latency_ms_} * 1'000'000;
    if (pending_.size() < room && !timer && !send_now_) return std::nullopt;
    if (pending_.size() < room) send_now_ = false;
    last_packet_ns_ = now_ns;
    std::size_t size = std::min(room, pending_.size());
    if (short_packets() && size > 1) size = 1 + (++cuts_ * 7) % size;
    Bytes packet{modem_, 0x60};
    packet.insert(packet.end(), pending_.begin(),
                  pending_.begin() + static_cast<std::ptrdiff_t>(size));
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(size));
    return packet;
  }

  std::deque<std::uint8_t> pending_;
  std::uint8_t modem_ = 0x01;  ///< first status byte of each packet
  bool send_now_ = false;

 private:
  unsigned latency_ms_ = 16;
  std::int64_t last_packet_ns_ = 0;
  std::size_t cuts_ = 0;
};

}  // namespace talla::emulator
