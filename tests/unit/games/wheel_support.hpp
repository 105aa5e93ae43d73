/// \file
/// A table of any built-in wheel in a test, with a minimum of two units.
#pragma once

#include "play_support.hpp"

namespace talla::games::test {

/// The table's minimum: the half of a stake is a unit.
inline constexpr Units two_units = 2;

inline Table open_wheel(std::string_view id, std::string game, json::Value params = {}) {
  const auto rules = catalogue(id);
  auto table = Table::open(
      rules, {std::move(game), {rules->currency}, two_units, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

}  // namespace talla::games::test
