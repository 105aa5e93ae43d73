// Goal: hold'em against the house with one decision has its published edge, and each hand's gain is
//       that of all banks.
// Method: single boards against the bank's hands one by one, suits told apart in another way; in
// the long run all deals.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "deal.hpp"
#include "engines/poker/hand_table.hpp"
#include "odds/poker/holdem.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

using namespace test;

class Holdem : public testing::Test {
 protected:
  const Ranker five_ = ranker(five_card_order());
  /// es-euskadi-2010 16, 10268-10276 and 10406-10428.
  const HoldemLaw law_{.bank_plays_from = value(five_, "4C 4D 5H 3S 2C"),
                       .ante = {{high_card, 1},
                                {pair, 1},
                                {two_pair, 1},
                                {trio, 1},
                                {straight, 1},
                                {flush, 2},
                                {full, 3},
                                {four, 10},
                                {straight_flush, 20},
                                {royal_flush, 100}}};
};

/// Own ranks and common ranks of each suit, the suits in the order of these.
using Shape = std::vector<std::pair<std::vector<int>, std::vector<int>>>;
Shape shape_of(const std::vector<Card>& own, const std::vector<Card>& common) {
  Shape shape(4);
  for (const Card card : own)
    shape[static_cast<std::size_t>(card.suit())].first.push_back(card.rank());
  for (const Card card : common)
    shape[static_cast<std::size_t>(card.suit())].second.push_back(card.rank());
  for (auto& [own_ranks, common_ranks] : shape) {
    std::sort(own_ranks.begin(), own_ranks.end());
    std::sort(common_ranks.begin(), common_ranks.end());
  }
  std::sort(shape.begin(), shape.end());
  return shape;
}

struct Sum {
  std::int64_t gain = 0;
  std::int64_t deals = 0;
};

TEST_F(Holdem, single_boards_agree_with_all_hands_of_the_bank_one_by_one) {
  const auto table = std::move(HandTable<7>::create(five_).value());
  for (const char* text : {"4C 9C KC 9D QH", "2C 3D 5H 7S 8C"}) {
    auto board = cards(text);
    std::sort(board.begin(), board.end());
    std::vector<Card> others;
    for (const Card card : deck("french52x1")) {
      if (std::find(board.begin(), board.end(), card) == board.end()) others.push_back(card);
    }
    CardSum common;
    for (const Card card : board) common = common.with(card);
    std::map<Shape, Sum> decisions;
    each_choice<2>(others, [&](std::span<const Card, 2> own) {
      const HandValue mine = table->value(table->level(common.with(own[0]).with(own[1])));
      const std::int64_t ante = law_.ante.gain(five_.category(mine));
      Sum sum;
      each_choice<2>(others, [&](std::span<const Card, 2> bank) {
        if (std::find_first_of(bank.begin(), bank.end(), own.begin(), own.end()) != bank.end())
          return;
        const HandValue its = table->value(table->level(common.with(bank[0]).with(bank[1])));
        ++sum.deals;
        sum.gain += its < law_.bank_plays_from ? ante : mine > its ? ante + 2 : mine < its ? -3 : 0;
      });
      each_choice<3>(board, [&](std::span<const Card, 3> flop) {
        Sum& decision = decisions[shape_of({own.begin(), own.end()}, {flop.begin(), flop.end()})];
        decision.gain += sum.gain;
        decision.deals += sum.deals;
      });
    });
    std::int64_t net = 0;
    for (const auto& [shape, sum] : decisions) net += std::max(sum.gain, -sum.deals);
    const std::vector<SuitClass> boards{{board, 1}};
    const auto found = holdem_odds(five_, deck("french52x1"), law_, boards).value();
    EXPECT_EQ(found.best.net, net) << text;
    EXPECT_EQ(found.decisions, static_cast<std::int64_t>(decisions.size())) << text;
    EXPECT_EQ(found.best.deals, 10 * 1'081 * 990) << text;
  }
}

TEST_F(Holdem, es_euskadi_16_has_the_published_edge_of_2_16_percent) {
  if (!long_run()) GTEST_SKIP() << "TALLA_LONG=1: ten seconds";
  const auto all = deck("french52x1");
  const auto found = holdem_odds(five_, all, law_, board_classes(all)).value();
  EXPECT_EQ(found.decisions, 1'286'792);
  EXPECT_EQ(found.best.deals, 27'813'810'024'000);
  EXPECT_EQ(found.best.net, -600'123'513'880);
  EXPECT_EQ(found.best.house_edge(), Fraction(1'363'917'077, 63'213'204'600));
}

/// es-aragon-2010 10.1.E, L936-964: the ante of a winner is paid from a straight on.
const HoldemBetsLaw aragon{
    .ante = {
        {straight, 1}, {flush, 1}, {full, 1}, {four, 1}, {straight_flush, 1}, {royal_flush, 1}}};

TEST_F(Holdem, single_boards_with_three_decisions_agree_with_all_hands_of_the_bank_one_by_one) {
  const auto table = std::move(HandTable<7>::create(five_).value());
  auto board = cards("4C 9C KC 9D QH");
  std::sort(board.begin(), board.end());
  std::vector<Card> others;
  for (const Card card : deck("french52x1")) {
    if (std::find(board.begin(), board.end(), card) == board.end()) others.push_back(card);
  }
  CardSum common;
  for (const Card card : board) common = common.with(card);
  struct Node {
    Shape start;
    std::int64_t gain = 0;
  };
  std::map<Shape, Sum> starts;
  std::map<Shape, Node> three;
  std::map<Shape, Node> four_cards;
  each_choice<2>(others, [&](std::span<const Card, 2> own) {
    const std::vector<Card> mine(own.begin(), own.end());
    const Shape start = shape_of(mine, {});
    const HandValue value = table->value(table->level(common.with(own[0]).with(own[1])));
    std::int64_t wins = 0;
    std::int64_t losses = 0;
    each_choice<2>(others, [&](std::span<const Card, 2> bank) {
      if (std::find_first_of(bank.begin(), bank.end(), own.begin(), own.end()) != bank.end())
        return;
      const HandValue its = table->value(table->level(common.with(bank[0]).with(bank[1])));
      wins += value > its;
      losses += value < its;
    });
    const std::int64_t ante = five_.category(value) >= straight ? 1 : 0;
    // Twenty orders of the common cards, two when the first three are known, four when the first
    // four are.
    starts[start].gain += 20 * (wins * (ante + 2) - 3 * losses);
    starts[start].deals += 20 * 990;
    each_choice<3>(board, [&](std::span<const Card, 3> known) {
      Node& node = three[shape_of(mine, {known.begin(), known.end()})];
      node.start = start;
      node.gain += 2 * (wins - losses);
    });
    each_choice<4>(board, [&](std::span<const Card, 4> known) {
      Node& node = four_cards[shape_of(mine, {known.begin(), known.end()})];
      node.start = start;
      node.gain += 4 * (wins - losses);
    });
  });
  for (const auto* nodes : {&three, &four_cards}) {
    for (const auto& [shape, node] : *nodes)
      starts[node.start].gain += std::max<std::int64_t>(node.gain, 0);
  }
  std::int64_t net = 0;
  for (const auto& [shape, sum] : starts) net += std::max(sum.gain, -sum.deals);
  const std::vector<SuitClass> boards{{board, 1}};
  const auto found = holdem_bets_odds(five_, deck("french52x1"), aragon, boards).value();
  EXPECT_EQ(found.best.net, net);
  EXPECT_EQ(found.three_decisions, static_cast<std::int64_t>(three.size()));
  EXPECT_EQ(found.four_decisions, static_cast<std::int64_t>(four_cards.size()));
  EXPECT_EQ(found.best.deals, 20 * 1'081 * 990);
}

}  // namespace
}  // namespace talla::games::poker
