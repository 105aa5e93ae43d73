#include "text_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace talla::certs {

namespace {

/// RFC 8785 section 3.2.2.2.
void append_escape(std::string& out, char c) {
  constexpr std::string_view plain = "\"\\\b\f\n\r\t";
  constexpr std::string_view names = "\"\\bfnrt";
  if (const auto known = plain.find(c); known != std::string_view::npos) {
    out += '\\';
    out += names[known];
    return;
  }
  out += "\\u00";
  const auto byte = static_cast<std::uint8_t>(c);
  append_hex(out, {&byte, 1});
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  std::size_t run = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, run, at - run);
    append_escape(out, c);
    run = at + 1;
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
  constexpr std::string_view digits = "0123456789abcdef";
  const std::size_t before = out.size();
  out.resize(before + 2 * bytes.size());
  char* at = out.data() + before;
  for (const std::uint8_t byte : bytes) {
    *at++ = digits[byte >> 4];
    *at++ = digits[byte & 15U];
  }
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}

}  // namespace talla::certs
