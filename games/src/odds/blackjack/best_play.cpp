#include "odds/blackjack/best_play.hpp"

#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "odds/blackjack/hands_against.hpp"
#include "odds/blackjack/split.hpp"

namespace talla::games::blackjack {

namespace {

Ratio ratio(const Wide& numerator, const Wide& denominator) {
  return {WideInt(numerator), WideInt(denominator)};
}

/// One start: two own cards and the dealer's first one, with its best play.
struct Start {
  Ratio chance;
  Ratio net;
  Ratio staked;
  Ratio win;
  Ratio lose;
  Ratio square;
};

void add(Played& sum, const Start& one) {
  sum.returned += one.chance * (one.net + one.staked);
  sum.staked += one.chance * one.staked;
  sum.win += one.chance * one.win;
  sum.lose += one.chance * one.lose;
  sum.square += one.chance * one.square;
}

/// A net gain that is sure.
Start sure(const Ratio& chance, const Ratio& net) {
  return {chance, net, 1, net > Ratio(0) ? 1 : 0, net == Ratio(-1) ? 1 : 0, net * net};
}

Start played(const Ratio& chance, const Ends& ends, const Wide& all) {
  const auto part = [&](const Wide& some) { return ratio(some, all); };
  const Ratio four(4);
  return {chance,
          part(ends.net()),
          Ratio(1) + part(ends.doubled()),
          part(ends.of[0].win + ends.of[1].win),
          part(ends.of[0].lose + ends.of[1].lose),
          part(ends.of[0].win + ends.of[0].lose) + four * part(ends.of[1].win + ends.of[1].lose)};
}

/// How often a blackjack is not tied.
Ratio blackjack_wins(const HandLaw& law, std::size_t dealer) {
  Counts left = law.shoe;
  for (const std::size_t one : {ace_class, ten_class, dealer}) --left.at(one);
  const std::size_t other = dealer == ace_class ? ten_class : ace_class;
  const bool may = dealer == ace_class || dealer == ten_class;
  if (!may || !law.blackjack_ties) return 1;
  return Ratio(1) - Ratio(Fraction(left.at(other), law.cards() - 3));
}

class Search {
 public:
  /// `told`: played like that; nullptr: at its best.
  explicit Search(const HandLaw& law, const Told* told = nullptr) : law_(law), told_(told) {}

  BestPlay all() {
    for (std::size_t first = 0; first < classes_count; ++first) {
      const HandsAgainst hands(law_, first, manner(first));
      for (std::size_t a = 0; a < classes_count; ++a)
        for (std::size_t b = a; b < classes_count; ++b) start(hands, a, b, first);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] Manner manner(std::size_t dealer) const {
    if (told_ == nullptr) return {};
    return [this, dealer](const Counts& own, std::size_t cards) {
      return told_->later(own, cards, dealer);
    };
  }
  [[nodiscard]] Ratio chance_of(std::size_t a, std::size_t b, std::size_t dealer) const {
    Counts left = law_.shoe;
    Ratio out(a == b ? 1 : 2);
    int cards = law_.cards();
    for (const std::size_t one : {a, b, dealer})
      out = out * Ratio(Fraction(left.at(one)--, cards--));
    return out;
  }

  void start(const HandsAgainst& hands, std::size_t a, std::size_t b, std::size_t dealer) {
    const Ratio chance = chance_of(a, b, dealer);
    if (chance.is_zero()) return;
    Action& action = out_.first.at(a).at(b).at(dealer);
    if (a == ace_class && b == ten_class) {
      const Start best = with_blackjack(chance, dealer, action);
      add(out_.best, best);
      add(out_.never_split, best);
      return;
    }
    if (told_ != nullptr) {
      action = told_->first(a, b, dealer);
      return add(out_.best, as_told(hands, chance, a, b, action));
    }
    Counts own{};
    ++own.at(a);
    ++own.at(b);
    action = hands.action(own);
    Start best = played(chance, hands.best(own), hands.all());
    if (law_.surrender && !law_.no_surrender_against.contains(dealer)) {
      const Start given = sure(chance, *law_.surrender - Ratio(1));
      if (given.net > best.net) {
        best = given;
        action = Action::surrender;
      }
    }
    add(out_.never_split, best);
    if (law_.splits && a == b) {
      const SplitWorth worth = split_worth(law_, hands, a);
      if (worth.net > best.net) {
        best = {chance, worth.net, worth.staked, {}, {}, {}};
        action = Action::split;
      }
    }
    add(out_.best, best);
  }

  /// Two cards of which something is done that need not be the best.
  [[nodiscard]] Start as_told(const HandsAgainst& hands, const Ratio& chance, std::size_t a,
                              std::size_t b, Action action) const {
    if (action == Action::surrender) return sure(chance, *law_.surrender - Ratio(1));
    if (action == Action::split) {
      const SplitWorth worth = split_worth(law_, hands, a);
      return {chance, worth.net, worth.staked, {}, {}, {}};
    }
    Counts own{};
    ++own.at(a);
    ++own.at(b);
    return played(chance, hands.best(own), hands.all());
  }

  [[nodiscard]] Start with_blackjack(const Ratio& chance, std::size_t dealer,
                                     Action& action) const {
    const Ratio win = blackjack_wins(law_, dealer);
    Start stands = {chance, win * law_.blackjack, 1, win, 0, win * law_.blackjack * law_.blackjack};
    action = Action::stand;
    if (!law_.even_money || dealer != ace_class || *law_.even_money <= stands.net) return stands;
    action = Action::even_money;
    return sure(chance, *law_.even_money);
  }

  const HandLaw& law_;
  const Told* told_;
  BestPlay out_;
};

}  // namespace

Ratio blackjack_gain(const HandLaw& law, std::size_t dealer) {
  return blackjack_wins(law, dealer) * law.blackjack;
}

Played told_play(const HandLaw& law, const Told& told) {
  return Search(law, &told).all().best;
}

BestPlay best_play(const HandLaw& law) {
  return Search(law).all();
}

}  // namespace talla::games::blackjack
