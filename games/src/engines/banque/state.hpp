/// \file
/// Family "banque": everything that is remembered of a table, between rounds and inside a hand. No
/// card that lies covered is in it: a hand's cards stand here only after they were shown.
///
/// Canonical: members stand in the JSON only while they differ from their default.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engines/banque/rules.hpp"
#include "games/bets.hpp"
#include "games/engine.hpp"

namespace talla::games::banque {

enum class ShoeState : std::uint8_t { none, in_play, last_hand, over };

/// What the table is about. offer: the bank goes round. auction, lot: it is bid for. forced: the
/// seat on the right must take it. broken: the bank is empty. vacant: nobody wants it.
enum class Phase : std::uint8_t {
  offer,
  auction,
  lot,
  forced,
  betting,
  claim,
  banco_lot,
  stakes_lot,
  hand,
  broken,
  vacant
};

/// Somebody at the table. Seats up to the numbered places sit, higher numbers stand.
struct Player {
  Seat seat = 0;
  std::uint32_t refusals = 0;  ///< of the bank, in a row
  /// Changed seats during the shoe: no priority before one bank went by ("saludar").
  bool must_pass = false;
  std::uint32_t cloth = 0;  ///< 1 or 2 for those who stand at a cloth; 0: by the seat
  bool operator==(const Player&) const = default;
};

/// A share of the bank: the banker's first, then his associates'.
struct Part {
  Seat seat = 0;
  Units bank = 0;
  Units garage = 0;
  bool operator==(const Part&) const = default;
};

struct Bid {
  Seat seat = 0;
  Units amount = 0;  ///< 0: none yet
  bool out = false;
  bool operator==(const Bid&) const = default;
};

/// How much of a bet plays against each cloth's result.
struct Played {
  std::string bet;
  std::array<Units, 2> units{};
  bool operator==(const Played&) const = default;
};

enum class Word : std::uint8_t { none, show, card, stand };
/// What an error makes of a hand: zero_start: the two cards count nothing, a third counts; zero:
/// the hand counts nothing; nine: it counts 9; voided: nothing is decided on this cloth.
enum class Fixed : std::uint8_t { none, zero_start, zero, nine, voided };

/// One hand: two cards, and what was drawn to them.
struct Cards {
  std::uint32_t dealt = 0;                     ///< of the first two
  std::array<std::optional<Card>, 2> first{};  ///< as far as shown
  std::vector<Card> thirds;                    ///< two only by error
  Word word = Word::none;
  bool shown = false;    ///< showed 8 or 9 in time
  bool by_bank = false;  ///< the banker chose between giving and refusing
  Fixed fixed = Fixed::none;
  bool operator==(const Cards&) const = default;
  [[nodiscard]] bool known() const { return first[0].has_value() && first[1].has_value(); }
};

/// Whose fault made a hand to be restored.
enum class Fault : std::uint8_t { none, player, banker };
/// A settlement that an error forces.
enum class Decided : std::uint8_t { none, punto, banker, nobody };

struct Hand {
  std::array<Seat, 2> holder{};  ///< who has the cards of each cloth
  std::array<Cards, 2> cloth{};
  Cards bank;
  bool free = false;       ///< the holder made banco and the table lets him draw as he likes
  bool banco = false;      ///< one player covers the bank
  bool served = false;     ///< the banker answered the words: he did not show
  bool chart = false;      ///< the banker follows the chart
  bool optionals = false;  ///< and draws in its optional cells
  bool exposed = false;    ///< a card was exposed by the croupier: no freedom on either side
  bool bound = false;      ///< the holder's freedom is lost
  bool fifth = false;
  bool silent = false;  ///< the banker may no longer show
  bool give = false;    ///< the banker chooses between giving and refusing
  bool forgot = false;  ///< punto forgot to show
  /// The banker stood before an error changed punto's total: he may still ask for a card.
  bool may_draw = false;
  std::array<bool, 2> verify{};  ///< the cloth's word is put right as soon as its cards are open
  std::array<bool, 2> timed_out{};
  std::array<bool, 2> keep{};  ///< the cloth's turn stays where it is
  std::uint32_t croupier_cards = 0;
  Fault fault = Fault::none;
  Decided decided = Decided::none;
  std::string decided_by;            ///< code of the error
  std::vector<std::string> to_deal;  ///< open places that come before all others
  std::vector<std::string> to_reveal;
  std::vector<Card> pool;         ///< third cards that wait for the bank (restored hands)
  std::vector<Seat> withdrawing;  ///< may take their stakes back, in this order
  std::uint32_t behind = 0;       ///< cards dealt since the stop card came out
  bool operator==(const Hand&) const = default;
};

/// How the bank finds its next banker.
struct Award {
  std::vector<Seat> queue;   ///< still to be asked, in order
  Units floor = 0;           ///< least amount
  bool fixed_price = false;  ///< exactly that amount
  Seat passer = 0;           ///< who had the bank before
  bool new_shoe = false;     ///< the award ends the shoe
  std::vector<Bid> bids;
  std::vector<Seat> barred;
};

/// Rights to the cards of the next hand.
struct Rights {
  Seat suivi = 0;              ///< has banco seguido
  Seat cards_right = 0;        ///< made banco before the bank passed
  Units bank_before = 0;       ///< the bank that passed
  std::array<Seat, 2> turn{};  ///< who has the cards of each cloth
  Seat banco_seat = 0;         ///< may repeat his void banco
  std::uint32_t banco_left = 0;
};

struct State {
  ShoeState shoe = ShoeState::none;
  Phase phase = Phase::offer;
  bool closing = false;
  bool round_over = false;
  bool fresh_shoe = false;      ///< no hand was played from it yet
  std::uint32_t discards = 0;   ///< cards to lay aside before the hand
  std::vector<Player> players;  ///< ascending by seat
  Units house = 0;              ///< deductions since the table was opened

  // The bank.
  std::vector<Part> parts;      ///< empty: no banker
  Units initial = 0;            ///< what the bank was awarded for
  Units winnings = 0;           ///< of this banker, after deductions
  Units last_win = 0;           ///< of the hand before; may go to the garage
  bool dealt = false;           ///< the banker has dealt a hand
  Seat origin = 0;              ///< the bank goes on at this seat's right when it is lost
  Seat last_seated = 0;         ///< last seated banker
  std::optional<Bid> proposal;  ///< somebody asks to be the banker's associate
  std::uint32_t shoes_left = 0;
  std::vector<Seat> left_winning;  ///< bankers of this shoe who left with a win

  Award award;
  Rights rights;
  std::optional<Hand> hand;
  std::vector<Played> played;
  BetBook bets;
  std::vector<Settlement> settled;

  [[nodiscard]] Units bank() const;
  [[nodiscard]] Units garage() const;
  [[nodiscard]] Seat banker() const { return parts.empty() ? 0 : parts.front().seat; }
  [[nodiscard]] const Player* player(Seat seat) const;
  [[nodiscard]] Player* player(Seat seat);
  /// Adds the seat to those present.
  Player& join(Seat seat);
  void remove(Seat seat);

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);
};

/// The part of a state that outlives a round, and back.
[[nodiscard]] json::Value carried_json(const State& state);
[[nodiscard]] Result<State> state_from_carried(const json::Value& value);

}  // namespace talla::games::banque
