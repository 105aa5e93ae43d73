/// \file
/// Canonical JSON written member by member into one text, for what is made often. The caller names
/// the members in canonical order. Private to certs_format.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/json.hpp"

namespace talla::certs {

/// The largest integer of canonical JSON.
inline constexpr auto largest_number = static_cast<std::uint64_t>(json::integer_max);

/// Appends a JSON string of UTF-8 text.
void append_quoted(std::string& out, std::string_view text);
void append_number(std::string& out, std::uint64_t value);
void append_hex(std::string& out, ByteView bytes);
/// Every character is 0x20 to 0x7e.
[[nodiscard]] bool printable(std::string_view text);

class TextWriter {
 public:
  explicit TextWriter(std::string& out) : out_(out) {}

  /// `{`, `}`, `[` and `]`; what stands inside begins without a comma.
  TextWriter& open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
    return *this;
  }
  TextWriter& close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
  }
  /// The name of the next value.
  TextWriter& key(std::string_view name) {
    std::array<char, 32> text;  // NOLINT: what is appended is written
    if (name.size() + 4 > text.size()) return long_key(name);
    char* at = text.data();
    if (!first_) *at++ = ',';
    *at++ = '"';
    at = std::copy(name.begin(), name.end(), at);
    *at++ = '"';
    *at++ = ':';
    out_.append(text.data(), at);
    first_ = true;
    return *this;
  }
  TextWriter& text(std::string_view value) {
    separate();
    append_quoted(out_, value);
    return *this;
  }
  TextWriter& number(std::uint64_t value) {
    separate();
    append_number(out_, value);
    return *this;
  }
  TextWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  TextWriter& hex(ByteView bytes) {
    separate();
    out_ += '"';
    append_hex(out_, bytes);
    out_ += '"';
    return *this;
  }
  /// JSON text as it is.
  TextWriter& raw(std::string_view json_text) {
    separate();
    out_ += json_text;
    return *this;
  }

 private:
  TextWriter& long_key(std::string_view name) {
    separate();
    out_ += '"';
    out_ += name;
    out_ += "\":";
    first_ = true;
    return *this;
  }
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  std::string& out_;
  bool first_ = true;
};

}  // namespace talla::certs
