/// \file
/// The end of a session that is announced before it comes: "the last three balls", "the last shoe".
///
/// What a text announces is in GameRules::session_ends. TypedEngine keeps the count beside the
/// state of every engine and tells the engine when the round that begins is the last one; so each
/// round counts that the engine calls settled.
/// Form in JSON (steps, the API, ROUND_OPEN): true, the next round is the last; 3, so many are
/// left; "shoe".
/// Threads: plain values.
#pragma once

#include "base/json.hpp"
#include "games/event.hpp"
#include "games/need.hpp"
#include "games/table.hpp"

namespace talla::games {

/// As events and states hold it.
[[nodiscard]] json::Value session_end_json(const LastRound& last);
/// Errors: scenario_malformed: neither true nor a number of 2 to 100 nor "shoe".
[[nodiscard]] Result<LastRound> session_end_from(const json::Value& value);
/// An announcement that is counted here, not by the engine alone.
[[nodiscard]] bool announces(const Event& event);
/// Nothing more happens at a table that needs this: its session is over.
[[nodiscard]] bool session_over(const Needs& needs);

/// An announced end that has not come yet.
struct Ending {
  /// Rounds left, the open one too; 1: the next event begins the last; 0: not counted.
  std::uint32_t rounds = 0;
  bool of_shoe = false;
  bool shoe_began = false;  ///< the last shoe has been opened

  bool operator==(const Ending&) const = default;
  [[nodiscard]] bool announced() const { return rounds > 0 || of_shoe; }
  /// The announced shoe is over; `needs` are the engine's own.
  [[nodiscard]] bool is_over(const Needs& needs) const {
    return of_shoe && shoe_began && find_need<ShoeNeed>(needs) != nullptr;
  }
  [[nodiscard]] static Ending announced_by(const LastRound& last, const Needs& needs);
  /// Errors: not_due (another announcement, or one that the table's text does not know; the session
  /// is over), bets_closed (it is over).
  [[nodiscard]] Status check(const Table& table, const Needs& before, const Event& event) const;
  /// The event has changed what is due: a round is settled, or the last shoe has come.
  void count(const Needs& before, const Event& event, const Needs& after);
};

/// The same with the member "ending", while an end is announced.
[[nodiscard]] json::Value with_ending(json::Value state, const Ending& ending);

/// A state without what it says of the session's end, and that by itself.
struct EndingParts {
  json::Value rest;
  Ending ending;
};
/// The other way round. Errors: state_malformed: no such end can be announced at that table.
[[nodiscard]] Result<EndingParts> take_ending(const Table& table, const json::Value& state);

}  // namespace talla::games
