/// \file
/// What the states of all engines have in common when they are printed and restored: stakes and
/// settlements, cards, members that stand there only when they say something, phases by name.
///
/// Errors:  Errc::state_malformed. Threads: pure functions.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/bets.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

/// A state that says what none can.
[[nodiscard]] tl::unexpected<Error> bad_state(const std::string& why);

/// Seats and boxes that an event or a state may name.
inline constexpr std::int64_t seat_max = 1'000'000;

/// A member that stands there only when it is true.
[[nodiscard]] Result<bool> read_flag(json::Reader& reader, std::string_view key);

/// A list of texts.
[[nodiscard]] json::Array texts_json(std::span<const std::string> texts);

/// Cards by their texts.
[[nodiscard]] json::Array cards_json(std::span<const Card> cards);
/// Reads them back, at most `most`: absent, or a list that is not empty.
[[nodiscard]] Result<std::vector<Card>> read_cards(json::Reader& reader, std::string_view key,
                                                   std::size_t most);
/// The same, French cards only.
[[nodiscard]] Result<std::vector<Card>> read_french_cards(json::Reader& reader,
                                                          std::string_view key, std::size_t most);

/// Member "carry" of a meter: the part of a unit that its contributions have left, above 0 and
/// below 1; absent: none.
void put_carry(json::Object& meter, const Fraction& carry);
[[nodiscard]] Result<Fraction> read_carry(json::Reader& meter);

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

/// A phase (or another enum) by its name; `all` lists every value in the order of the enum.
template <class E, std::size_t N>
[[nodiscard]] Result<E> phase_named(const std::array<std::string_view, N>& all,
                                    std::string_view name) {
  for (std::size_t index = 0; index < N; ++index) {
    if (all.at(index) == name) return static_cast<E>(index);
  }
  return fail(Errc::state_malformed, "unknown word '" + std::string(name.substr(0, 40)) + "'");
}

/// The member `key`, one of these names.
template <class E, std::size_t N>
[[nodiscard]] Result<E> read_named(json::Reader& reader, std::string_view key,
                                   const std::array<std::string_view, N>& all) {
  TALLA_TRY(const auto name, reader.string(key));
  return phase_named<E>(all, name);
}

}  // namespace talla::games
