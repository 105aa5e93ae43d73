#include "text_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

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

/// Runs of plain characters are copied whole.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  std::size_t run = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const char letter = escape_letters[byte];
    if (letter == 0) continue;
    out.append(text, run, at - run);
    run = at + 1;
    out += '\\';
    out += letter;
    if (letter == 'u') out.append("00").append({hex_digits[byte >> 4U], hex_digits[byte & 15U]});
  }
  out.append(text, run);
  out += '"';
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
