#include "stats/bit_reader.hpp"

#include <algorithm>
#include <string>

namespace talla::stats {
namespace {

constexpr std::size_t chunk = std::size_t{1} << 20;

bool white(std::uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

tl::unexpected<Error> short_of(std::size_t have, std::size_t want) {
  return refuse("the data end after " + std::to_string(have) + " of " + std::to_string(want) +
                " bits of a sequence");
}

}  // namespace

bool BitReader::fill() {
  place_ += at_;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  const std::size_t old = buffer_.size();
  buffer_.resize(old + chunk);
  const std::size_t got = source_(std::span(buffer_).subspan(old));
  buffer_.resize(old + got);
  return got != 0;
}

bool BitReader::at_end() {
  for (;;) {
    while (form_ == BitForm::ascii && at_ < buffer_.size() && white(buffer_[at_])) ++at_;
    if (at_ < buffer_.size()) return false;
    if (!fill()) return true;
  }
}

Result<Bits> BitReader::next(std::size_t count, bool skip_to_32) {
  return form_ == BitForm::ascii ? next_ascii(count) : next_binary(count, skip_to_32);
}

Result<Bits> BitReader::next_ascii(std::size_t count) {
  std::vector<std::uint8_t> values;
  values.reserve(count);
  while (values.size() < count) {
    if (at_ == buffer_.size() && !fill()) return short_of(values.size(), count);
    const std::uint8_t byte = buffer_[at_++];
    if (byte == '0' || byte == '1') {
      values.push_back(static_cast<std::uint8_t>(byte - '0'));
    } else if (!white(byte)) {
      return refuse("byte " + std::to_string(place_ + at_ - 1) +
                    " is neither 0, 1 nor white space");
    }
  }
  return Bits::from_values(values);
}

Result<Bits> BitReader::next_binary(std::size_t count, bool skip_to_32) {
  const std::size_t end = bit_ + count;  // in bits from at_ on
  while ((buffer_.size() - at_) * 8 < end) {
    if (!fill()) return short_of((buffer_.size() - at_) * 8 - bit_, count);
  }
  Bits bits = Bits::from_bytes(std::span(buffer_).subspan(at_), bit_, count);
  if (skip_to_32) {
    const std::size_t whole = (end + 31) / 32 * 4;
    while (buffer_.size() - at_ < whole && fill()) {
    }
    at_ = std::min(buffer_.size(), at_ + whole);
    bit_ = 0;
  } else {
    at_ += end / 8;
    bit_ = end % 8;
  }
  return bits;
}

BitForm guess_form(std::span<const std::uint8_t> beginning) {
  bool digits = false;
  for (const std::uint8_t byte : beginning) {
    if (byte == '0' || byte == '1') {
      digits = true;
    } else if (!white(byte)) {
      return BitForm::binary;
    }
  }
  return digits ? BitForm::ascii : BitForm::binary;
}

}  // namespace talla::stats
