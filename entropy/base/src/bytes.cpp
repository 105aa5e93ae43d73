#include "base/bytes.hpp"

#include <cstdio>
#include <cstdlib>

#include "base/check.hpp"

namespace talla {

void check_failed(const char* condition, const char* file, int line) noexcept {
  static_cast<void>(
      std::fprintf(stderr, "internal error: %s does not hold (%s:%d)\n", condition, file, line));
  std::abort();
}

std::string_view errc_name(BaseErrc errc) {
  switch (errc) {
    case BaseErrc::malformed_json:
      return "malformed_json";
    case BaseErrc::not_canonical:
      return "not_canonical";
    case BaseErrc::malformed_encoding:
      return "malformed_encoding";
    case BaseErrc::io:
      return "io";
  }
  return "unknown";
}

ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

namespace {

/// Most hashed inputs are shorter.
constexpr std::size_t first_bytes = 64;

template <class Integer>
void append_be(Bytes& bytes, Integer value) {
  if (bytes.capacity() == 0) bytes.reserve(first_bytes);
  std::array<std::uint8_t, sizeof(Integer)> spelled{};
  for (std::size_t i = spelled.size(); i-- > 0; value = static_cast<Integer>(value >> 8))
    spelled[i] = static_cast<std::uint8_t>(value);
  bytes.insert(bytes.end(), spelled.begin(), spelled.end());
}

}  // namespace

ByteWriter& ByteWriter::u8(std::uint8_t value) {
  append_be(bytes_, value);
  return *this;
}
ByteWriter& ByteWriter::u16(std::uint16_t value) {
  append_be(bytes_, value);
  return *this;
}
ByteWriter& ByteWriter::u32(std::uint32_t value) {
  append_be(bytes_, value);
  return *this;
}
ByteWriter& ByteWriter::u64(std::uint64_t value) {
  append_be(bytes_, value);
  return *this;
}
ByteWriter& ByteWriter::raw(ByteView bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}
ByteWriter& ByteWriter::field(ByteView bytes) {
  TALLA_CHECK(bytes.size() <= UINT32_MAX);
  return u32(static_cast<std::uint32_t>(bytes.size())).raw(bytes);
}

std::uint32_t load_be32(const std::uint8_t* from) {
  return (std::uint32_t{from[0]} << 24) | (std::uint32_t{from[1]} << 16) |
         (std::uint32_t{from[2]} << 8) | from[3];
}
std::uint64_t load_be64(const std::uint8_t* from) {
  return (std::uint64_t{load_be32(from)} << 32) | load_be32(from + 4);
}

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

/// Values of the digits of an alphabet by character; -1 for any other one.
constexpr std::array<std::int16_t, 256> values_of(std::string_view digits) {
  std::array<std::int16_t, 256> values{};
  values.fill(-1);
  std::int16_t value = 0;
  for (const char digit : digits) values[static_cast<unsigned char>(digit)] = value++;
  return values;
}
constexpr auto hex_values = values_of(hex_digits);

/// As many bytes as there are pairs of digits; the length is even and `out` has the room.
Status decode_hex(std::string_view hex, std::uint8_t* out) {
  int bad = 0;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = hex_values[static_cast<unsigned char>(hex[i])];
    const int low = hex_values[static_cast<unsigned char>(hex[i + 1])];
    bad |= high | low;
    out[i / 2] = static_cast<std::uint8_t>((high << 4 | low) & 0xFF);
  }
  if (bad >= 0) return {};
  std::size_t at = 0;
  while (hex_values[static_cast<unsigned char>(hex[at])] >= 0) ++at;
  return fail(BaseErrc::malformed_encoding,
              "hex: bad digit near offset " + std::to_string(at / 2 * 2));
}

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view base64url_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr auto base64_values = values_of(base64_digits);
constexpr auto base64url_values = values_of(base64url_digits);

std::string encode64(ByteView bytes, std::string_view digits, bool pad) {
  const std::size_t whole = bytes.size() / 3;
  const std::size_t left = bytes.size() % 3;
  std::string out(4 * whole + (left == 0 ? 0 : pad ? 4 : left + 1), '=');
  char* at = out.data();
  const std::uint8_t* from = bytes.data();
  const auto put = [&](std::uint32_t group, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) *at++ = digits[(group >> (18 - 6 * k)) & 63U];
  };
  for (std::size_t i = 0; i < whole; ++i, from += 3) {
    put((std::uint32_t{from[0]} << 16) | (std::uint32_t{from[1]} << 8) | from[2], 4);
  }
  if (left == 1) put(std::uint32_t{from[0]} << 16, 2);
  if (left == 2) put((std::uint32_t{from[0]} << 16) | (std::uint32_t{from[1]} << 8), 3);
  return out;
}

Result<Bytes> decode64(std::string_view text, const std::array<std::int16_t, 256>& values,
                       bool pad) {
  if (pad) {
    if (text.size() % 4 != 0)
      return fail(BaseErrc::malformed_encoding, "base64: length is no multiple of 4");
    for (int k = 0; k < 2 && text.ends_with('='); ++k) text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return fail(BaseErrc::malformed_encoding, "base64: one stray digit");
  Bytes out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int digit = values[static_cast<unsigned char>(text[i])];
    if (digit < 0) {
      return fail(BaseErrc::malformed_encoding,
                  "base64: bad character at offset " + std::to_string(i));
    }
    group = ((group << 6) | static_cast<std::uint32_t>(digit)) & 0xFFFFFFU;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out.push_back(static_cast<std::uint8_t>(group >> bits));
    }
  }
  if ((group & ((1U << bits) - 1U)) != 0)
    return fail(BaseErrc::malformed_encoding, "base64: spare bits are not zero");
  return out;
}

}  // namespace

std::string to_hex(ByteView bytes) {
  std::string out(bytes.size() * 2, '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out[2 * i] = hex_digits[bytes[i] >> 4];
    out[2 * i + 1] = hex_digits[bytes[i] & 15U];
  }
  return out;
}

Result<Bytes> from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) return fail(BaseErrc::malformed_encoding, "hex: odd number of digits");
  Bytes out(hex.size() / 2);
  TALLA_TRY_STATUS(decode_hex(hex, out.data()));
  return out;
}

Result<Digest> digest_from_hex(std::string_view hex) {
  if (hex.size() != 64) return fail(BaseErrc::malformed_encoding, "hex: 64 digits expected");
  Digest digest{};
  TALLA_TRY_STATUS(decode_hex(hex, digest.data()));
  return digest;
}

std::string to_base64(ByteView bytes) {
  return encode64(bytes, base64_digits, true);
}
Result<Bytes> from_base64(std::string_view text) {
  return decode64(text, base64_values, true);
}
std::string to_base64url(ByteView bytes) {
  return encode64(bytes, base64url_digits, false);
}
Result<Bytes> from_base64url(std::string_view text) {
  return decode64(text, base64url_values, false);
}

}  // namespace talla
