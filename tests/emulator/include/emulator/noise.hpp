// Physical noise with a seed and a choice of illnesses, for emulated devices. Predictable: never
// near production.
#pragma once

#include <array>
#include <cstdint>

namespace talla::emulator {

/// How the noise may fall ill.
enum class Ailment : std::uint8_t {
  none,
  stuck,       ///< one value for ever
  stuck_bit,   ///< the lowest bit that reaches a sample is always 1
  bias,        ///< value 0 with probability `permille`
  drift,       ///< the same, growing from nothing over 500,000 samples
  periodic,    ///< the last 48 samples again and again
  correlated,  ///< repeats the sample before with probability `permille`
  burst,       ///< 200 equal samples of every 5,000
  slow,        ///< comes at `permille` of its rate
  silent,      ///< comes no more
};

/// Which illness the noise has, from which sample on.
struct NoiseOptions {
  std::uint64_t seed = 1;  ///< the same seed, the same samples
  Ailment ailment = Ailment::none;
  std::uint64_t onset = 0;  ///< healthy samples before it
  unsigned permille = 600;
};

/// Emulated noise; a pure function of its options.
class Noise {
 public:
  explicit Noise(const NoiseOptions& options) : options_(options), state_(options.seed) {}
  /// A sample of up to 8 significant bits, uniform while healthy.
  std::uint8_t sample(unsigned bits = 8);
  /// A converter word of `bits` bits, bell-shaped around the middle with a seventh of the range as
  /// deviation; ailing in the bits 1 to 8 that a driver keeps.
  unsigned converter_word(unsigned bits);
  /// A healthy sample, made ill.
  std::uint8_t shape(std::uint8_t healthy);
  std::uint64_t word();
  [[nodiscard]] bool ill() const { return count_ >= options_.onset; }
  [[nodiscard]] bool silent() const { return options_.ailment == Ailment::silent && ill(); }
  /// Of the nominal rate, in thousandths.
  [[nodiscard]] unsigned rate_permille() const {
    return options_.ailment == Ailment::slow && ill() ? options_.permille : 1000U;
  }

 private:
  static constexpr std::size_t period = 48;
  bool strikes(unsigned permille) { return word() % 1000 < permille; }
  NoiseOptions options_;
  std::uint64_t state_;
  std::uint64_t count_ = 0;
  std::uint8_t last_ = 0;
  std::array<std::uint8_t, period> history_{};
};

}  // namespace talla::emulator
