/// \file
/// Bytes and their spellings: big-endian integers, hex, base64, base64url.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace talla {

/// Bytes that somebody owns, and a view of some.
using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;
/// A SHA-256 value, or any 32 bytes.
using Digest = std::array<std::uint8_t, 32>;

/// The bytes of a text, not copied; the text must outlive the view.
[[nodiscard]] ByteView as_bytes(std::string_view text);
[[nodiscard]] std::string_view as_text(ByteView bytes);

/// Appends big-endian integers and length-prefixed fields; the one way the house builds hashed
/// inputs.
class ByteWriter {
 public:
  /// Integers with the most significant byte first; bytes as they are.
  ByteWriter& u8(std::uint8_t value);
  ByteWriter& u16(std::uint16_t value);
  ByteWriter& u32(std::uint32_t value);
  ByteWriter& u64(std::uint64_t value);
  ByteWriter& raw(ByteView bytes);
  ByteWriter& raw(std::string_view text) { return raw(as_bytes(text)); }
  /// u32 length, then the bytes.
  ByteWriter& field(ByteView bytes);
  ByteWriter& field(std::string_view text) { return field(as_bytes(text)); }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// An integer of so many bits, most significant byte first.
[[nodiscard]] std::uint64_t load_be64(const std::uint8_t* from);
[[nodiscard]] std::uint32_t load_be32(const std::uint8_t* from);

/// Lower-case hex; decoding refuses upper case, odd length and other characters (one spelling per
/// value).
[[nodiscard]] std::string to_hex(ByteView bytes);
[[nodiscard]] Result<Bytes> from_hex(std::string_view hex);
[[nodiscard]] Result<Digest> digest_from_hex(std::string_view hex);
/// RFC 4648 section 4, with padding; decoding refuses non-zero spare bits and line breaks.
[[nodiscard]] std::string to_base64(ByteView bytes);
[[nodiscard]] Result<Bytes> from_base64(std::string_view text);
/// RFC 4648 section 5, without padding.
[[nodiscard]] std::string to_base64url(ByteView bytes);
[[nodiscard]] Result<Bytes> from_base64url(std::string_view text);

}  // namespace talla
