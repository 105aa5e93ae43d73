// Goal: rounds through the driver pay what trijoker and Caribbean stud are worth.
// Method: 10^5 hands from decks shuffled anew (10^7 in the long run). At trijoker a bet stays where
//   all cards that may come leave it a gain; at Caribbean stud second bets follow with an ace, a
//   king, a jack, an eight and a three or more, a play whose count is published. Within four
//   deviations of the exact figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "deck_source.hpp"
#include "odds_support.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

int ace_high(Card card) {
  return card.rank() == 1 ? 14 : card.rank();
}

/// Ranks by how often they come, then by height; kind of hand from 0 (nothing) to 8.
struct FiveCards {
  int kind = 0;
  std::array<int, 5> ranks{};
  auto operator<=>(const FiveCards&) const = default;
};
FiveCards five_cards(const std::array<Card, 5>& cards) {
  std::array<int, 15> times{};
  for (const Card card : cards) ++times.at(static_cast<std::size_t>(ace_high(card)));
  FiveCards out;
  std::ranges::transform(cards, out.ranks.begin(), ace_high);
  const auto of = [&](int rank) { return times.at(static_cast<std::size_t>(rank)); };
  std::ranges::sort(out.ranks,
                    [&](int a, int b) { return of(a) != of(b) ? of(a) > of(b) : a > b; });
  const int most = of(out.ranks[0]);
  const bool flush =
      std::ranges::all_of(cards, [&](Card card) { return card.suit() == cards.front().suit(); });
  const bool wheel = out.ranks == std::array{14, 5, 4, 3, 2};
  const bool run = most == 1 && (wheel || out.ranks[0] - out.ranks[4] == 4);
  if (wheel) out.ranks = {5, 4, 3, 2, 1};
  const bool two = of(out.ranks[3]) == 2 || (most == 2 && of(out.ranks[2]) == 2);
  if (most == 4) out.kind = 7;
  if (most == 3) out.kind = two ? 6 : 3;
  if (most == 2) out.kind = two ? 2 : 1;
  if (run || flush) out.kind = run && flush ? 8 : flush ? 5 : 4;
  return out;
}

/// What a chip of trijoker gains.
int trijoker_gain(const std::array<Card, 5>& cards) {
  const FiveCards hand = five_cards(cards);
  if (hand.kind == 8 && hand.ranks[0] == 14) return 500;
  constexpr std::array<int, 9> pays = {-1, 1, 2, 3, 5, 8, 11, 50, 200};
  return hand.kind == 1 && hand.ranks[0] < 11 ? -1 : pays.at(static_cast<std::size_t>(hand.kind));
}

/// Sets of cards that differ in the names of suits alone have one word.
std::string word_of(const std::vector<Card>& cards) {
  std::array<std::string, 4> suits;
  for (const Card card : cards)
    suits.at(static_cast<std::size_t>(card.suit())) += static_cast<char>('A' + ace_high(card));
  for (std::string& one : suits) std::ranges::sort(one);
  std::ranges::sort(suits);
  return suits[0] + "," + suits[1] + "," + suits[2] + "," + suits[3];
}

/// Gains of three or four cards, summed over all that may come.
class Coming {
 public:
  std::int64_t of(std::vector<Card> cards) {
    const auto [at, fresh] = known_.try_emplace(word_of(cards), 0);
    if (!fresh) return at->second;
    std::int64_t sum = 0;
    for (const Card next : deck_) {
      if (std::ranges::find(cards, next) != cards.end()) continue;
      cards.push_back(next);
      sum += cards.size() == 5 ? trijoker_gain({cards[0], cards[1], cards[2], cards[3], cards[4]})
                               : of(cards);
      cards.pop_back();
    }
    return known_[word_of(cards)] = sum;
  }

 private:
  std::vector<Card> deck_ = test::all_french();
  std::map<std::string, std::int64_t> known_;
};

Odds odds_of_bet(const Table& table, const std::string& bet) {
  const auto all = bet_odds(table);
  EXPECT_TRUE(all);
  const auto found = std::ranges::find(all->bets, bet, &BetOdds::bet);
  EXPECT_NE(found, all->bets.end()) << bet;
  return found == all->bets.end() ? Odds{} : found->odds;
}

TEST(RoundOddsOfPokerTest, hands_of_trijoker_agree) {
  const auto table = odds_table(test::catalogue("es-euskadi-2010"), "trijoker", {});
  ASSERT_TRUE(table);
  test::Shoe shoe(test::all_french(), 20261129);
  auto opened = Driver::start(*table);
  ASSERT_TRUE(opened);
  test::DeckSource none({});
  ASSERT_TRUE(opened->advance(none, none));
  ASSERT_TRUE(opened->apply(test::stake("b", "tres-apuestas", 3000, {}, 1)));
  ASSERT_TRUE(opened->apply(CloseBets{}));
  Coming coming;
  std::array gains = {test::Gains(1), test::Gains(1), test::Gains(1)};
  for (int round = 0; round < test::rounds_count(); ++round) {
    shoe.shuffle();
    std::vector<Card> deck;
    for (int i = 0; i < 5; ++i) deck.push_back(shoe.next());
    // The player's cards, and between them the two common ones.
    const std::vector<Card> own = {deck[0], deck[2], deck[4]};
    const std::vector<Card> more = {deck[0], deck[2], deck[4], deck[1]};
    test::DeckSource source(std::move(deck));
    Driver driver = *opened;
    ASSERT_TRUE(driver.advance(source, source));
    ASSERT_TRUE(driver.apply(Act{1, coming.of(own) > 0 ? "dejar" : "retirar-1", {}, {}, {}, {}}));
    ASSERT_TRUE(driver.advance(source, source));
    ASSERT_TRUE(driver.apply(Act{1, coming.of(more) > 0 ? "dejar" : "retirar-2", {}, {}, {}, {}}));
    ASSERT_TRUE(driver.advance(source, source));
    const auto settled = driver.take_settlements();
    ASSERT_EQ(settled.size(), gains.size());
    for (const Settlement& one : settled)
      gains.at(static_cast<std::size_t>(one.bet.back() - '1'))
          .add(Fraction(one.returned - one.stake, 1000));
  }
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const std::string bet = "apuesta-" + std::to_string(i + 1);
    gains.at(i).expect_within_four_deviations(odds_of_bet(*table, bet), bet);
  }
}

TEST(RoundOddsOfPokerTest, hands_of_caribbean_stud_agree) {
  const auto table = odds_table(test::catalogue("es-valencia-2003"), "caribbean-stud", {});
  ASSERT_TRUE(table);
  test::Shoe shoe(test::all_french(), 20261130);
  auto opened = Driver::start(*table);
  ASSERT_TRUE(opened);
  test::DeckSource none({});
  ASSERT_TRUE(opened->advance(none, none));
  ASSERT_TRUE(opened->apply(test::stake("a", "apuesta-inicial", 1000, {}, 1)));
  ASSERT_TRUE(opened->apply(CloseBets{}));
  test::Gains gains(1);
  const FiveCards least{0, {14, 13, 11, 8, 3}};
  for (int round = 0; round < test::rounds_count(); ++round) {
    shoe.shuffle();
    std::vector<Card> deck;
    for (int i = 0; i < 10; ++i) deck.push_back(shoe.next());
    const bool goes = five_cards({deck[0], deck[2], deck[4], deck[6], deck[8]}) >= least;
    test::DeckSource source(std::move(deck));
    Driver driver = *opened;
    ASSERT_TRUE(driver.advance(source, source));
    ASSERT_TRUE(driver.apply(Act{1, goes ? "voy" : "paso", {}, {}, {}, {}}));
    ASSERT_TRUE(driver.advance(source, source));
    Units net = goes ? -3000 : -1000;
    for (const Settlement& one : driver.take_settlements()) net += one.returned;
    gains.add(Fraction(net, 1000));
  }
  // Published of this play, 1,059,715,400,580, and what 25 for a straight flush costs beside 50.
  Odds odds = odds_of_bet(*table, "apuesta-inicial");
  const Ratio deals(Fraction(19'933'230'517'200, 1));
  const Ratio cost(Fraction(1'049'219'398'372 - 1'041'372'912'372, 1));
  odds.returned = odds.staked - (Ratio(Fraction(1'059'715'400'580, 1)) + cost) / deals;
  gains.expect_within_four_deviations(odds, "apuesta-inicial");
}

}  // namespace
}  // namespace talla::games
