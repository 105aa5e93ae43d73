/// \file
/// The limits that a table gives itself, held against those that its text allows.
///
/// Sources: every text fixes the maximum of a bet as one of a few multiples of the minimum, or
/// within a range of them; the minimum is never below the authorised one (es-1977 07 V,
/// es-euskadi-2010 07 V).
/// Errors: table_invalid. Threads: pure functions.
#pragma once

#include "games/table.hpp"

namespace talla::games {

/// `authorised_min` is reached and is the one that the parameters speak of, and `max` makes no
/// maximum that the text does not allow: for every bet that it holds lower than its limit it is one
/// of the multiples that the text offers for that limit, where it offers several.
[[nodiscard]] Status check_table_limits(const Table& table);

}  // namespace talla::games
