/// \file
/// Family "circle-poker": the parts of play. Each changes the state of one table; whatever may
/// refuse does so before it changes anything.
///
/// Threads: one.
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "engines/circle/rules.hpp"
#include "engines/circle/state.hpp"

namespace talla::games::circle {

/// One table in play.
struct Play {
  const Table& table;
  const Law& law;
  State& state;

  [[nodiscard]] std::string rule(const Citation& cite) const { return table.rules().rule(cite); }
  /// Puts a line of the hand's account into the settlement; `what` follows the id of the seat's
  /// first bet.
  void settle(Seat seat, std::string_view what, std::string_view kind, Units stake, Units returned,
              BetResult result, const Citation& cite);
};

/// What a player wants to do is not open to him.
[[nodiscard]] inline Status refused(const std::string& why) {
  return fail(Errc::action_refused, why);
}

/// The seats of all players from `from` on, once round, seat numbers ascending or not.
[[nodiscard]] std::vector<Seat> ring(const State& state, bool up, Seat from);
/// The same without `from`.
[[nodiscard]] std::vector<Seat> ring_after(const State& state, bool up, Seat from);

// Between hands (seats.cpp).
[[nodiscard]] Status buy(Play& p, const PlaceBet& event);
[[nodiscard]] Status take_back(Play& p, const WithdrawBet& event);
/// Whether a hand may begin, but for the shoe.
[[nodiscard]] bool enough_players(const Play& p);
/// The ante of the hand that begins, or is played.
[[nodiscard]] Units ante_now(const Play& p);
[[nodiscard]] Status begin_hand(Play& p);
[[nodiscard]] Status seat_act(Play& p, const Act& event);
void add_seat_choices(const Play& p, Needs& out);
/// All of a seat's bets are paid with its resto.
void pay_out(Play& p, Seat seat, const Citation& cite);

// Cards (deal.cpp).
/// All cards of the street, in their order, with whom they are for (0: nobody).
struct Due {
  DealPlace place;
  Token token = Token::own;
  Seat seat = 0;
  bool turn = false;  ///< lies there covered: it is turned, not dealt
};
/// Only those from `from` on, before `to`, are written out: of the others nothing counts but that
/// they are there.
[[nodiscard]] std::vector<Due> street_cards(
    const Play& p, std::size_t from = 0, std::size_t to = std::numeric_limits<std::size_t>::max());
/// How many they are.
[[nodiscard]] std::size_t street_count(const Play& p);
[[nodiscard]] Status deal_card(Play& p, const CardDealt& event);
/// The players in the hand, in the order in which this street's cards go round.
[[nodiscard]] std::vector<Seat> deal_order(const Play& p);
/// The open cards of a player, as they were dealt.
[[nodiscard]] std::vector<Card> open_cards(const Play& p, const Player& player);
/// A card of the deck that does not lie open already. Errors: card_invalid.
[[nodiscard]] Status check_card(const Play& p, const Card& card);
/// The street's next card is there.
void count_card(Play& p);

// Dead cards, and the last card when the deck does not reach (dead.cpp).
/// Decides how the last card comes, once its street has begun.
void begin_last_card(Play& p);
/// The cards that go back into the deck now. Precondition: `to_mix`.
[[nodiscard]] Shuffle mix_need(const Play& p);
[[nodiscard]] Status mixed(Play& p, const Shuffled& event);
/// Cards of the street are dealt while somebody may speak. False: the deck does not reach. Errors:
/// not_due.
[[nodiscard]] Result<bool> dealt_early(Play& p);
/// Cards of the street begin: those that were dealt too early are laid aside first.
void lay_early(Play& p);
/// A seat is passed over with the last card: what is left of the deck is laid aside once the others
/// have theirs, and the first dead card, alone in the deck then, is dealt to it. Errors: not_due,
/// place_unknown.
[[nodiscard]] Status passed_over(Play& p, const Misdeal& event);

// Cards dealt the wrong way up (wrong_face.cpp).
[[nodiscard]] Status hole_exposed(Play& p, const Misdeal& event, const Citation& cite);
[[nodiscard]] Status last_open(Play& p, Player& player, const Misdeal& event);
/// What was put in comes back, and the hand plays no more.
void void_hand(Play& p, Player& player, const Citation& cite);
[[nodiscard]] Status asked_act(Play& p, const Act& event);
[[nodiscard]] Status asked_time_out(Play& p, Seat seat);
void add_asked_choices(const Play& p, Needs& out);

// Betting (betting.cpp).
/// What the player on turn may do.
struct Offer {
  bool check = false;
  bool fold = true;
  Units call = 0;    ///< 0: nothing to cover
  bool bet = false;  ///< nobody has bet: `least` to `most` is a bet, not a raise
  Units least = 0;
  Units most = 0;  ///< 0: neither bet nor raise
  bool all_in = false;
};
[[nodiscard]] Offer offer(const Play& p);
/// The same for a seat whose turn is still to come.
[[nodiscard]] Offer offer_of(const Play& p, const Player& player);
/// Nothing (0), or what goes beyond `least` in these steps.
[[nodiscard]] Units step_of(const Play& p, const Offer& now);
/// The seat has something to say in this interval, now or later.
[[nodiscard]] bool must_speak(const State& state, const Player& player);
/// The player bets before all others (Effect::acts_first). Errors: action_refused.
[[nodiscard]] Status speak_first(Play& p, Player& player, std::optional<Units> amount);
/// What the player has bet before his turn counts now. True: he has no more to say in it.
[[nodiscard]] bool count_early(Play& p, Player& player);
/// The first to speak owes a bet, or may not retire.
[[nodiscard]] bool must_stay(const Play& p);
void begin_interval(Play& p);
/// Nobody has more to say: the next street, the showing, or the end of the hand.
void end_interval(Play& p);
/// Goes on after somebody has spoken, or was taken out of the hand.
void go_on(Play& p);
[[nodiscard]] Status bet_act(Play& p, const Act& event);
[[nodiscard]] Status bet_time_out(Play& p, Seat seat);
void add_bet_choices(const Play& p, Needs& out);
/// Moves chips from the resto to the pot, at most all of them.
void put_in(Player& player, Units amount);

/// The largest bet or raise beyond covering, but for the player's resto.
[[nodiscard]] Units most_over(const Play& p, const Player& player);

// Further blinds before the deal (blinds.cpp).
/// Asks the first player who may put one in, or lets the deal begin.
void begin_blinds(Play& p);
[[nodiscard]] Status blind_act(Play& p, const Act& event);
[[nodiscard]] Status blind_time_out(Play& p, Seat seat);
void add_blind_choices(const Play& p, Needs& out);

// The exchange of cards (draw.cpp).
/// The street is one of exchange.
[[nodiscard]] bool is_draw(const Law& law, std::size_t street);
void begin_draw(Play& p);
/// Goes on after somebody was served, or taken out of the hand.
void go_on_drawing(Play& p);
[[nodiscard]] Status draw_act(Play& p, const Act& event);
[[nodiscard]] Status draw_time_out(Play& p, Seat seat);
[[nodiscard]] Status draw_card(Play& p, const CardDealt& event);
[[nodiscard]] Status draw_shuffled(Play& p, const Shuffled& event);
void add_draw_needs(const Play& p, Needs& out);
/// Cards that the player on turn is to get before anybody else is asked.
[[nodiscard]] std::size_t cards_owed(const Play& p);
/// The deck, with all that may be mixed in, reaches for what the player on turn is to get.
[[nodiscard]] bool can_serve(const Play& p);
/// Cards that are not dealt.
[[nodiscard]] std::size_t deck_left(const Play& p);
/// The cards a player plays with at the end.
[[nodiscard]] std::vector<std::string> hand_of(const Player& player);
[[nodiscard]] bool is_discard(const Player& player, std::size_t card);

// The combination that opens (opening.cpp).
/// Whether those cards of a hand show what opening the pot needs now. Precondition: at most five.
[[nodiscard]] bool can_open(const Play& p, const std::vector<Card>& cards);
/// The player has opened, and his open cards do not show yet that he could.
[[nodiscard]] bool must_prove(const Play& p, const Player& player);
/// The place of the next card that the player must turn; empty: none.
[[nodiscard]] std::string covered_place(const Play& p, const Player& player);
/// Nobody has opened: the pot waits for the next hand.
void blank_hand(Play& p);
/// One player is left. He takes the pot; if he has opened, after he has shown that he could.
void finish_alone(Play& p);
/// The last player in the hand has opened and cannot show that he could: the pot waits for the next
/// hand.
void fail_to_prove(Play& p, Player& last);

// Fees and pots (pots.cpp).
/// What nobody has matched, and whose it is.
struct Uncalled {
  Seat seat = 0;
  Units amount = 0;
};
[[nodiscard]] Uncalled uncalled(const State& state);
/// Takes the house's share of what came into the pot since the last time.
void take_pot_fee(Play& p);
/// A fee out of a player's resto.
void charge(Play& p, Player& player, Units amount);
/// Divides the pot among those who are in the hand, and ends it. `shown`: their cards are known.
void divide(Play& p, bool shown);
/// Nobody takes the pot: it waits for the next hand.
void carry_pot(Play& p, const Citation& cite);
/// The hand is over, all its money is back in the restos (or waits in the pot). `played`: to its
/// end.
void end_hand(Play& p, bool played);

// Showing (showdown.cpp).
void begin_show(Play& p);
/// Precondition: texts of cards.
[[nodiscard]] std::vector<Card> cards_of(const std::vector<std::string>& texts);
[[nodiscard]] Status show_act(Play& p, const Act& event);
[[nodiscard]] Status show_time_out(Play& p, Seat seat);
/// The place that must be turned now, or empty.
[[nodiscard]] std::string reveal_due(const Play& p);
[[nodiscard]] Status reveal(Play& p, const CardRevealed& event);
void add_show_choices(const Play& p, Needs& out);
/// Goes on when nothing is left to turn.
void go_on_showing(Play& p);
/// All hands are shown, and the pot waits to be divided.
[[nodiscard]] bool show_complete(const State& state);
/// Worth of the hand in each part of the pot; nothing: it does not play for that part.
[[nodiscard]] std::vector<std::optional<poker::HandValue>> worth(const Play& p,
                                                                 const Player& player);

// Common cards turned by error (repair.cpp).
/// Puts down what is to be done; false: the deck does not hold enough cards. Errors: not_due.
[[nodiscard]] Result<bool> begin_repair(Play& p, bool mix);
/// The rest of the deck is mixed, and its first card thrown. False: the deck does not reach.
/// Errors: not_due.
[[nodiscard]] Result<bool> begin_mix(Play& p);
/// The need of the first step. Precondition: there is one.
[[nodiscard]] Need repair_need(const Play& p);
[[nodiscard]] Status repair_card(Play& p, const CardDealt& event);
[[nodiscard]] Status repair_shuffled(Play& p, const Shuffled& event);
/// A common card that lies covered is turned: in its turn, or by error.
[[nodiscard]] Status turn_common(Play& p, const CardRevealed& event);
/// The common card that lies covered and is to be turned now, or empty.
[[nodiscard]] std::string turn_due(const Play& p);

// Chips that were put in by error, and turns that were (out_of_turn.cpp).
/// A bet before its turn. It is in the pot at once. Errors: not_due, amount_invalid,
/// action_refused.
[[nodiscard]] Status bet_early(Play& p, Player& player, const Misdeal& event, const Citation& cite);
/// Too few chips to cover. Errors: not_due, amount_invalid, place_unknown.
[[nodiscard]] Status short_call(Play& p, const Misdeal& event, const Citation& cite);
/// Errors: not_due, place_unknown, action_refused.
[[nodiscard]] Status acts_first(Play& p, const Misdeal& event);

// Errors (errors.cpp).
[[nodiscard]] Status misdeal(Play& p, const Misdeal& event);
/// When the text lets an error be said (windows.cpp). Errors: not_due.
[[nodiscard]] Status check_window(const Play& p, const ErrorRule& rule, const Misdeal& event);

}  // namespace talla::games::circle
