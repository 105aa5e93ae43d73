// The head of a request, held to RFC 9112.
#include "request_head.hpp"

#include <algorithm>
#include <array>

namespace talla::http {

namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::string_view head_end = "\r\n\r\n";
constexpr std::size_t length_digits_max = 10;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, lower, lower);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool has(std::string_view text, char wanted) {
  return text.find(wanted) != std::string_view::npos;
}

/// RFC 9110 section 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || has(others, c);
  });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Fields of which one counts: where they stand twice, each reader could take another.
constexpr std::array once{std::string_view("Host"),           std::string_view("Content-Length"),
                          std::string_view("Content-Type"),   std::string_view("Transfer-Encoding"),
                          std::string_view("Origin"),         std::string_view("Idempotency-Key"),
                          std::string_view("Last-Event-ID"),  std::string_view("Sec-Fetch-Site"),
                          std::string_view("Sec-Fetch-Mode"), std::string_view("Sec-Fetch-Dest"),
                          std::string_view("Authorization")};

std::string request_line_fault(std::string_view line, bool& old) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last)
    return "the request line is method, target and HTTP/1.1, with one space between";
  const auto target = line.substr(first + 1, last - first - 1);
  const auto version = line.substr(last + 1);
  old = version == "HTTP/1.0";
  if (!old && version != "HTTP/1.1") return "HTTP/1.1 is spoken here";
  if (!is_token(line.substr(0, first))) return "the method is no word";
  if (!target.starts_with('/') || has(target, ' ') || has(target, '\t'))
    return "the target must be a path that begins with /";
  return {};
}

/// What the fields say about where the body ends, and to whom the request goes.
struct FramingFields {
  std::array<int, once.size()> seen{};
  bool length = false;
  bool coding = false;
  bool host = false;

  std::string take(std::string_view name, std::string_view value) {
    for (std::size_t i = 0; i < once.size(); ++i) {
      if (same_word(name, once.at(i)) && ++seen.at(i) > 1)
        return std::string(once.at(i)) + " stands twice";
    }
    if (same_word(name, "Host")) host = true;
    if (same_word(name, "Content-Length")) {
      length = true;
      if (value.empty() || value.size() > length_digits_max ||
          !std::ranges::all_of(value, is_digit))
        return "Content-Length must be one decimal number";
    }
    if (same_word(name, "Transfer-Encoding")) {
      coding = true;
      if (!same_word(value, "chunked")) return "Transfer-Encoding may only be chunked";
    }
    return {};
  }
};

std::string field_fault(std::string_view line, FramingFields& fields) {
  if (line.front() == ' ' || line.front() == '\t')
    return "a field must stand on one line: folded lines are obsolete";
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
    return "a field is a name, a colon at once, and a value";
  return fields.take(line.substr(0, colon), trimmed(line.substr(colon + 1)));
}

}  // namespace

std::size_t head_size(std::string_view text, std::size_t from) {
  const auto begin = from < head_end.size() ? 0 : from - head_end.size();
  const auto at = text.find(head_end, begin);
  return at == std::string_view::npos ? 0 : at + head_end.size();
}

std::string head_fault(std::string_view head) {
  const bool controls = std::ranges::any_of(head, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && c != '\r' && c != '\n' && c != '\t') || byte == 0x7F;
  });
  if (controls) return "a control character in the head";
  FramingFields fields;
  bool first = true;
  bool old = false;
  while (!head.empty()) {
    const auto end = head.find(line_end);
    if (end == std::string_view::npos) return "lines end with CR LF";
    const auto line = head.substr(0, end);
    head.remove_prefix(end + line_end.size());
    if (has(line, '\r') || has(line, '\n')) return "lines end with CR LF";
    if (line.empty() && !first) break;  // behind the last field
    auto fault = first ? request_line_fault(line, old) : field_fault(line, fields);
    if (!fault.empty()) return fault;
    first = false;
  }
  if (!fields.host) return "Host is missing";
  if (fields.coding && fields.length)
    return "Content-Length stands beside Transfer-Encoding: one of them";
  if (fields.coding && old) return "HTTP/1.0 knows no Transfer-Encoding";
  return {};
}

bool is_named(std::string_view host, const std::vector<std::string>& names) {
  std::string_view name = host;
  std::string_view port;
  if (host.starts_with('[')) {
    const auto end = host.find(']');
    if (end == std::string_view::npos) return false;
    name = host.substr(1, end - 1);
    port = host.substr(end + 1);
  } else if (const auto colon = host.find(':'); colon != std::string_view::npos) {
    name = host.substr(0, colon);
    port = host.substr(colon);
  }
  const bool plain_port = port.empty() || (port.size() > 1 && port.size() <= 6 && port[0] == ':' &&
                                           std::ranges::all_of(port.substr(1), is_digit));
  if (name.empty() || !plain_port) return false;
  if (name.ends_with('.')) name.remove_suffix(1);
  return std::ranges::any_of(names, [&](std::string_view ours) {
    if (!ours.starts_with("*.")) return same_word(name, ours);
    const auto dot = name.find('.');
    return dot != std::string_view::npos && dot > 0 && same_word(name.substr(dot), ours.substr(1));
  });
}

}  // namespace talla::http
