/// \file
/// What the states of all engines have in common when they are printed and restored: stakes and settlements, members that
/// stand there only when they say something, phases by name.
///
/// Errors:  Errc::state_malformed. Threads: pure functions.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/bets.hpp"

namespace talla::games {

/// Members "bets" and "settled", each only while there is something.
void put_bets(json::Value& state, const BetBook& bets);
void put_settled(json::Value& state, const std::vector<Settlement>& settled);
/// Reads them back: absent, or a list that is not empty.
[[nodiscard]] Result<BetBook> read_bets(json::Reader& reader);
[[nodiscard]] Result<std::vector<Settlement>> read_settled(json::Reader& reader);

/// Whatever a reader found wrong is, to the caller, a state that does not fit.
template <class T>
[[nodiscard]] Result<T> as_state(Result<T>&& result) {
  if (result) return std::move(result);
  return fail(Errc::state_malformed, result.error().detail);
}

/// A phase by its name; `all` lists every phase in the order of the enum.
template <class E, std::size_t N>
[[nodiscard]] Result<E> phase_named(const std::array<std::string_view, N>& all, std::string_view name) {
  for (std::size_t index = 0; index < N; ++index) {
    if (all.at(index) == name) return static_cast<E>(index);
  }
  return fail(Errc::state_malformed, "phase '" + std::string(name.substr(0, 40)) + "'");
}

}  // namespace talla::games
