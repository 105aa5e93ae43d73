/// \file
/// State of one table of pai gow poker, and what a hand waits for.
///
/// Which two of his cards a player laid low is public (places, no values); the cards lie closed
/// until all have set theirs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engines/pai_gow/rules.hpp"
#include "engines/poker/table_round.hpp"

namespace talla::games::pai_gow {

/// How a player's seven cards are set: the low two, or nothing (he was silent).
struct Setting {
  Seat seat = 0;
  std::optional<Low> low;
  bool operator==(const Setting&) const = default;
};

struct State {
  poker::TableRound round;
  Seat offer = 0;          ///< who may take the bank now; 0: it is the dealer's
  Seat banker = 0;         ///< player who has the bank; 0: the dealer
  std::uint32_t dice = 0;  ///< sum of the throw, 0 before it
  std::vector<Setting> settings;
  std::vector<Settlement> settled;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<State> from_carried(const json::Value& value);

  /// Players with a bet against the bank, ascending; the banker is not among them.
  [[nodiscard]] std::vector<Seat> clients() const;
  /// Clients and, when a player has it, the banker, ascending.
  [[nodiscard]] std::vector<Seat> players() const;
  [[nodiscard]] const Setting* setting(Seat seat) const;
};

struct Due {
  enum class Kind : std::uint8_t { dice, deal, decide, reveal, settle } kind = Kind::settle;
  std::vector<DealPlace> cards;  ///< deal
  std::vector<Seat> seats;       ///< decide: who has not set his cards
  std::string place;             ///< reveal
};
/// Precondition: a hand is played.
[[nodiscard]] Due due_of(const Rules& rules, const State& state);
/// Positions in the order in which they are served, 0 the dealer; empty ones as the table has it.
[[nodiscard]] std::vector<Seat> served(const Rules& rules, const State& state);
/// Places of the seven cards of a seat, or (0) of the dealer.
[[nodiscard]] std::vector<std::string> places_of(Seat seat);
[[nodiscard]] Status check_state(const Table& table, const State& state);

}  // namespace talla::games::pai_gow
