// Goal: charts and advice say what the best play is, and what another choice costs.
// Method: the chart played by is the best play less than its cost; a hand's best choice is the one
//   of the best play; what cannot lie on the table is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "games/advice.hpp"
#include "games/errc.hpp"
#include "games/odds.hpp"
#include "odds/blackjack/chart.hpp"
#include "odds/blackjack/hands_against.hpp"
#include "play_support.hpp"

namespace talla::games::blackjack {
namespace {

Table advice_table(const std::string& catalogue, const std::string& game = "blackjack",
                   json::Value params = json::Object{}) {
  return odds_table(test::catalogue(catalogue), game, std::move(params)).value();
}

std::vector<Card> cards(std::string_view text) {
  std::vector<Card> out;
  for (std::size_t at = 0; at < text.size(); at += 2)
    out.push_back(Card::parse(text.substr(at, 2)).value());
  return out;
}

Result<Advice> advised(const Table& table, std::string_view hand, std::string_view bank) {
  return advice(table, {cards(hand), cards(bank)});
}

TEST(AdviceTest, who_is_told_the_best_of_every_hand_plays_the_best) {
  const Table table = advice_table("es-euskadi-2010");
  const HandLaw law = *hand_law(Law(table), 1);
  const BestPlay best = best_play(law);
  std::vector<HandsAgainst> against;
  for (std::size_t dealer = 0; dealer < classes_count; ++dealer) against.emplace_back(law, dealer);
  const Played told = told_play(
      law, {.first = [&](auto a, auto b, auto dealer) { return best.first.at(a).at(b).at(dealer); },
            .later = [&](const Counts& own, auto,
                         auto dealer) { return against.at(dealer).action(own); }});
  EXPECT_EQ(told.returned, best.best.returned);
  EXPECT_EQ(told.staked, best.best.staked);
}

TEST(AdviceTest, a_chart_costs_little_and_never_gains) {
  const Table table = advice_table("es-1977");
  const PlayChart chart = play_chart(table).value();
  EXPECT_GE(chart.chart_edge, chart.best_edge);
  EXPECT_LT(chart.chart_edge - chart.best_edge, Ratio(Fraction(2, 10'000)));
  for (const auto* rows : {&chart.hard, &chart.soft, &chart.pairs})
    for (const ChartRow& row : *rows) EXPECT_EQ(row.against.size(), chart.dealer.size());
  const auto cell = [&](const std::vector<ChartRow>& rows, const char* hand, const char* dealer) {
    const auto row = std::ranges::find(rows, hand, &ChartRow::hand);
    const auto at = std::ranges::find(chart.dealer, dealer) - chart.dealer.begin();
    return row->against.at(static_cast<std::size_t>(at));
  };
  EXPECT_EQ(cell(chart.hard, "16", "10"), (ChartCell{"hit", "hit"}));
  EXPECT_EQ(cell(chart.hard, "12", "4"), (ChartCell{"stand", "stand"}));
  EXPECT_EQ(cell(chart.hard, "11", "6"), (ChartCell{"double", "hit"}));
  EXPECT_EQ(cell(chart.hard, "20", "6"), (ChartCell{"stand", "stand"}));
  EXPECT_EQ(cell(chart.soft, "A-7", "9").action, "hit");
  EXPECT_EQ(cell(chart.pairs, "8-8", "6").action, "split");
  const auto known = std::ranges::find_if(chart.exceptions, [](const ChartException& one) {
    return one.hand == "2-10" && one.dealer == "4";
  });
  ASSERT_NE(known, chart.exceptions.end()) << "the known one";
  EXPECT_EQ(known->action, "hit");
}

TEST(AdviceTest, letters_are_told_apart_and_a_picture_has_every_cell) {
  for (const char* language : {"es", "en"}) {
    std::vector<std::string_view> seen;
    for (const ChartWord& one : chart_legend(language)) {
      EXPECT_EQ(std::ranges::find(seen, one.letters), seen.end()) << one.letters;
      seen.push_back(one.letters);
    }
  }
  const PlayChart chart = play_chart(advice_table("es-euskadi-2010")).value();
  const std::string picture = chart_svg(chart, "Black Jack <1>", "es");
  std::size_t cells = 0;
  for (std::size_t at = 0; (at = picture.find("<rect x", at)) != std::string::npos; ++at) ++cells;
  EXPECT_EQ(cells, 10 * (chart.hard.size() + chart.soft.size() + chart.pairs.size()));
  EXPECT_NE(picture.find("&lt;1&gt;"), std::string::npos);
  EXPECT_EQ(picture.find("<1>"), std::string::npos);
}

TEST(AdviceTest, the_best_choice_is_the_best_play_and_each_names_its_section) {
  const Table table = advice_table("es-euskadi-2010");
  const HandLaw law = *hand_law(Law(table), 6);
  const HandsAgainst hands(law, ten_class);
  const auto told = advised(table, "9S7H", "KD");
  ASSERT_TRUE(told);
  EXPECT_EQ(told->choices.front().action, "surrender");
  EXPECT_EQ(told->choices.front().rule, "03 V.1.g");
  const auto hit = std::ranges::find(told->choices, "hit", &Choice::action);
  ASSERT_NE(hit, told->choices.end());
  Counts own{};
  ++own[8];
  ++own[6];
  EXPECT_EQ(hit->gain, Ratio(WideInt(hands.best(own).net()), WideInt(hands.all())));
  EXPECT_TRUE(std::ranges::is_sorted(told->choices, std::greater(), &Choice::gain));
}

TEST(AdviceTest, a_hand_of_three_cards_is_worth_what_it_was_drawn_to_be) {
  // To hit is worth the mean of what the hands with one card more are worth at their best.
  const Table table = advice_table("es-1977");
  const auto best = [&](const std::string& hand) {
    return advised(table, hand, "TD")->choices.front().gain;
  };
  const auto told = advised(table, "2H9S", "TD");
  ASSERT_TRUE(told);
  const auto hit = std::ranges::find(told->choices, "hit", &Choice::action);
  ASSERT_NE(hit, told->choices.end());
  Ratio sum;
  constexpr std::string_view ranks = "A23456789T";
  for (const char rank : ranks) {
    const bool seen = rank == '2' || rank == '9' || rank == 'T';
    const int left = (rank == 'T' ? 96 : 24) - (seen ? 1 : 0);
    sum += Ratio(left) * best(std::string("2H9S") + rank + "C");
  }
  EXPECT_EQ(hit->gain, sum / Ratio(309));
}

TEST(AdviceTest, a_pair_may_be_split_and_a_blackjack_be_insured) {
  const Table table = advice_table("es-euskadi-2010");
  const auto eights = advised(table, "8S8H", "6D");
  ASSERT_TRUE(eights);
  EXPECT_EQ(eights->choices.front().action, "split");
  const auto natural = advised(table, "ASKH", "AD");
  ASSERT_TRUE(natural);
  EXPECT_EQ(natural->choices.size(), 2U) << "even money or what comes";
  ASSERT_EQ(natural->beside.size(), 1U);
  EXPECT_EQ(natural->beside.front().gain, Ratio(Fraction(95 * 3 - 309, 309)));
}

TEST(AdviceTest, what_cannot_lie_there_is_refused) {
  const Table table = advice_table("es-1977");
  const auto refused = [&](const Table& at, std::string_view hand, std::string_view bank) {
    const auto told = advised(at, hand, bank);
    return !told && told.error().is(Errc::card_invalid);
  };
  EXPECT_TRUE(refused(table, "8S", "6D")) << "one card";
  EXPECT_TRUE(refused(table, "8S8H", "")) << "no card of the dealer";
  EXPECT_TRUE(refused(table, "8S8H", "6D7D")) << "two of them";
  EXPECT_TRUE(refused(table, "KSQHTD", "6D")) << "over";
  EXPECT_TRUE(refused(table, "2S2S2S2S2S2S2S", "6D")) << "six decks have it six times";
  EXPECT_TRUE(refused(table, "2o3o", "6D")) << "another deck";
  const Table caribbean = advice_table("es-euskadi-2010", "caribbean-stud");
  EXPECT_TRUE(refused(caribbean, "ASKSQSJSTS", "AS")) << "twice there";
  EXPECT_TRUE(refused(caribbean, "ASKSQSJSTS", "")) << "one of the bank's lies open";
  EXPECT_TRUE(refused(caribbean, "ASKSQSJS", "2D"));
  const auto wheel = advised(advice_table("es-1977", "french-roulette"), "8S8H", "6D");
  EXPECT_TRUE(!wheel && wheel.error().is(Errc::game_not_available));
}

TEST(AdviceTest, a_card_is_bought_where_that_returns_more) {
  const Table table =
      advice_table("es-euskadi-2010", "caribbean-stud", json::Object{{"card_purchase", true}});
  const auto told = advised(table, "ASKSQSJS2D", "3D");
  ASSERT_TRUE(told);
  EXPECT_EQ(told->choices.size(), 7U) << "to go, to pass, five cards to give up";
  EXPECT_EQ(told->choices.front().action, "comprar");
  EXPECT_EQ(told->choices.front().cards, cards("2D")) << "four to a royal flush";
  EXPECT_EQ(told->choices.front().rule, "11 VI.3");
}

}  // namespace
}  // namespace talla::games::blackjack
