// What every choice for one hand of three-card poker or Caribbean stud is worth: against every hand
// that the bank may have.
#include <algorithm>

#include "base/check.hpp"
#include "engines/second_bet/rules.hpp"
#include "games/errc.hpp"
#include "odds/advice.hpp"
#include "odds/poker/odds.hpp"

namespace talla::games {

namespace {

constexpr std::string_view go_word = "voy";
constexpr std::string_view pass_word = "paso";
constexpr std::string_view buy_word = "comprar";

struct BankHand {
  std::uint64_t cards = 0;  // bit: place in the deck
  poker::HandValue value;
};

class HandAdvice {
 public:
  HandAdvice(const Table& table, const AdviceCards& cards)
      : table_(table),
        law_(table),
        cards_(cards),
        deck_(shuffle::DeckSpec::french(1).cards()),
        minimum_(table.prepared<second_bet::Rules>().minimum) {}

  [[nodiscard]] Result<Advice> all() {
    TALLA_TRY_STATUS(check());
    TALLA_TRY_STATUS(read_pays());
    deal_bank();
    out_.choices.push_back(choice_of(table_, go_word, going(cards_.hand, 0)));
    out_.choices.push_back(choice_of(table_, pass_word, -1));
    if (law_.sells_cards()) buy();
    return std::move(out_);
  }

 private:
  [[nodiscard]] Status check() const {
    const std::size_t open = law_.exposed() == 0 ? 0 : 1;
    if (cards_.hand.size() != law_.cards() || cards_.bank.size() != open)
      return fail(Errc::card_invalid, std::to_string(law_.cards()) + " cards of the hand and " +
                                          std::to_string(open) + " of the bank");
    return check_cards(cards_, 1);
  }

  [[nodiscard]] Status read_pays() {
    const auto& main = law_.bet(law_.main_bet());
    main_ = main.payout("win", table_.params())->pays;
    TALLA_TRY(second_, poker::PayTable::from(law_.bet(law_.second_bet()), table_.params()));
    if (!law_.bonus_bet().empty()) {
      TALLA_TRY(bonus_, poker::PayTable::from(law_.bet(law_.bonus_bet()), table_.params()));
    }
    return {};
  }

  [[nodiscard]] std::uint64_t bit(Card card) const {
    const auto found = std::ranges::find(deck_, card);
    TALLA_CHECK(found != deck_.end());
    return std::uint64_t{1} << static_cast<unsigned>(found - deck_.begin());
  }

  /// Every hand that the bank may have, its open card in it.
  void deal_bank() {
    std::uint64_t seen = 0;
    for (const Card card : cards_.hand) seen |= bit(card);
    for (const Card card : cards_.bank) seen |= bit(card);
    std::vector<Card> hand = cards_.bank;
    deal(0, seen, 0, hand);
  }
  void deal(std::size_t from, std::uint64_t seen, std::uint64_t now, std::vector<Card>& hand) {
    if (hand.size() == law_.cards()) {
      bank_.push_back({now, law_.value(hand)});
      return;
    }
    for (std::size_t i = from; i < deck_.size(); ++i) {
      const std::uint64_t one = std::uint64_t{1} << i;
      if ((seen & one) != 0) continue;
      hand.push_back(deck_[i]);
      deal(i + 1, seen, now | one, hand);
      hand.pop_back();
    }
  }

  /// The second bet with that hand; the bank has none of the cards of `gone`.
  [[nodiscard]] Ratio going(std::span<const Card> hand, std::uint64_t gone) const {
    const poker::HandValue value = law_.value(hand);
    const poker::Category category = law_.ranker().category(value);
    std::int64_t deals = 0;
    std::int64_t out = 0;
    std::int64_t lower = 0;
    std::int64_t higher = 0;
    for (const BankHand& bank : bank_) {
      if ((bank.cards & gone) != 0) continue;
      ++deals;
      if (bank.value < minimum_) {
        ++out;
      } else if (bank.value < value) {
        ++lower;
      } else if (bank.value > value) {
        ++higher;
      }
    }
    const Ratio multiple(law_.number("second", "multiple"));
    const Ratio bonus(bonus_.bonus(category));
    const bool keeps = law_.is("settle", "lower_hand", "main");
    const Ratio paid = lower == 0 ? Ratio(0) : Ratio(second_.gain(category));
    const Ratio sum = Ratio(out) * (Ratio(main_) + bonus) +
                      Ratio(lower) * (Ratio(main_) + multiple * paid + bonus) +
                      Ratio(higher) * ((keeps ? bonus : Ratio(0)) - Ratio(1) - multiple) +
                      Ratio(deals - out - lower - higher) * bonus;
    return sum / Ratio(deals);
  }

  /// One card given up for the price of the first stake, then the better of going and passing.
  void buy() {
    for (std::size_t given_up = 0; given_up < cards_.hand.size(); ++given_up) {
      std::vector<Card> hand = cards_.hand;
      Ratio sum;
      std::int64_t bought = 0;
      for (const Card card : deck_) {
        if (std::ranges::find(cards_.hand, card) != cards_.hand.end() ||
            std::ranges::find(cards_.bank, card) != cards_.bank.end())
          continue;
        hand[given_up] = card;
        sum += std::max(going(hand, bit(card)), Ratio(-1));
        ++bought;
      }
      Choice choice = choice_of(table_, buy_word, sum / Ratio(bought) - Ratio(1));
      choice.cards = {cards_.hand[given_up]};
      out_.choices.push_back(std::move(choice));
    }
  }

  const Table& table_;
  second_bet::Law law_;
  const AdviceCards& cards_;
  std::vector<Card> deck_;
  poker::HandValue minimum_;
  Fraction main_;
  poker::PayTable second_;
  poker::PayTable bonus_;
  std::vector<BankHand> bank_;
  Advice out_;
};

}  // namespace

Result<Advice> second_bet_advice(const Table& table, const AdviceCards& cards) {
  return HandAdvice(table, cards).all();
}

}  // namespace talla::games
