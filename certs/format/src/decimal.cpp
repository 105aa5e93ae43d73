#include "decimal.hpp"

#include <charconv>

namespace talla::certs {

std::optional<std::uint64_t> decimal_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  return value;
}

}  // namespace talla::certs
