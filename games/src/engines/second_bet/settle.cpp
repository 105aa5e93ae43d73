#include "engines/second_bet/settle.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "engines/second_bet/meters.hpp"
#include "engines/second_bet/round.hpp"

namespace talla::games::second_bet {
namespace {

namespace house = poker::house;

bool uses_first(const Law& law, const Bet& bet) {
  return law.side(bet.kind, "hand").string() == "first";
}

std::vector<Card> first_cards(const Law& law, const Hand& hand) {
  return house::open_cards(
      {hand.cards.begin(), hand.cards.begin() + static_cast<std::ptrdiff_t>(law.cards())});
}

enum class Against : std::uint8_t { not_playing, higher, equal, lower };

/// The round's settlements, gathered hand by hand.
class Settler {
 public:
  Settler(const Law& law, State& state) : law_(law), state_(state) {}

  void settle() {
    if (bank_needed(law_, state_)) {
      const auto cards = bank_hand(law_, state_);
      bank_ = law_.value(cards);
      plays_ = law_.bank_plays(cards);
    }
    for (const auto& hand : state_.hands) settle_hand(hand);
    settle_meters();
    finish();
  }

 private:
  void settle_hand(const Hand& hand) {
    against_ = Against::not_playing;
    const bool live = hand.word == Word::went && has_live(state_, hand.box, law_.main_bet());
    if (live && (plays_ || law_.has("bonus"))) last_ = house::open_cards(final_cards(hand));
    if (live && plays_) {
      const auto value = law_.value(last_);
      against_ = value > bank_ ? Against::higher : value == bank_ ? Against::equal : Against::lower;
    }
    for (const auto& bet : bets_of(hand.box)) settle_bet(hand, bet);
  }

  [[nodiscard]] std::vector<Bet> bets_of(Box box) const {
    std::vector<Bet> out;
    for (const auto& bet : state_.bets.all()) {
      if (bet.box == box) out.push_back(bet);
    }
    return out;
  }

  void settle_bet(const Hand& hand, const Bet& bet) {
    const auto lost = std::find_if(state_.lost.begin(), state_.lost.end(),
                                   [&](const Lost& one) { return one.bet == bet.id; });
    if (lost != state_.lost.end()) return add(settle_lose(law_.table(), bet, cite_of(lost->by)));
    if (bet.kind == law_.main_bet()) return settle_main(bet);
    if (bet.kind == law_.second_bet()) return settle_second(bet);
    if (bet.kind == law_.purchase_bet()) {
      return add(settle_lose(law_.table(), bet, law_.bet(bet.kind).cite));
    }
    settle_side(hand, bet);
  }

  [[nodiscard]] const Citation& cite_of(const std::string& by) const {
    if (by == "pass") return law_.cite("second");
    if (by == "purchase") return law_.cite("purchase");
    const auto* error = law_.rules().error(by);
    TALLA_CHECK(error != nullptr);
    return error->cite;
  }

  void settle_main(const Bet& bet) {
    const auto& table = law_.table();
    const auto& payout = *law_.bet(bet.kind).payout("win", table.params());
    if (against_ == Against::lower) {
      add(settle_lose(table, bet, law_.cite("settle")));
    } else if (against_ == Against::equal) {
      add(settle_returned(table, bet, BetResult::push, Fraction(bet.stake), law_.cite("settle")));
    } else if (against_ == Against::higher) {
      add(settle_win(table, bet, payout));
    } else {  // paid because the bank does not play
      const auto exact = Fraction(bet.stake) * payout.factor(table.params());
      add(settle_returned(table, bet, BetResult::win, exact, law_.cite("bank")));
    }
    settle_bonus(bet);
  }

  void settle_bonus(const Bet& bet) {
    const auto kind = law_.bonus_bet();
    if (kind.empty() || (against_ == Against::lower && law_.is("settle", "lower_hand", "all")))
      return;
    const auto when = poker::category_name(law_.category(last_));
    const auto* payout = law_.bet(kind).payout(when, law_.table().params());
    if (payout == nullptr || payout->pays.is_zero()) return;
    Bet bonus = bet;
    bonus.id = derived_id(bet.id, kind);
    bonus.kind = kind;
    bonus.stake = 0;
    bonus.hint = {};
    add(settle_returned(law_.table(), bonus, BetResult::win, Fraction(bet.stake) * payout->pays,
                        payout->cite));
  }

  void settle_second(const Bet& bet) {
    const auto& table = law_.table();
    if (against_ == Against::not_playing) {
      add(settle_returned(table, bet, BetResult::push, Fraction(bet.stake), law_.cite("bank")));
      return;
    }
    if (against_ == Against::lower) return add(settle_lose(table, bet, law_.cite("settle")));
    if (against_ == Against::equal) {
      return add(
          settle_returned(table, bet, BetResult::push, Fraction(bet.stake), law_.cite("settle")));
    }
    const auto* payout =
        law_.bet(bet.kind).payout(poker::category_name(law_.category(last_)), table.params());
    TALLA_CHECK(payout != nullptr);  // check_law: every hand that beats a bank that plays
    if (payout->pays.is_zero()) {    // a hand for which the table pays nothing
      return add(settle_returned(table, bet, BetResult::push, Fraction(bet.stake), payout->cite));
    }
    add(settle_win(table, bet, *payout));
  }

  void settle_side(const Hand& hand, const Bet& bet) {
    const auto& rule = law_.bet(bet.kind);
    if (against_ == Against::lower && law_.is("settle", "lower_hand", "all")) {
      return add(settle_lose(law_.table(), bet, law_.cite("settle")));
    }
    const auto cards =
        uses_first(law_, bet) ? first_cards(law_, hand) : house::open_cards(final_cards(hand));
    const auto category = law_.category(cards);
    if (law_.find("meters", bet.kind) != nullptr) {
      const bool drawn = law_.draws() && !hand.discards.empty();
      claims_.push_back({law_.value(cards), category, drawn});
      claimed_.push_back(bet);
      return;
    }
    const auto pays = law_.prize(bet.kind, category);
    if (!pays || pays->is_zero()) return add(settle_lose(law_.table(), bet, rule.cite));
    const auto* payout = rule.payout(poker::category_name(category), law_.table().params());
    const auto exact = Fraction(bet.stake) * (Fraction(1) + *pays);
    add(settle_returned(law_.table(), bet, BetResult::win, exact,
                        payout != nullptr ? payout->cite : rule.cite));
  }

  void settle_meters() {
    for (auto& meter : state_.meters) {
      std::vector<Claim> claims;
      std::vector<std::pair<const Bet*, poker::Category>> bets;
      for (std::size_t i = 0; i < claims_.size(); ++i) {
        if (claimed_.at(i).kind != meter.id) continue;
        claims.push_back(claims_.at(i));
        bets.emplace_back(&claimed_.at(i), claims_.at(i).category);
      }
      const auto awards = settle_meter(law_, meter, claims);
      for (std::size_t i = 0; i < bets.size(); ++i)
        settle_award(*bets.at(i).first, bets.at(i).second, awards.at(i));
    }
  }

  /// A share of the jackpot, and where the table announces prizes as well never less than that of
  /// the hand.
  void settle_award(const Bet& bet, poker::Category category, Units award) {
    auto exact = after_deduction(law_, bet.kind, award);
    const auto& rule = law_.bet(bet.kind);
    const auto* payout = rule.payout(poker::category_name(category), law_.table().params());
    const bool listed = law_.find("sides", bet.kind)->find("rows") != nullptr;
    const auto pays = listed ? law_.prize(bet.kind, category) : std::nullopt;
    if (pays && !pays->is_zero())
      exact = std::max(exact, Fraction(bet.stake) * (Fraction(1) + *pays));
    const auto& cite = listed && payout != nullptr ? payout->cite : rule.cite;
    add(exact.is_zero() ? settle_lose(law_.table(), bet, cite)
                        : settle_returned(law_.table(), bet, BetResult::win, exact, cite));
  }

  void add(Settlement settlement) {
    state_.bets.remove(settlement.bet);
    state_.settled.push_back(std::move(settlement));
  }

  void finish() {
    TALLA_CHECK(state_.bets.empty());
    state_.lost.clear();
    state_.shoe = false;
    state_.concluded = false;
    state_.phase = Phase::over;
  }

  const Law& law_;
  State& state_;
  poker::HandValue bank_{};
  bool plays_ = false;
  Against against_ = Against::not_playing;  // of the hand that is settled
  std::vector<Card> last_;                  // its cards at the end
  std::vector<Claim> claims_;
  std::vector<Bet> claimed_;
};

}  // namespace

CardsNeeded cards_needed(const Law& law, const State& state, const Hand& hand) {
  CardsNeeded out;
  const bool live = hand.word == Word::went && has_live(state, hand.box, law.main_bet());
  out.last = live && (law.has("bonus") || law.bank_plays(bank_hand(law, state)));
  for (const auto& bet : state.bets.all()) {
    if (bet.box != hand.box || !law.is_side(bet.kind) || state.is_lost(bet.id)) continue;
    (uses_first(law, bet) ? out.first : out.last) = true;
  }
  return out;
}

void settle_round(const Law& law, State& state) {
  Settler(law, state).settle();
}

void void_round(const Law& law, State& state, const Citation& cite) {
  const auto all = state.bets.all();
  const std::vector<Bet> bets(all.begin(), all.end());
  for (const auto& bet : bets) {
    state.settled.push_back(
        settle_returned(law.table(), bet, BetResult::void_, Fraction(bet.stake), cite));
  }
  state.bets.clear();
  forget_stakes(state);
  state.lost.clear();
  state.shoe = false;
  state.concluded = false;
  state.phase = Phase::over;
}

}  // namespace talla::games::second_bet
