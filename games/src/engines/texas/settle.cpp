#include "engines/texas/settle.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/poker/card_ranks.hpp"

namespace talla::games::texas {
namespace {

using poker::Category;
using poker::HandValue;

/// Moves the stakes that `settle` answers with a settlement out of the book.
template <class Settle>
void settle_bets(State& state, Settle settle) {
  state.round.bets.update([&](const Bet& bet) {
    auto settlement = settle(bet);
    if (!settlement) return true;
    state.settled.push_back(*std::move(settlement));
    return false;
  });
}

const Citation& data_cite(const Table& table, std::string_view block) {
  return table.rules().data.find(block)->second.cite;
}

const Citation& action_cite(const Table& table, std::string_view id) {
  const auto& all = table.rules().actions;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.id == id; });
  TALLA_CHECK(found != all.end());
  return found->cite;
}

/// One hand against the bank's.
struct Duel {
  bool bank_plays = true;
  std::strong_ordering order = std::strong_ordering::equal;
  Category category = Category::high_card;
};

class Showdown {
 public:
  Showdown(const Table& table, const State& state)
      : table_(&table), rules_(&table.prepared<Rules>()), state_(&state) {
    if (!state.anybody_in()) return;
    const auto places = common_places(*rules_, rules_->stages.size() - 1);
    common_ = state.round.open_at(places);
    const auto cards = with_common(bank_places());
    bank_ = rules_->ranker.best(cards);
    const auto category = rules_->ranker.category(bank_);
    const bool low =
        category == Category::high_card ||
        (category == Category::pair && poker::pair_rank(cards) < rules_->bank_pair_from);
    bank_plays_ = rules_->bank_pair_from == 0 || !low;
  }

  [[nodiscard]] Settlement settle(const Bet& bet) const {
    const auto* player = state_->player(bet.seat, bet.box.value_or(0));
    TALLA_CHECK(player != nullptr);
    if (bet.kind == rules_->own_two) return own_two(bet);
    if (player->out) return settle_lose(*table_, bet, action_cite(*table_, "no-voy"));
    const auto result = duel(player->box);
    return bet.kind == rules_->ante ? ante(bet, result) : later(bet, result);
  }

 private:
  [[nodiscard]] std::vector<Card> with_common(const std::vector<std::string>& places) const {
    auto out = state_->round.open_at(places);
    out.insert(out.end(), common_.begin(), common_.end());
    return out;
  }
  [[nodiscard]] Duel duel(Box box) const {
    const auto value = rules_->ranker.best(with_common(own_places(box)));
    return {bank_plays_, value <=> bank_, rules_->ranker.category(value)};
  }
  [[nodiscard]] const BetRule& rule(const Bet& bet) const {
    const auto* out = table_->rules().bet(bet.kind);
    TALLA_CHECK(out != nullptr);
    return *out;
  }
  [[nodiscard]] Settlement ante(const Bet& bet, const Duel& duel) const {
    if (duel.bank_plays && duel.order != std::strong_ordering::greater)
      return not_better(bet, duel);
    const auto* payout = rule(bet).payout(poker::category_name(duel.category), table_->params());
    if (payout != nullptr) return settle_win(*table_, bet, *payout);
    return settle_returned(*table_, bet, BetResult::push, Fraction(bet.stake),
                           data_cite(*table_, "settle"));
  }
  [[nodiscard]] Settlement later(const Bet& bet, const Duel& duel) const {
    if (!duel.bank_plays) {
      return settle_returned(*table_, bet, BetResult::push, Fraction(bet.stake),
                             data_cite(*table_, "bank"));
    }
    if (duel.order != std::strong_ordering::greater) return not_better(bet, duel);
    return settle_win(*table_, bet, *rule(bet).payout("win", table_->params()));
  }
  [[nodiscard]] Settlement not_better(const Bet& bet, const Duel& duel) const {
    const auto& cite = data_cite(*table_, "settle");
    if (duel.order == std::strong_ordering::less) return settle_lose(*table_, bet, cite);
    return settle_returned(*table_, bet, BetResult::push, Fraction(bet.stake), cite);
  }
  [[nodiscard]] Settlement own_two(const Bet& bet) const {
    const auto own = state_->round.open_at(own_places(*bet.box));
    const auto when = own_two_payout(own, state_->round.open_at(bank_places()));
    const auto* payout = when.empty() ? nullptr : rule(bet).payout(when, table_->params());
    return payout == nullptr ? settle_lose(*table_, bet, rule(bet).cite)
                             : settle_win(*table_, bet, *payout);
  }

  const Table* table_;
  const Rules* rules_;
  const State* state_;
  std::vector<Card> common_;
  HandValue bank_;
  bool bank_plays_ = true;
};

void put_out(State& state, Box box) {
  for (auto& one : state.players) one.out = one.out || one.box == box;
}

}  // namespace

void settle_first_five(const Table& table, State& state) {
  const auto& rules = table.prepared<Rules>();
  const auto* bet_rule = table.rules().bet(rules.first_five);
  TALLA_CHECK(bet_rule != nullptr);
  const auto common = state.round.open_at(common_places(rules, rules.first_five_after));
  settle_bets(state, [&](const Bet& bet) -> std::optional<Settlement> {
    const auto* player = state.player(bet.seat, bet.box.value_or(0));
    if (bet.kind != rules.first_five || player == nullptr || player->out) return std::nullopt;
    auto cards = state.round.open_at(own_places(player->box));
    cards.insert(cards.end(), common.begin(), common.begin() + 3);
    const auto category = rules.ranker.category(rules.ranker.best(cards));
    const bool low = category == Category::pair && poker::pair_rank(cards) < rules.first_five_pair;
    const auto* payout = bet_rule->payout(poker::category_name(category), table.params());
    if (payout == nullptr || low) return settle_lose(table, bet, bet_rule->cite);
    return settle_win(table, bet, *payout);
  });
}

void settle_hand(const Table& table, State& state) {
  const Showdown showdown(table, state);
  settle_bets(state, [&](const Bet& bet) { return std::optional(showdown.settle(bet)); });
  auto settled = std::move(state.settled);
  auto round = std::move(state.round);
  state = State();
  state.settled = std::move(settled);
  state.round = std::move(round);
  state.round.finish();
}

void void_box(const Table& table, State& state, Box box, const Citation& cite) {
  settle_bets(state, [&](const Bet& bet) -> std::optional<Settlement> {
    if (bet.box != box) return std::nullopt;
    return settle_returned(table, bet, BetResult::void_, Fraction(bet.stake), cite);
  });
  put_out(state, box);
}

void withdraw_box(const Table& table, State& state, Box box, bool lost, const Citation& cite) {
  if (!lost) return void_box(table, state, box, cite);
  settle_bets(state, [&](const Bet& bet) -> std::optional<Settlement> {
    return bet.box == box ? std::optional(settle_lose(table, bet, cite)) : std::nullopt;
  });
  put_out(state, box);
}

}  // namespace talla::games::texas
