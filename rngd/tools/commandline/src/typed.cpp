// Reads the value of NAME=VALUE: truth, whole number or text.
#include "commandline/typed.hpp"

#include <charconv>
#include <cstdint>
#include <string>

namespace talla::commandline {

json::Value typed_value(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!text.empty() && read.ec == std::errc{} && read.ptr == text.data() + text.size())
    return number;
  return std::string(text);
}

}  // namespace talla::commandline
