// Odds of blackjack: a hand at its best play, bets on the first cards of a box, insurance. Every
// deal of full decks, or of what cards seen have left of them, is counted; what first cards pay is
// asked of the engine.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/check.hpp"
#include "engines/blackjack/combinations.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/options.hpp"
#include "engines/blackjack/settle.hpp"
#include "games/bets.hpp"
#include "games/errc.hpp"
#include "games/refusal.hpp"
#include "odds/blackjack/best_play.hpp"
#include "odds/blackjack/hands_against.hpp"
#include "odds/jackpot_odds.hpp"
#include "odds/kinds.hpp"
#include "odds/paid_odds.hpp"
#include "odds/poker/counted.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {

namespace {

/// Combinations see whether suits are alike, never which they are: in full decks the first card is
/// a club.
constexpr std::int64_t suits_alike = shuffle::suits_count;
/// A count of hands looks at so many cards that are not of one class (behind first cards); who has
/// fewer left has no next hand to ask about: the stop card came long before.
constexpr std::size_t cards_needed = blackjack::counted_cards + 3;

class BoxOdds {
 public:
  /// `only`: this bet alone; empty: all.
  BoxOdds(const Table& table, std::uint32_t decks, std::string_view only)
      : table_(table),
        only_(only),
        law_(table),
        decks_(decks),
        cards_(std::int64_t{decks} * french_deck_cards),
        types_(shuffle::DeckSpec::french(1).cards()),
        hand_law_(blackjack::hand_law(law_, decks)) {}

  /// Takes cards out of the shoe. Errors: card_invalid.
  Status take(std::span<const Card> gone) {
    for (const Card card : gone) {
      if (std::ranges::find(types_, card) == types_.end())
        return fail(Errc::card_invalid, card.text() + " is no card of this shoe");
      if (left(card, {}) == 0)
        return fail(Errc::card_invalid, card.text() + " came too often for this shoe");
      ++gone_[card];
      --cards_;
      if (hand_law_) --hand_law_->shoe.at(class_of(card));
    }
    if (!gone.empty() && hand_law_ && others_least() < cards_needed)
      return fail(Errc::card_invalid, "fewer cards are left than a hand may need");
    return {};
  }

  [[nodiscard]] TableOdds all() {
    for (const BetRule& rule : table_.rules().bets) {
      if (!only_.empty() && rule.id != only_) continue;
      if (rule.offered_if && !table_.params().holds(*rule.offered_if)) continue;
      if (rule.id == law_.main_bet()) {
        main_bet(rule);
      } else if (rule.id == law_.insurance_bet()) {
        insurance(rule);
      } else if (rule.covers.is_string() && rule.covers.string() == "combination") {
        combination(rule);
      } else {
        two_cards(rule);
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::int64_t cards() const { return cards_; }
  /// How many of that card are left behind these.
  [[nodiscard]] std::int64_t left(Card card, std::initializer_list<Card> out) const {
    const auto gone = gone_.find(card);
    return std::int64_t{decks_} - (gone == gone_.end() ? 0 : gone->second) -
           std::count(out.begin(), out.end(), card);
  }
  [[nodiscard]] static std::size_t class_of(Card card) {
    return std::min(static_cast<std::size_t>(card.rank()), blackjack::classes_count) - 1;
  }
  /// Of the class that has most cards left: how many others there are.
  [[nodiscard]] std::size_t others_least() const {
    return static_cast<std::size_t>(hand_law_->cards() - std::ranges::max(hand_law_->shoe));
  }
  void add(std::string bet, const Odds& odds, std::vector<std::string> play = {}) {
    out_.bets.push_back({.bet = std::move(bet),
                         .on = {},
                         .odds = odds,
                         .method = OddsMethod::count,
                         .play = std::move(play)});
  }

  /// The best play, of which several hands against one dealer leave only what is expected; and the
  /// best without splitting. Against each hand of the dealer that is played the same.
  void main_bet(const BetRule& rule) {
    const auto& law = hand_law_;
    if (!law) {
      out_.others.push_back(
          {rule.id, "how the hand is played decides it: the best play is not worked out"});
      return;
    }
    std::vector<std::vector<std::string>> every;
    if (law_.stages() > 1) every = positions(rule, table_.params());
    const bool first_only = law_.stages() > 1 && law_.is("stages", "blackjack_rate", "first");
    if (!first_only) return played(rule, *law, every);
    played(rule, *law, {every.front()});
    blackjack::HandLaw plain = *law;
    plain.blackjack = Ratio(rule.payout("win", table_.params())->pays);
    played(rule, plain, {every.begin() + 1, every.end()});
  }

  void played(const BetRule& rule, const blackjack::HandLaw& law,
              const std::vector<std::vector<std::string>>& on) {
    const auto best = blackjack::best_play(law);
    const auto odds = [](const blackjack::Played& one) {
      return Odds{.win = one.win,
                  .lose = one.lose,
                  .other = Ratio(1) - one.win - one.lose,
                  .returned = one.returned,
                  .square = one.square,
                  .staked = one.staked};
    };
    if (law.splits) {
      add(rule.id, odds(best.best), {"best-play"});
      out_.bets.back().mean_only = true;
      out_.bets.back().on = on;
    }
    add(rule.id, odds(best.never_split), {law.splits ? "never-split" : "best-play"});
    out_.bets.back().on = on;
  }

  void two_cards(const BetRule& rule) {
    PaidOdds paid;
    const Ratio all(cards() * (cards() - 1));
    for (const Card a : types_) {
      for (const Card b : types_) {
        const std::array two = {a, b};
        const auto when = blackjack::two_card_payout(law_, rule.id, two);
        TALLA_CHECK(when.has_value());
        const Payout* payout = when->empty() ? nullptr : rule.payout(*when, table_.params());
        paid.add(payout == nullptr ? Fraction(0) : payout->pays + Fraction(1),
                 Ratio(left(a, {}) * left(b, {a})) / all);
      }
    }
    add(rule.id, paid.odds());
  }

  /// The dealer's second card, with his ace and so many own cards worth ten seen.
  void insurance(const BetRule& rule) {
    if (law_.is("insurance", "busted", "lost")) {
      out_.others.push_back(poker::hangs_together(rule.id, law_.main_bet()));
      return;
    }
    std::int64_t tens = 0;
    std::int64_t aces = 0;
    for (const Card card : types_) {
      if (law_.points(card) + 1 + law_.ace_extra() == law_.target()) tens += left(card, {});
      if (law_.points(card) == 1) aces += left(card, {});
    }
    const Fraction back = rule.payout("win", table_.params())->pays + Fraction(1);
    const bool blackjack_only = law_.is("insurance", "open_to", "blackjack");
    constexpr std::int64_t seen = 3;
    for (const std::int64_t own : {0, 1, 2}) {
      if (blackjack_only && own != 1) continue;
      if (aces == 0 || own > tens) continue;  // it cannot lie so any more
      const Ratio hit = Ratio(tens - own) / Ratio(cards() - seen);
      PaidOdds paid;
      paid.add(back, hit);
      paid.add(0, Ratio(1) - hit);
      add(rule.id, paid.odds(), {"own-tens-" + std::to_string(own)});
    }
  }

  /// Which rows of a bet its first cards hold, in how many deals, and cards that do.
  struct Held {
    std::int64_t deals = 0;
    std::vector<Card> cards;
  };
  using Census = std::map<std::vector<bool>, Held>;

  void combination(const BetRule& rule) {
    if (const auto none = table_.engine().unplayable(table_, rule); none && !none->empty()) {
      out_.others.push_back({rule.id, *none});
      return;
    }
    const auto* stakes = law_.find("stakes", rule.id);
    TALLA_CHECK(stakes != nullptr && stakes->find("exact") != nullptr);
    const Units stake = law_.stake_of(*stakes->find("exact"));
    Fraction meter;
    Ratio opening;
    bool has_meter = false;
    for (const auto& one : blackjack::opening_meters(law_)) {
      if (one.id != rule.id) continue;
      has_meter = true;
      opening = Ratio(one.value) / Ratio(stake);
      meter = Fraction(one.value) +
              Fraction((Fraction(stake) *
                        law_.fraction_of(*law_.find("combinations", rule.id)->find("contribution")))
                           .floor());
    }
    for (const bool third : {true, false}) {
      PaidOdds paid;
      const Ratio all(cards() * (cards() - 1) * (cards() - 2));
      const Census rows = census(rule, third);
      for (const auto& [holds, held] : rows)
        paid.add(
            blackjack::combination_paid(law_, rule.id, stake, held.cards, meter) / Fraction(stake),
            Ratio(held.deals) / all);
      std::vector<std::string> play = {third ? "third-card" : "two-cards"};
      if (has_meter && !meter.is_zero()) play.emplace_back("meter-opening");
      add(rule.id, paid.odds(), std::move(play));
      if (has_meter) out_.bets.back().jackpot = jackpot(rule, rows, all, opening);
    }
  }

  /// What first cards of one kind bring of a stake of 1 out of a jackpot.
  [[nodiscard]] std::vector<JackpotLine> lines(const BetRule& rule,
                                               const std::vector<bool>& held) const {
    std::vector<JackpotLine> out = {{0, 0}};
    for (const auto& row : law_.find("combinations", rule.id)->find("rows")->array()) {
      const auto& when = row.find("when")->string();
      const auto at = std::ranges::find(rule.payouts, when, &Payout::when);
      TALLA_CHECK(at != rule.payouts.end());
      if (!held.at(static_cast<std::size_t>(at - rule.payouts.begin()))) continue;
      if (const auto* pays = row.find("pays")) {
        const Ratio rate(law_.fraction_of(*pays));
        if (!rate.is_zero()) out.push_back({rate + Ratio(1), 0});
        continue;
      }
      const auto* returned = row.find("stake_returned");
      const Ratio back(returned != nullptr && law_.resolve(*returned).boolean() ? 1 : 0);
      out.push_back({back, Ratio(law_.fraction_of(*row.find("meter")))});
      if (const auto* floor = row.find("floor"))
        out.push_back({back + Ratio(law_.fraction_of(*floor)), 0});
    }
    return out;
  }

  [[nodiscard]] JackpotOdds jackpot(const BetRule& rule, const Census& rows, const Ratio& all,
                                    const Ratio& opening) const {
    std::vector<JackpotCards> cards;
    for (const auto& [held, deals] : rows) {
      cards.push_back({.chance = Ratio(deals.deals) / all,
                       .lines = lines(rule, held),
                       .taken = 0,
                       .reopens = false});
      JackpotCards& now = cards.back();
      for (const JackpotLine& one : now.lines) now.taken = std::max(now.taken, one.share);
      now.reopens = !now.taken.is_zero();
    }
    const Ratio growth(law_.fraction_of(*law_.find("combinations", rule.id)->find("contribution")));
    return jackpot_odds(cards, growth, opening);
  }

  /// `third`: a third card is taken wherever the hand may have one.
  [[nodiscard]] Census census(const BetRule& rule, bool third) const {
    Census out;
    const bool alike = gone_.empty();
    for (const Card a : types_) {
      if (alike && a.suit() != types_.front().suit()) continue;
      for (const Card b : types_) {
        std::vector<Card> hand = {a, b};
        const std::int64_t pairs = (alike ? suits_alike : 1) * left(a, {}) * left(b, {a});
        if (pairs == 0) continue;
        if (!third || blackjack::total(law_, hand) == law_.target()) {
          note(out, rule, hand, pairs * (cards() - 2));
          continue;
        }
        hand.push_back(b);
        for (const Card c : types_) {
          hand[2] = c;
          if (left(c, {a, b}) == 0) continue;
          note(out, rule, hand, pairs * left(c, {a, b}));
        }
      }
    }
    return out;
  }
  void note(Census& out, const BetRule& rule, const std::vector<Card>& hand,
            std::int64_t deals) const {
    std::vector<bool> rows;
    for (const Payout& payout : rule.payouts)
      rows.push_back(blackjack::holds_combination(payout.when, hand, law_));
    Held& held = out[rows];
    held.deals += deals;
    held.cards = hand;
  }

  const Table& table_;
  std::string_view only_;
  blackjack::Law law_;
  std::uint32_t decks_;
  std::int64_t cards_;  ///< in the shoe
  std::vector<Card> types_;
  std::map<Card, std::int64_t> gone_;
  std::optional<blackjack::HandLaw> hand_law_;
  TableOdds out_;
};

}  // namespace

Result<TableOdds> box_odds(const Table& table, std::string_view only, std::span<const Card> gone) {
  const auto shoe = table.engine().shoe(table);
  TALLA_CHECK(shoe && shoe->cards_count % french_deck_cards == 0);
  BoxOdds odds(table, shoe->cards_count / french_deck_cards, only);
  TALLA_TRY_STATUS(odds.take(gone));
  return odds.all();
}

}  // namespace talla::games
