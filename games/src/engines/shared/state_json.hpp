/// \file
/// Small things that states, events and needs share when they are printed and restored. How a state
/// is described stands in archive.hpp.
///
/// Errors:  Errc::state_malformed. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "games/errc.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

/// A state that says what none can.
[[nodiscard]] tl::unexpected<Error> bad_state(const std::string& why);

/// Seats and boxes that an event or a state may name.
inline constexpr std::int64_t seat_max = 1'000'000;

/// A list of texts.
[[nodiscard]] json::Array texts_json(std::span<const std::string> texts);

/// Cards by their texts.
[[nodiscard]] json::Array cards_json(std::span<const shuffle::Card> cards);
/// Whatever a reader found wrong is, to the caller, a state that does not fit.
template <class T>
[[nodiscard]] Result<T> as_state(Result<T>&& result) {
  if (result) return std::move(result);
  return fail(Errc::state_malformed, result.error().detail);
}

}  // namespace talla::games
