#include "text_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace talla::certs {

namespace {

/// RFC 8785 section 3.2.2.2: the letter of a short escape; 'u' for the long ones; 0 where a character stands as it is.
constexpr std::array<char, 256> escape_letters = [] {
  std::array<char, 256> letters{};
  for (std::size_t c = 0; c < 0x20; ++c) letters[c] = 'u';
  letters['"'] = '"';
  letters['\\'] = '\\';
  letters['\b'] = 'b';
  letters['\f'] = 'f';
  letters['\n'] = 'n';
  letters['\r'] = 'r';
  letters['\t'] = 't';
  return letters;
}();
constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace

namespace {

constexpr std::uint64_t each_byte = 0x0101010101010101;
constexpr std::size_t word_bytes = 8;
constexpr std::size_t escape_max = 6;  // \u00xx

/// Zero when none of the eight bytes needs an escape; else its lowest set bit lies in the first that does.
std::uint64_t escapes_in(std::uint64_t word) {
  const auto equal = [word](std::uint64_t letter) {
    const std::uint64_t zero = word ^ letter * each_byte;
    return (zero - each_byte) & ~zero;
  };
  const std::uint64_t below = (word - 0x20 * each_byte) & ~word;
  return (equal('"') | equal('\\') | below) & 0x80 * each_byte;
}

char* write_escaped(char* to, unsigned char byte) {
  const char letter = escape_letters[byte];
  if (letter == 0) {
    *to++ = static_cast<char>(byte);
    return to;
  }
  *to++ = '\\';
  *to++ = letter;
  if (letter != 'u') return to;
  for (const char digit : {'0', '0', hex_digits[byte >> 4U], hex_digits[byte & 15U]}) *to++ = digit;
  return to;
}

/// Eight bytes, some of them to be escaped: JSON inside JSON has a quote in most words, so nothing here foresees where.
char* write_word(char* to, const char* from) {
  for (std::size_t i = 0; i < word_bytes; ++i) {
    const auto byte = static_cast<unsigned char>(from[i]);
    const char letter = escape_letters[byte];
    if (letter == 'u') {
      to = write_escaped(to, byte);
      continue;
    }
    const std::size_t escaped = letter == 0 ? 0 : 1;
    to[0] = '\\';
    to[escaped] = escaped == 0 ? static_cast<char>(byte) : letter;
    to += 1 + escaped;
  }
  return to;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  static_assert(std::endian::native == std::endian::little);
  std::size_t at = out.size();
  out.resize(at + text.size() + text.size() / 4 + 2 * escape_max + word_bytes * escape_max);
  out[at++] = '"';
  for (std::size_t read = 0; read < text.size();) {
    if (out.size() - at < (word_bytes + 1) * escape_max) {
      out.resize(out.size() + text.size() - read + (word_bytes + 1) * escape_max);
    }
    char* const to = out.data() + at;
    if (text.size() - read < word_bytes) {
      at += static_cast<std::size_t>(write_escaped(to, static_cast<unsigned char>(text[read++])) - to);
      continue;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + read, word_bytes);
    if (escapes_in(word) == 0) {
      std::memcpy(to, &word, word_bytes);
      at += word_bytes;
    } else {
      at += static_cast<std::size_t>(write_word(to, text.data() + read) - to);
    }
    read += word_bytes;
  }
  out[at++] = '"';
  out.resize(at);
}

void append_number(std::string& out, std::uint64_t value) {
  std::array<char, 20> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), written.ptr);
}

void append_hex(std::string& out, ByteView bytes) {
  const std::size_t before = out.size();
  out.resize(before + 2 * bytes.size());
  char* at = out.data() + before;
  for (const std::uint8_t byte : bytes) {
    *at++ = hex_digits[byte >> 4];
    *at++ = hex_digits[byte & 15U];
  }
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}

}  // namespace talla::certs
