/// \file
/// Values of parameters: shared by the loader (defaults, allowed lists) and by tables (given
/// values).
#pragma once

#include <optional>

#include "games/rules.hpp"

namespace talla::games {

/// Id of the parameter that every game on a borrowed base has.
inline constexpr std::string_view base_parameter = "base";

/// The number an integer or a fraction text stands for.
[[nodiscard]] std::optional<Fraction> number_of(const json::Value& value);
/// Equal as values of that type ("1/2" and "50%" are one fraction).
[[nodiscard]] bool same_value(const json::Value& a, const json::Value& b, ParameterType type);
/// Type, allowed list and range. Errors: parameter_not_allowed.
[[nodiscard]] Status check_parameter_value(const ParameterRule& rule, const json::Value& value);

}  // namespace talla::games
