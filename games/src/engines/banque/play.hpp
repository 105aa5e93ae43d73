/// \file
/// Family "banque": the steps of a table, each a function over one state that is being changed. An
/// event's handler calls them; nothing here knows events, shoes or people.
#pragma once

#include "engines/banque/state.hpp"

namespace talla::games::banque {

/// What a step works on.
struct Play {
  const Table& table;
  const Law& law;
  State& state;

  [[nodiscard]] std::int64_t param(std::string_view id) const { return table.params().integer(id); }
  [[nodiscard]] const std::string& choice(std::string_view id) const {
    return table.params().choice(id);
  }
  [[nodiscard]] Units chip() const { return table.currency().chip; }
  [[nodiscard]] Units round_up(Units amount) const {
    return (amount + chip() - 1) / chip() * chip();
  }
};

/// A refusal that ends with the section it comes from.
[[nodiscard]] inline tl::unexpected<Error> refuse(Errc errc, const Play& p, const std::string& why,
                                                  const Citation& cite) {
  return fail(errc, why + " (" + p.table.rules().rule(cite) + ")");
}

// --- seats (seats.cpp)

/// Numbered places at the table: chemin de fer `seats`, banque twice `seats`.
[[nodiscard]] Seat places(const Table& table, const Law& law);
/// Cloth of a player (0, 1); always 0 with one cloth.
[[nodiscard]] std::size_t cloth_of(const Table& table, const Law& law, const State& state,
                                   Seat seat);
/// Everybody but the banker, in the order of priority of that cloth.
[[nodiscard]] std::vector<Seat> priority(const Table& table, const Law& law, const State& state,
                                         std::size_t cloth);
/// Seated players from the right of that seat, round to it, without it.
[[nodiscard]] std::vector<Seat> seated_from(const Table& table, const Law& law, const State& state,
                                            Seat seat);
/// Enough players to play.
[[nodiscard]] bool enough_players(const Table& table, const Law& law, const State& state);
/// Somebody takes a free seat, or leaves.
[[nodiscard]] Status sit(Play& p, Seat seat);
[[nodiscard]] Status stand_up(Play& p, Seat seat);

// --- stakes (stakes.cpp, accept.cpp)

/// Bank and stakes together reach at most this: what they can win stays an amount.
inline constexpr Units bank_plays_max = units_max / 128;
/// Stake of who covers the whole bank: the bank, up to the chip step.
[[nodiscard]] Units banco_stake(const Table& table, const State& state);
[[nodiscard]] Status place_stake(Play& p, const PlaceBet& event);
[[nodiscard]] Status withdraw_stake(Play& p, const WithdrawBet& event);
/// What a bet would play on each cloth if the bank were large enough.
[[nodiscard]] std::array<Units, 2> wanted(const Play& p, const Bet& bet);
/// Bets are closed: asks for banco seguido, draws lots, or fixes what plays and starts the hand.
void close_stakes(Play& p);
/// After banco seguido was called or left.
void accept_stakes(Play& p);
/// The lot fell on that cloth.
void accept_by_lot(Play& p, std::size_t cloth);
/// Gives a stake back: it does not play.
void free_stake(Play& p, const std::string& bet, BetResult result, const Citation& cite);

// --- the bank (award.cpp, bank.cpp)

/// Largest bank that may be awarded.
[[nodiscard]] Units bank_max(const Table& table);
/// The least and the most with which a broken bank is filled again, in chips.
struct Refill {
  Units least = 0;
  Units most = 0;
};
[[nodiscard]] Refill refill_of(const Table& table, const Law& law, const State& state);
[[nodiscard]] Units bank_min(const Table& table);
/// The first bank of the table, or of a shoe without one.
void start_award(Play& p);
/// The bank goes on after it was lost or passed.
struct Handover {
  Seat from = 0;                 ///< it goes to this seat's right
  Seat banker = 0;               ///< who had it
  Units amount = 0;              ///< what the next banker must match
  bool passed = false;           ///< given up, not lost
  std::vector<Seat> associates;  ///< shut out of the auction with the banker
};
void pass_on(Play& p, const Handover& handover);
/// An auction without these seats; bids from `floor`.
void start_auction(Play& p, std::vector<Seat> barred, Units floor);
[[nodiscard]] Status take_bank(Play& p, const Act& act);
[[nodiscard]] Status decline_bank(Play& p, Seat seat);
[[nodiscard]] Status bid(Play& p, const Act& act);
/// The lot between equal bids fell on that bidder (from 0).
void award_lot(Play& p, std::size_t index);
/// Bidders that tie for the bank.
[[nodiscard]] std::vector<Bid> tied(const State& state);
/// Whose turn it is in the auction, or 0.
[[nodiscard]] Seat next_bidder(const State& state);
/// Bank and garage go back to their owners.
void end_bank(Play& p);
/// Acts of the banker and his associates between hands.
[[nodiscard]] Status bank_act(Play& p, const Act& act);
/// Least and largest garage of now; {0, 0} when there is none.
[[nodiscard]] Units garage_max(const Table& table, const Law& law, const State& state);
/// Winnings or losses move the bank.
void move_bank(Play& p, const std::vector<Units>& changes);
/// Takes what passes the maximum out of the bank.
void trim_bank(Play& p);

// --- the hand (hand.cpp, duties.cpp, restore.cpp)

/// What comes next in a hand.
struct Due {
  enum class Kind : std::uint8_t { deal, reveal, decide, settle } kind = Kind::settle;
  /// What a decision is about.
  enum class Stage : std::uint8_t {
    none,
    withdraw,
    word,
    give,
    serve,
    bank_word
  } stage = Stage::none;
  std::size_t cloth = 0;  ///< word: whose
  std::vector<DealPlace> cards;
  std::string place;
  Decide decide;
};
[[nodiscard]] Due hand_due(const Table& table, const Law& law, const State& state);
/// Every card of the hand has come and nobody has to speak: it waits to be settled.
[[nodiscard]] bool hand_complete(const Table& table, const Law& law, const State& state);
/// An error has ended the hand: no error after it can change anything.
[[nodiscard]] bool hand_ended(const Law& law, const Hand& hand);
/// A card is due and none is left: those behind the stop card were laid aside by errors.
[[nodiscard]] bool out_of_cards(const Table& table, const Law& law, const State& state);
/// Takes every step of a hand that needs nobody; settles it when an error has ended it, voids it
/// when a card is missing. A complete hand stays as it is.
void run_hand(Play& p);
[[nodiscard]] Status hand_act(Play& p, const Act& act);
[[nodiscard]] Status hand_time_out(Play& p, Seat seat);
[[nodiscard]] Status deal_card(Play& p, const CardDealt& event);
[[nodiscard]] Status reveal_card(Play& p, const CardRevealed& event);

[[nodiscard]] int two_total(const Law& law, const Cards& hand);
[[nodiscard]] int cloth_total(const Law& law, const Cards& hand);
[[nodiscard]] int bank_total(const Law& law, const Cards& hand);
/// The cloth takes part: not voided, not shown, not counted as showing 9.
[[nodiscard]] bool in_play(const Cards& cloth);
/// The banker must know his duty before he acts: his cards are opened.
[[nodiscard]] bool duty_binds(const Table& table, const Law& law, const Hand& hand);
/// An error has changed what a banker who stood plays against: he must draw now, or may, or his
/// stand holds.
void bank_speaks_again(Play& p);
/// What the banker must do about a third card; his cards are known.
[[nodiscard]] Cell bank_duty(const Table& table, const Law& law, const Hand& hand);
/// What the cloth must say; its cards are known.
[[nodiscard]] Cell cloth_duty(const Table& table, const Law& law, const Hand& hand,
                              std::size_t cloth);
/// The word differs from what the rules ask of the cloth, whose cards are known.
[[nodiscard]] bool wrong_word(const Table& table, const Law& law, const Hand& hand,
                              std::size_t cloth);
/// Puts a cloth's word right and the third cards where they belong.
void restore(Play& p, std::size_t cloth, Fault fault);

// --- errors (errors.cpp), settlement (settle.cpp)

[[nodiscard]] Status misdeal(Play& p, const Misdeal& event);
/// 1: the cloth wins, -1: the bank wins, 0: nobody.
[[nodiscard]] int compare(const Table& table, const Law& law, const Hand& hand, std::size_t cloth);
/// Settles every stake and the bank, and goes on to the next hand or banker.
void settle_hand(Play& p);
/// Nothing is decided: all stakes are free.
void void_hand(Play& p, const Citation& cite);

}  // namespace talla::games::banque
