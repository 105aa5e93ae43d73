#include "route.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/check.hpp"
#include "core/methods.hpp"
#include "operations.hpp"

namespace talla::core {
namespace {

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto cut = path.find('/');
    parts.push_back(path.substr(0, cut));
    if (cut == std::string_view::npos) return parts;
    path.remove_prefix(cut + 1);
  }
  parts.emplace_back();
  return parts;
}

using Segments = std::vector<std::string_view>;

/// The templates of all operations, taken apart once.
const std::vector<Segments>& patterns() {
  static const std::vector<Segments> all = [] {
    std::vector<Segments> made;
    for (const auto& one : all_operations()) made.push_back(segments_of(one.row.path));
    return made;
  }();
  return all;
}

bool matches(const Segments& wanted, const Segments& given, Route& route) {
  if (wanted.size() != given.size()) return false;
  route.arguments.clear();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].starts_with('{')) {
      if (given[i].empty() || given[i].size() > 64) return false;
      route.arguments.emplace(wanted[i].substr(1, wanted[i].size() - 2), given[i]);
    } else if (wanted[i] != given[i]) {
      return false;
    }
  }
  return true;
}

/// A value with its %XX read; nothing when one of them is none.
std::optional<std::string> decoded(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : digit(text[i + 2]);
    if (low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

Status read_query(std::string_view query, Route& route) {
  while (!query.empty()) {
    const auto cut = query.find('&');
    const auto part = query.substr(0, cut);
    const auto equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return fail(Errc::malformed_request, "query: expected name=value");
    }
    auto value = decoded(part.substr(equals + 1));
    if (!value) return fail(Errc::malformed_request, "query: expected %XX, two hexadecimal digits");
    if (!route.query.emplace(part.substr(0, equals), std::move(*value)).second) {
      return fail(Errc::malformed_request, "query: a name appears twice");
    }
    if (cut == std::string_view::npos) break;
    query.remove_prefix(cut + 1);
  }
  return {};
}

}  // namespace

const std::string& Route::argument(std::string_view name) const {
  const auto found = arguments.find(name);
  TALLA_CHECK(found != arguments.end());
  return found->second;
}

Result<Route> find_route(std::string_view method, std::string_view path) {
  const auto mark = path.find('?');
  const auto plain = path.substr(0, mark);
  Route route;
  bool path_known = false;
  const auto given = segments_of(plain);
  std::size_t at = 0;
  for (const auto& one : all_operations()) {
    if (!matches(patterns()[at++], given, route)) continue;
    path_known = true;
    if (one.row.method != method) continue;
    route.operation = &one;
    if (mark != std::string_view::npos) TALLA_TRY_STATUS(read_query(path.substr(mark + 1), route));
    return route;
  }
  if (path_known) return fail(Errc::method_not_allowed, "this resource does not take that method");
  return fail(Errc::not_found, "no such resource");
}

std::string allowed_methods(std::string_view path) {
  std::string all;
  Route route;
  const auto given = segments_of(path);
  std::size_t at = 0;
  for (const auto& one : all_operations()) {
    if (!matches(patterns()[at++], given, route)) continue;
    if (!all.empty()) all += ", ";
    all += one.row.method;
  }
  return all;
}

Result<std::uint64_t> parse_number(std::string_view text, std::uint64_t max) {
  std::uint64_t value = 0;
  const auto* const begin = text.data();
  const auto* const end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  const bool canonical = !text.empty() && (text.front() != '0' || text.size() == 1);
  if (error != std::errc{} || stop != end || !canonical || value > max) {
    return fail(Errc::malformed_request,
                "expected a decimal number of at most " + std::to_string(max));
  }
  return value;
}

}  // namespace talla::core
