// What every choice for one hand of blackjack is worth, the first hand of full decks.
#include <algorithm>

#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/rules.hpp"
#include "games/errc.hpp"
#include "odds/advice.hpp"
#include "odds/blackjack/hands_against.hpp"
#include "odds/blackjack/split.hpp"
#include "odds/box_words.hpp"

namespace talla::games {

namespace {

using blackjack::Action;

std::size_t class_of(Card card) {
  return std::min(static_cast<std::size_t>(card.rank()), blackjack::classes_count) - 1;
}

class BoxAdvice {
 public:
  BoxAdvice(const Table& table, const blackjack::HandLaw& law, const AdviceCards& cards)
      : table_(table), rules_(table), law_(law), cards_(cards) {
    for (const Card card : cards.hand) ++own_.at(class_of(card));
  }

  [[nodiscard]] Result<Advice> all() {
    TALLA_TRY_STATUS(check());
    const std::size_t dealer = class_of(cards_.bank.front());
    if (has_blackjack()) {
      with_blackjack(dealer);
    } else {
      others(dealer);
    }
    insurance(dealer);
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool two() const { return cards_.hand.size() == 2; }

  [[nodiscard]] bool has_blackjack() const {
    return two() && own_[blackjack::ace_class] == 1 && own_[blackjack::ten_class] == 1;
  }

  [[nodiscard]] Status check() const {
    if (cards_.hand.size() < 2 || cards_.bank.size() != 1)
      return fail(Errc::card_invalid, "two cards of the hand at least, and the dealer's first one");
    TALLA_TRY_STATUS(
        check_cards(cards_, static_cast<std::size_t>(law_.shoe[blackjack::ace_class]) / 4));
    if (blackjack::total(rules_, cards_.hand) > law_.target)
      return fail(Errc::card_invalid, "the hand is over " + std::to_string(law_.target));
    return {};
  }

  void add(Action action, const Ratio& gain) {
    out_.choices.push_back(choice_of(table_, action_code(action), gain));
  }

  void others(std::size_t dealer) {
    const blackjack::HandsAgainst hands(law_, dealer);
    const auto options = hands.options(own_);
    const auto part = [&](const blackjack::Wide& deals) {
      return Ratio(WideInt(deals), WideInt(options.all));
    };
    add(Action::stand, part(options.stand));
    if (options.hit) add(Action::hit, part(*options.hit));
    if (options.twice) add(Action::twice, part(*options.twice));
    const auto pair = std::ranges::find(own_, std::uint8_t{2});
    if (law_.splits && two() && pair != own_.end())
      add(Action::split,
          split_worth(law_, hands, static_cast<std::size_t>(pair - own_.begin())).net);
    if (law_.surrender && two() && !law_.no_surrender_against.contains(dealer))
      add(Action::surrender, *law_.surrender - Ratio(1));
  }

  void with_blackjack(std::size_t dealer) {
    add(Action::stand, blackjack::blackjack_gain(law_, dealer));
    if (law_.even_money && dealer == blackjack::ace_class)
      add(Action::even_money, *law_.even_money);
  }

  /// Two first cards against an ace: per unit insured.
  void insurance(std::size_t dealer) {
    const std::string_view bet = rules_.insurance_bet();
    if (bet.empty() || dealer != blackjack::ace_class || !two()) return;
    if (rules_.is("insurance", "open_to", "blackjack") && !has_blackjack()) return;
    blackjack::Counts left = law_.shoe;
    int cards = law_.cards();
    for (const Card card : cards_.hand) {
      --left.at(class_of(card));
      --cards;
    }
    const Ratio hit(Fraction(left[blackjack::ten_class], cards - 1));
    const Ratio back = Ratio(rules_.bet(bet).payout("win", table_.params())->pays) + Ratio(1);
    out_.beside.push_back(choice_of(table_, "insurance", hit * back - Ratio(1)));
  }

  const Table& table_;
  blackjack::Law rules_;
  const blackjack::HandLaw& law_;
  const AdviceCards& cards_;
  blackjack::Counts own_{};
  Advice out_;
};

}  // namespace

Result<Advice> box_advice(const Table& table, const AdviceCards& cards) {
  TALLA_TRY(const auto law, law_of_hands(table));
  return BoxAdvice(table, law, cards).all();
}

}  // namespace talla::games
