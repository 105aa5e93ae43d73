// Odds of poker against the house with one further bet: three cards and Caribbean stud.
#include "engines/second_bet/rules.hpp"
#include "odds/kinds.hpp"
#include "odds/poker/caribbean.hpp"
#include "odds/poker/counted.hpp"
#include "odds/poker/three_card.hpp"

namespace talla::games {

namespace {

constexpr std::size_t three_dealt = 3;
constexpr std::size_t five_dealt = 5;

class HandOdds {
 public:
  HandOdds(const Table& table, OddsTime time) : table_(table), law_(table), time_(time) {}

  /// The main bet stands first in every game of the family, so that side bets know its play.
  [[nodiscard]] Result<TableOdds> all() {
    for (const BetRule& rule : table_.rules().bets) TALLA_TRY_STATUS(add(rule));
    return std::move(out_);
  }

 private:
  [[nodiscard]] Status add(const BetRule& rule) {
    if (rule.offered_if && !table_.params().holds(*rule.offered_if)) return {};
    if (rule.id == law_.purchase_bet() && !sells_) return {};
    if (rule.id == law_.main_bet()) return add_main();
    if (rule.id == law_.second_bet() || rule.id == law_.purchase_bet() ||
        rule.id == law_.bonus_bet()) {
      return without(poker::accompanies(rule.id, law_.main_bet()));
    }
    if (law_.find("meters", rule.id) != nullptr) {
      return without(poker::of_a_jackpot(rule.id));
    }
    return add_side(rule.id);
  }

  [[nodiscard]] Status without(BetWithoutOdds bet) {
    out_.others.push_back(std::move(bet));
    return {};
  }

  [[nodiscard]] Status add_main() {
    if (sells_ && time_ == OddsTime::seconds) {
      return without(poker::takes_minutes(law_.main_bet()));
    }
    TALLA_TRY(const poker::Odds odds, three_ ? three_card() : caribbean());
    std::vector<std::string> with = {law_.second_bet()};
    if (sells_) with.emplace_back(law_.purchase_bet());
    if (!law_.bonus_bet().empty()) with.emplace_back(law_.bonus_bet());
    out_.bets.push_back(poker::counted(law_.main_bet(), odds, std::move(with)));
    return {};
  }

  [[nodiscard]] Result<poker::PayTable> pays(std::string_view bet) const {
    return poker::PayTable::from(law_.bet(bet), table_.params());
  }

  [[nodiscard]] Result<poker::Odds> three_card() {
    poker::ThreeCardLaw law{.bank_plays_from = table_.prepared<second_bet::Rules>().minimum,
                            .bonus = {},
                            .lower_takes_bonus = law_.is("settle", "lower_hand", "main")};
    if (!law_.bonus_bet().empty()) {
      TALLA_TRY(law.bonus, pays(law_.bonus_bet()));
    }
    const auto odds = poker::three_card_odds(law_.ranker(), law);
    always_ = odds.always;
    return odds.best;
  }

  [[nodiscard]] Result<poker::Odds> caribbean() {
    poker::CaribbeanLaw law{.bank_plays_from = table_.prepared<second_bet::Rules>().minimum,
                            .second_bet = {}};
    TALLA_TRY(law.second_bet, pays(law_.second_bet()));
    const auto players = poker::suit_classes(five_dealt);
    if (sells_) {
      TALLA_TRY(const auto odds, poker::caribbean_odds_with_purchase(law_.ranker(), law, players));
      return odds.best;
    }
    TALLA_TRY(const auto odds, poker::caribbean_odds(law_.ranker(), law, players));
    always_ = odds.always;
    return odds.best;
  }

  /// A bet on the cards dealt first, which pays whatever the bank has.
  [[nodiscard]] Status add_side(const std::string& bet) {
    poker::PayTable table;
    bool alone = law_.side(bet, "hand").string() == "first" &&
                 law_.is("settle", "lower_hand", "main") &&
                 !(sells_ && law_.is("purchase", "side_bets", "lost"));
    const bool passes = law_.side(bet, "fold").string() == "lost";
    for (std::size_t i = 0; i < poker::categories_count; ++i) {
      const auto category = static_cast<poker::Category>(i);
      const auto prize = law_.prize(bet, category);
      if (!prize || prize->is_zero()) continue;
      // What a pass would lose stands alone where no hand that it pays is ever passed.
      if (passes) alone = alone && always_.at(i);
      TALLA_TRY_STATUS(table.set(category, *prize, bet));
    }
    if (!alone) return without(poker::hangs_together(bet, law_.main_bet()));
    out_.bets.push_back(poker::counted(bet,
                                       three_ ? poker::three_card_bet(law_.ranker(), table)
                                              : poker::five_card_bet(law_.ranker(), table),
                                       {}));
    return {};
  }

  const Table& table_;
  second_bet::Law law_;
  OddsTime time_;
  bool three_ = law_.cards() == three_dealt;
  bool sells_ = law_.sells_cards();
  poker::AlwaysGoes always_{};  // nothing is known before the main bet is worked out
  TableOdds out_;
};

}  // namespace

Result<TableOdds> second_bet_odds(const Table& table, OddsTime time) {
  return HandOdds(table, time).all();
}

}  // namespace talla::games
