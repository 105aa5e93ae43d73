#include "stats/bits.hpp"

#include <bit>
#include <cstring>

namespace talla::stats {
namespace {

/// Whole words of the sequence and two of padding.
std::size_t words_for(std::size_t count) {
  return (count + 63) / 64 + 2;
}

std::uint64_t big_endian(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return __builtin_bswap64(word);
}

}  // namespace

Bits Bits::from_bytes(std::span<const std::uint8_t> bytes, std::size_t first, std::size_t count) {
  Bits bits;
  bits.count_ = count;
  bits.words_.assign(words_for(count), 0);
  const std::size_t shift = first % 8;
  std::size_t at = first / 8;
  for (std::size_t index = 0; index * 64 < count; ++index, at += 8) {
    std::uint64_t word = 0;
    if (at + 9 <= bytes.size()) {
      word = big_endian(&bytes[at]);
      if (shift != 0) word = (word << shift) | (std::uint64_t{bytes[at + 8]} >> (8 - shift));
    } else {
      for (std::size_t k = 0; k < 9 && at + k < bytes.size(); ++k) {
        const std::uint64_t byte = bytes[at + k];
        const int place = 56 - 8 * static_cast<int>(k) + static_cast<int>(shift);
        word |= place >= 0 ? byte << place : byte >> -place;
      }
    }
    bits.words_[index] = word;
  }
  if (count % 64 != 0) bits.words_[count / 64] &= ~(~std::uint64_t{0} >> (count % 64));
  return bits;
}

Bits Bits::from_values(std::span<const std::uint8_t> values) {
  Bits bits;
  bits.count_ = values.size();
  bits.words_.assign(words_for(values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    bits.words_[i / 64] |= std::uint64_t{values[i] != 0} << (63 - i % 64);
  }
  return bits;
}

std::size_t Bits::ones(std::size_t first, std::size_t count) const {
  std::size_t total = 0;
  std::size_t at = first;
  for (; count >= 64; count -= 64, at += 64)
    total += static_cast<std::size_t>(std::popcount(word_at(at)));
  if (count != 0) total += static_cast<std::size_t>(std::popcount(word_at(at) >> (64 - count)));
  return total;
}

}  // namespace talla::stats
