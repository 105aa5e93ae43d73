/// \file
/// Members of a reply that is only shown, whatever form it has: an appliance that answers nonsense
/// is shown as one, and stops no program. What decides anything is read by steps.hpp, which
/// refuses.
/// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace talla::cli {

/// What is shown in the place of a text or number that is not there, or of another type.
inline constexpr std::string_view not_told = "?";

/// The member; null where there is none.
[[nodiscard]] const json::Value& member_in(const json::Value& of, std::string_view name);
/// A text, or `not_told`.
[[nodiscard]] std::string word_in(const json::Value& of, std::string_view name);
/// A whole number.
[[nodiscard]] std::optional<std::int64_t> number_in(const json::Value& of, std::string_view name);
/// The same as a text, or `not_told`.
[[nodiscard]] std::string number_text(const json::Value& of, std::string_view name);
/// Whether it is there and `true`.
[[nodiscard]] bool says(const json::Value& of, std::string_view name);
/// The items of a list; none where there is no list.
[[nodiscard]] const json::Array& list_in(const json::Value& of, std::string_view name);
/// The value itself as a text, or `not_told`.
[[nodiscard]] std::string word_of(const json::Value& value);

}  // namespace talla::cli
