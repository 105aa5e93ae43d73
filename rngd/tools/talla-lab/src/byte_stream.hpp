/// \file
/// Whole bytes of an input in binary or as digits 0 and 1, for tests that take bytes.
#pragma once

#include <span>

#include "input.hpp"

namespace talla::lab {

class ByteStream {
 public:
  ByteStream(Input& input, stats::BitForm form) : input_(input), form_(form) {}
  /// Fills the span; fewer only at the end of the data or before a character that is no digit (then
  /// `error` says where).
  std::size_t read(std::span<std::uint8_t> into);
  [[nodiscard]] const std::optional<stats::Error>& error() const { return error_; }

 private:
  std::size_t read_digits(std::span<std::uint8_t> into);
  Input& input_;
  stats::BitForm form_;
  std::vector<std::uint8_t> text_;
  std::size_t at_ = 0;
  std::uint64_t place_ = 0;  // characters before text_
  unsigned byte_ = 0;
  std::size_t digits_ = 0;
  std::optional<stats::Error> error_;
};

}  // namespace talla::lab
