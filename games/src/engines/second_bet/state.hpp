/// \file
/// State of one table of the family "second-bet": hands in the order of the boxes, the bank's
/// cards, stakes, jackpots. No covered card is in it.
///
/// Stakes all stand in one BetBook: a bet keeps the id it was placed with; its second bet is `id.`
/// and the second bet's kind, the price of a bought card `id.` and that bet's kind. What passes is
/// lost at once (`lost`), its settlement comes with the end of the hand: an error of the deal gives
/// the stakes of the whole hand back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/poker/house_hand.hpp"
#include "engines/shared/jackpots.hpp"
#include "games/bets.hpp"
#include "games/engine.hpp"

namespace talla::games::second_bet {

/// betting: stakes may come. dealing: the opening cards. playing: go or pass, in turn; bought
/// cards. changing: discards, in turn. serving: their replacements. bank: its cards are turned, and
/// changed. showing: the players' cards are turned. over: settled, nothing of the next round has
/// happened.
enum class Phase : std::uint8_t {
  betting,
  dealing,
  playing,
  changing,
  serving,
  bank,
  showing,
  over
};

enum class Word : std::uint8_t { none, went, passed };

struct Hand {
  Box box = 0;
  Seat seat = 0;                      ///< who decides; 0: nobody has a main stake on it
  poker::house::Cards cards;          ///< those dealt, then those bought or served
  std::vector<std::size_t> discards;  ///< numbers of the cards given back, from 1, ascending
  Word word = Word::none;
  bool stood = false;  ///< has said which cards it changes
  bool operator==(const Hand&) const = default;
};

/// A stake that is lost whatever comes: `by` is "pass", "purchase", or the code of an error.
struct Lost {
  std::string bet;
  std::string by;
  bool operator==(const Lost&) const = default;
};

/// A jackpot, and what the round in play has on its bet.
struct MeterState : Jackpot {
  Units staked = 0;
  bool operator==(const MeterState&) const = default;
};

struct State {
  Phase phase = Phase::betting;
  bool shoe = false;     ///< a fresh deck lies ready, or the round is dealt from it
  bool closing = false;  ///< the session ends after this round
  /// The complete hand is being settled: jackpots of several tables are read.
  bool concluded = false;
  std::vector<Hand> hands;
  poker::house::Cards bank;
  std::vector<Lost> lost;  ///< in the order in which it happened
  std::vector<MeterState> meters;
  BetBook bets;
  std::vector<Settlement> settled;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);

  [[nodiscard]] bool in_round() const { return phase != Phase::betting && phase != Phase::over; }
  /// A deck must be opened before anything else of a round.
  [[nodiscard]] bool wants_shoe() const {
    return !in_round() && !shoe && !(closing && phase == Phase::over);
  }
  [[nodiscard]] bool bets_open() const { return phase == Phase::betting && shoe; }
  [[nodiscard]] bool is_lost(std::string_view bet) const;
};

/// The part of a state that outlives a round, and back.
[[nodiscard]] json::Value carried_json(const State& state);
[[nodiscard]] Result<State> state_from_carried(const json::Value& value);

/// "b1" and "segunda" -> "b1.segunda".
[[nodiscard]] std::string derived_id(std::string_view bet, std::string_view kind);
/// What follows the last point of an id, or "".
[[nodiscard]] std::string_view suffix_of(std::string_view id);
/// "b1.segunda" -> "b1". Precondition (checked): it has a suffix.
[[nodiscard]] std::string_view origin_of(std::string_view id);

}  // namespace talla::games::second_bet
