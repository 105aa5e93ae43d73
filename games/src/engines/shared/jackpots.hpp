/// \file
/// The jackpots of one table as engines keep them in their states, each named by its bet.
///
/// Threads: plain values.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engines/shared/archive.hpp"
#include "games/engine.hpp"

namespace talla::games {

/// One jackpot. What it took in and paid is that of the round just settled.
struct Jackpot {
  std::string id;
  Units value = 0;
  /// Shared with other tables, and `value` is what it holds before its bets are settled.
  bool read = false;
  Units contribution = 0;
  Units award = 0;
  Fraction carry{};  ///< of contributions, below one unit: goes into the next
  bool operator==(const Jackpot&) const = default;

  /// As much of a contribution as it can hold; nothing of an amount below 0.
  void put_in(Units amount) {
    const Units fits = std::clamp<Units>(amount, 0, units_max - value);
    value += fits;
    contribution += fits;
  }
  [[nodiscard]] bool moved() const { return contribution > 0 || award > 0; }
};

/// Its members in a state, written and read by this.
template <class A>
void fields(A& a, Jackpot& one) {
  a.always_text("id", one.id);
  a.always_number("value", one.value, {0, units_max});
  a.flag("read", one.read);
  a.number("contribution", one.contribution);
  a.number("award", one.award);
  a.carry("carry", one.carry);
}

/// As tables show them. J: a Jackpot, or what an engine makes of one; also below.
template <class J>
[[nodiscard]] std::vector<Meter> shown(const std::vector<J>& jackpots) {
  std::vector<Meter> out;
  out.reserve(jackpots.size());
  for (const J& one : jackpots) out.push_back({one.id, one.value, one.contribution, one.award});
  return out;
}
template <class J>
[[nodiscard]] bool any_moved(const std::vector<J>& jackpots) {
  return std::any_of(jackpots.begin(), jackpots.end(), [](const J& one) { return one.moved(); });
}
/// Same names, in the same order.
template <class J>
[[nodiscard]] bool same_names(const std::vector<J>& left, const std::vector<J>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const J& a, const J& b) { return a.id == b.id; });
}
/// None: there is none of that name.
template <class Jackpots>
[[nodiscard]] auto* named(Jackpots& jackpots, std::string_view id) {
  const auto found = std::find_if(jackpots.begin(), jackpots.end(),
                                  [&](const Jackpot& one) { return one.id == id; });
  return found == jackpots.end() ? nullptr : &*found;
}

}  // namespace talla::games
