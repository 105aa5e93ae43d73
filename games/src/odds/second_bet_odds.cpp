// Odds of poker against the house with one further bet: three cards, Caribbean stud, draw poker.
#include <algorithm>
#include <optional>

#include "base/check.hpp"
#include "engines/second_bet/meters.hpp"
#include "engines/second_bet/rules.hpp"
#include "odds/draw_law.hpp"
#include "odds/jackpot_odds.hpp"
#include "odds/kinds.hpp"
#include "odds/paid_odds.hpp"
#include "odds/poker/caribbean.hpp"
#include "odds/poker/counted.hpp"
#include "odds/poker/three_card.hpp"
#include "odds/stored_odds.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {

namespace {

constexpr std::size_t three_dealt = 3;
constexpr std::size_t five_dealt = 5;

class HandOdds {
 public:
  HandOdds(const Table& table, OddsTime time) : table_(table), law_(table), time_(time) {}

  [[nodiscard]] Result<TableOdds> all(std::string_view only) {
    for (const BetRule& rule : table_.rules().bets)
      if (only.empty() || rule.id == only) TALLA_TRY_STATUS(add(rule));
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
    return law_.find("meters", rule.id) != nullptr ? add_meter(rule.id) : add_side(rule.id);
  }

  [[nodiscard]] Status without(BetWithoutOdds bet) {
    out_.others.push_back(std::move(bet));
    return {};
  }

  [[nodiscard]] Status add_main() {
    std::vector<std::string> with = {law_.second_bet()};
    if (sells_) with.emplace_back(law_.purchase_bet());
    if (!law_.bonus_bet().empty()) with.emplace_back(law_.bonus_bet());
    if (time_ == OddsTime::seconds) {
      if (const auto stored = stored_odds(counted_law(table_, law_.main_bet()))) {
        out_.bets.push_back(counted_before(*stored, std::move(with)));
        return {};
      }
      if (sells_ || law_.draws()) return without(poker::takes_minutes(law_.main_bet()));
    }
    if (law_.draws()) {
      TALLA_TRY(const Odds odds, drawn());
      out_.bets.push_back(counted_before(odds, std::move(with)));
      return {};
    }
    TALLA_TRY(const poker::Odds* odds, main_odds());
    out_.bets.push_back(poker::counted(law_.main_bet(), *odds, std::move(with)));
    return {};
  }
  [[nodiscard]] BetOdds counted_before(const Odds& odds, std::vector<std::string> with) const {
    return {.bet = law_.main_bet(),
            .on = {},
            .odds = odds,
            .method = OddsMethod::count,
            .with = std::move(with)};
  }

  [[nodiscard]] Result<Odds> drawn() const {
    TALLA_TRY(const poker::DrawLaw law, draw_law(law_));
    const auto deck = shuffle::DeckSpec::french(1).cards();
    return poker::draw_odds(law_.ranker(), deck, law).best.odds();
  }

  /// Of the best play of the main bet, worked out once.
  [[nodiscard]] Result<const poker::Odds*> main_odds() {
    if (!main_) {
      TALLA_TRY(main_, three_ ? three_card() : caribbean());
    }
    return &*main_;
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

  /// Whether a bet on hands of these categories is worth the same however the hand is played: it
  /// counts the cards dealt first, and the best play never passes where that loses it.
  [[nodiscard]] Result<bool> stands_alone(const std::string& bet, const poker::AlwaysGoes& paid) {
    if (law_.draws()) return pays_served_hands(bet, paid);
    const bool first = law_.side(bet, "hand").string() == "first" || !sells_;
    if (!first || !law_.is("settle", "lower_hand", "main")) return false;
    if (sells_ && law_.is("purchase", "side_bets", "lost")) return false;
    if (law_.side(bet, "fold").string() != "lost") return true;
    if (sells_) return false;  // what is bought and passed is known to who waits only
    TALLA_TRY(const poker::Odds* odds, main_odds());
    static_cast<void>(odds);
    for (std::size_t i = 0; i < paid.size(); ++i)
      if (paid.at(i) && !always_.at(i)) return false;
    return true;
  }

  /// Where cards are changed: only hands are paid that nobody changes or passes, four and better,
  /// and of a hand that was changed nothing.
  [[nodiscard]] bool pays_served_hands(const std::string& bet,
                                       const poker::AlwaysGoes& paid) const {
    const auto* drawn =
        law_.find("meters", bet) == nullptr ? nullptr : law_.find("meters", bet)->find("drawn");
    if (drawn == nullptr || law_.resolve(*drawn).boolean()) return false;
    for (std::size_t i = 0; i < paid.size(); ++i) {
      const auto category = static_cast<poker::Category>(i);
      const bool high =
          category == poker::Category::four || law_.ranker().beats(category, poker::Category::four);
      if (paid.at(i) && !high) return false;
    }
    return law_.is("settle", "lower_hand", "main");
  }

  /// A bet on the cards dealt first, which pays whatever the bank has.
  [[nodiscard]] Status add_side(const std::string& bet) {
    poker::PayTable table;
    poker::AlwaysGoes paid{};
    for (std::size_t i = 0; i < poker::categories_count; ++i) {
      const auto category = static_cast<poker::Category>(i);
      const auto prize = law_.prize(bet, category);
      if (!prize || prize->is_zero()) continue;
      paid.at(i) = true;
      TALLA_TRY_STATUS(table.set(category, *prize, bet));
    }
    TALLA_TRY(const bool alone, stands_alone(bet, paid));
    if (!alone) return without(poker::hangs_together(bet, law_.main_bet()));
    out_.bets.push_back(poker::counted(bet,
                                       three_ ? poker::three_card_bet(law_.ranker(), table)
                                              : poker::five_card_bet(law_.ranker(), table),
                                       {}));
    return {};
  }

  /// A bet that is paid out of a jackpot: as it stands at its opening, and how it goes on.
  [[nodiscard]] Status add_meter(const std::string& bet) {
    const auto meters = second_bet::opening_meters(law_);
    const auto* meter = named(meters, bet);
    TALLA_CHECK(meter != nullptr);
    const Fraction stake = law_.stake_amount(bet);
    if (!stake.is_integer())
      return without({bet, "its stake is no whole number of units at this minimum"});
    const auto dealt = poker::dealt_hands(law_.ranker(), law_.cards());
    std::int64_t deals = 0;
    for (const poker::DealtHands& one : dealt) deals += one.deals;
    poker::AlwaysGoes paid{};
    PaidOdds odds;
    std::vector<JackpotCards> cards;
    for (std::size_t i = 0; i < poker::categories_count; ++i) {
      if (dealt.at(i).deals == 0) continue;
      const Ratio chance(Fraction(dealt.at(i).deals, deals));
      cards.push_back(taken(bet, static_cast<poker::Category>(i)));
      cards.back().chance = chance;
      paid.at(i) = cards.back().lines.size() > 1;
      odds.add(at_opening(*meter, stake, static_cast<poker::Category>(i), dealt.at(i).value),
               chance);
    }
    TALLA_TRY(const bool alone, stands_alone(bet, paid));
    if (!alone) return without(poker::hangs_together(bet, law_.main_bet()));
    const bool fixed = jackpot_key(bet, "kind").string() == "fixed";
    const Ratio growth =
        fixed ? Ratio(0) : Ratio(law_.fraction_of(jackpot_key(bet, "contribution")));
    out_.bets.push_back({.bet = bet, .on = {}, .odds = odds.odds(), .method = OddsMethod::count});
    const bool shared =
        std::ranges::any_of(cards, [](const JackpotCards& one) { return !one.taken.is_zero(); });
    if (!shared) return {};  // announced amounts alone
    out_.bets.back().play = {"meter-opening"};
    const Ratio opening = Ratio(meter->value) / Ratio(stake);
    out_.bets.back().jackpot = jackpot_odds(cards, growth, opening);
    if (fixed) out_.bets.back().jackpot->mean = opening;  // never less, never more
    return {};
  }

  [[nodiscard]] const json::Value& jackpot_key(const std::string& bet, const char* key) const {
    const auto* value = law_.find("meters", bet)->find(key);
    TALLA_CHECK(value != nullptr);
    return law_.resolve(*value);
  }

  /// The prize that the table announces beside the jackpot, with the stake; 0: none.
  [[nodiscard]] Fraction announced(const std::string& bet, poker::Category category) const {
    if (law_.find("sides", bet)->find("rows") == nullptr) return 0;
    const auto prize = law_.prize(bet, category);
    return prize && !prize->is_zero() ? *prize + Fraction(1) : Fraction(0);
  }

  /// What a hand takes out of a jackpot whatever that holds, the bet's stake being 1.
  [[nodiscard]] JackpotCards taken(const std::string& bet, poker::Category category) const {
    JackpotCards out{.chance = 0, .lines = {{0, 0}}, .taken = 0, .reopens = false};
    for (const auto& row : law_.find("meters", bet)->find("rows")->array()) {
      if (row.find("when")->string() != poker::category_name(category)) continue;
      const Fraction share = law_.fraction_of(*row.find("share"));
      if (share.is_zero()) continue;
      const Fraction kept = Fraction(1) - law_.fraction_of(jackpot_key(bet, "deduction"));
      out.lines.push_back({0, Ratio(share * kept)});
      out.taken = Ratio(share);
      out.reopens = share == Fraction(1);
    }
    const Fraction prize = announced(bet, category);
    if (!prize.is_zero()) out.lines.push_back({Ratio(prize), 0});
    return out;
  }

  /// What the engine pays a stake of 1 on such a hand out of a jackpot that has just opened.
  [[nodiscard]] Fraction at_opening(const second_bet::MeterState& opened, const Fraction& stake,
                                    poker::Category category, poker::HandValue value) const {
    second_bet::MeterState meter = opened;
    meter.staked = stake.floor();
    const auto awards = second_bet::settle_meter(law_, meter, {{value, category, false}});
    const Fraction paid = second_bet::after_deduction(law_, opened.id, awards.front());
    return std::max(paid / stake, announced(opened.id, category));
  }

  const Table& table_;
  second_bet::Law law_;
  OddsTime time_;
  bool three_ = law_.cards() == three_dealt;
  bool sells_ = law_.sells_cards();
  std::optional<poker::Odds> main_;
  poker::AlwaysGoes always_{};  // with main_
  TableOdds out_;
};

}  // namespace

Result<TableOdds> second_bet_odds(const Table& table, OddsTime time, std::string_view only) {
  return HandOdds(table, time).all(only);
}

}  // namespace talla::games
