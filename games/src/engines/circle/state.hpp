/// \file
/// Family "circle-poker": everything that is remembered of a table, between hands and inside one.
/// Cards stand here only after they were shown; a covered card is the word `covered_card`.
///
/// Canonical: members stand in the JSON only while they differ from their default.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/bets.hpp"
#include "games/engine.hpp"

namespace talla::games::circle {

inline constexpr std::string_view covered_card = "-";
/// A card that lay there and was mixed into the deck again.
inline constexpr std::string_view gone_card = "*";

/// DeckOut::to_mix of the dead card that a seat gets which was passed over.
inline constexpr std::uint32_t first_alone = 3;

/// open: between hands. deal: cards are due. bet: somebody must speak. show: hands are shown.
/// draw: players exchange cards. blind: a further blind may be put in before the deal.
enum class Phase : std::uint8_t { open, deal, bet, show, draw, blind };

/// Somebody at the table.
struct Player {
  Seat seat = 0;
  Units stack = 0;  ///< the resto
  bool resting = false;
  std::uint32_t rested = 0;    ///< hands sat out
  std::uint32_t sessions = 0;  ///< half sessions paid for
  Units waiting = 0;           ///< ante that lies in the pot since a misdeal (part of `dead`)
  // The hand.
  bool in = false;  ///< has been dealt in
  bool folded = false;
  bool acted = false;         ///< has spoken since the last full raise
  bool spoke = false;         ///< has spoken since own cards were dealt last
  bool no_raise = false;      ///< has bet out of turn
  bool shows = false;         ///< has chosen to show
  bool stands = false;        ///< takes no part in the last interval
  bool open_next = false;     ///< the next card is not dealt covered
  std::uint32_t exposed = 0;  ///< 1, 2: that covered card lies open, the third covered
  std::uint32_t raises = 0;
  Units credit = 0;  ///< ante of an earlier deal that counts for this hand (part of `dead`)
  Units paid = 0;    ///< fee of this hand
  Units put = 0;     ///< in the pot
  Units street = 0;  ///< of it in this interval
  /// Of `put`, not of `street`: bet before his turn, counts when it comes (out_of_turn.cpp).
  Units early = 0;
  std::vector<std::string> cards;
  bool said = false;                    ///< has discarded, or is served
  std::vector<std::uint32_t> discards;  ///< which of `cards`, from 1, ascending
  std::vector<std::string> drawn;       ///< cards received for them
  bool false_opening = false;           ///< has opened without the combination that this needs

  bool operator==(const Player&) const = default;
  [[nodiscard]] bool live() const { return in && !folded; }
  void clear_hand();
};

/// A seat where nobody plays and which gets its cards all the same, from this round of the deal on.
struct Stray {
  Seat seat = 0;
  std::uint32_t from = 0;
  bool operator==(const Stray&) const = default;
};

/// Fees of pots.
struct FeesTaken {
  Units since = 0;    ///< since the hand before
  Units of_hand = 0;  ///< of this hand's pot
  Units seen = 0;     ///< of the pot, what the fee has been taken of
};

/// Who speaks, and what is to be matched.
struct Betting {
  Seat turn = 0;
  Seat opener = 0;
  Units level = 0;  ///< to be matched in this interval
  Units last_raise = 0;
  Seat bettor = 0;       ///< last bet or raise of this interval
  Seat last_bettor = 0;  ///< of any
  Seat opened = 0;       ///< who has opened the pot, where that needs a combination
  Seat last_blind = 0;   ///< of the chain of further blinds
  /// Who spoke last in this interval and the one before him, oldest first.
  std::vector<Seat> spoken;
};

/// What lies on the table for all.
struct OpenCards {
  std::vector<std::string> common;
  std::vector<std::string> second;
  std::vector<std::string> laid;    ///< places of common cards that lie covered already, in order
  std::vector<std::string> voided;  ///< cards that were turned by error and do not count
  /// What puts an error with common cards right, in order (repair.cpp).
  std::vector<std::string> repairs;
};

/// How the last cards come when the deck does not reach (dead.cpp).
struct DeckOut {
  std::uint32_t to_mix = 0;  ///< 1: the dead cards go back into the deck; 2: the discards, too
  std::uint32_t mixed = 0;   ///< what has gone back
  bool single = false;       ///< one common card does for the last card of all
  std::uint32_t burned = 0;  ///< cards thrown after the deck was mixed again
  Seat passed = 0;           ///< was passed over with the last card: gets it after all others
  std::uint32_t aside = 0;   ///< cards left of the deck then, laid aside before it
};

/// Cards laid aside because they were dealt too early.
struct EarlyCards {
  std::uint32_t laid = 0;
  std::uint32_t before = 0;  ///< of them before this street
  bool due = false;          ///< they are laid aside when the interval ends
};

/// Who shows, and who is asked about a card that was shown by error.
struct Showing {
  std::vector<Seat> queue;             ///< still to show, in order
  std::vector<std::string> to_reveal;  ///< exposed cards
  std::vector<Seat> asked;             ///< whether they go on with a last card that was dealt open
};

struct State {
  // What outlives a hand.
  bool shoe = false;               ///< a fresh one is open
  bool closing = false;            ///< the next hand that is played to its end is the last
  bool over = false;               ///< it has been played
  std::vector<Player> players;     ///< ascending by seat
  BetBook bets;                    ///< restos as they were bought
  std::vector<std::string> fresh;  ///< bets bought since the last hand
  Seat mano = 0;
  bool hold_mano = false;    ///< the hand is played again: the mano stays
  Units dead = 0;            ///< in the pot before the hand
  Units house = 0;           ///< fees since the table was opened
  std::uint32_t blanks = 0;  ///< hands in a row that nobody has opened

  // The hand.
  bool round_over = false;
  Phase phase = Phase::open;
  FeesTaken fees;
  std::uint32_t street = 0;
  std::uint32_t dealt = 0;  ///< cards of this street
  Betting betting;
  Seat touched = 0;  ///< its cards have met those of another seat
  std::vector<Stray> strays;
  OpenCards open;
  DeckOut deck;
  EarlyCards early;
  Showing showing;
  std::vector<Settlement> settled;

  [[nodiscard]] Player* player(Seat seat);
  [[nodiscard]] const Player* player(Seat seat) const;
  Player& join(Seat seat);
  void remove(Seat seat);
  [[nodiscard]] std::size_t live_count() const;
  /// All that was put, and what lay there before; less the fees taken.
  [[nodiscard]] Units pot() const;
  /// Forgets the hand; what outlives it stays.
  void clear_hand();

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);
};

/// The part of a state that outlives a hand, and back.
[[nodiscard]] json::Value carried_json(const State& state);
[[nodiscard]] Result<State> state_from_carried(const json::Value& value);

}  // namespace talla::games::circle
