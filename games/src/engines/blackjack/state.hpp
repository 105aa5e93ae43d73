/// \file
/// State of one blackjack table: shoe, hands in the order in which they are played, dealer, stakes,
/// meters.
///
/// Stakes all stand in one BetBook under names: a bet keeps the id it was placed with; the stake on
/// hand 2, 3... of a split is `id.2`, `id.3`...; the insurance of a bet is `id.` and the insurance
/// bet's id. A doubled stake grows in place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shared/jackpots.hpp"
#include "games/bets.hpp"
#include "games/engine.hpp"

namespace talla::games::blackjack {

enum class ShoeState : std::uint8_t { none, burning, in_play, last_hand, over };
/// betting: stakes may come. dealing: first two cards of every hand, first of the dealer. playing:
/// the hands in turn. dealer: the dealer's cards. over: settled, nothing of the next round has
/// happened.
enum class Phase : std::uint8_t { betting, dealing, playing, dealer, over };

struct Hand {
  Box box = 0;
  Seat seat = 0;  ///< who decides
  std::vector<Card> cards;
  std::vector<std::string> bets;  ///< stakes that live on it; empty: the hand is out
  bool split = false;             ///< comes from a pair that was split
  bool doubled = false;
  bool done = false;  ///< takes no more decisions
  bool operator==(const Hand&) const = default;
};

/// The holder of the hand in turn doubled or split; others with stakes on it say whether theirs go
/// along.
struct Follow {
  std::string action;                ///< "double" or "split"
  std::vector<std::string> taking;   ///< stakes that are doubled or get an equal one
  std::vector<std::string> waiting;  ///< stakes whose owners have not said
  bool operator==(const Follow&) const = default;
};

/// The first cards of a box that has a bet on combinations.
struct FirstCards {
  Box box = 0;
  std::vector<Card> cards;  ///< at most three
  bool closed = false;      ///< nothing more counts (a split, where the table reads it so)
  bool operator==(const FirstCards&) const = default;
};

struct State {
  ShoeState shoe = ShoeState::none;
  std::uint32_t burns_left = 0;
  std::uint32_t cards_out = 0;  ///< cards of the round that a continuous shuffler will get back
  std::uint32_t behind = 0;     ///< cards dealt in this round since the stop card came out
  bool closing = false;         ///< the session ends after this round
  /// The complete round is being settled: jackpots of several tables are read.
  bool concluded = false;
  bool removing = false;  ///< the next card lies face up in the shoe and is taken out of play
  Phase phase = Phase::betting;
  std::vector<Hand> hands;
  std::vector<Card> dealer;
  int stage = 0;  ///< hand of the dealer that is played, from 1; 0 before the dealer's turn
  /// A player has asked for a third card: insurance for all, surrender are over.
  bool third_card = false;
  bool asked = false;  ///< the hand in turn gets a card
  std::optional<Follow> follow;
  std::vector<FirstCards> firsts;
  std::vector<Jackpot> meters;  ///< named by their bets
  BetBook bets;
  std::vector<Settlement> settled;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);

  [[nodiscard]] bool in_round() const { return phase != Phase::betting && phase != Phase::over; }
  [[nodiscard]] bool shoe_live() const {
    return shoe == ShoeState::burning || shoe == ShoeState::in_play;
  }
  /// Between rounds of a session that goes on, with a shoe.
  [[nodiscard]] bool may_begin() const {
    return !in_round() && shoe_live() && (!closing || phase != Phase::over);
  }
  /// The cards of the last round go back into the shuffler before anything else.
  [[nodiscard]] bool waits_for_shuffle() const { return may_begin() && cards_out > 0; }
  [[nodiscard]] bool bets_open() const { return may_begin() && cards_out == 0; }
  /// Index of the hand that is played now; hands.size() when all are played.
  [[nodiscard]] std::size_t turn() const;
  [[nodiscard]] std::size_t hands_of(Box box) const;
};

/// The part of a state that outlives a round, and back.
[[nodiscard]] json::Value carried_json(const State& state);
[[nodiscard]] Result<State> state_from_carried(const json::Value& value);

/// Hand of the dealer that a stake plays against, from 1.
[[nodiscard]] int stage_of(const Bet& bet);
/// "b1.2" -> "b1"; an id that was placed is its own origin.
[[nodiscard]] std::string_view origin_of(std::string_view id);
/// Whether the id has the form of one that a split or an insurance makes.
[[nodiscard]] bool is_derived_id(std::string_view id, std::string_view insurance);

}  // namespace talla::games::blackjack
