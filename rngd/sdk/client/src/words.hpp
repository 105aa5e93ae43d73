/// \file
/// Members of replies by path, and the refusal to believe one.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "client/errc.hpp"

namespace talla::client {

[[nodiscard]] inline tl::unexpected<Error> disbelieve(std::string why) {
  return fail(Errc::not_believed, std::move(why));
}

/// The member at that path, or nullptr.
[[nodiscard]] inline const json::Value* at(const json::Value& value,
                                           std::initializer_list<std::string_view> path) {
  const json::Value* found = &value;
  for (const std::string_view name : path) {
    found = found->find(name);
    if (found == nullptr) return nullptr;
  }
  return found;
}

/// The text at that path, or empty.
[[nodiscard]] inline std::string text(const json::Value& value,
                                      std::initializer_list<std::string_view> path) {
  const json::Value* found = at(value, path);
  return found != nullptr && found->is_string() ? found->string() : std::string();
}

}  // namespace talla::client
