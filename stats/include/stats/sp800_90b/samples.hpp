/// \file
/// Samples of a noise source as NIST SP 800-90B (2018) takes them: one symbol a byte, in its low
/// bits.
///
/// Threads: immutable after making.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/bits.hpp"
#include "stats/result.hpp"

namespace talla::stats::sp800_90b {

class Samples {
 public:
  /// `width` is the bits of a symbol, 1 to 8; 0 takes the narrowest that holds all. Errors: no
  /// samples, one that is wider, fewer than two different ones.
  [[nodiscard]] static Result<Samples> create(std::vector<std::uint8_t> bytes, unsigned width);

  [[nodiscard]] std::size_t size() const { return raw_.size(); }
  [[nodiscard]] unsigned width() const { return width_; }
  /// How many different symbols occur.
  [[nodiscard]] unsigned alphabet() const { return alphabet_; }
  /// As given.
  [[nodiscard]] std::span<const std::uint8_t> raw() const { return raw_; }
  /// Numbered 0 to alphabet() - 1 in the order of their values: what the estimators work on (3.1.3,
  /// 6.4).
  [[nodiscard]] std::span<const std::uint8_t> symbols() const {
    return symbols_.empty() ? raw_ : symbols_;
  }
  /// All of them as one string of bits, the highest bit of a symbol first; at most `most` bits.
  [[nodiscard]] Bits bits(std::size_t most) const;

 private:
  unsigned width_ = 0;
  unsigned alphabet_ = 0;
  std::vector<std::uint8_t> raw_;
  std::vector<std::uint8_t> symbols_;  // empty: the same as raw_
};

}  // namespace talla::stats::sp800_90b
