#include "byte_stream.hpp"

#include <fmt/format.h>

namespace talla::lab {
namespace {

bool is_space(std::uint8_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::size_t ByteStream::read(std::span<std::uint8_t> into) {
  if (form_ == stats::BitForm::ascii) return read_digits(into);
  std::size_t got = 0;
  while (got < into.size()) {
    const std::size_t more = input_.read(into.subspan(got));
    if (more == 0) break;
    got += more;
  }
  return got;
}

std::size_t ByteStream::read_digits(std::span<std::uint8_t> into) {
  std::size_t got = 0;
  while (got < into.size() && !error_) {
    if (at_ == text_.size()) {
      place_ += text_.size();
      text_.resize(65'536);
      text_.resize(input_.read(text_));
      at_ = 0;
      if (text_.empty()) break;
    }
    const std::uint8_t c = text_[at_];
    if (c == '0' || c == '1') {
      byte_ = byte_ << 1U | (c == '1' ? 1U : 0U);
      if (++digits_ == 8) {
        into[got++] = static_cast<std::uint8_t>(byte_);
        byte_ = 0;
        digits_ = 0;
      }
    } else if (!is_space(c)) {
      error_ = stats::Error{fmt::format("byte {} is neither 0, 1 nor white space", place_ + at_)};
      break;
    }
    ++at_;
  }
  return got;
}

}  // namespace talla::lab
