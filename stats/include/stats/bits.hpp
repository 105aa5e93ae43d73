/// \file
/// A sequence of bits, packed, the first bit in the highest place of the first word.
///
/// Layout:  64-bit words, then zero words enough that `word_at` may be asked for any index below
///          size().
/// Range:   0 to 2^40 bits.
/// Threads: immutable after making.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace talla::stats {

class Bits {
 public:
  Bits() = default;
  /// `count` bits of `bytes` from bit `first` on, the highest bit of a byte first. Precondition:
  /// they are there.
  [[nodiscard]] static Bits from_bytes(std::span<const std::uint8_t> bytes, std::size_t first,
                                       std::size_t count);
  /// One bit an element, 0 or 1.
  [[nodiscard]] static Bits from_values(std::span<const std::uint8_t> values);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool bit(std::size_t index) const {
    return ((words_[index / 64] >> (63 - index % 64)) & 1U) != 0;
  }
  /// The 64 bits from `index` on, zeros behind the end. Precondition: index <= size().
  [[nodiscard]] std::uint64_t word_at(std::size_t index) const {
    const std::size_t shift = index % 64;
    const std::uint64_t high = words_[index / 64] << shift;
    // Two shifts: one of 64 would be undefined.
    return high | ((words_[index / 64 + 1] >> 1U) >> (63 - shift));
  }
  /// Byte `index` of eight bits each, zeros behind the end. Precondition: 8 * index <= size().
  [[nodiscard]] std::uint8_t byte(std::size_t index) const {
    return static_cast<std::uint8_t>(words_[index / 8] >> (56 - 8 * (index % 8)));
  }
  [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }
  /// Ones in [first, first + count). Precondition: inside the sequence.
  [[nodiscard]] std::size_t ones(std::size_t first, std::size_t count) const;

 private:
  std::size_t count_ = 0;
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(2);
};

}  // namespace talla::stats
