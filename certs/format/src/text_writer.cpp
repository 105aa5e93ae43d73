#include "text_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace talla::certs {

namespace {

/// RFC 8785 section 3.2.2.2: the letter of a short escape; 'u' for the long ones; 0 where a
/// character stands as it is.
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
constexpr std::array<std::array<char, 2>, 256> hex_pairs = [] {
  std::array<std::array<char, 2>, 256> pairs{};
  for (std::size_t byte = 0; byte < pairs.size(); ++byte)
    pairs[byte] = {hex_digits[byte >> 4U], hex_digits[byte & 15U]};
  return pairs;
}();

constexpr std::uint64_t each_byte = 0x0101010101010101;
constexpr std::uint64_t tops = 0x80 * each_byte;
constexpr std::size_t word_bytes = 8;
constexpr std::size_t block_bytes = 64;
constexpr std::size_t run_bytes = 16;  // copied at once; most runs between two escapes are shorter
constexpr std::size_t escape_max = 6;  // \u00xx

/// The top bit of each of the eight bytes that needs an escape, and no other bit.
std::uint64_t escapes_in(std::uint64_t word) {
  const auto not_zero = [](std::uint64_t x) { return ((x & ~tops) + ~tops) | x; };
  const std::uint64_t control =
      ~(((word & ~tops) + (0x80 - 0x20) * each_byte) | word);  // below 0x20
  const std::uint64_t quote = ~not_zero(word ^ '"' * each_byte);
  const std::uint64_t backslash = ~not_zero(word ^ '\\' * each_byte);
  return (control | quote | backslash) & tops;
}

/// Bit i: byte i of the 64 needs an escape.
std::uint64_t escapes_in_block(const char* block) {
  constexpr std::uint64_t gather = 0x0002040810204081;  // the eight top bits side by side
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < block_bytes / word_bytes; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, block + i * word_bytes, word_bytes);
    mask |= (escapes_in(word) * gather >> 56U) << i * word_bytes;
  }
  return mask;
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
  for (const char digit : {'0', '0', hex_pairs[byte][0], hex_pairs[byte][1]}) *to++ = digit;
  return to;
}

/// The text of a block, escaped. 16 bytes behind the block are readable, and as many writable
/// behind what it becomes.
char* write_block(char* to, const char* from) {
  const char* const end = from + block_bytes;
  for (std::uint64_t escapes = escapes_in_block(from); escapes != 0; escapes &= escapes - 1) {
    const char* const next = end - block_bytes + std::countr_zero(escapes);
    const auto run = static_cast<std::size_t>(next - from);
    std::memcpy(to, from, run_bytes);
    if (run > run_bytes) std::memcpy(to + run_bytes, from + run_bytes, run - run_bytes);
    to = write_escaped(to + run, static_cast<unsigned char>(*next));
    from = next + 1;
  }
  const auto rest = static_cast<std::size_t>(end - from);
  std::memcpy(to, from, rest);
  return to + rest;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::size_t block_most = block_bytes * escape_max + run_bytes;
  std::size_t at = out.size();
  out.resize(at + text.size() + text.size() / 4 + block_most + 2);
  out[at++] = '"';
  for (std::size_t read = 0; read < text.size();) {
    const std::size_t left = text.size() - read;
    if (out.size() - at < block_most + 1) out.resize(out.size() + left + block_most);
    char* to = out.data() + at;
    if (left >= block_bytes + run_bytes) {
      to = write_block(to, text.data() + read);
      read += block_bytes;
    } else {
      for (std::size_t end = read + std::min(left, block_bytes); read < end; ++read)
        to = write_escaped(to, static_cast<unsigned char>(text[read]));
    }
    at = static_cast<std::size_t>(to - out.data());
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
    std::memcpy(at, hex_pairs[byte].data(), 2);
    at += 2;
  }
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}

}  // namespace talla::certs
