#include "stats/sp800_90b/samples.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace talla::stats::sp800_90b {

Result<Samples> Samples::create(std::vector<std::uint8_t> bytes, unsigned width) {
  if (bytes.empty()) return refuse("no samples");
  if (width > 8)
    return refuse("symbols of " + std::to_string(width) + " bits: 1 to 8 are assessed");
  std::array<bool, 256> seen{};
  unsigned all = 0;
  for (const std::uint8_t byte : bytes) {
    seen[byte] = true;
    all |= byte;
  }
  const auto needed = static_cast<unsigned>(std::bit_width(all));
  if (width != 0 && needed > width) {
    const auto at = std::find_if(bytes.begin(), bytes.end(),
                                 [&](std::uint8_t byte) { return byte >> width != 0; });
    return refuse("sample " + std::to_string(at - bytes.begin()) + " is " + std::to_string(*at) +
                  ": wider than " + std::to_string(width) + " bits");
  }
  Samples samples;
  samples.width_ = width != 0 ? width : std::max(needed, 1U);
  samples.alphabet_ = static_cast<unsigned>(std::count(seen.begin(), seen.end(), true));
  if (samples.alphabet_ < 2) return refuse("all samples are equal: their entropy is zero");
  samples.raw_ = std::move(bytes);
  const auto highest = static_cast<unsigned>(
      std::bit_width(all) == 0 ? 0 : *std::max_element(samples.raw_.begin(), samples.raw_.end()));
  if (samples.alphabet_ <= highest) {
    std::array<std::uint8_t, 256> number{};
    std::uint8_t next = 0;
    for (std::size_t value = 0; value < 256; ++value) {
      if (seen[value]) number[value] = next++;
    }
    samples.symbols_.reserve(samples.raw_.size());
    for (const std::uint8_t byte : samples.raw_) samples.symbols_.push_back(number[byte]);
  }
  return samples;
}

Bits Samples::bits(std::size_t most) const {
  const std::size_t count = std::min(most, size() * width_);
  std::vector<std::uint8_t> packed((count + 7) / 8 + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bit = static_cast<unsigned>(raw_[i / width_] >> (width_ - 1 - i % width_)) & 1U;
    packed[i / 8] = static_cast<std::uint8_t>(packed[i / 8] | (bit << (7 - i % 8)));
  }
  return Bits::from_bytes(packed, 0, count);
}

}  // namespace talla::stats::sp800_90b
