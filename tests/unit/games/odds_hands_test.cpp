// Goal: the best play of a hand of black jack returns what is said of it, splits included.
// Method: one deck played out card by card, hand after hand, by the same choices; rounds through
//   the driver that play so; figures that everybody publishes, and what single rules change.
#include <gtest/gtest.h>

#include <cmath>

#include "engines/blackjack/state.hpp"
#include "odds/blackjack/split.hpp"
#include "odds_support.hpp"
#include "play_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::blackjack {
namespace {

double real(const Ratio& ratio) {
  return static_cast<double>(
      boost::multiprecision::cpp_rational(ratio.numerator(), ratio.denominator()));
}

Table hands_table(const std::string& catalogue, json::Value params = json::Object{},
                  const std::string& game = "blackjack") {
  auto table = odds_table(test::catalogue(catalogue), game, std::move(params));
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

HandLaw one_deck() {
  const Table table = hands_table("es-1977");
  return *hand_law(Law(table), 1);
}

/// A split pair played out in the order of the table: each hand, then the dealer.
class InOrder {
 public:
  InOrder(const HandLaw& law, const HandsAgainst& hands, std::size_t pair)
      : law_(law), hands_(hands), pair_(pair), left_(law.shoe), cards_(law.cards() - 3) {
    left_.at(pair) = static_cast<std::uint8_t>(left_.at(pair) - 2);
    --left_.at(hands.dealer());
  }
  double net() { return serve(2, 2); }

 private:
  struct Done {
    int total;
    int stake;
    bool two;
  };
  template <class Visit>
  double each_card(Visit visit) {
    double sum = 0;
    for (std::size_t one = 0; one < classes_count; ++one) {
      if (left_.at(one) == 0) continue;
      const double chance = static_cast<double>(left_.at(one)) / cards_;
      --left_.at(one);
      --cards_;
      sum += chance * visit(one);
      ++left_.at(one);
      ++cards_;
    }
    return sum;
  }
  double serve(std::size_t waiting, std::size_t count) {
    if (waiting == 0) return dealer(law_.points(hands_.dealer()), hands_.dealer() == 0, 1);
    return each_card([&](std::size_t one) {
      const bool again = one == pair_ && (law_.hands_max == 0 || count < law_.hands_max) &&
                         (pair_ != ace_class || law_.resplits_aces);
      if (again) return serve(waiting + 1, count + 1);
      Counts own{};
      ++own.at(pair_);
      ++own.at(one);
      return play(own, 2, waiting, count);
    });
  }
  int low(const Counts& own) const {
    int sum = 0;
    for (std::size_t one = 0; one < classes_count; ++one) sum += own.at(one) * law_.points(one);
    return sum;
  }
  double finish(Done hand, std::size_t waiting, std::size_t count) {
    done_.push_back(hand);
    const double out = serve(waiting - 1, count);
    done_.pop_back();
    return out;
  }
  double play(const Counts& own, int cards, std::size_t waiting, std::size_t count) {
    const int points = low(own);
    if (points > law_.target) return finish({points, 1, false}, waiting, count);
    const Action action = pair_ == ace_class ? Action::stand : hands_.action(own);
    if (action == Action::stand)
      return finish({best_total(law_, points, own[0] > 0), 1, cards == 2}, waiting, count);
    return each_card([&](std::size_t one) {
      Counts more = own;
      ++more.at(one);
      if (action == Action::hit) return play(more, cards + 1, waiting, count);
      const bool ace = one == ace_class || (!law_.doubled_aces_low && own[0] > 0);
      return finish({best_total(law_, low(more), ace), 2, false}, waiting, count);
    });
  }
  double dealer(int points, bool ace, int cards) {
    const int high = points + law_.ace_extra;
    const int total = ace && high >= law_.stands_on && high <= law_.target ? high : points;
    if (total < law_.stands_on || cards == 1) {
      return each_card([&](std::size_t one) {
        return dealer(points + law_.points(one), ace || one == ace_class, cards + 1);
      });
    }
    const bool blackjack = cards == 2 && total == law_.target;
    int net = 0;
    for (const Done& hand : done_) {
      const bool over = hand.total > law_.target;
      const bool saved = hand.two && hand.total == law_.target && law_.split_target_ties;
      const bool beaten = total <= law_.target && hand.total < total;
      if (over || (blackjack ? !saved : beaten)) {
        net -= hand.stake;
      } else if (!blackjack && (total > law_.target || hand.total > total)) {
        net += hand.stake;
      }
    }
    return net;
  }

  const HandLaw& law_;
  const HandsAgainst& hands_;
  std::size_t pair_;
  Counts left_;
  int cards_;
  std::vector<Done> done_;
};

constexpr std::size_t six = 5;

void expect_split_in_order(const HandLaw& law, std::size_t pair, std::size_t dealer) {
  const HandsAgainst hands(law, dealer);
  const double counted = real(split_worth(law, hands, pair).net);
  EXPECT_NEAR(counted, InOrder(law, hands, pair).net(), 1e-12)
      << "pair of " << pair + 1 << " against " << dealer + 1 << ", " << law.hands_max << " hands";
}

TEST(HandOddsTest, a_split_counted_is_a_split_played_in_order) {
  HandLaw law = one_deck();
  for (const std::size_t most : {2U, 3U, 4U}) {
    law.hands_max = most;
    expect_split_in_order(law, ace_class, six);
  }
  law.hands_max = 0;
  expect_split_in_order(law, ace_class, ten_class);
  law.resplits_aces = false;
  expect_split_in_order(law, ace_class, ace_class);
  law.split_target_ties = true;
  expect_split_in_order(law, ace_class, ten_class);
  law.hands_max = 3;
  expect_split_in_order(law, ten_class, six);
  law.hands_max = 2;
  expect_split_in_order(law, 8, six);
}

TEST(HandOddsTest, a_hand_that_is_not_split_is_that_hand_played_in_order) {
  // Two tens against a six: stand. Dealers of 49 cards, one after the other.
  const HandLaw law = one_deck();
  const HandsAgainst hands(law, six);
  Counts own{};
  own[ten_class] = 2;
  EXPECT_EQ(hands.action(own), Action::stand);
  const Ends& ends = hands.best(own);
  EXPECT_EQ(ends.of[0].win + ends.of[0].lose + ends.of[0].tie, hands.all());
  own = Counts{};
  own[7] = 1;
  own[3] = 1;
  EXPECT_EQ(hands.action(own), Action::stand) << "twelve of eight and four against a six";
  own = Counts{};
  own[ten_class] = 1;
  own[5] = 1;
  EXPECT_EQ(HandsAgainst(law, ten_class).action(own), Action::hit) << "sixteen against a ten";
  own = Counts{};
  own[4] = 1;
  own[5] = 1;
  EXPECT_EQ(HandsAgainst(law, six).action(own), Action::twice) << "eleven";
}

const BestPlay& best_of(const std::string& catalogue) {
  static std::map<std::string, BestPlay> known;
  const auto [at, fresh] = known.try_emplace(catalogue);
  if (fresh) {
    const Table table = hands_table(catalogue);
    at->second = best_play(*hand_law(Law(table), 6));
  }
  return at->second;
}

TEST(HandOddsTest, six_decks_are_worth_what_is_published_of_such_rules) {
  // Dealer stands on all 17 and has no second card: six decks 0.53, no hole card 0.11, doubling
  // after splits -0.13, on 9 to 11 only 0.08, aces split again -0.06 (to 0.05 points).
  const double edge = -real(best_of("es-1977").best.returned - best_of("es-1977").best.staked);
  EXPECT_NEAR(edge, 0.0053, 0.0010);
  // Who may give half of his stake up against a ten loses less.
  EXPECT_LT(-real(best_of("es-euskadi-2010").best.returned) +
                real(best_of("es-euskadi-2010").best.staked),
            edge);
}

TEST(HandOddsTest, splitting_is_worth_something_and_chances_add_up) {
  for (const char* catalogue : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const BestPlay& all = best_of(catalogue);
    EXPECT_GT(all.best.returned - all.best.staked,
              all.never_split.returned - all.never_split.staked);
    EXPECT_LT(all.never_split.win + all.never_split.lose, Ratio(1));
    EXPECT_GT(all.never_split.win + all.never_split.lose, Ratio(Fraction(8, 10)));
  }
}

TEST(HandOddsTest, the_chart_is_the_one_that_everybody_knows) {
  const BestPlay& all = best_of("es-1977");
  const auto first = [&](int a, int b, int dealer) {
    return all.first.at(static_cast<std::size_t>(a - 1))
        .at(static_cast<std::size_t>(b - 1))
        .at(static_cast<std::size_t>(dealer - 1));
  };
  EXPECT_EQ(first(8, 8, 6), Action::split);
  EXPECT_EQ(first(1, 1, 6), Action::split);
  EXPECT_EQ(first(1, 1, 1), Action::hit) << "a blackjack would take both hands";
  EXPECT_EQ(first(8, 8, 10), Action::hit) << "no second card: a blackjack would take both";
  EXPECT_EQ(first(10, 10, 6), Action::stand);
  EXPECT_EQ(first(5, 6, 6), Action::twice);
  EXPECT_EQ(first(5, 6, 10), Action::hit) << "no second card";
  EXPECT_EQ(first(6, 10, 10), Action::hit);
  EXPECT_EQ(first(3, 9, 4), Action::stand);
  EXPECT_EQ(first(2, 10, 4), Action::hit) << "the known exception: its ten is a ten less to come";
  EXPECT_EQ(first(1, 10, 1), Action::stand);
  const BestPlay& euskadi = best_of("es-euskadi-2010");
  EXPECT_EQ(euskadi.first.at(5).at(9).at(9), Action::surrender) << "sixteen against a ten";
}

/// Rounds that play as `all` says; `split`: whether pairs are.
void play_hands(const std::string& catalogue, bool split) {
  const Table table = hands_table(catalogue);
  const Law law_of(table);
  const HandLaw law = *hand_law(law_of, 6);
  const BestPlay& all = best_of(catalogue);
  std::vector<HandsAgainst> against;
  for (std::size_t dealer = 0; dealer < classes_count; ++dealer) against.emplace_back(law, dealer);
  const auto class_of = [&](Card card) {
    return static_cast<std::size_t>(law_of.points(card) - 1);
  };
  auto opened = Driver::start(table, Journal::off);
  ASSERT_TRUE(opened);
  ASSERT_TRUE(opened->apply(ShoeOpened{312, false}));
  while (opened->next_card_place()) ASSERT_TRUE(opened->deal({}));
  ASSERT_TRUE(opened->apply(PlaceBet{"main", 1, {}, "juego-simple", {}, 1000}));
  ASSERT_TRUE(opened->apply(CloseBets{}));
  test::Shoe shoe(shuffle::DeckSpec::parse("french52x6")->cards(), 1977);
  const auto choose = [&](const State& state, const Decide& decide) -> std::string {
    const Hand& hand = state.hands.at(state.turn());
    const std::size_t dealer = class_of(state.dealer.front());
    Counts own{};
    for (const Card card : hand.cards) ++own.at(class_of(card));
    const auto may = [&](const char* action) {
      return std::ranges::find(decide.choices, action, &ActionChoice::action) !=
             decide.choices.end();
    };
    std::size_t a = class_of(hand.cards.at(0));
    std::size_t b = class_of(hand.cards.at(1));
    if (a > b) std::swap(a, b);
    Action action = Action::stand;
    if (a == 0 && b == ten_class && hand.cards.size() == 2 && !hand.split) {
      action = all.first.at(a).at(b).at(dealer);
    } else if (hand.split && class_of(hand.cards.at(0)) == ace_class) {
      action = Action::stand;
    } else {
      action = against.at(dealer).action(own);
    }
    if (hand.cards.size() == 2) {
      const Action first = all.first.at(a).at(b).at(dealer);
      if (first == Action::split && split && may("split")) return "split";
      if (first == Action::surrender && !hand.split) return "surrender";
      if (first == Action::even_money && !hand.split) return "even-money";
    }
    return action == Action::hit ? "hit" : action == Action::twice ? "double" : "stand";
  };
  double sum = 0;
  double squares = 0;
  const int rounds = test::rounds_count();
  for (int round = 0; round < rounds; ++round) {
    Driver driver = *opened;
    shoe.shuffle();
    Fraction gain;
    const auto count = [&] {
      for (const Settlement& one : driver.settled())
        gain += (Fraction(one.returned) + one.remainder - Fraction(one.stake)) / Fraction(1000);
    };
    for (;;) {
      if (driver.next_card_place()) {
        ASSERT_TRUE(driver.deal(shoe.next()));
        count();
        continue;
      }
      const Needs needs = driver.needs();
      const auto* decide = find_need<Decide>(needs);
      if (decide == nullptr) break;
      const auto state = State::from_json(driver.state().to_json());
      ASSERT_TRUE(state) << state.error().text();
      const std::string action = choose(*state, *decide);
      const auto done = driver.apply(Act{1, action, {}, {}, {}, {}});
      ASSERT_TRUE(done) << action << ": " << done.error().text();
      count();
    }
    const double one = static_cast<double>((gain * Fraction(2)).floor()) / 2;
    sum += one;
    squares += one * one;
  }
  const Played& told = split ? all.best : all.never_split;
  const double mean = real(told.returned - told.staked);
  const double variance = squares / rounds - (sum / rounds) * (sum / rounds);
  EXPECT_LE(std::abs(sum - rounds * mean), 4 * std::sqrt(rounds * variance))
      << catalogue << ": " << sum / rounds << " against " << mean;
  if (!split) {
    EXPECT_NEAR(squares / rounds, real(told.square), 0.03) << catalogue;
  }
}

TEST(HandOddsTest, rounds_through_the_driver_agree_in_spain) {
  play_hands("es-1977", true);
}
TEST(HandOddsTest, rounds_through_the_driver_agree_in_valencia) {
  play_hands("es-valencia-2003", true);
}
TEST(HandOddsTest, rounds_through_the_driver_agree_in_euskadi) {
  play_hands("es-euskadi-2010", true);
}
TEST(HandOddsTest, rounds_through_the_driver_that_never_split_agree) {
  play_hands("es-euskadi-2010", false);
}

}  // namespace
}  // namespace talla::games::blackjack
