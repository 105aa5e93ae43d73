#include "engines/pai_gow/settle.hpp"

#include "base/check.hpp"

namespace talla::games::pai_gow {
namespace {

class Settling {
 public:
  Settling(const Table& table, const State& state)
      : table_(&table),
        rules_(&table.prepared<Rules>()),
        state_(&state),
        bank_(hands(state.banker)) {}

  [[nodiscard]] Settlement client(const Bet& bet) {
    const auto outcome = against(hands(bet.seat), bank_, rules_->whole_foul);
    switch (outcome) {
      case Outcome::win:
        net_ -= bet.stake;
        return paid(bet, bet.stake, BetResult::win, payout(bet).cite);
      case Outcome::void_:
        return settle_returned(*table_, bet, BetResult::void_, Fraction(bet.stake), cite());
      case Outcome::lose:
        net_ += bet.stake;
        break;
    }
    return settle_lose(*table_, bet, cite());
  }
  /// After all clients: what the bank of a player holds, with the dealer's hand against it.
  [[nodiscard]] Settlement banker(const Bet& bet) {
    const Units stake = rules_->dealer_stake * table_->min();
    const auto dealer = against(hands(0), bank_, rules_->whole_foul);
    if (dealer == Outcome::win) net_ -= stake;
    if (dealer == Outcome::lose) net_ += stake;
    TALLA_CHECK(bet.stake + net_ >= 0);
    const auto result = net_ > 0 ? BetResult::win : net_ < 0 ? BetResult::lose : BetResult::push;
    return paid(bet, net_, result, table_->rules().data.find("bank")->second.cite);
  }

 private:
  [[nodiscard]] const Citation& cite() const {
    return table_->rules().data.find("settle")->second.cite;
  }
  [[nodiscard]] const Payout& payout(const Bet& bet) const {
    return *table_->rules().bet(bet.kind)->payout("win", table_->params());
  }
  /// Stake and gain, less the commission on a gain.
  [[nodiscard]] Settlement paid(const Bet& bet, Units gain, BetResult result,
                                const Citation& where) const {
    Fraction commission = gain > 0 ? rules_->commission * Fraction(gain) : Fraction(0);
    if (rules_->commission_down) commission = Fraction(commission.floor());
    return settle_returned(*table_, bet, result, Fraction(bet.stake + gain) - commission, where);
  }
  [[nodiscard]] Hands hands(Seat seat) const {
    const auto cards = state_->round.open_at(places_of(seat));
    const Seven seven(cards.data(), hand_cards);
    const auto* setting = seat == 0 ? nullptr : state_->setting(seat);
    if (setting != nullptr && setting->low) return hands_of(rules_->ranker, seven, *setting->low);
    auto out = hands_of(rules_->ranker, seven, house_low(rules_->ranker, seven, rules_->way));
    out.foul = seat != 0 && rules_->silent_lose;
    return out;
  }

  const Table* table_;
  const Rules* rules_;
  const State* state_;
  Hands bank_;
  Units net_ = 0;  ///< what the bank has won so far
};

}  // namespace

Outcome against(const Hands& client, const Hands& bank, bool whole_foul) {
  if (client.foul && whole_foul) return Outcome::lose;
  // A hand that is set wrongly loses; equality counts for the bank.
  const bool high = !client.foul && (bank.foul || client.high > bank.high);
  const bool low = (bank.foul && whole_foul) || client.low > bank.low;
  if (high && low) return Outcome::win;
  return high || low ? Outcome::void_ : Outcome::lose;
}

Units bank_needed(const Table& table, const State& state) {
  const auto& rules = table.prepared<Rules>();
  Units out = rules.dealer_stake * table.min();
  for (const auto& bet : state.round.bets.all()) {
    if (bet.kind == rules.bet) out += bet.stake;
  }
  return out;
}

void settle_hand(const Table& table, State& state) {
  const auto& rules = table.prepared<Rules>();
  Settling settling(table, state);
  std::vector<Settlement> settled;
  for (const auto seat : state.clients()) {
    for (const auto& bet : state.round.bets.all()) {
      if (bet.seat == seat) settled.push_back(settling.client(bet));
    }
  }
  for (const auto& bet : state.round.bets.all()) {
    if (bet.kind == rules.bank_bet) settled.push_back(settling.banker(bet));
  }
  for (auto& one : settled) state.settled.push_back(std::move(one));
  state.round.bets.clear();
  state.round.finish();
}

}  // namespace talla::games::pai_gow
