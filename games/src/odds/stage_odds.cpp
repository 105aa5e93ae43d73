// Odds of hold'em against the house: the ante with its further bets, and the bets on cards alone.
#include <algorithm>
#include <array>

#include "engines/texas/rules.hpp"
#include "odds/kinds.hpp"
#include "odds/poker/counted.hpp"
#include "odds/poker/holdem.hpp"
#include "odds/poker/lowest_pair.hpp"
#include "odds/stored_odds.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {

namespace {

using shuffle::Card;

constexpr std::size_t first_common = 3;
constexpr std::size_t cards_ranked = 5;

/// A stage with a bet, and how many common cards lie open when it is made.
struct Turn {
  const texas::StageRule* stage;
  std::size_t common;
};

class HoldemTable {
 public:
  explicit HoldemTable(const Table& table)
      : table_(table), rules_(table.prepared<texas::Rules>()), law_(table) {
    std::size_t common = 0;
    for (const texas::StageRule& stage : rules_.stages) {
      common += stage.common;
      if (!stage.bet.empty()) turns_.push_back({&stage, common});
    }
  }

  [[nodiscard]] Result<TableOdds> all(OddsTime time) {
    TableOdds out;
    for (const BetRule& rule : table_.rules().bets) {
      if (rule.id == rules_.ante) {
        if (time == OddsTime::seconds) {
          if (const auto stored = stored_odds(counted_law(table_, rule.id))) {
            out.bets.push_back({.bet = rule.id,
                                .on = {},
                                .odds = *stored,
                                .method = OddsMethod::count,
                                .with = further()});
          } else {
            out.others.push_back(poker::takes_minutes(rule.id));
          }
          continue;
        }
        TALLA_TRY(const auto odds, ante());
        out.bets.push_back(poker::counted(rule.id, odds, further()));
      } else if (rule.id == rules_.own_two) {
        TALLA_TRY(const auto odds, own_two(rule));
        out.bets.push_back(poker::counted(rule.id, odds, {}));
      } else if (rule.id == rules_.first_five) {
        TALLA_TRY(const auto odds, first_five(rule));
        out.bets.push_back(poker::counted(rule.id, odds, {}));
      } else {
        out.others.push_back(poker::accompanies(rule.id, rules_.ante));
      }
    }
    return out;
  }

 private:
  [[nodiscard]] std::vector<std::string> further() const {
    std::vector<std::string> out;
    for (const Turn& turn : turns_) out.push_back(turn.stage->bet);
    return out;
  }

  [[nodiscard]] Result<poker::Odds> ante() const {
    TALLA_TRY(const auto pays, poker::PayTable::from(law_.bet(rules_.ante), table_.params()));
    const auto deck = shuffle::DeckSpec::french(1).cards();
    const auto boards = poker::board_classes(deck);
    if (turns_.size() == 1 && turns_[0].common == first_common && !turns_[0].stage->may_pass) {
      poker::HoldemLaw law{
          .bank_plays_from = {}, .ante = pays, .second_bet = turns_[0].stage->multiple};
      if (rules_.bank_pair_from != 0)
        law.bank_plays_from = poker::lowest_pair(rules_.ranker, rules_.bank_pair_from);
      TALLA_TRY(const auto odds, poker::holdem_odds(rules_.ranker, deck, law, boards));
      return odds.best;
    }
    if (is_three_turns()) {
      const poker::HoldemBetsLaw law{.ante = pays,
                                     .before = turns_[0].stage->multiple,
                                     .with_three = turns_[1].stage->multiple,
                                     .with_four = turns_[2].stage->multiple};
      TALLA_TRY(const auto odds, poker::holdem_bets_odds(rules_.ranker, deck, law, boards));
      return odds.best;
    }
    return fail(Errc::game_not_available,
                table_.rules().id + ": the odds of such turns are not worked out");
  }

  [[nodiscard]] bool is_three_turns() const {
    return turns_.size() == 3 && rules_.bank_pair_from == 0 && turns_[0].common == 0 &&
           turns_[1].common == first_common && turns_[2].common == first_common + 1 &&
           !turns_[0].stage->may_pass && turns_[1].stage->may_pass && turns_[2].stage->may_pass;
  }

  /// Two own cards against two of the bank, 1,624,350 deals; who retires keeps the bet.
  [[nodiscard]] Result<poker::Odds> own_two(const BetRule& rule) const {
    poker::Odds odds;
    const auto deck = shuffle::DeckSpec::french(1).cards();
    Status status;
    each_pair(deck, [&](const std::array<Card, 2>& own) {
      each_pair(deck, [&](const std::array<Card, 2>& bank) {
        if (std::ranges::find_first_of(own, bank) != own.end()) return;
        const auto when = texas::own_two_payout(own, bank);
        const Payout* payout = rule.payout(when, table_.params());
        if (payout != nullptr && !payout->pays.is_integer())
          status = fail(Errc::game_not_available, rule.id + ": it pays parts of a unit");
        odds.add(payout == nullptr ? -1 : payout->pays.floor(), 1, 1);
      });
    });
    TALLA_TRY_STATUS(status);
    return odds;
  }

  template <class Visit>
  static void each_pair(const std::vector<Card>& deck, Visit visit) {
    for (std::size_t a = 0; a < deck.size(); ++a)
      for (std::size_t b = a + 1; b < deck.size(); ++b) visit(std::array{deck[a], deck[b]});
  }

  /// Own cards and the first three common ones. Who has one of its hands goes on, so that the bet
  /// stands alone.
  [[nodiscard]] Result<poker::Odds> first_five(const BetRule& rule) const {
    TALLA_TRY(const auto pays, poker::PayTable::from(rule, table_.params()));
    const auto lowest = poker::lowest_pair(rules_.ranker, rules_.first_five_pair);
    poker::Odds odds;
    for (const poker::SuitClass& hand : poker::suit_classes(cards_ranked)) {
      const auto value = rules_.ranker.five(std::span<const Card, cards_ranked>(hand.cards));
      const auto category = rules_.ranker.category(value);
      const bool low = category == poker::Category::pair && value < lowest;
      odds.add(low ? -1 : pays.gain(category), 1, hand.deals);
    }
    return odds;
  }

  const Table& table_;
  const texas::Rules& rules_;
  DataLaw law_;
  std::vector<Turn> turns_;
};

}  // namespace

Result<TableOdds> stage_odds(const Table& table, OddsTime time) {
  return HoldemTable(table).all(time);
}

}  // namespace talla::games
