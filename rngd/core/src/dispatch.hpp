/// \file
/// From the operation of a route to its command.
#pragma once

#include "command.hpp"
#include "route.hpp"

namespace talla::core {

/// Errors: those of the command; method_not_allowed for a question.
[[nodiscard]] Outcome run_command(const Call& call, const Route& route);

}  // namespace talla::core
