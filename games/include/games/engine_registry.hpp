/// \file
/// Which engine plays which family.
#pragma once

#include <string_view>

#include "games/engine.hpp"

namespace talla::games {

/// The engine of that family, or nullptr. Engines have static storage and no state. To add one:
/// declare its maker in engine_registry.cpp and put it into the list there.
[[nodiscard]] const Engine* find_engine(std::string_view family);

}  // namespace talla::games
