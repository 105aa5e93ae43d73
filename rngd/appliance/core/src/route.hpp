/// \file
/// From method and path to operation and arguments.
///
/// Paths are matched segment by segment against the templates of operations.hpp; ids are not
/// decoded (none needs it), so a percent sign in one is simply not found. Errors: not_found,
/// method_not_allowed, malformed_request (query).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/errc.hpp"
#include "core/roles.hpp"

namespace talla::core {

struct Operation;

struct Route {
  const Operation* operation = nullptr;
  /// By the name in the template's braces.
  std::map<std::string, std::string, std::less<>> arguments;
  std::map<std::string, std::string, std::less<>> query;

  [[nodiscard]] const std::string& argument(std::string_view name) const;
};

[[nodiscard]] Result<Route> find_route(std::string_view method, std::string_view path);

/// A decimal number without sign or leading zero, at most `max`.
[[nodiscard]] Result<std::uint64_t> parse_number(std::string_view text, std::uint64_t max);

}  // namespace talla::core
