/// \file
/// What the rules count of the hands of a round ("banca: 26"): the engine's own totals, read while
/// the round is played again from its records.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "format/bundle.hpp"
#include "format/record.hpp"
#include "games/table.hpp"

namespace talla::report {

/// Who holds the card at this place: "box-3" of "box-3-1" and "box-3", "punto" of "punto-2",
/// "seat-4" of "seat-4-card-1".
[[nodiscard]] std::string holder_of(std::string_view place);

/// [{"holder","total"}]; a split box more than once. Empty: the rules count no points, or the
/// records do not play (of a verified bundle they
/// do). `round`: the records of the round between its opening and its settlement; `before`: the
/// state that it began with.
[[nodiscard]] json::Array hand_counts(const games::Table& table, const json::Value& before,
                                      const certs::Record& opening,
                                      const std::vector<const certs::Record*>& round);

}  // namespace talla::report
