#include "engines/tournament/play.hpp"

#include <algorithm>

#include "games/refusal.hpp"

namespace talla::games::tournament {
namespace {

/// Refuses with the section that says it behind the sentence.
tl::unexpected<Error> refused(const Table& table, const Citation& cite, Errc errc,
                              std::string_view form, const RefusalValues& values) {
  return fail(errc, filled_form(form, values) + " (" + table.rules().rule(cite) + ")");
}

std::uint32_t bought(const TournamentState& state, Seat seat, std::string_view kind) {
  const auto all = state.bets.all();
  return static_cast<std::uint32_t>(std::count_if(all.begin(), all.end(), [&](const Bet& bet) {
    return bet.seat == seat && bet.kind == kind;
  }));
}

/// What is wrong with a purchase, with what every sentence about it names.
class Desk {
 public:
  Desk(const Table& table, const Figures& figures, const TournamentState& state,
       const PlaceBet& event)
      : table_(table), figures_(figures), state_(state), event_(event) {}

  [[nodiscard]] Status check() const {
    if (state_.playing) return no(Errc::bets_closed, "chips are sold between two hands");
    const bool entry = event_.kind == entry_kind;
    TALLA_TRY_STATUS(entry ? check_entry() : check_seat());
    if (event_.kind == rebuy_kind) TALLA_TRY_STATUS(check_rebuy());
    if (event_.kind == addon_kind) TALLA_TRY_STATUS(check_addon());
    const auto& wanted = figures_.purchase(event_.kind);
    if (event_.stake != wanted.price)
      return no(
          Errc::amount_invalid, "{kind} costs {allowed}, not {stake}",
          {{"allowed", std::to_string(wanted.price)}, {"stake", std::to_string(event_.stake)}});
    return check_sum();
  }

 private:
  [[nodiscard]] Status check_entry() const {
    if (find_player(state_, event_.seat) != nullptr)
      return no(Errc::above_maximum, "seat {seat} is in the tournament already");
    if (state_.hand > 0 && state_.level > figures_.late_levels)
      return figures_.late_levels == 0
                 ? no(Errc::bets_closed, "entries are closed: the first hand has begun")
                 : no(Errc::bets_closed, "entries are closed since the end of level {allowed}",
                      {{"allowed", std::to_string(figures_.late_levels)}});
    if (state_.players.size() >= figures_.entries_max)
      return no(Errc::above_maximum, "all {allowed} entries are taken",
                {{"allowed", std::to_string(figures_.entries_max)}});
    return {};
  }
  [[nodiscard]] Status check_seat() const {
    if (find_player(state_, event_.seat) == nullptr)
      return no(Errc::seat_invalid, "seat {seat} has not entered the tournament");
    if (state_.hand == 0)
      return no(Errc::bets_closed, "{kind} is sold once the tournament has begun");
    return {};
  }
  [[nodiscard]] Status check_rebuy() const {
    const auto& player = *find_player(state_, event_.seat);
    const auto times = bought(state_, event_.seat, rebuy_kind);
    if (figures_.rebuys_max == 0)
      return no(Errc::bet_not_offered, "nobody buys again in this tournament");
    if (state_.level > figures_.rebuy_levels)
      return no(Errc::bets_closed,
                "{kind} is sold to the end of level {allowed}; this is level {found}",
                {{"allowed", std::to_string(figures_.rebuy_levels)},
                 {"found", std::to_string(state_.level)}});
    if (times >= figures_.rebuys_max)
      return no(
          Errc::above_maximum, "seat {seat} has bought again {held} of {allowed} times",
          {{"held", std::to_string(times)}, {"allowed", std::to_string(figures_.rebuys_max)}});
    if (player.stack == 0 && player.out_hand < state_.hand)
      return no(Errc::bets_closed, "seat {seat} is out: it did not buy again before the next hand");
    const Units most = figures_.rebuy_short ? figures_.entry.chips : 0;
    if (player.stack > most)
      return no(Errc::above_maximum,
                "seat {seat} has {held} chips; who buys again has at most {allowed}",
                {{"held", std::to_string(player.stack)}, {"allowed", std::to_string(most)}});
    return {};
  }
  [[nodiscard]] Status check_addon() const {
    if (figures_.addon_level == 0)
      return no(Errc::bet_not_offered, "this tournament has no add-on");
    if (state_.level != figures_.addon_level)
      return no(Errc::bets_closed, "{kind} is sold in level {allowed}; this is level {found}",
                {{"allowed", std::to_string(figures_.addon_level)},
                 {"found", std::to_string(state_.level)}});
    if (bought(state_, event_.seat, addon_kind) > 0)
      return no(Errc::above_maximum, "seat {seat} has had its add-on");
    if (find_player(state_, event_.seat)->stack == 0)
      return no(Errc::bets_closed, "seat {seat} has no chips that an add-on could add to");
    return {};
  }
  /// Everything paid in could be won by one.
  [[nodiscard]] Status check_sum() const {
    Units sum = event_.stake;
    for (const auto& bet : state_.bets.all()) sum += bet.stake;  // each below 2^53, at most 4,096
    if (sum <= units_max) return {};
    return no(Errc::amount_invalid, "with this fee the prizes would be beyond what can be paid");
  }
  [[nodiscard]] tl::unexpected<Error> no(Errc errc, std::string_view form,
                                         RefusalValues values = {}) const {
    values.emplace_back("seat", std::to_string(event_.seat));
    values.emplace_back("kind", event_.kind);
    return refused(table_, table_.rules().bet(event_.kind)->cite, errc, form, values);
  }

  const Table& table_;
  const Figures& figures_;
  const TournamentState& state_;
  const PlaceBet& event_;
};

}  // namespace

Player* find_player(TournamentState& state, Seat seat) {
  const auto found = std::lower_bound(state.players.begin(), state.players.end(), seat,
                                      [](const Player& one, Seat at) { return one.seat < at; });
  return found != state.players.end() && found->seat == seat ? &*found : nullptr;
}

const Player* find_player(const TournamentState& state, Seat seat) {
  return find_player(const_cast<TournamentState&>(state), seat);  // NOLINT: only looked at
}

std::size_t players_with_chips(const TournamentState& state) {
  return static_cast<std::size_t>(std::count_if(state.players.begin(), state.players.end(),
                                                [](const Player& one) { return one.stack > 0; }));
}

Units chips_sold(const Figures& figures, const BetBook& bets) {
  Units out = 0;
  for (const auto& bet : bets.all()) out += figures.purchase(bet.kind).chips;
  return out;
}

Units loose_chips(const TournamentState& state) {
  Units out = 0;
  if (!state.playing) return out;
  for (const auto& one : state.players) out += one.start - one.stack;
  return out;
}

bool somebody_may_return(const Figures& figures, const TournamentState& state) {
  if (figures.rebuys_max == 0 || state.level > figures.rebuy_levels) return false;
  return std::any_of(state.players.begin(), state.players.end(), [&](const Player& one) {
    return one.stack == 0 && one.out_hand == state.hand &&
           bought(state, one.seat, rebuy_kind) < figures.rebuys_max;
  });
}

bool level_may_rise(const Figures& figures, const TournamentState& state) {
  return !state.playing && state.hand > 0 && state.level < figures.levels.size() &&
         players_with_chips(state) > 1;
}

Status check_purchase(const Table& table, const Figures& figures, const TournamentState& state,
                      const PlaceBet& event) {
  if (table.rules().bet(event.kind) == nullptr) return {};  // the book says what there is
  // The book says that the name is taken.
  if (std::as_const(state.bets).find(event.id) != nullptr) return {};
  if (event.id == organiser)
    return refuse(Errc::bet_duplicate, "the id is the organiser's: {bet}", {{"bet", event.id}});
  return Desk(table, figures, state, event).check();
}

void take_purchase(const Figures& figures, TournamentState& state, const PlaceBet& event) {
  auto* player = find_player(state, event.seat);
  if (player == nullptr) {
    const auto at = std::find_if(state.players.begin(), state.players.end(),
                                 [&](const Player& one) { return one.seat > event.seat; });
    player = &*state.players.insert(at, Player{event.seat});
  }
  player->stack += figures.purchase(event.kind).chips;
}

void begin_hand(TournamentState& state) {
  if (state.level == 0) state.level = 1;
  ++state.hand;
  state.playing = true;
  for (auto& one : state.players) one.start = one.stack;
}

void end_hand(TournamentState& state) {
  for (auto& one : state.players) {
    if (one.start > 0 && one.stack == 0) {
      one.out_hand = state.hand;
      one.out_stack = one.start;
    }
    one.start = 0;
  }
  state.playing = false;
}

namespace {

tl::unexpected<Error> bad(const char* why) {
  return fail(Errc::state_malformed, why);
}

Status check_player(const Figures& figures, const TournamentState& state, const Player& one) {
  const auto rebuys = bought(state, one.seat, rebuy_kind);
  const auto addons = bought(state, one.seat, addon_kind);
  if (bought(state, one.seat, entry_kind) != 1) return bad("a player enters once");
  if (rebuys > figures.rebuys_max || addons > 1) return bad("a player has bought too often");
  if (state.hand == 0) {
    const bool fresh = one.stack == figures.entry.chips && one.start == 0 && one.out_hand == 0 &&
                       rebuys == 0 && addons == 0;
    return fresh ? Status() : Status(bad("something has happened before the first hand"));
  }
  if (one.out_hand > state.hand || (one.out_hand == 0) != (one.out_stack == 0))
    return bad("who is out went out in a hand, with chips");
  if (state.playing && one.out_hand == state.hand) return bad("out in a hand that is not over");
  if (!state.playing && one.start != 0) return bad("chips of a hand that nobody plays");
  const bool dealt = one.start > 0;
  if (one.stack == 0 && !dealt && one.out_hand == 0) return bad("chips that nobody won are gone");
  if (state.playing && !dealt && one.stack > 0) return bad("who has chips plays");
  return {};
}

/// No tournament is open: the conditions of the next one.
Status check_empty(const TournamentState& state) {
  if (!state.bets.empty() || state.hand != 0 || state.playing)
    return bad("a tournament without players");
  if (!state.standing.empty() && !state.round_over) return bad("an order without a tournament");
  return {};
}

}  // namespace

Status check_tournament(const Table& table, const Figures& figures, const TournamentState& state) {
  TALLA_TRY_STATUS(state.bets.check(table));
  if ((state.hand == 0) != (state.level == 0) || state.level > figures.levels.size())
    return bad("a level that there is not");
  if (state.players.empty()) return check_empty(state);
  if (state.round_over && (state.playing || state.hand == 0 || !state.standing.empty()))
    return bad("a hand is over, or it is not");
  if (!state.standing.empty()) return bad("an order before the end");
  if (state.players.size() > figures.entries_max) return bad("more players than entries");
  Units stacks = 0;
  Units starts = 0;
  for (std::size_t i = 0; i < state.players.size(); ++i) {
    const auto& one = state.players[i];
    if (one.seat == 0 || (i > 0 && state.players[i - 1].seat >= one.seat))
      return bad("players stand in the order of their seats");
    TALLA_TRY_STATUS(check_player(figures, state, one));
    if (one.stack > units_max - stacks || one.start > units_max - starts)
      return bad("too many chips");
    stacks += one.stack;
    starts += one.start;
  }
  Units fees = 0;
  for (const auto& bet : state.bets.all()) {
    if (bet.stake > units_max - fees) return bad("prizes beyond what can be paid");
    fees += bet.stake;
    if (find_player(state, bet.seat) == nullptr) return bad("chips of nobody");
    if (bet.stake != figures.purchase(bet.kind).price || bet.id == organiser)
      return bad("another price");
  }
  const Units sold = chips_sold(figures, state.bets);
  if (state.playing ? starts != sold || stacks > sold : stacks != sold)
    return bad("the chips are not those that were sold");
  if (state.playing && std::count_if(state.players.begin(), state.players.end(),
                                     [](const Player& one) { return one.start > 0; }) < 2)
    return bad("nobody plays alone");
  return {};
}

}  // namespace talla::games::tournament
