#include "engines/tournament/engine.hpp"

#include <algorithm>
#include <utility>

#include "engines/engines.hpp"
#include "engines/tournament/play.hpp"
#include "engines/tournament/prizes.hpp"
#include "games/refusal.hpp"

namespace talla::games::tournament {
namespace {

constexpr std::string_view act_chips = "recuento";
constexpr std::string_view act_no_chips = "sin-fichas";
constexpr std::string_view act_hand_over = "fin-mano";
constexpr std::string_view act_level = "nivel";

bool session_over(const TournamentState& state) {
  return state.closing && state.round_over;
}

/// Who says that a level is over: the first who still has chips; 0: nobody may.
Seat level_seat(const Figures& figures, const TournamentState& state) {
  if (session_over(state) || !level_may_rise(figures, state)) return 0;
  const auto found = std::find_if(state.players.begin(), state.players.end(),
                                  [](const Player& one) { return one.stack > 0; });
  return found->seat;
}

/// The tournament is over and the table as before the first entry.
void reset(TournamentState& state) {
  state.playing = false;
  state.hand = 0;
  state.level = 0;
  state.players.clear();
  state.bets.clear();
  state.round_over = true;
}

struct Handler {
  const Table& table;
  TournamentState& state;
  const Figures& figures;

  Status operator()(const PlaceBet& event) {
    if (session_over(state)) return fail(Errc::bets_closed, "the session is over");
    TALLA_TRY_STATUS(check_purchase(table, figures, state, event));
    TALLA_TRY_STATUS(
        state.bets.place(table, event, {.check_minimum = false, .check_limits = false}));
    begin();
    take_purchase(figures, state, event);
    return {};
  }
  Status operator()(const WithdrawBet& event) {
    if (state.hand > 0)
      return said(table.rules().bets.front().cite, Errc::bets_closed,
                  "what is paid stays paid once the tournament has begun");
    const auto* bet = std::as_const(state.bets).find(event.bet);
    if (bet == nullptr) return fail(Errc::bet_unknown, "no bet '" + event.bet.substr(0, 48) + "'");
    if (event.amount && *event.amount != bet->stake)
      return said(table.rules().bets.front().cite, Errc::withdrawal_refused,
                  "an entry is taken back as a whole");
    const Seat seat = bet->seat;
    begin();
    state.bets.remove(event.bet);
    std::erase_if(state.players, [&](const Player& one) { return one.seat == seat; });
    return {};
  }
  Status operator()(const CloseBets& /*event*/) {
    if (session_over(state)) return fail(Errc::bets_closed, "the session is over");
    if (state.playing) return fail(Errc::bets_closed, "a hand is played");
    if (state.hand == 0 && state.players.size() < figures.entries_min)
      return said(table.rules().bets.front().cite, Errc::bets_closed,
                  "too few players: {held} of {allowed}",
                  {{"held", std::to_string(state.players.size())},
                   {"allowed", std::to_string(figures.entries_min)}});
    begin();
    if (players_with_chips(state) < 2) {  // who could have bought again has not
      settle();
    } else {
      begin_hand(state);
    }
    return {};
  }
  Status operator()(const Act& event) {
    if (event.bet || !event.cards.empty() || event.to)
      return fail(Errc::action_refused, "a report names a seat and its chips, nothing else");
    if (event.action == act_chips || event.action == act_no_chips) return report(event);
    if (event.action == act_hand_over) return hand_over(event);
    if (event.action == act_level) return next_level(event);
    return fail(Errc::action_unknown,
                "no action '" + event.action.substr(0, 48) + "' in this game");
  }
  /// Silence leaves the chips as they are, and the level.
  Status operator()(const TimeOut& event) {
    const auto* player = find_player(std::as_const(state), event.seat);
    const bool asked = state.playing ? player != nullptr && player->start > 0
                                     : event.seat != 0 && event.seat == level_seat(figures, state);
    if (!asked)
      return fail(Errc::not_due, "seat " + std::to_string(event.seat) + " has nothing to report");
    begin();
    return {};
  }
  Status operator()(const Misdeal& event) {
    const auto* rule = table.rules().error(event.code);
    if (rule == nullptr)
      return fail(Errc::misdeal_unknown, "the catalogue has no error " + event.code.substr(0, 48));
    if (state.players.empty()) return fail(Errc::not_due, "nobody has entered the tournament");
    state.standing.clear();
    for (const auto& bet : state.bets.all()) {
      add_settlement(state.settled, table, bet, BetResult::void_, Fraction(bet.stake), rule->cite);
    }
    reset(state);
    return {};
  }
  Status operator()(const LastRound& /*event*/) {
    if (session_over(state)) return fail(Errc::not_due, "the session is over");
    begin();
    state.closing = true;
    return {};
  }
  template <class Other>
  Status operator()(const Other& event) const {
    return fail(Errc::not_due, std::string(event_name(Event(event))) + " is not due now");
  }

 private:
  tl::unexpected<Error> said(const Citation& cite, Errc errc, std::string_view form,
                             const RefusalValues& values = {}) const {
    return fail(errc, filled_form(form, values) + " (" + table.rules().rule(cite) + ")");
  }
  /// The first event of a round clears what the last one left to look at.
  void begin() {
    state.round_over = false;
    state.standing.clear();
  }
  Status report(const Act& event) {
    const bool none = event.action == act_no_chips;
    if (event.amount.has_value() == none)
      return fail(Errc::action_refused, none ? "sin-fichas has no amount"
                                             : "recuento has an amount: all chips of the seat");
    if (!state.playing)
      return fail(Errc::action_refused, "chips are reported while a hand is played");
    auto* player = find_player(state, event.seat);
    if (player == nullptr || player->start == 0)
      return fail(Errc::action_refused, "seat " + std::to_string(event.seat) + " plays no hand");
    const Units loose = loose_chips(state);
    if (!none && (*event.amount < 1 || *event.amount > player->stack + loose))
      return said(
          figures.play_cite, Errc::action_refused,
          "seat {seat} cannot have {found} chips: it has {held}, and {loose} have no owner yet",
          {{"seat", std::to_string(event.seat)},
           {"found", std::to_string(*event.amount)},
           {"held", std::to_string(player->stack)},
           {"loose", std::to_string(loose)}});
    player->stack = none ? 0 : *event.amount;
    return {};
  }
  Status hand_over(const Act& event) {
    if (event.amount) return fail(Errc::action_refused, "fin-mano has no amount");
    if (!state.playing) return fail(Errc::action_refused, "no hand is played now");
    const auto* player = find_player(std::as_const(state), event.seat);
    if (player == nullptr || player->start == 0)
      return fail(Errc::action_refused, "seat " + std::to_string(event.seat) + " plays no hand");
    if (const Units loose = loose_chips(state); loose > 0)
      return said(figures.play_cite, Errc::action_refused,
                  "there are {loose} chips without an owner, and who won them reports first",
                  {{"loose", std::to_string(loose)}});
    end_hand(state);
    state.round_over = true;
    if (state.closing || (players_with_chips(state) == 1 && !somebody_may_return(figures, state)))
      settle();
    return {};
  }
  Status next_level(const Act& event) {
    if (event.amount) return fail(Errc::action_refused, "nivel has no amount");
    const Seat seat = level_seat(figures, state);
    if (seat == 0 && state.level == figures.levels.size() && state.level > 0 && !state.playing)
      return said(figures.play_cite, Errc::action_refused, "level {found} is the last",
                  {{"found", std::to_string(state.level)}});
    if (seat == 0)
      return fail(Errc::action_refused, "a level begins between two hands of a tournament");
    if (seat != event.seat)
      return refuse(Errc::action_refused,
                    "a new level is said by seat {allowed}, not by seat {seat}",
                    {{"allowed", std::to_string(seat)}, {"seat", std::to_string(event.seat)}});
    begin();
    ++state.level;
    return {};
  }
  /// Every place gets its prize; what was kept and put in stands in a line of its own.
  void settle() {
    const auto fund = fund_of(figures, state.bets);
    auto order = order_of(figures, state.players);
    const auto won = awards(order, place_prizes(figures, fund.prizes, state.players.size()));
    for (const auto& bet : state.bets.all()) {
      Units prize = 0;
      for (const auto& one : won) {
        if (bet.kind == entry_kind && one.seat == bet.seat) prize = one.prize;
      }
      const bool wins = prize > 0;
      add_settlement(state.settled, table, bet, wins ? BetResult::win : BetResult::lose,
                     Fraction(prize), wins ? figures.fund_cite : figures.prizes_cite);
    }
    if (fund.kept > 0 || fund.added > 0) {
      state.settled.push_back({std::string(organiser), 0, std::string(organiser), fund.added,
                               fund.kept > 0 ? BetResult::win : BetResult::lose, fund.kept,
                               Fraction(), table.rules().rule(figures.fund_cite)});
    }
    reset(state);
    state.standing = std::move(order);
  }
};

/// What one seat may report.
Decide reports(const Player& player, Units loose) {
  Decide out{player.seat, {}, true};
  if (player.stack + loose > 0)
    out.choices.push_back({std::string(act_chips), {}, 1, player.stack + loose, 1});
  out.choices.push_back({std::string(act_no_chips), {}, 0, 0, 0});
  if (loose == 0) out.choices.push_back({std::string(act_hand_over), {}, 0, 0, 0});
  return out;
}

json::Array order_json(const std::vector<Place>& order) {
  json::Array out;
  for (const auto& one : order) out.emplace_back(json::Array(one.seats.begin(), one.seats.end()));
  return out;
}

}  // namespace

Result<TournamentState> TournamentEngine::start(const Table& table) const {
  TALLA_TRY_STATUS(check_figures(table.prepared<Figures>()));
  return TournamentState{};
}

Result<TournamentState> TournamentEngine::continue_from(const Table& table,
                                                        const json::Value& carried) const {
  TALLA_TRY_STATUS(check_figures(table.prepared<Figures>()));
  TALLA_TRY(auto state, TournamentState::from_carried(carried));
  TALLA_TRY_STATUS(check_state(table, state));
  return state;
}

Status TournamentEngine::check_state(const Table& table, const TournamentState& state) const {
  return check_tournament(table, table.prepared<Figures>(), state);
}

Status TournamentEngine::on(const Table& table, TournamentState& state, const Event& event) const {
  return std::visit(Handler{table, state, table.prepared<Figures>()}, event);
}

Needs TournamentEngine::needs_of(const Table& table, const TournamentState& state) const {
  const auto& figures = table.prepared<Figures>();
  Needs out;
  if (state.playing) {
    const Units loose = loose_chips(state);
    for (const auto& one : state.players) {
      if (one.start > 0) out.emplace_back(reports(one, loose));
    }
    return out;
  }
  if (state.round_over) out.emplace_back(Settled{});
  if (session_over(state)) return out;
  out.emplace_back(BetsOpen{state.hand > 0 || state.players.size() >= figures.entries_min});
  if (const Seat seat = level_seat(figures, state); seat != 0)
    out.emplace_back(Decide{seat, {{std::string(act_level), {}, 0, 0, 0}}, false});
  return out;
}

json::Value TournamentEngine::carried_of(const Table& /*table*/,
                                         const TournamentState& state) const {
  return state.carried();
}

/// Nothing is hidden: chips, fees and prizes are public; the order is that of now, or of the end.
json::Value TournamentEngine::view_of(const Table& table, const TournamentState& state,
                                      const Viewer& /*viewer*/) const {
  const auto& figures = table.prepared<Figures>();
  json::Value out = state.to_json();
  const auto fund = fund_of(figures, state.bets);
  json::Array prizes;
  for (const auto prize : place_prizes(figures, fund.prizes, state.players.size()))
    prizes.emplace_back(prize);
  out["fees"] = fund.fees;
  out["kept"] = fund.kept;
  out["prizes"] = std::move(prizes);
  out["chips"] = chips_sold(figures, state.bets);
  out["loose"] = loose_chips(state);
  const auto& order = state.standing;
  out["order"] = order_json(order.empty() ? order_of(figures, state.players) : order);
  if (state.level > 0) {
    const auto& blinds = figures.levels.at(state.level - 1);
    out["blinds"] =
        json::Object{{"ante", blinds.ante}, {"big", blinds.big}, {"small", blinds.small}};
  }
  return out;
}

}  // namespace talla::games::tournament

namespace talla::games {

const Engine& tournament_engine() {
  static const tournament::TournamentEngine engine;
  return engine;
}

}  // namespace talla::games
