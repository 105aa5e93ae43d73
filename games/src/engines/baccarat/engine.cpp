// The engine of the family "baccarat": punto y banca.
#include <algorithm>

#include "engines/baccarat/state.hpp"
#include "engines/engines.hpp"
#include "engines/shared/rules_check.hpp"
#include "table/bet_index.hpp"

namespace talla::games {
namespace baccarat {
namespace {

/// Parameters the engine reads.
constexpr std::string_view burn_count = "burn_count";            // A53
constexpr std::string_view stop_card_first = "stop_card_first";  // A3

tl::unexpected<Error> not_due(std::string_view what) {
  return fail(Errc::not_due, std::string(what) + " is not due now");
}

const Prepared& prepared_of(const Table& table) {
  return table.prepared<Prepared>();
}
const Figures& figures_of(const Table& table) {
  return prepared_of(table).figures;
}

bool shoe_live(const State& state) {
  return state.shoe == ShoeState::burning || state.shoe == ShoeState::in_play;
}

bool bets_open(const State& state) {
  if (state.dealing || !shoe_live(state)) return false;
  return !(state.closing && state.round_over);
}

/// The first event of a round clears what the last one left to look at.
void begin_round(State& state) {
  if (!state.round_over) return;
  state.round_over = false;
  state.punto.clear();
  state.banca.clear();
}

/// "win", or "win-6" for a payout that a winning total changes.
bool is_outcome(std::string_view when) {
  if (!when.starts_with("win")) return false;
  const auto total = when.substr(3);
  return total.empty() ||
         (total.size() == 2 && total[0] == '-' && total[1] >= '0' && total[1] <= '9');
}

Status check_bet(const BetRule& bet) {
  if (bet.on != OnForm::none || !bet.covers.is_string() || !hand_from(bet.covers.string())) {
    return fail(Errc::catalogue_malformed,
                "bet " + bet.id + ": covers is \"punto\", \"banca\" or \"tie\"");
  }
  if (bet.payout("win") == nullptr)
    return fail(Errc::catalogue_malformed, "bet " + bet.id + ": no payout win");
  for (const auto& payout : bet.payouts) {
    if (!is_outcome(payout.when))
      return fail(Errc::catalogue_malformed,
                  "bet " + bet.id + ": payouts are for win and win-0 to win-9");
  }
  return {};
}

/// What a bet brings by the winning total: a payout for that total goes before the general one.
BetPrizes prizes_of(const GameRules& rules, const BetRule& rule, const Params& params) {
  BetPrizes out;
  const auto hand = hand_from(rule.covers.string());
  TALLA_CHECK(hand.has_value());  // check_rules
  out.on = *hand;
  for (std::size_t total = 0; total < out.by_total.size(); ++total) {
    const auto* payout = rule.payout("win-" + std::to_string(total), params);
    if (payout == nullptr) payout = rule.payout("win", params);
    TALLA_CHECK(payout != nullptr);
    out.by_total.at(total) = {payout, payout->factor(params), rules.rule(payout->cite)};
  }
  return out;
}

void finish_round(State& state) {
  state.bets.clear();
  state.dealing = false;
  state.round_over = true;
  if (state.shoe == ShoeState::last_hand) state.shoe = ShoeState::over;
}

void settle_all(const Table& table, State& state, BetResult result, const Citation& cite) {
  for (const auto& bet : state.bets.all()) {
    add_settlement(state.settled, table, bet, result, Fraction(bet.stake), cite);
  }
  finish_round(state);
}

void settle_hand(const Table& table, const Prepared& prepared, State& state) {
  const auto& figures = prepared.figures;
  const int punto = total(figures, state.punto);
  const int banca = total(figures, state.banca);
  const Hand winner = punto == banca ? Hand::tie : punto > banca ? Hand::punto : Hand::banca;
  const auto winning_total = static_cast<std::size_t>(std::max(punto, banca));
  state.settled.reserve(state.bets.all().size());
  for (const auto& bet : state.bets.all()) {
    const auto* indexed = table.bet_index().bet_of(bet);
    TALLA_CHECK(indexed != nullptr);
    const auto& prizes = prepared.bets[indexed->number];
    if (prizes.on == winner) {
      const auto& prize = prizes.by_total[winning_total];
      add_settlement(state.settled, table, bet, BetResult::win, Fraction(bet.stake) * prize.factor,
                     prize.named_rule);
    } else if (winner == Hand::tie) {
      add_settlement(state.settled, table, bet, figures.tie, Fraction(bet.stake),
                     prepared.tie_rule);
    } else {
      add_settlement(state.settled, table, bet, BetResult::lose, Fraction(0), prepared.hand_rule);
    }
  }
  finish_round(state);
}

const DealPlace& place_of(char hand, std::size_t cards_before) {
  static const std::array<DealPlace, 3> punto = {
      {{"punto-1", Face::open}, {"punto-2", Face::open}, {"punto-3", Face::open}}};
  static const std::array<DealPlace, 3> banca = {
      {{"banca-1", Face::open}, {"banca-2", Face::open}, {"banca-3", Face::open}}};
  return (hand == 'p' ? punto : banca).at(cards_before);
}

/// The card that is due now, or nullptr.
const DealPlace* next_place(const Figures& figures, const State& state) {
  static const DealPlace burn{"burn", Face::open};
  static const DealPlace basket{"basket", Face::unseen};
  if (state.shoe == ShoeState::burning) return state.burn_exposed ? &basket : &burn;
  if (!state.dealing) return nullptr;
  const char hand = next_hand(figures, state.punto, state.banca);
  if (hand == 0) return nullptr;
  return &place_of(hand, (hand == 'p' ? state.punto : state.banca).size());
}

bool shoe_due(const State& state) {
  return !state.dealing && !shoe_live(state) && !(state.closing && state.round_over);
}

Deal forced_cards(const Figures& figures, const State& state) {
  Deal out;
  if (state.shoe == ShoeState::burning && state.burn_exposed) {
    out.cards.assign(state.burns_left, DealPlace{"basket", Face::unseen});
    return out;
  }
  if (const auto* first = next_place(figures, state)) out.cards.push_back(*first);
  if (state.shoe == ShoeState::burning || state.banca.size() >= 2) return out;
  auto punto = state.punto.size();
  auto banca = state.banca.size();
  out.cards.clear();
  while (banca < 2) {
    const bool to_punto = punto == banca;
    auto& count = to_punto ? punto : banca;
    out.cards.push_back(place_of(to_punto ? 'p' : 'b', count++));
  }
  return out;
}

struct Handler {
  const Table& table;
  State& state;
  const Prepared& prepared;
  const Figures& figures = prepared.figures;

  Status operator()(const PlaceBet& event) {
    if (!bets_open(state)) return closed();
    TALLA_TRY_STATUS(state.bets.place(table, event));
    begin_round(state);
    return {};
  }
  Status operator()(const WithdrawBet& event) {
    if (!bets_open(state)) return closed();
    return state.bets.withdraw(table, event);
  }
  Status operator()(const CloseBets& /*event*/) {
    if (!bets_open(state)) return closed();
    begin_round(state);
    state.dealing = true;
    return {};
  }
  Status operator()(const ShoeOpened& event) {
    if (state.dealing || shoe_live(state)) return not_due("a shoe");
    if (event.cards_count != table.rules().shoe->cards_count) {
      return fail(Errc::card_invalid,
                  "the shoe holds " + std::to_string(table.rules().shoe->cards_count) + " cards");
    }
    state.shoe = event.in_play ? ShoeState::in_play : ShoeState::burning;
    return {};
  }
  Status operator()(const CardDealt& event) {
    const auto* due = next_place(figures, state);
    if (due == nullptr) return not_due("a card");
    if (event.place != due->place || event.face != due->face) {
      return fail(Errc::place_unknown,
                  "the next card goes to " + due->place + ", " + std::string(face_name(due->face)));
    }
    if (event.card.has_value() != (due->face == Face::open))
      return fail(Errc::card_invalid, "an open card is named");
    if (event.card && event.card->family() != shuffle::CardFamily::french) {
      return fail(Errc::card_invalid, "a French card is due");
    }
    return state.shoe == ShoeState::burning ? burned(event)
                                            : dealt(*event.card, due->place.front() == 'p');
  }
  Status operator()(const StopCard& /*event*/) {
    const bool burning = state.shoe == ShoeState::burning;
    if (burning || (state.shoe == ShoeState::in_play && state.dealing)) {
      const bool first = state.punto.empty();
      state.shoe = ShoeState::last_hand;
      state.burns_left = 0;
      state.burn_exposed = false;
      if (burning || (first && prepared.stop_card_ends_shoe)) {
        settle_all(table, state, BetResult::void_, figures.stop_cite);
      }
      return {};
    }
    return not_due("the stop card");
  }
  Status operator()(const ShoeClosed& /*event*/) {
    if (state.dealing || state.shoe == ShoeState::none) return not_due("closing the shoe");
    if (!state.bets.empty()) return fail(Errc::not_due, "stakes lie on the table");
    state.shoe = ShoeState::none;
    state.burns_left = 0;
    state.burn_exposed = false;
    return {};
  }
  Status operator()(const Misdeal& event) {
    const auto* rule = table.rules().error(event.code);
    if (rule == nullptr)
      return fail(Errc::misdeal_unknown, "the catalogue has no error " + event.code.substr(0, 48));
    if (!state.dealing) return not_due("an error of the deal");
    settle_all(table, state, BetResult::void_, rule->cite);
    return {};
  }
  Status operator()(const LastRound& /*event*/) {
    if (state.closing) return fail(Errc::not_due, "the last hand is announced already");
    begin_round(state);  // announced between two rounds it is the next that is the last
    state.closing = true;
    return {};
  }
  Status operator()(const Act& /*event*/) {
    return fail(Errc::action_unknown, "no decision exists in this game: every card is forced");
  }
  template <class Other>
  Status operator()(const Other& event) {
    return not_due(event_name(Event(event)));
  }

 private:
  [[nodiscard]] Status closed() const {
    if (state.dealing) return fail(Errc::bets_closed, "bets are closed until this hand is settled");
    if (state.shoe == ShoeState::over)
      return fail(Errc::shoe_finished, "the stop card is out and the last hand played");
    if (!shoe_live(state)) return fail(Errc::no_shoe, "a shoe must be open before bets");
    return fail(Errc::bets_closed, "the session is over");
  }
  Status burned(const CardDealt& event) {
    if (!state.burn_exposed) {
      const auto count = figures.burn.at(static_cast<std::size_t>(event.card->rank() - 1));
      state.burns_left =
          static_cast<std::uint32_t>(prepared.burn_inclusive ? std::max(count - 1, 0) : count);
      state.burn_exposed = true;
    } else {
      --state.burns_left;
    }
    if (state.burns_left == 0) {
      state.shoe = ShoeState::in_play;
      state.burn_exposed = false;
    }
    return {};
  }
  Status dealt(Card card, bool to_punto) {
    (to_punto ? state.punto : state.banca).push_back(card);
    return {};
  }
};

class BaccaratEngine final : public TypedEngine<State> {
 public:
  [[nodiscard]] std::string_view family() const override { return "baccarat"; }
  [[nodiscard]] bool holds_hands() const override { return true; }

  [[nodiscard]] Status check_rules(const GameRules& rules) const override {
    TALLA_TRY_STATUS(
        check_choice(rules, burn_count, {"exposed-plus-value", "value-including-exposed"}));
    TALLA_TRY_STATUS(check_choice(rules, stop_card_first, {"shoe-over", "one-last-hand"}));
    if (auto figures = read_figures(rules); !figures) return pass(std::move(figures));
    if (!rules.shoe || !rules.shoe->deck.starts_with("french52")) {
      return fail(Errc::catalogue_malformed, "the game needs a shoe of French cards");
    }
    for (const auto& bet : rules.bets) TALLA_TRY_STATUS(check_bet(bet));
    for (const auto& error : rules.errors) {
      if (error.effect != "void-hand")
        return fail(Errc::catalogue_malformed, "the one effect is void-hand");
    }
    return {};
  }
  [[nodiscard]] std::shared_ptr<const games::Prepared> prepare(const Table& table) const override {
    auto out = std::make_shared<Prepared>();
    auto figures = read_figures(table.rules());
    TALLA_CHECK(figures.has_value());  // check_rules accepted them when the catalogue was loaded
    out->figures = *std::move(figures);
    out->burn_inclusive = table.params().choice(burn_count) == "value-including-exposed";
    out->stop_card_ends_shoe = table.params().choice(stop_card_first) == "shoe-over";
    out->tie_rule = table.rules().rule(out->figures.tie_cite);
    out->hand_rule = table.rules().rule(out->figures.hand_cite);
    for (const auto& rule : table.rules().bets) {
      out->bets.push_back(prizes_of(table.rules(), rule, table.params()));
    }
    return out;
  }

 protected:
  [[nodiscard]] Result<State> start(const Table& /*table*/) const override { return State(); }
  [[nodiscard]] Result<State> continue_from(const Table& /*table*/,
                                            const json::Value& carried) const override {
    return state_from_shoe(carried);
  }
  [[nodiscard]] Status check_state(const Table& table, const State& state) const override {
    return state.bets.check(table);
  }
  [[nodiscard]] bool complete(const Table& table, const State& state) const override {
    return state.dealing && state.banca.size() >= 2 &&
           next_hand(figures_of(table), state.punto, state.banca) == 0;
  }
  void conclude(const Table& table, State& state) const override {
    settle_hand(table, prepared_of(table), state);
  }
  [[nodiscard]] Status on(const Table& table, State& state, const Event& event) const override {
    return std::visit(Handler{table, state, prepared_of(table)}, event);
  }
  [[nodiscard]] bool checks_before_changing() const override { return true; }
  [[nodiscard]] Forced forced_of(const Table& table, const State& state) const override {
    Forced out;
    if (const auto* place = next_place(figures_of(table), state)) {
      out.kind = Forced::Kind::card;
      out.fixed = place;
    } else if (shoe_due(state)) {
      out.kind = Forced::Kind::other;
    }
    return out;
  }
  [[nodiscard]] Needs needs_of(const Table& table, const State& state) const override {
    Needs out;
    const Figures& figures = figures_of(table);
    if (next_place(figures, state) != nullptr) out.emplace_back(forced_cards(figures, state));
    if (shoe_due(state)) out.emplace_back(*table.rules().shoe);
    if (state.round_over) out.emplace_back(Settled{});
    if (bets_open(state)) out.emplace_back(BetsOpen{});
    return out;
  }
  [[nodiscard]] json::Value carried_of(const Table& /*table*/, const State& state) const override {
    return shoe_json(state);
  }
  /// Every card of this game lies open, so that all viewers see the same.
  [[nodiscard]] json::Value view_of(const Table& table, const State& state,
                                    const Viewer& /*viewer*/) const override {
    json::Value out = state.to_json();
    const Figures& figures = figures_of(table);
    if (!state.punto.empty()) out["punto_total"] = total(figures, state.punto);
    if (!state.banca.empty()) out["banca_total"] = total(figures, state.banca);
    return out;
  }
};

}  // namespace
}  // namespace baccarat

const Engine& baccarat_engine() {
  static const baccarat::BaccaratEngine engine;
  return engine;
}

}  // namespace talla::games
