/// \file
/// What the service says when it refuses, in English and in Spanish (games/refusal.hpp says how
/// forms are read).
#pragma once

#include <span>

#include "games/refusal.hpp"

namespace talla::core {

/// Titles of problem documents: one for each code.
[[nodiscard]] std::span<const games::RefusalForm> problem_titles();
/// Their details.
[[nodiscard]] std::span<const games::RefusalForm> problem_forms();

}  // namespace talla::core
