/// \file
/// Stakes in prison, for every game that has one: a stake that met a zero, or 31-31, and waits for
/// its next chance.
///
/// JSON: a list of {"bet", COUNT} and "chosen" while it is true; COUNT is the member that each
/// family names ("zeros", "times"). The list stands in a state only while it holds something.
/// Errors:  Errc::state_malformed. Threads: plain values, pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "games/bets.hpp"
#include "games/need.hpp"

namespace talla::games {

struct Imprisoned {
  Bet bet;                  ///< at its original stake
  std::uint32_t times = 1;  ///< how often it met what imprisons it in a row, at least 1
  bool chosen = false;      ///< it stays: its owner has chosen so since, or has no choice
  bool operator==(const Imprisoned&) const = default;
};
using Prison = std::vector<Imprisoned>;

/// The stake of that bet id, or nullptr.
[[nodiscard]] Imprisoned* find_imprisoned(Prison& prison, std::string_view id);

/// One Decide for each seat that has stakes open to a choice, seats ascending: half back, or
/// prison; silence is an answer.
void add_prison_choices(const Prison& prison, Needs& needs);

/// All stakes on the cloth and in prison as one book, to check them together. Errors: an id stands
/// twice.
[[nodiscard]] Result<BetBook> with_prison(const BetBook& book, const Prison& prison);

/// `count`: the member that holds `times`.
[[nodiscard]] json::Value prison_json(const Prison& prison, std::string_view count);
/// Reads it back: a list that is not empty; else false.
[[nodiscard]] bool read_prison(const json::Value& value, std::string_view count, Prison& out);
/// Member "prison" of a state's description (engines/shared/archive.hpp).
template <class A>
void prison_field(A& a, Prison& prison, std::string_view count) {
  a.member(
      "prison", !prison.empty(), [&] { return prison_json(prison, count); },
      [&](const json::Value& value) { return read_prison(value, count, prison); });
}

}  // namespace talla::games
