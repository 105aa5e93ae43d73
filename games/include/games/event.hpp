/// \file
/// Everything that can happen to a table. Events are what is logged; a state is the fold of its
/// events.
///
/// Each has one canonical JSON form (`to_json`, `event_from_json`), written by the daemon into its
/// records and read back by the verifier: {"event": "bet", ...}. Reading refuses unknown members.
/// Secrecy: a covered or unseen CardDealt carries no card.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "games/money.hpp"
#include "games/need.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

using shuffle::Card;

/// `bet`: a stake is placed (or raised: then with a new id).
struct PlaceBet {
  std::string id;  ///< unique at the table while the bet lives; [A-Za-z0-9_.-]{1,32}
  Seat seat = 0;
  std::optional<Box> box;
  std::string kind;  ///< bet id of the catalogue
  /// Positions as codes: numbers "0".."36", indices "1".."3"; empty for plain bets.
  std::vector<std::string> on;
  Units stake = 0;
  bool operator==(const PlaceBet&) const = default;
};
/// `withdraw`: the whole stake, or a part.
struct WithdrawBet {
  std::string bet;
  std::optional<Units> amount;
  bool operator==(const WithdrawBet&) const = default;
};
/// `close`: no more bets.
struct CloseBets {
  bool operator==(const CloseBets&) const = default;
};
/// `shoe`: a fresh shoe is open. `in_play`: it was in use already, its burns are done (a table that
/// takes over a running shoe; scenarios that name only the cards of one round).
struct ShoeOpened {
  std::uint32_t cards_count = 0;
  bool in_play = false;
  bool operator==(const ShoeOpened&) const = default;
};
/// `card`: the next card went to the place that was due. Face as the need said.
struct CardDealt {
  std::string place;
  Face face = Face::open;
  std::optional<Card> card;  ///< set exactly when face is open
  bool operator==(const CardDealt&) const = default;
};
/// `reveal`: a covered card is turned.
struct CardRevealed {
  std::string place;
  Card card;
  bool operator==(const CardRevealed&) const = default;
};
/// `stop-card`: it came out; the card behind it has been asked for and follows, or the shoe is
/// over.
struct StopCard {
  bool operator==(const StopCard&) const = default;
};
/// `shoe-closed`: nothing more comes from this shoe.
struct ShoeClosed {
  bool operator==(const ShoeClosed&) const = default;
};
/// `draw`: the pocket id of a wheel, the values of dice, balls or lots as decimal codes.
struct DrawResult {
  DrawKind kind = DrawKind::wheel;
  std::vector<std::string> values;
  bool operator==(const DrawResult&) const = default;
};
/// `shuffled`: the cards of these places are back in the shoe.
struct Shuffled {
  std::vector<std::string> places;
  bool operator==(const Shuffled&) const = default;
};
/// `act`: a decision.
struct Act {
  Seat seat = 0;
  std::string action;
  std::optional<std::string> bet;
  std::optional<Units> amount;
  std::vector<std::string> cards;  ///< places of the cards that the action names
  std::optional<std::string> to;
  bool operator==(const Act&) const = default;
};
/// `timeout`: the seat's time for its decisions is over.
struct TimeOut {
  Seat seat = 0;
  bool operator==(const TimeOut&) const = default;
};
/// `void`: the draw that is due is null (broken dice, a number kept back) and comes again.
struct VoidDraw {
  bool operator==(const VoidDraw&) const = default;
};
/// `misdeal`: an error of the catalogue's table, at a place where that matters, with the chips that
/// were put in by error.
struct Misdeal {
  std::string code;
  std::optional<std::string> place;
  std::optional<Units> amount{};
  bool operator==(const Misdeal&) const = default;
};
/// `meter`: what a meter that tables share holds before this round moves it.
struct MeterRead {
  std::string meter;
  Units value = 0;
  bool operator==(const MeterRead&) const = default;
};
/// `last-round`: the end of the session is announced. One round: the one that is open (or opens
/// next) is the last; more: so many are left with it (games/session_end.hpp). `of_shoe`: the
/// session ends with the shoe that is open (or opens next).
struct LastRound {
  std::uint32_t rounds = 1;  ///< 1 when of_shoe
  bool of_shoe = false;
  bool operator==(const LastRound&) const = default;
};
/// `confirm`: staff have seen the complete hand and no error was found; it is settled now
/// (`settle_on`).
struct ConfirmHand {
  bool operator==(const ConfirmHand&) const = default;
};

/// Everything that may happen at a table.
using Event = std::variant<PlaceBet, WithdrawBet, CloseBets, ShoeOpened, CardDealt, CardRevealed,
                           StopCard, ShoeClosed, DrawResult, Shuffled, Act, TimeOut, VoidDraw,
                           Misdeal, LastRound, MeterRead, ConfirmHand>;

/// Its word, and the event as JSON and back.
[[nodiscard]] std::string_view event_name(const Event& event);
[[nodiscard]] json::Value to_json(const Event& event);
[[nodiscard]] Result<Event> event_from_json(const json::Value& value);

}  // namespace talla::games
