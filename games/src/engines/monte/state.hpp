/// \file
/// Monte: the layout of four cards, what has been turned, and the state of a deal. A deal has two
/// rounds, Primeras and Segundas, each with its own bets; a fresh deck is used for each deal.
///
/// Geometry: places 0 and 1 are the upper row (first and second card), 2 and 3 the lower one; 0
///           stands above 2.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "games/bets.hpp"
#include "games/engine.hpp"

namespace talla::games::monte {

inline constexpr std::size_t places_count = 4;

/// The other card of the row.
[[nodiscard]] constexpr std::size_t beside(std::size_t place) {
  return place ^ 1U;
}
/// The card above or below.
[[nodiscard]] constexpr std::size_t across(std::size_t place) {
  return place ^ 2U;
}
[[nodiscard]] constexpr std::size_t row_of(std::size_t place) {
  return place / 2;
}

/// A card on its place, with the cards of its rank that came while the layout was dealt (doubled:
/// one, tripled: two).
struct Placed {
  Card card;
  std::vector<Card> extras;
  bool face_down = false;  ///< it lost to its neighbour in the row
  bool operator==(const Placed&) const = default;
};

/// open: bets of that round are open. over: the deal is done. finished: so is the session.
enum class Phase : std::uint8_t {
  idle,
  layout,
  primeras_open,
  primeras,
  segundas_open,
  segundas,
  over,
  finished
};
[[nodiscard]] std::string_view phase_name(Phase phase);

struct State {
  Phase phase = Phase::idle;
  bool round_over = false;  ///< Primeras is settled, nothing of Segundas has happened
  bool last = false;        ///< no deal follows this one
  /// The first card turned in this round had the rank of a card in play.
  bool matched_first = false;
  std::uint32_t turned_here = 0;  ///< cards turned in this round
  std::vector<Placed> layout;     ///< by place
  std::vector<Card> burned;
  std::vector<Card> turned;       ///< of the deal, in order
  std::vector<std::string> held;  ///< bets that wait for Segundas; they may not be taken back
  BetBook bets;
  std::vector<Settlement> settled;

  [[nodiscard]] bool bets_open() const {
    return phase == Phase::primeras_open || phase == Phase::segundas_open;
  }
  [[nodiscard]] bool turning() const {
    return phase == Phase::primeras || phase == Phase::segundas;
  }
  /// In play for the round: not face down, and in Segundas of the row that goes on.
  [[nodiscard]] bool in_play(std::size_t place) const;
  /// The row of Segundas. Precondition: one card lies face down.
  [[nodiscard]] std::size_t second_row() const;
  /// Cards of the deck that everybody has seen.
  [[nodiscard]] std::vector<Card> out() const;
  [[nodiscard]] std::size_t extras_count() const;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);
  /// The part that outlives a round, and back.
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<State> from_carried(const json::Value& value);
};

/// Whether a state read from outside can have come about: cards of the deck once each, ranks, phase
/// and layout agree.
[[nodiscard]] Status check_layout(const State& state, std::string_view deck);

}  // namespace talla::games::monte
