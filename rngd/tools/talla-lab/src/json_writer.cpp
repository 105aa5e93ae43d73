#include "json_writer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talla::lab {

void JsonWriter::separate() {
  if (text_.empty()) return;
  const char last = text_.back();
  if (last != '{' && last != '[' && last != ':') text_ += ',';
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  text_ += '{';
  return *this;
}
JsonWriter& JsonWriter::end_object() {
  text_ += '}';
  return *this;
}
JsonWriter& JsonWriter::begin_array() {
  separate();
  text_ += '[';
  return *this;
}
JsonWriter& JsonWriter::end_array() {
  text_ += ']';
  return *this;
}
JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  text_ += ':';
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text_ += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      text_ += c;
    }
  }
  text_ += '"';
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  text_ += std::isfinite(number) ? fmt::format("{}", number) : "null";
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  separate();
  text_ += flag ? "true" : "false";
  return *this;
}

}  // namespace talla::lab
