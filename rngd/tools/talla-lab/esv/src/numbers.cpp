// Decimal numbers of JSON as whole thousand-millionths.
#include "numbers.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "lab_esv/esv.hpp"

namespace talla::lab::esv {

namespace {

/// No text of a file begins with it: control characters are refused below.
constexpr char mark = '\x01';
constexpr std::size_t decimals_most = 9;

bool of_number(char c) {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

/// "12.5" in thousand-millionths; nothing for exponents and for what is too long.
std::optional<Nano> decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  std::string fraction(point == std::string_view::npos ? "" : text.substr(point + 1));
  if (whole.empty() || fraction.size() > decimals_most) return std::nullopt;
  if (point != std::string_view::npos && fraction.empty()) return std::nullopt;
  fraction.resize(decimals_most, '0');
  std::int64_t units = 0;
  std::int64_t parts = 0;
  const auto read = [](std::string_view digits, std::int64_t& into) {
    const auto done = std::from_chars(digits.data(), digits.data() + digits.size(), into);
    return done.ec == std::errc{} && done.ptr == digits.data() + digits.size();
  };
  if (!read(whole, units) || !read(fraction, parts) || units < 0 || parts < 0) return std::nullopt;
  if (units > number_most) return std::nullopt;
  const Nano value = units * one + parts;
  return negative ? -value : value;
}

Result<std::string> marked(std::string_view text, const std::string& what) {
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (inside) {
      const std::size_t size = c == '\\' && i + 1 < text.size() ? 2 : 1;
      if (text.substr(i).starts_with("\\u0001") || c == mark)
        return fail(EsvErrc::esv_refused, what + ": a control character in a text");
      inside = c != '"';
      out += text.substr(i, size);
      i += size;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && of_number(text[end])) ++end;
    const std::string_view number = text.substr(i, end - i);
    const bool starts = !number.empty() &&
                        (number.front() == '-' || (number.front() >= '0' && number.front() <= '9'));
    if (starts && number.find_first_of(".eE") != std::string_view::npos) {
      if (!decimal(number))
        return fail(EsvErrc::esv_refused,
                    what + ": " + std::string(number.substr(0, 40)) +
                        ": a number has at most nine decimals, no exponent, and lies within 1e9");
      out += "\"\\u0001" + std::string(number) + "\"";
      i = end;
      continue;
    }
    if (starts) {
      out += number;
      i = end;
      continue;
    }
    inside = c == '"';
    out += c;
    ++i;
  }
  return out;
}

}  // namespace

std::string plain_json(const json::Value& value) {
  constexpr std::string_view opened = "\"\\u0001";
  std::string text = json::canonical(value);
  for (std::size_t at = text.find(opened); at != std::string::npos; at = text.find(opened, at)) {
    text.erase(at, opened.size());
    text.erase(text.find('"', at), 1);
  }
  return text;
}

Result<json::Value> read_json(std::string_view text, const std::string& what) {
  TALLA_TRY(const std::string plain, marked(text, what));
  auto value = json::parse(plain);
  if (!value)
    return fail(EsvErrc::esv_refused, what + ": " + value.error().detail + "; JSON is expected");
  return value;
}

bool is_decimal(const json::Value& value) {
  return value.is_string() && value.string().starts_with(mark);
}

std::optional<Nano> number_of(const json::Value* value) {
  if (value == nullptr) return std::nullopt;
  if (is_decimal(*value)) return decimal(std::string_view(value->string()).substr(1));
  if (!value->is_integer() || std::abs(value->integer()) > number_most) return std::nullopt;
  return value->integer() * one;
}

std::string text_of(Nano value) {
  const bool negative = value < 0;
  const Nano positive = negative ? -value : value;
  std::string fraction = std::to_string(positive % one);
  fraction.insert(0, decimals_most - fraction.size(), '0');
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return (negative ? "-" : "") + std::to_string(positive / one) +
         (fraction.empty() ? "" : "." + fraction);
}

}  // namespace talla::lab::esv
