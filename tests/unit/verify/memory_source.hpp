/// \file
/// An archive that is a text in memory.
#pragma once

#include <algorithm>
#include <string_view>

#include "format/archive.hpp"

namespace talla::certs::test {

/// Views the text, which must outlive it.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<std::uint8_t> out) override {
    const std::size_t count = std::min(out.size(), text_.size());
    std::copy_n(text_.begin(), count, out.begin());
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

}  // namespace talla::certs::test
