// Goal: a law of payment is what the text says of one round: its ends are those that the engine
//       settles, its probabilities those of the odds, and no other payment is one of its ends.
// Method: means and squares against the odds of every wheel and punto y banca of every catalogue;
//   a shoe of seven cards played in every order; settlements changed in one figure each.
#include <gtest/gtest.h>

#include <numeric>

#include "engines/baccarat/rules.hpp"
#include "games/payment_law.hpp"
#include "watched_table.hpp"

namespace talla::games {
namespace {

using test::catalogue;
using test::table_of;

/// In one round, the better of two ways that pay differently.
Fraction best_of(const PaidEnd& end) {
  Fraction best;
  for (const Paid& way : end.ways) best = std::max(best, way.factor);
  return best;
}

bool has_choice(const PaymentLaw& law) {
  return std::ranges::any_of(law.ends, [](const PaidEnd& end) { return end.ways.size() > 1; });
}

TEST(PaymentLaw, has_the_mean_and_the_variance_of_the_odds_in_every_catalogue) {
  int wheels = 0;
  int laws_count = 0;
  for (const auto& file : embedded_catalogues()) {
    const auto loaded = catalogue(file.id);
    for (const GameRules& rules : loaded->games) {
      if (rules.family != "wheel" && rules.family != "baccarat") continue;
      const auto table = odds_table(loaded, rules.id, json::Object{});
      if (!table) continue;
      const auto laws = payment_laws(*table);
      ASSERT_TRUE(laws) << file.id << " " << rules.id << ": " << laws.error().text();
      const auto odds = bet_odds(*table);
      ASSERT_TRUE(odds);
      ++wheels;
      for (const PaymentLaw& law : *laws) {
        const auto of = std::ranges::find_if(odds->bets, [&](const BetOdds& one) {
          return one.bet == law.bet &&
                 (law.on.empty() || std::ranges::find(one.on, law.on.front()) != one.on.end());
        });
        ASSERT_NE(of, odds->bets.end()) << rules.id << " " << law.bet;
        Ratio whole;
        Ratio mean;
        Ratio square;
        for (const PaidEnd& end : law.ends) {
          const Ratio gain = Ratio(best_of(end)) - Ratio(1);
          whole += end.probability;
          mean += end.probability * Ratio(best_of(end));
          square += end.probability * gain * gain;
        }
        EXPECT_EQ(whole, Ratio(1)) << rules.id << " " << law.bet;
        EXPECT_EQ(mean, of->odds.returned) << rules.id << " " << law.bet;
        EXPECT_EQ(square, of->odds.square) << rules.id << " " << law.bet;
        ++laws_count;
      }
    }
  }
  EXPECT_GE(wheels, 14);
  EXPECT_GE(laws_count, 100);
}

TEST(PaymentLaw, an_even_chance_at_the_zero_is_one_end_whatever_its_owner_chooses) {
  const auto table = table_of(catalogue(), "french-roulette");
  const auto laws = payment_laws(table);
  ASSERT_TRUE(laws);
  const auto red =
      std::ranges::find_if(*laws, [](const PaymentLaw& law) { return law.bet == "rojo"; });
  ASSERT_NE(red, laws->end());
  ASSERT_TRUE(has_choice(*red));
  ASSERT_EQ(red->ends.size(), 3U);
  const auto zero = std::ranges::find_if(
      red->ends, [](const PaidEnd& end) { return end.probability == Ratio(Fraction(1, 37)); });
  ASSERT_NE(zero, red->ends.end());
  EXPECT_EQ(zero->ways, (std::vector<Paid>{{BetResult::prison, 0}, {BetResult::half, {1, 2}}}));
}

TEST(PaymentLaw, of_a_coup_from_seven_cards_is_every_order_of_them_played) {
  const auto table = table_of(catalogue(), "punto-banco");
  const auto& figures = table.prepared<baccarat::Prepared>().figures;
  const std::vector<int> ranks = {1, 3, 6, 7, 8, 9, 12};
  std::vector<shuffle::Card> gone;
  for (int deck = 0; deck < 8; ++deck) {
    for (int rank = 1; rank <= 13; ++rank) {
      for (const auto suit : {shuffle::Suit::spades, shuffle::Suit::hearts, shuffle::Suit::diamonds,
                              shuffle::Suit::clubs}) {
        const bool kept = deck == 0 && suit == shuffle::Suit::spades &&
                          std::ranges::find(ranks, rank) != ranks.end();
        if (!kept) gone.push_back(shuffle::Card::of(rank, suit));
      }
    }
  }
  const auto laws = payment_laws(table, gone);
  ASSERT_TRUE(laws) << laws.error().text();
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), 0);
  std::map<baccarat::Hand, int> won;
  int orders = 0;
  do {
    std::array<shuffle::Card, 6> cards{};
    for (std::size_t i = 0; i < cards.size(); ++i)
      cards[i] = shuffle::Card::of(ranks[order[i]], shuffle::Suit::spades);
    ++won[baccarat::play_coup(figures, cards).winner];
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(orders, 5040);
  for (const PaymentLaw& law : *laws) {
    const auto hand = law.bet == "punto" ? baccarat::Hand::punto : baccarat::Hand::banca;
    Ratio wins;
    for (const PaidEnd& end : law.ends)
      if (end.ways.front().result == BetResult::win) wins += end.probability;
    EXPECT_EQ(wins, Ratio(Fraction(won[hand], orders))) << law.bet;
  }
}

TEST(PaymentLaw, cards_that_the_shoe_has_not_are_refused) {
  const auto table = table_of(catalogue(), "punto-banco");
  const auto code = [&](const std::vector<shuffle::Card>& gone) {
    const auto laws = payment_laws(table, gone);
    return laws ? std::string() : std::string(laws.error().code);
  };
  const auto nine = shuffle::Card::of(9, shuffle::Suit::clubs);
  EXPECT_EQ(code(std::vector(8, nine)), "");
  EXPECT_EQ(code(std::vector(9, nine)), "card_invalid") << "eight decks have eight of each card";
  EXPECT_EQ(code({shuffle::Card::joker()}), "card_invalid");
  EXPECT_EQ(code({shuffle::Card::ball(7)}), "card_invalid");
}

TEST(PaymentLaw, other_games_are_refused_in_words) {
  const auto laws = payment_laws(table_of(catalogue(), "craps"));
  ASSERT_FALSE(laws);
  EXPECT_EQ(laws.error().code, "game_not_available");
  EXPECT_NE(laws.error().detail.find("craps"), std::string::npos);
}

/// One figure of an honest settlement changed at a time: none of them is an end of the law.
TEST(PaymentLaw, a_payment_that_the_law_does_not_know_is_no_end_of_it) {
  const auto table = table_of(catalogue(), "punto-banco");
  const auto laws = payment_laws(table);
  ASSERT_TRUE(laws);
  const PaymentLaw& banca = laws->at(1);
  ASSERT_EQ(banca.bet, "banca");
  const Settlement won{.bet = "b",
                       .seat = 1,
                       .kind = "banca",
                       .stake = 1010,
                       .result = BetResult::win,
                       .returned = 1969,
                       .remainder = Fraction(1, 2),
                       .rule = "09 V"};
  ASSERT_TRUE(end_of(banca, table, won)) << "1010 x 1.95 is 1969 and a half";
  const auto refused = [&](const char* what, const std::function<void(Settlement&)>& change) {
    Settlement one = won;
    change(one);
    EXPECT_FALSE(end_of(banca, table, one)) << what;
  };
  refused("one unit too much", [](Settlement& one) { ++one.returned; });
  refused("one unit too little", [](Settlement& one) { --one.returned; });
  refused("no commission", [](Settlement& one) { one.returned = 2020, one.remainder = 0; });
  refused("a unit called a remainder", [](Settlement& one) {
    --one.returned;
    one.remainder = Fraction(3, 2);
  });
  refused("rounded up where the table rounds down", [](Settlement& one) {
    ++one.returned;
    one.remainder = Fraction(-1, 2);
  });
  refused("a remainder forgotten", [](Settlement& one) { one.remainder = 0; });
  refused("a win called a push", [](Settlement& one) { one.result = BetResult::push; });
  refused("a loss that pays", [](Settlement& one) { one.result = BetResult::lose; });
  refused("a win that pays nothing", [](Settlement& one) { one.returned = 0, one.remainder = 0; });
  refused("another stake", [](Settlement& one) { one.stake = 1000; });
  refused("no stake", [](Settlement& one) { one.stake = 0; });
}

}  // namespace
}  // namespace talla::games
