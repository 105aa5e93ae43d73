#include "emulator/noise.hpp"

#include <algorithm>

namespace talla::emulator {

std::uint64_t Noise::word() {  // splitmix64 (Steele, Lea, Flood 2014)
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

std::uint8_t Noise::shape(std::uint8_t healthy) {
  std::uint8_t value = healthy;
  if (ill()) {
    const std::uint64_t ill_for = count_ - options_.onset;
    switch (options_.ailment) {
      case Ailment::none:
      case Ailment::slow:
      case Ailment::silent:
        break;
      case Ailment::stuck:
        value = 0;
        break;
      case Ailment::stuck_bit:
        value |= 1U;
        break;
      case Ailment::bias:
        if (strikes(options_.permille)) value = 0;
        break;
      case Ailment::drift:
        if (strikes(static_cast<unsigned>(
                std::min<std::uint64_t>(ill_for * options_.permille / 500'000, 1000)))) {
          value = 0;
        }
        break;
      case Ailment::periodic:
        value = history_[count_ % period];
        break;
      case Ailment::correlated:
        if (strikes(options_.permille)) value = last_;
        break;
      case Ailment::burst:
        if (ill_for % 5000 < 200) value = 0;
        break;
    }
  }
  history_[count_ % period] = value;
  last_ = value;
  ++count_;
  return value;
}

std::uint8_t Noise::sample(unsigned bits) {
  return shape(static_cast<std::uint8_t>(word() & ((1U << bits) - 1U)));
}

unsigned Noise::converter_word(unsigned bits) {
  // The sum of four uniform parts, each a quarter of the range: bell-shaped around the middle.
  const unsigned quarter = 1U << (bits - 2U);
  unsigned sum = 0;
  const std::uint64_t random = word();
  for (unsigned k = 0; k < 4; ++k) sum += static_cast<unsigned>(random >> (16U * k)) % quarter;
  // The three upper bits of a 12-bit word spread it enough for the variance the firmware asks for.
  const auto middle = static_cast<std::uint8_t>((sum >> 1U) & 0xFFU);
  return (sum & ~0x1FEU) | (static_cast<unsigned>(shape(middle)) << 1U);
}

}  // namespace talla::emulator
