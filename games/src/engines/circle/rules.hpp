/// \file
/// Family "circle-poker": the law of one variant, read from a catalogue's data blocks and a table's
/// parameters (games/catalogues/docs/families/circle-poker.md). A variant is data: which cards go
/// where, who opens each betting interval, how a hand is made and how the pot is divided.
///
/// Errors: Errc::catalogue_malformed while a catalogue is loaded; afterwards reading cannot fail,
///         but for figures that do not fit a table's minimum (parameter_not_allowed). Threads:
///         plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/poker_hand.hpp"
#include "games/table.hpp"

namespace talla::games::circle {

/// One card of a street's deal: to each player (covered or open), to a row of common cards, or laid
/// aside unseen. dead: laid aside apart from the discards, for the last card when the deck does not
/// reach (dead.cpp). draw: no card by itself; the players exchange cards in this street.
enum class Token : std::uint8_t { own, own_open, common, second, burn, dead, draw };

/// A card of one player.
[[nodiscard]] constexpr bool is_own(Token token) {
  return token == Token::own || token == Token::own_open;
}

/// Who speaks first in an interval. after_blinds: the first after the last blind. last_bettor: who
/// made the last bet or raise of the interval before, or the mano. highest_showing: whose open
/// cards are the best, of equal ones the first in the order of the deal (Order::equal_right).
/// lowest_showing: whose open card is the lowest, and he must bet. highest_stays: as
/// highest_showing, and he may not retire. pot_opener: who has opened the pot, or the mano.
enum class Opener : std::uint8_t {
  mano,
  after_blinds,
  last_bettor,
  highest_showing,
  lowest_showing,
  highest_stays,
  pot_opener
};

/// Cards, then a betting interval.
struct Street {
  std::vector<Token> deal;
  Opener opens = Opener::mano;
};

/// What bounds one bet or raise. fixed_*: exactly that amount. by_pair: fixed_lower, or
/// fixed_higher while somebody's first two open cards are a pair; who plays the higher binds the
/// interval to it. pair: fixed_lower, and fixed_higher alone while such a pair shows. *_dealt: of
/// the pot as it was when the cards of the interval were dealt.
enum class Limit : std::uint8_t {
  none,
  pot,
  half_pot,
  fixed_lower,
  fixed_higher,
  by_pair,
  pair,
  pot_dealt,
  half_pot_dealt
};

enum class FeeKind : std::uint8_t { pot, session, hand };
enum class Made : std::uint8_t { best_five, two_and_three };
enum class Split : std::uint8_t { side_pots, by_contribution, by_stack };

/// The exchange of cards. It goes round in the order of the deal.
struct Exchange {
  std::int64_t most = 0;      ///< discards; 0: the game has no exchange
  bool from_opener = false;   ///< begins with who has opened the pot; false: with the mano
  bool last_of_most = false;  ///< who discards `most` gets the last of them after all others
  /// Discards are mixed in with the last card; false: when the deck is out.
  bool at_last_card = false;
  bool openers_left_out = false;  ///< the opener's discards and those of who draws are not mixed in
  bool retired_before_own = true;  ///< hands that retired are mixed in before one's own discards
  Citation cite;
};

/// Opening the pot needs a combination.
struct Opening {
  /// Rank of the pair that opens, by blank hands before; the last holds on. Empty: free.
  std::vector<int> pairs;
  bool ante_once = false;   ///< only the first blank hand asks for another ante
  bool mano_stays = false;  ///< after a blank hand
  /// A bet of a false opening that nobody has called stays for the next game.
  bool bet_stays = true;
  Citation cite;
  Citation false_cite;
};

/// Who plays, and who may rest.
struct Seating {
  std::int64_t players_min = 0;
  std::int64_t rest_max = 0;     ///< hands that a player may sit out
  bool rest_per_game = false;    ///< all together; false: in a row
  bool resting_counts = true;    ///< towards players_min
  bool top_up_any_time = false;  ///< between hands; false: only when the resto is exhausted
  Citation cite;
};

/// Which way things go round. `..._up`: seat numbers ascend.
struct Order {
  bool deal_up = true;
  bool betting_up = true;
  bool mano_up = true;
  bool show_up = true;
  bool mano_rotates = true;
  bool deal_from_left = false;  ///< the first card goes to the dealer's left; false: to the mano
  bool seat_one_left = true;
  /// Of equal open cards the nearest at the mano's right speaks, the mano before all.
  bool equal_right = false;
};

/// What the house takes.
struct Fee {
  FeeKind kind = FeeKind::pot;
  Fraction rate;  ///< of the pot
  bool each_interval = false;
  bool on_uncalled = false;  ///< of a bet that nobody called, too
  Units cap = 0;             ///< of one hand; 0: none
  Fraction session_rate;
  bool session_of_resto = false;  ///< share of the player's resto; false: of the table maximum
  bool session_halves = false;
  Units of_hand = 0;   ///< of each player
  Units smallest = 1;  ///< fees and shares of pots are multiples of this many units
  Citation cite;
};

/// Forced bets.
struct ForcedBets {
  Units ante = 0;
  std::vector<Units> blinds;  ///< from the mano on
  /// Each next player may put in a blind of twice the last, until one does not.
  bool chain = false;
  Citation cite;
};

/// What bounds bets and raises.
struct Bounds {
  Units table_min = 0;
  Units table_max = 0;
  Units lower = 0;
  Units higher = 0;
  std::vector<Limit> limits;    ///< by interval; the last holds for all further ones
  bool pair_of_holder = false;  ///< the higher limit of Limit::pair is his alone who shows the pair
  /// A raise is at least the last bet or raise; false: the table minimum.
  bool raise_of_last = false;
  bool pot_after_call = true;      ///< the pot that bounds a raise holds the raiser's own call
  bool max_binds = false;          ///< the table maximum bounds every bet and raise
  std::int64_t raises_max = 0;     ///< of one player in one interval; 0: no limit
  bool raises_free_of_two = true;  ///< no such limit when two are left
  bool early_at_once = false;  ///< a bet out of turn is to be matched at once; false: in its turn
  /// A raise all-in below the least raise gives those who have spoken the right to raise.
  bool short_reopens = false;
  Citation cite;
};

/// How a hand is made of cards.
struct HandLaw {
  Made made = Made::best_five;
  bool two_rows = false;
  int low = 0;                        ///< highest rank of a low hand; 0: none
  std::vector<poker::Ranker> ranker;  ///< exactly one
  Citation division_cite;             ///< of the two halves
};

struct Showdown {
  bool may_renounce = false;  ///< who must show may give up the pot instead
  /// When nobody bet in the last interval: the last bettor of an earlier one.
  bool last_bettor_shows = false;
  Split split = Split::side_pots;
  Citation cite;
};

struct MisdealLaw {
  bool ante_stays = false;
  /// Both first cards exposed: that hand alone is void, its chips come back.
  bool exposed_only_his = false;
  Citation cite;
};

struct DeadCards {
  bool discards_mixed = false;  ///< with the dead cards, before one common card must do
  Citation cite;
};

struct Law {
  Seating seats;
  Order order;
  Fee fee;
  ForcedBets forced;
  Bounds betting;
  std::vector<Street> streets;
  Exchange exchange;
  Opening opening;
  ShoeNeed shoe;  ///< of the rules, with the deck that the table has chosen
  HandLaw hands;
  Showdown showdown;
  MisdealLaw misdeal;
  DeadCards dead;

  [[nodiscard]] std::size_t own_cards() const;
  [[nodiscard]] std::size_t dead_cards() const;
  /// How many players a deck of so many cards reaches for. Dead cards, or one common card, do for
  /// the last.
  [[nodiscard]] std::size_t players_most(std::size_t cards) const;
  [[nodiscard]] const poker::Ranker& rank() const { return hands.ranker.front(); }
};

/// `table` may be null while a catalogue is loaded: then every value that a parameter allows is
/// checked.
/// Errors: catalogue_malformed; with a table parameter_not_allowed.
struct TableView {
  const Params* params = nullptr;
  Units min = 0;
  Units chip = 1;
};
[[nodiscard]] Result<Law> read_law(const GameRules& rules, const TableView* table);

struct PreparedLaw final : Prepared {
  Result<Law> law = fail(Errc::table_invalid, "not read");
};
/// The law of an open table. Precondition: `start` has accepted it.
[[nodiscard]] const Law& law_of(const Table& table);

/// Refuses data, parameters, bets, places, actions and errors this family cannot play.
[[nodiscard]] Status check_rules(const GameRules& rules);

/// What an entry of the error table does to the hand. One word each in a catalogue's `effect`.
enum class Effect : std::uint8_t {
  play_on,     ///< nothing changes
  redeal,      ///< all cards back, the hand begins anew with the same mano
  hand_dead,   ///< the hand of the place's seat is void, its bets stay in the pot
  both_dead,   ///< the same for two hands; announced once for each
  no_raise,    ///< the seat has bet out of turn: it may not raise when its turn comes
  expose,      ///< the card at the place is shown to all
  empty_seat,  ///< the place's seat gets its cards though nobody plays there; they are collected
  /// Both first cards of the place's seat were exposed: `redeal`, or that hand alone.
  exposed_hand,
  void_common,  ///< a common card was turned too early: it is void, another takes its place
  /// The same: the others are laid covered, it is mixed into the rest, one comes in its place.
  mix_common,
  /// One of two covered first cards was exposed: it lies open and the third is dealt covered; both:
  /// that hand alone is void, its chips come back.
  hole_exposed,
  /// The last card was dealt open: its player goes on, or plays for what has been bet; of two
  /// players nobody bets any more.
  last_open,
  next_open,  ///< the player has shown covered cards by mistake: his next card is not dealt covered
  /// Cards of the next interval were dealt too early: laid aside, and one more for each in the
  /// hand.
  dealt_early,
  /// The seat was passed over with the last card: it gets the first dead card, after all others.
  first_dead,
  short_call,  ///< too few chips to cover: they stay, and he may only add what is missing
  /// Another than who had to was told to speak first, and did: that stands, and play goes on from
  /// him.
  acts_first,
  /// The top of a deck that was put away is not known: the rest is mixed, and its first card
  /// thrown.
  mix_deck,
};
[[nodiscard]] Result<Effect> effect_from(std::string_view name);

/// When an error may be said. One word each in a catalogue's `window`.
enum class Window : std::uint8_t {
  deal,        ///< cards are dealt, or were and nobody has spoken since
  first_deal,  ///< the same with the first cards of the hand
  deck,        ///< as `deal`, or before it while further blinds are put in
  dealt,       ///< somebody may speak, exchange or show
  bet_made,    ///< the same, and somebody has bet or raised in this hand
  owed,        ///< who is on turn has a bet to cover
  unmatched,   ///< the seat of the place has not matched a bet
  spoken,      ///< somebody has spoken in this interval
  passed,      ///< the same; a seat that is named: before two players have acted after it
  two_acted,   ///< two players beside the seat of the place have acted since own cards were dealt
  first_interval,  ///< the betting after the first cards
  undealt,         ///< further cards are to be dealt
  round            ///< cards are dealt, or somebody may speak
};
[[nodiscard]] Result<Window> window_from(std::string_view name);

[[nodiscard]] std::string own_place(Seat seat, std::size_t card);
/// Where the card lies that was drawn as the seat's `card`-th.
[[nodiscard]] std::string draw_place(Seat seat, std::size_t card);
[[nodiscard]] std::string numbered(std::string_view what, std::size_t number);
/// The seat and card of "seat-S-card-K"; 0 and 0 for another place.
struct OwnPlace {
  Seat seat = 0;
  std::size_t card = 0;
};
[[nodiscard]] OwnPlace own_place_of(std::string_view place);

}  // namespace talla::games::circle
