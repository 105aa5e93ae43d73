// Goal: the odds of trente et quarante are those of its text (05 of es-1977, es-valencia-2003,
//       es-euskadi-2010), in every reading of prison and premium.
// Method: published figures; a small deck whose every deal the engine settles; rounds through the
//         driver; what the readings do, worked out on paper from the chances of the rows.
#include <gtest/gtest.h>

#include <functional>

#include "deck_source.hpp"
#include "games/odds.hpp"
#include "odds/row_odds.hpp"
#include "odds_support.hpp"

namespace talla::games {
namespace {

using trente::Points;

TableOdds rows_of(std::string_view catalogue, json::Value params = json::Object{}) {
  const auto table =
      odds_table(test::catalogue(catalogue), "trente-et-quarante", std::move(params));
  EXPECT_TRUE(table) << table.error().text();
  const auto all = bet_odds(*table);
  EXPECT_TRUE(all) << all.error().text();
  return *all;
}

const Odds& chance_odds(const TableOdds& all, std::string_view bet, bool insured) {
  for (const BetOdds& one : all.bets)
    if (one.bet == bet && one.with.empty() != insured) return one.odds;
  ADD_FAILURE() << bet;
  static const Odds none;
  return none;
}

/// Six decks: the chance of 31-31, and of the other ties.
struct RowTies {
  Ratio refait;
  Ratio other;
};
const RowTies& row_ties() {
  static const RowTies all = [] {
    const Points cards = {0, 24, 24, 24, 24, 24, 24, 24, 24, 24, 96};
    const auto equal = trente::equal_rows(cards, 31);
    RowTies out{equal[0], {}};
    for (std::size_t i = 1; i < equal.size(); ++i) out.other += equal.at(i);
    return out;
  }();
  return all;
}

/// The first ten places behind the point, cut.
std::int64_t first_places(const Ratio& ratio, std::int64_t scale = 10'000'000'000) {
  const WideInt cut = ratio.numerator() * scale / ratio.denominator();
  return cut.convert_to<std::int64_t>();
}

TEST(RowOddsTest, ties_of_six_decks_are_the_published_ones) {
  EXPECT_EQ(first_places(row_ties().refait), 218'913'704) << "0.0218913705";
  EXPECT_EQ(first_places(row_ties().other), 877'075'426) << "0.0877075427";
  EXPECT_EQ(row_ties().refait.text(),
            "45590155731957200269313958556759358571122564966802626914292869/"
            "2082562887505109154360625935442541570063115663760066608463076250")
      << "tests/odds/rows.py";
}

TEST(RowOddsTest, the_four_chances_lose_half_at_31_31_in_every_catalogue) {
  for (const char* catalogue : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const auto all = rows_of(catalogue);
    for (const char* bet : {"rojo", "negro", "color", "inverso"}) {
      const Odds& odds = chance_odds(all, bet, false);
      EXPECT_EQ(odds.house_edge(), row_ties().refait / Ratio(2)) << "published: 1.09456852 %";
      EXPECT_EQ(odds.win, odds.lose);
      EXPECT_EQ(odds.other, row_ties().refait + row_ties().other);
      EXPECT_EQ(first_places(odds.win), 4'452'005'434) << "published: 0.4452005434";
      EXPECT_EQ(odds.staked, Ratio(1));
    }
    ASSERT_EQ(all.others.size(), 1U);
    EXPECT_EQ(all.others[0].bet, "seguro");
  }
}

TEST(RowOddsTest, each_reading_of_the_premium_has_its_own_price) {
  const auto edge = [](const char* policy) {
    return chance_odds(rows_of("es-1977", json::Object{{"insurance_premium_policy", policy}}),
                       "rojo", true)
        .house_edge();
  };
  const Ratio premium(Fraction(1, 100));
  EXPECT_EQ(edge("kept-always"), premium);
  EXPECT_EQ(edge("kept-unless-null"), premium * (Ratio(1) - row_ties().other));
  EXPECT_EQ(edge("kept-when-decided"), premium * (Ratio(1) - row_ties().other - row_ties().refait))
      << "published: 0.8904 %";
  EXPECT_EQ(edge("kept-unless-refait"), premium * (Ratio(1) - row_ties().refait))
      << "published: 0.9781 %";
}

TEST(RowOddsTest, a_prison_that_a_tie_opens_is_better_than_half) {
  // p to be set free by a win or a tie, else again: at the second 31-31 half of half, or prison.
  const Ratio win = (Ratio(1) - row_ties().refait - row_ties().other) / Ratio(2);
  const Ratio freed = win + row_ties().other;
  const Ratio prison =
      freed / (Ratio(1) - row_ties().refait / Ratio(2));  // halved each time: residual
  ASSERT_GT(prison, Ratio(Fraction(1, 2)));
  const auto all = rows_of("es-1977", json::Object{{"prison_on_void", "freed"}});
  EXPECT_EQ(chance_odds(all, "rojo", false).house_edge(), row_ties().refait * (Ratio(1) - prison));
}

TEST(RowOddsTest, where_the_minimum_forces_prison_a_tie_only_delays) {
  const Ratio& tie = row_ties().other;
  const Ratio win = (Ratio(1) - row_ties().refait - tie) / Ratio(2);
  // x = win + tie x + refait x / 2.
  const Ratio prison = win / (Ratio(1) - tie - row_ties().refait / Ratio(2));
  const auto all = rows_of("es-euskadi-2010", json::Object{{"below_minimum", "prison-first"}});
  EXPECT_EQ(chance_odds(all, "negro", false).house_edge(), row_ties().refait * (Ratio(1) - prison));
  EXPECT_LT(prison, Ratio(Fraction(1, 2)));
}

TEST(RowOddsTest, a_table_without_insurance_says_so) {
  const auto all = rows_of("es-valencia-2003", json::Object{{"insurance", false}});
  EXPECT_EQ(all.bets.size(), 4U);
  ASSERT_EQ(all.others.size(), 1U);
  EXPECT_FALSE(all.others[0].reason.empty());
}

TEST(RowOddsTest, a_premium_that_is_lost_at_each_prison_counts_zeros_right) {
  const auto whole = rows_of("es-1977", json::Object{{"second_zero_value", "whole"}});
  EXPECT_EQ(chance_odds(whole, "rojo", false).house_edge(), row_ties().refait / Ratio(2))
      << "a stake that is always set free whole is worth half in prison";
}

/// The bets of one coup: each chance alone (seat 1) and insured (seat 2), of 1,000.
constexpr Units coup_stake = 1000;
constexpr std::array<const char*, 4> row_chances = {"rojo", "negro", "color", "inverso"};

void stake_chances(Driver& driver) {
  for (const char* bet : row_chances) {
    for (const Seat seat : {1U, 2U})
      ASSERT_TRUE(
          driver.apply(PlaceBet{bet + std::to_string(seat), seat, {}, bet, {}, coup_stake}));
    ASSERT_TRUE(driver.apply(
        PlaceBet{std::string("premium-") + bet, 2, {}, "seguro", {bet}, coup_stake / 100}));
  }
  ASSERT_TRUE(driver.apply(CloseBets{}));
}

/// What came back of it, with half of what met 31-31: by bet, the premium with its stake.
std::map<std::string, Fraction> coup_paid(const std::vector<Settlement>& settled) {
  std::map<std::string, Fraction> out;
  for (const Settlement& one : settled) {
    const std::string bet =
        one.bet.starts_with("premium-") ? one.bet.substr(8) + "2" : std::string(one.bet);
    out[bet] +=
        one.result == BetResult::prison ? Fraction(1, 2) : test::exact(one) / Fraction(coup_stake);
  }
  return out;
}

TEST(RowOddsTest, every_deal_of_a_small_deck_is_settled_as_counted) {
  const auto table = odds_table(test::catalogue(), "trente-et-quarante", json::Object{});
  ASSERT_TRUE(table);
  // Six tens, two aces, two fives: 72 points, enough for both rows in any order.
  struct Kind {
    Card card;
    int left;
  };
  std::vector<Kind> deck;
  for (const auto suit : {shuffle::Suit::hearts, shuffle::Suit::spades}) {
    deck.push_back({Card::of(13, suit), 3});
    deck.push_back({Card::of(1, suit), 1});
    deck.push_back({Card::of(5, suit), 1});
  }
  Points cards{};
  cards[10] = 6;
  cards[1] = cards[5] = 2;

  std::map<std::string, Odds> counted;
  std::int64_t ends = 0;
  const std::function<void(const Driver&, int, const Fraction&)> deal =
      [&](const Driver& driver, int left, const Fraction& probability) {
        if (!driver.next_card_place()) {
          ++ends;
          for (const auto& [bet, paid] : coup_paid(driver.settled())) {
            Odds& odds = counted[bet];
            odds.staked = Fraction(bet.back() == '2' ? 101 : 100, 100);
            (Ratio(paid) > odds.staked ? odds.win
             : paid.is_zero()          ? odds.lose
                                       : odds.other) += probability;
            odds.returned += probability * paid;
            const Ratio gain = Ratio(paid) - odds.staked;
            odds.square += Ratio(probability) * gain * gain;
          }
          return;
        }
        for (Kind& kind : deck) {
          if (kind.left == 0) continue;
          Driver next = driver;
          ASSERT_TRUE(next.deal(kind.card));
          const Fraction chosen = probability * Fraction(kind.left, left);
          --kind.left;
          deal(next, left - 1, chosen);
          ++kind.left;
        }
      };
  auto driver = Driver::start(*table, Journal::off);
  ASSERT_TRUE(driver);
  ASSERT_TRUE(driver->apply(ShoeOpened{312, false}));
  stake_chances(*driver);
  deal(*driver, 10, 1);
  EXPECT_GT(ends, 10'000);

  const auto all = row_odds_of(*table, cards);
  ASSERT_TRUE(all) << all.error().text();
  for (const char* bet : row_chances) {
    EXPECT_EQ(counted.at(bet + std::string("1")), chance_odds(*all, bet, false)) << bet;
    EXPECT_EQ(counted.at(bet + std::string("2")), chance_odds(*all, bet, true)) << bet;
  }
  EXPECT_FALSE(trente::equal_rows(cards, 31)[0].is_zero());
}

TEST(RowOddsTest, rounds_through_the_driver_agree) {
  const auto table = odds_table(test::catalogue(), "trente-et-quarante", json::Object{});
  ASSERT_TRUE(table);
  std::vector<Card> cards;
  for (int deck = 0; deck < 6; ++deck) {
    const auto one = test::all_french();
    cards.insert(cards.end(), one.begin(), one.end());
  }
  test::Shoe shoe(std::move(cards), 20261126);
  auto opened = Driver::start(*table, Journal::off);
  ASSERT_TRUE(opened);
  ASSERT_TRUE(opened->apply(ShoeOpened{312, false}));
  stake_chances(*opened);
  std::map<std::string, test::Gains> gains;
  for (int round = 0; round < test::rounds_count(); ++round) {
    Driver driver = *opened;
    shoe.shuffle();
    while (driver.next_card_place()) ASSERT_TRUE(driver.deal(shoe.next()));
    for (const auto& [bet, paid] : coup_paid(driver.settled()))
      gains.try_emplace(bet, 200).first->second.add(paid -
                                                    Fraction(bet.back() == '2' ? 101 : 100, 100));
  }
  const auto all = bet_odds(*table);
  ASSERT_TRUE(all);
  for (const char* bet : row_chances) {
    gains.at(bet + std::string("1"))
        .expect_within_four_deviations(chance_odds(*all, bet, false), bet);
    gains.at(bet + std::string("2"))
        .expect_within_four_deviations(chance_odds(*all, bet, true), bet);
  }
}

}  // namespace
}  // namespace talla::games
