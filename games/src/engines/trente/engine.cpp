#include "engines/trente/engine.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.hpp"
#include "engines/engines.hpp"
#include "engines/trente/coup.hpp"

namespace talla::games::trente {
namespace {

const Figures& figures_of(const Table& table) {
  return table.prepared<Prepared>().figures;
}

Status require_open(const TrenteState& state) {
  if (state.bets_open()) return {};
  if (state.phase == Phase::dealing)
    return fail(Errc::bets_closed, "bets are closed until this coup is settled");
  if (state.phase == Phase::finished) return fail(Errc::bets_closed, "the session is over");
  if (state.shoe == Shoe::over) return fail(Errc::shoe_finished, "the stop card is out");
  return fail(Errc::no_shoe, "a shoe must be open before bets");
}

/// The first event of a coup clears what the last one left to look at.
void begin_coup(TrenteState& state) {
  if (state.phase != Phase::over) return;
  state.phase = Phase::betting;
  state.negra.clear();
  state.roja.clear();
}

tl::unexpected<Error> insured(const Table& table, Errc errc, std::string_view chance) {
  return fail(errc, table.rules().rule(figures_of(table).insurance_cite) + ": the stake on " +
                        std::string(chance) + " is insured; take the insurance back first");
}

Status place(const Table& table, TrenteState& state, const PlaceBet& event) {
  TALLA_TRY_STATUS(require_open(state));
  if (find_imprisoned(state.prison, event.id) != nullptr)
    return fail(Errc::bet_duplicate, "bet '" + event.id + "' is in prison");
  const auto& figures = figures_of(table);
  PlaceOptions options;
  if (event.kind == figures.insurance_bet) {
    options = {.check_minimum = false, .check_limits = false, .check_chip = false};
    if (event.on.size() == 1 && chance_from(event.on.front())) {
      TALLA_TRY_STATUS(check_insurance(table, state, event.seat, event.on.front(), event.stake));
    }
  } else if (insurance_of(figures, state, event.seat, event.kind) != nullptr) {
    return insured(table, Errc::bets_closed, event.kind);
  }
  TALLA_TRY_STATUS(state.book.place(table, event, options));
  begin_coup(state);
  return {};
}

Status withdraw(const Table& table, TrenteState& state, const WithdrawBet& event) {
  TALLA_TRY_STATUS(require_open(state));
  if (find_imprisoned(state.prison, event.bet) != nullptr) {
    return fail(Errc::withdrawal_refused,
                "bet '" + event.bet + "' is in prison: choose half or prison");
  }
  const auto& figures = figures_of(table);
  const auto* bet = std::as_const(state.book).find(event.bet);
  if (bet != nullptr && bet->kind == figures.insurance_bet && event.amount &&
      *event.amount != bet->stake) {
    return fail(Errc::withdrawal_refused, "an insurance is taken back as a whole");
  }
  if (bet != nullptr && insurance_of(figures, state, bet->seat, bet->kind) != nullptr) {
    return insured(table, Errc::withdrawal_refused, bet->kind);
  }
  TALLA_TRY_STATUS(state.book.withdraw(table, event));
  begin_coup(state);
  return {};
}

/// Silence of one seat (or of all: no seat given) about the stakes still open to a choice; whether
/// there were any.
Result<bool> answer_silence(const Table& table, TrenteState& state, std::optional<Seat> seat) {
  const bool half = table.prepared<Prepared>().silence_is_half;
  Prison staying;
  std::vector<Settlement> settled;
  bool any = false;
  for (auto stake : state.prison) {
    if (stake.chosen || (seat && stake.bet.seat != *seat)) {
      staying.push_back(std::move(stake));
      continue;
    }
    any = true;
    if (half) {
      TALLA_TRY(auto one, half_of(table, stake));
      settled.push_back(std::move(one));
    } else {
      stake.chosen = true;
      staying.push_back(std::move(stake));
    }
  }
  state.prison = std::move(staying);
  if (!settled.empty()) state.settled = std::move(settled);
  return any;
}

Status act(const Table& table, TrenteState& state, const Act& event) {
  const auto& actions = table.rules().actions;
  if (std::none_of(actions.begin(), actions.end(),
                   [&](const Named& one) { return one.id == event.action; })) {
    return fail(Errc::action_unknown,
                "no action '" + event.action.substr(0, 48) + "' in this game");
  }
  if (!event.bet || event.amount || !event.cards.empty() || event.to) {
    return fail(Errc::action_refused, "'" + event.action + "' names a bet and nothing else");
  }
  auto* stake = find_imprisoned(state.prison, *event.bet);
  if (stake == nullptr && std::as_const(state.book).find(*event.bet) == nullptr) {
    return fail(Errc::bet_unknown, "no bet '" + event.bet->substr(0, 48) + "'");
  }
  if (stake == nullptr || stake->chosen || stake->bet.seat != event.seat ||
      !state.between_coups()) {
    return fail(Errc::action_refused, "this seat has no choice about bet '" + *event.bet + "' now");
  }
  if (event.action == "half") {
    TALLA_TRY(auto one, half_of(table, *stake));
    state.prison.erase(state.prison.begin() + (stake - state.prison.data()));
    state.settled.push_back(std::move(one));
  } else {
    stake->chosen = true;
  }
  begin_coup(state);
  return {};
}

Status close(const Table& table, TrenteState& state) {
  TALLA_TRY_STATUS(require_open(state));
  TALLA_TRY(const auto answered, answer_silence(table, state, std::nullopt));
  static_cast<void>(answered);
  begin_coup(state);
  state.phase = Phase::dealing;
  return {};
}

Status time_out(const Table& table, TrenteState& state, const TimeOut& event) {
  if (!state.between_coups()) return fail(Errc::not_due, "nobody has a choice now");
  TALLA_TRY(const auto answered, answer_silence(table, state, event.seat));
  if (!answered) return fail(Errc::not_due, "this seat has no choice now");
  begin_coup(state);
  return {};
}

Status open_shoe(const Table& table, TrenteState& state, const ShoeOpened& event) {
  if (!state.between_coups() || state.shoe == Shoe::in_play)
    return fail(Errc::not_due, "a shoe is not due now");
  if (event.cards_count != table.rules().shoe->cards_count) {
    return fail(Errc::card_invalid,
                "the shoe holds " + std::to_string(table.rules().shoe->cards_count) + " cards");
  }
  state.shoe = Shoe::in_play;
  return {};
}

Status close_shoe(TrenteState& state) {
  if (state.phase == Phase::dealing || state.shoe == Shoe::none)
    return fail(Errc::not_due, "closing the shoe is not due now");
  if (!state.book.empty()) return fail(Errc::not_due, "stakes lie on the table");
  state.shoe = Shoe::none;
  return {};
}

/// Both rows have all their cards, and the coup is not settled yet.
bool coup_complete(const Figures& figures, const TrenteState& state) {
  return state.phase == Phase::dealing && row_complete(figures, state.roja);
}

Status deal(const Table& table, TrenteState& state, const CardDealt& event) {
  if (state.phase != Phase::dealing || coup_complete(figures_of(table), state))
    return fail(Errc::not_due, "a card is not due now");
  const auto& figures = figures_of(table);
  const bool to_black = !row_complete(figures, state.negra);
  if (event.place != (to_black ? "negra" : "roja") || event.face != Face::open) {
    return fail(Errc::place_unknown,
                std::string("the next card goes to ") + (to_black ? "negra" : "roja") + ", open");
  }
  if (!event.card || event.card->family() != shuffle::CardFamily::french)
    return fail(Errc::card_invalid, "a French card is due, and named");
  auto& row = to_black ? state.negra : state.roja;
  row.push_back(*event.card);
  if (!coup_complete(figures, state) || state.prison.empty()) return {};
  auto status = check_coup(table, state);  // a stake halved beyond what can be written
  if (!status) row.pop_back();
  return status;
}

Status stop_card(const Table& table, TrenteState& state) {
  if (state.phase != Phase::dealing || coup_complete(figures_of(table), state))
    return fail(Errc::not_due, "the stop card is not due now");
  return annul_coup(table, state);
}

Status last_round(TrenteState& state) {
  if (state.last) return fail(Errc::not_due, "the last coup is announced already");
  state.last = true;
  begin_coup(state);
  return {};
}

/// The cards that come whatever their values are: each brings ten points at most.
Deal forced_cards(const Figures& figures, const TrenteState& state) {
  const bool to_black = !row_complete(figures, state.negra);
  const int most = *std::max_element(figures.values.begin(), figures.values.end());
  const int left = figures.reach - row_total(figures, to_black ? state.negra : state.roja);
  Deal out;
  out.cards.assign(static_cast<std::size_t>((left + most - 1) / most),
                   DealPlace{to_black ? "negra" : "roja", Face::open});
  return out;
}

Status check_rows(const Figures& figures, const TrenteState& state) {
  const auto whole = [&](std::vector<Card> row) {  // complete, and not before its last card
    if (!row_complete(figures, row)) return false;
    row.pop_back();
    return !row_complete(figures, row);
  };
  if (!state.roja.empty() && !whole(state.negra))
    return fail(Errc::state_malformed, "the red row begins when the black one is complete");
  if (row_complete(figures, state.negra) && !whole(state.negra))
    return fail(Errc::state_malformed, "the black row has cards too many");
  if (row_complete(figures, state.roja) && !whole(state.roja))
    return fail(Errc::state_malformed, "the red row has cards too many");
  return {};
}

Status check_insurances(const Table& table, const TrenteState& state) {
  const auto& figures = figures_of(table);
  std::set<std::pair<Seat, std::string>> seen;
  for (const auto& bet : state.book.all()) {
    if (bet.kind != figures.insurance_bet) continue;
    const auto& chance = bet.on.front();
    const Units due = premium_of(table, seat_stakes(state, bet.seat, chance));
    if (bet.stake != due || !seen.insert({bet.seat, chance}).second)
      return fail(Errc::state_malformed, "an insurance that does not fit its stake");
  }
  return {};
}

}  // namespace

Result<TrenteState> TrenteEngine::start(const Table& /*table*/) const {
  return TrenteState{};
}

Result<TrenteState> TrenteEngine::continue_from(const Table& table,
                                                const json::Value& carried) const {
  TALLA_TRY(auto state, TrenteState::from_carried(carried));
  TALLA_TRY_STATUS(check_state(table, state));
  return state;
}

Status TrenteEngine::check_state(const Table& table, const TrenteState& state) const {
  for (const auto& stake : state.prison) {
    if (!chance_from(stake.bet.kind))
      return fail(Errc::state_malformed, "a bet in prison that no 31-31 puts there");
  }
  TALLA_TRY(const auto book, with_prison(state.book, state.prison));
  TALLA_TRY_STATUS(book.check(table));
  TALLA_TRY_STATUS(check_rows(figures_of(table), state));
  return check_insurances(table, state);
}

Status TrenteEngine::on(const Table& table, TrenteState& state, const Event& event) const {
  if (const auto* bet = std::get_if<PlaceBet>(&event)) return place(table, state, *bet);
  if (const auto* taken = std::get_if<WithdrawBet>(&event)) return withdraw(table, state, *taken);
  if (std::holds_alternative<CloseBets>(event)) return close(table, state);
  if (const auto* shoe = std::get_if<ShoeOpened>(&event)) return open_shoe(table, state, *shoe);
  if (const auto* card = std::get_if<CardDealt>(&event)) return deal(table, state, *card);
  if (std::holds_alternative<StopCard>(event)) return stop_card(table, state);
  if (std::holds_alternative<ShoeClosed>(event)) return close_shoe(state);
  if (const auto* choice = std::get_if<Act>(&event)) return act(table, state, *choice);
  if (const auto* silent = std::get_if<TimeOut>(&event)) return time_out(table, state, *silent);
  if (std::holds_alternative<LastRound>(event)) return last_round(state);
  if (std::holds_alternative<Misdeal>(event))
    return fail(Errc::misdeal_unknown, "the catalogue has no errors for this game");
  return fail(Errc::not_due, std::string(event_name(event)) + " has no place at this table");
}

bool TrenteEngine::complete(const Table& table, const TrenteState& state) const {
  return coup_complete(figures_of(table), state);
}

void TrenteEngine::conclude(const Table& table, TrenteState& state) const {
  const auto status = settle_coup(table, state);
  TALLA_CHECK(status.has_value());  // the card that made it complete would have been refused
}

Needs TrenteEngine::needs_of(const Table& table, const TrenteState& state) const {
  Needs needs;
  const bool dealing = state.phase == Phase::dealing && !coup_complete(figures_of(table), state);
  if (dealing) needs.emplace_back(forced_cards(figures_of(table), state));
  if (state.between_coups() && state.shoe != Shoe::in_play) needs.emplace_back(*table.rules().shoe);
  if (state.phase == Phase::over || state.phase == Phase::finished) needs.emplace_back(Settled{});
  if (state.bets_open()) needs.emplace_back(BetsOpen{});
  if (state.between_coups()) add_prison_choices(state.prison, needs);
  return needs;
}

json::Value TrenteEngine::carried_of(const Table& /*table*/, const TrenteState& state) const {
  return state.carried();
}

/// Every card of this game lies open, so that all viewers see the same.
json::Value TrenteEngine::view_of(const Table& table, const TrenteState& state,
                                  const Viewer& /*viewer*/) const {
  json::Value view = state.to_json();
  const auto& figures = figures_of(table);
  if (!state.negra.empty()) view["negra_total"] = row_total(figures, state.negra);
  if (!state.roja.empty()) view["roja_total"] = row_total(figures, state.roja);
  return view;
}

}  // namespace talla::games::trente

namespace talla::games {

const Engine& trente_engine() {
  static const trente::TrenteEngine engine;
  return engine;
}

}  // namespace talla::games
