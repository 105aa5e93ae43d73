#include "engines/bingo/engine.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "engines/bingo/game.hpp"
#include "engines/engines.hpp"

namespace talla::games::bingo {
namespace {

constexpr std::string_view place_ball = "bola";
constexpr std::string_view act_line = "linea";
constexpr std::string_view act_bingo = "bingo";

bool session_over(const BingoState& state) {
  return state.closing && state.round_over;
}

bool sale_open(const BingoState& state) {
  return state.shoe && !state.drawing && !session_over(state);
}

tl::unexpected<Error> not_due(std::string_view what) {
  return fail(Errc::not_due, std::string(what) + " is not due now");
}

struct Handler {
  const Table& table;
  BingoState& state;
  Figures figures;

  Status operator()(const PlaceBet& event) {
    TALLA_TRY_STATUS(require_sale());
    if (state.first_card + state.cards.all().size() > figures.series) {
      return fail(Errc::above_maximum, sale_rule() + ": all cards of the series are sold");
    }
    if (event.kind == figures.kind && event.stake != figures.price) {
      return fail(Errc::amount_invalid,
                  sale_rule() + ": a card costs " + std::to_string(figures.price));
    }
    if (!payable(figures, state.cards.all().size() + 1))
      return fail(Errc::amount_invalid,
                  sale_rule() + ": with one card more the prizes are beyond what can be paid");
    TALLA_TRY_STATUS(
        state.cards.place(table, event, {.check_minimum = false, .check_limits = false}));
    begin();
    return {};
  }
  Status operator()(const WithdrawBet& event) const {
    if (state.cards.find(std::string_view(event.bet)) == nullptr)
      return fail(Errc::bet_unknown, "no card '" + event.bet.substr(0, 48) + "'");
    if (state.drawing) return fail(Errc::bets_closed, "the sale is over");
    return fail(Errc::withdrawal_refused, sale_rule() + ": a card that is sold stays sold");
  }
  Status operator()(const CloseBets& /*event*/) {
    TALLA_TRY_STATUS(require_sale());
    if (state.cards.empty()) return fail(Errc::not_due, sale_rule() + ": no card is sold yet");
    state.drawing = true;
    return {};
  }
  Status operator()(const ShoeOpened& event) {
    if (state.shoe || session_over(state)) return not_due("a shoe");
    if (event.cards_count != table.rules().shoe->cards_count)
      return fail(Errc::card_invalid,
                  "the cage holds " + std::to_string(table.rules().shoe->cards_count) + " balls");
    state.shoe = true;
    return {};
  }
  Status operator()(const ShoeClosed& /*event*/) {
    if (state.drawing || !state.shoe) return not_due("closing the shoe");
    if (!state.cards.empty()) return fail(Errc::not_due, "cards are sold for these balls");
    state.shoe = false;
    return {};
  }
  Status operator()(const CardDealt& event) {
    if (!state.drawing) return not_due("a ball");
    if (!open_claims(figures, state).empty())
      return fail(Errc::not_due, "a combination may still be announced");
    if (event.place != place_ball || event.face != Face::open)
      return fail(Errc::place_unknown, "the next ball goes to bola, open");
    if (!event.card || !event.card->is_ball()) return fail(Errc::card_invalid, "a ball is due");
    const auto ball = static_cast<Ball>(event.card->rank());
    if (std::find(state.balls.begin(), state.balls.end(), ball) != state.balls.end())
      return fail(Errc::card_invalid, "ball " + std::to_string(ball) + " is out already");
    state.balls.push_back(ball);
    state.silent.clear();
    finish_if_decided();
    return {};
  }
  Status operator()(const Act& event) {
    const bool line = event.action == act_line;
    if (!line && event.action != act_bingo)
      return fail(Errc::action_unknown,
                  "no action '" + event.action.substr(0, 48) + "' in this game");
    if (!event.bet || event.amount || !event.cards.empty() || event.to)
      return fail(Errc::action_refused, "'" + event.action + "' names a card and nothing else");
    if (state.cards.find(std::string_view(*event.bet)) == nullptr)
      return fail(Errc::bet_unknown, "no card '" + event.bet->substr(0, 48) + "'");
    const auto open = open_claims(figures, state);
    if (std::find(open.begin(), open.end(), Claim{*event.bet, event.seat, line}) == open.end()) {
      return fail(Errc::action_refused, table.rules().rule(figures.claim_cite) + ": card '" +
                                            *event.bet + "' has no " + event.action +
                                            " on the last ball for seat " +
                                            std::to_string(event.seat) + "; the game goes on");
    }
    (line ? state.line : state.bingo).push_back(*event.bet);
    if (line) state.line_ball = static_cast<std::uint32_t>(state.balls.size());
    finish_if_decided();
    return {};
  }
  Status operator()(const TimeOut& event) {
    bool any = false;
    for (const auto& claim : open_claims(figures, state)) {
      if (claim.seat != event.seat) continue;
      any = true;
      auto& late = state.forfeited;
      if (std::find(late.begin(), late.end(), claim.bet) == late.end()) late.push_back(claim.bet);
    }
    if (!any)
      return fail(Errc::not_due, "seat " + std::to_string(event.seat) + " has nothing to announce");
    state.silent.push_back(event.seat);
    finish_if_decided();
    return {};
  }
  Status operator()(const Misdeal& event) {
    const auto* rule = table.rules().error(event.code);
    if (rule == nullptr)
      return fail(Errc::misdeal_unknown, "the catalogue has no error " + event.code.substr(0, 48));
    if (!state.drawing) return not_due("an error of the draw");
    void_game(table, figures, state, rule->cite);
    return {};
  }
  Status operator()(const LastRound& /*event*/) {
    if (state.closing) return fail(Errc::not_due, "the last game is announced already");
    begin();  // announced between two games it is the next that is the last
    state.closing = true;
    return {};
  }
  template <class Other>
  Status operator()(const Other& event) const {
    return not_due(event_name(Event(event)));
  }

 private:
  [[nodiscard]] std::string sale_rule() const { return table.rules().rule(figures.sale_cite); }
  [[nodiscard]] Status require_sale() const {
    if (sale_open(state)) return {};
    if (state.drawing)
      return fail(Errc::bets_closed, sale_rule() + ": the sale is over until this game is settled");
    if (session_over(state)) return fail(Errc::bets_closed, "the session is over");
    return fail(Errc::no_shoe, "the balls must be in the cage before cards are sold");
  }
  /// The first card sold clears what the last game left to look at.
  void begin() {
    if (!state.round_over) return;
    state.round_over = false;
    state.balls.clear();
  }
  void finish_if_decided() {
    if (is_decided(figures, state, table.rules().shoe->cards_count))
      settle_game(table, figures, state);
  }
};

/// One Decide for each seat that has something to announce, seats ascending.
void add_decisions(const std::vector<Claim>& claims, Needs& out) {
  std::map<Seat, Decide> seats;
  for (const auto& claim : claims) {
    auto& decide = seats[claim.seat];
    decide.seat = claim.seat;
    decide.choices.push_back({std::string(claim.line ? act_line : act_bingo), claim.bet, 0, 0, 0});
  }
  for (auto& [seat, decide] : seats) out.emplace_back(std::move(decide));
}

}  // namespace

Result<BingoState> BingoEngine::start(const Table& /*table*/) const {
  return BingoState{};
}

Result<BingoState> BingoEngine::continue_from(const Table& table,
                                              const json::Value& carried) const {
  TALLA_TRY(auto state, BingoState::from_carried(carried));
  TALLA_TRY_STATUS(check_state(table, state));
  return state;
}

Status BingoEngine::check_state(const Table& table, const BingoState& state) const {
  return check_course(table, figures_of(table), state);
}

std::optional<std::string> BingoEngine::unplayable(const Table& table,
                                                   const BetRule& /*bet*/) const {
  if (payable(figures_of(table), 1)) return std::nullopt;
  return "with one card the prizes are beyond what can be paid";
}

Status BingoEngine::on(const Table& table, BingoState& state, const Event& event) const {
  return std::visit(Handler{table, state, figures_of(table)}, event);
}

Needs BingoEngine::needs_of(const Table& table, const BingoState& state) const {
  Needs out;
  if (state.drawing) {
    const auto claims = open_claims(figures_of(table), state);
    if (claims.empty()) {
      out.emplace_back(Deal{{{std::string(place_ball), Face::open}}});
    } else {
      add_decisions(claims, out);
    }
    return out;
  }
  if (!state.shoe && !session_over(state)) out.emplace_back(*table.rules().shoe);
  if (state.round_over) out.emplace_back(Settled{});
  if (sale_open(state)) out.emplace_back(BetsOpen{!state.cards.empty()});
  return out;
}

json::Value BingoEngine::carried_of(const Table& /*table*/, const BingoState& state) const {
  return state.carried();
}

/// Nothing is hidden: cards, balls and claims are public, and the prizes of the cards sold so far.
json::Value BingoEngine::view_of(const Table& table, const BingoState& state,
                                 const Viewer& /*viewer*/) const {
  json::Value out = state.to_json();
  const auto figures = figures_of(table);
  const auto prizes = prizes_of(figures, state.cards.all().size());
  out["card_price"] = figures.price;
  out["line_prize"] = prizes.line.text();
  out["bingo_prize"] = prizes.bingo.text();
  return out;
}

}  // namespace talla::games::bingo

namespace talla::games {

const Engine& bingo_engine() {
  static const bingo::BingoEngine engine;
  return engine;
}

}  // namespace talla::games
