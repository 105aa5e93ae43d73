// A device that poses as a serial port: control interface 0, data interface 1, lines and baud rate.
#pragma once

#include "stream_model.hpp"

namespace talla::emulator {

inline constexpr std::uint8_t serial_in = 0x82;
inline constexpr std::uint8_t serial_out = 0x02;

inline std::vector<Interface> serial_interfaces(std::uint8_t notify = 0x81,
                                                std::uint8_t in = serial_in,
                                                std::uint8_t out = serial_out) {
  return {{.number = 0, .class_code = 2, .endpoints = {{notify, 3, 8}}},
          {.number = 1, .class_code = 10, .endpoints = {{in}, {out}}}};
}

class SerialModel : public StreamModel {
 public:
  SerialModel(Identity identity, const ModelOptions& options, std::uint8_t in = serial_in)
      : StreamModel(std::move(identity), options, in) {
    running_ = false;
  }

 protected:
  [[nodiscard]] Reply on_control(const Setup& setup, ByteView out) override {
    if (setup.type == 0x21 && setup.request == 0x22) {
      on_lines(setup.value);
      return {};
    }
    if (setup.type == 0x21 && setup.request == 0x20 && out.size() == 7) {
      std::uint32_t baud = 0;
      for (unsigned k = 0; k < 4; ++k) baud |= static_cast<std::uint32_t>(out[k]) << (8U * k);
      on_baud(baud);
      return {};
    }
    return stall();
  }
  virtual void on_lines(unsigned lines) { running_ = (lines & 1U) != 0; }
  virtual void on_baud(std::uint32_t /*baud*/) {}
};

}  // namespace talla::emulator
