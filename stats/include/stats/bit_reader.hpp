/// \file
/// Sequences of bits out of a stream, one after another: a file, a pipe, a device.
///
/// Forms:   binary (the highest bit of a byte first) or ASCII digits 0 and 1 with white space
///          between them.
/// Errors:  fewer bits than asked for, another character (with its place).
/// Threads: one reader belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/bits.hpp"
#include "stats/result.hpp"

namespace talla::stats {

enum class BitForm : std::uint8_t { binary, ascii };

/// Sequences of bits from one stream.
class BitReader {
 public:
  /// Fills the span from the stream; returns how many bytes came, 0 at the end.
  using Source = std::function<std::size_t(std::span<std::uint8_t>)>;

  BitReader(Source source, BitForm form) : source_(std::move(source)), form_(form) {}

  /// The next `count` bits. `skip_to_32`: what is left of a group of 32 bits (binary form only) is
  /// thrown away behind them, as NIST's program does.
  [[nodiscard]] Result<Bits> next(std::size_t count, bool skip_to_32);
  /// True when nothing but white space is left.
  [[nodiscard]] bool at_end();

 private:
  [[nodiscard]] bool fill();
  Result<Bits> next_ascii(std::size_t count);
  Result<Bits> next_binary(std::size_t count, bool skip_to_32);
  Source source_;
  BitForm form_;
  std::vector<std::uint8_t> buffer_;
  std::size_t at_ = 0;       // first unread byte of buffer_
  std::size_t bit_ = 0;      // unread bits of that byte begin here (binary)
  std::uint64_t place_ = 0;  // bytes of the stream before buffer_
};

/// ASCII when the beginning of the data holds nothing but 0, 1 and white space, and at least one
/// digit.
[[nodiscard]] BitForm guess_form(std::span<const std::uint8_t> beginning);

}  // namespace talla::stats
