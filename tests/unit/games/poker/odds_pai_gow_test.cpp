// Goal: pai gow is counted exactly: every way of the bank against every way of the client, and the
//   best way, which may set a hand wrongly where that loses the high hand alone.
// Method: a deck of four ranks and the joker, where every deal can be played one by one, every two
//   cards laid low; one of seven ranks, where hands without a pair come too, for what may be set.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "deal.hpp"
#include "engines/pai_gow/settle.hpp"
#include "odds/poker/pai_gow.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

using namespace test;
using pai_gow::house_ways_count;

constexpr std::int64_t all_orders = 24;  // of four aces, the joker among them
constexpr int small_ranks = 4;
using SevenCards = std::array<Card, pai_gow::hand_cards>;

/// One hand, and what each house way makes of it in so many of its orders.
struct SetHand {
  SevenCards cards;
  std::uint64_t bits = 0;
  std::array<std::vector<std::pair<pai_gow::Hands, std::int64_t>>, house_ways_count> ways;
};

/// What each house way makes of it.
std::array<pai_gow::Hands, house_ways_count> set_by_ways(const Ranker& worth,
                                                         const SevenCards& hand) {
  const auto options = pai_gow::legal_options(worth, hand);
  std::array<pai_gow::Hands, house_ways_count> out;
  for (const pai_gow::HouseWay way : pai_gow::all_house_ways) {
    const auto low = pai_gow::house_low(worth, hand, options, way);
    out.at(static_cast<std::size_t>(way)) =
        std::ranges::find(options, low, &pai_gow::Option::low)->hands;
  }
  return out;
}

SetHand set_hand(const Ranker& worth, SevenCards hand) {
  const auto is_ace = [](Card card) { return card.is_joker() || card.rank() == 1; };
  SetHand out{.cards = hand, .bits = 0, .ways = {}};
  const auto aces_end = std::stable_partition(hand.begin(), hand.end(), is_ace);
  const bool parts =
      aces_end - hand.begin() == 4 &&
      std::count_if(hand.begin(), aces_end, [](Card card) { return card.is_joker(); }) == 1;
  const auto add = [&](std::int64_t orders) {
    const auto made = set_by_ways(worth, hand);
    for (std::size_t way = 0; way < made.size(); ++way)
      out.ways.at(way).emplace_back(made.at(way), orders);
    return made;
  };
  if (!parts) {
    const auto made = add(all_orders);
    std::ranges::reverse(hand);
    const auto again = set_by_ways(worth, hand);
    for (std::size_t way = 0; way < made.size(); ++way)
      EXPECT_TRUE(again.at(way).high == made.at(way).high && again.at(way).low == made.at(way).low);
    return out;
  }
  std::sort(hand.begin(), aces_end);
  do {
    add(1);
  } while (std::next_permutation(hand.begin(), aces_end));
  return out;
}

/// Every way to set it, wrongly too.
std::vector<pai_gow::Hands> all_settings(const Ranker& worth, const SevenCards& hand) {
  std::vector<pai_gow::Hands> out;
  for (std::size_t i = 0; i < hand.size(); ++i)
    for (std::size_t j = i + 1; j < hand.size(); ++j)
      out.push_back(pai_gow::hands_of(worth, hand, {i, j}));
  return out;
}

/// Every hand of the small deck.
std::vector<SetHand> all_hands(const Ranker& worth) {
  std::vector<Card> cards;
  for (const Card card : deck("french52x1"))
    if (card.rank() == 1 || card.rank() + small_ranks > ranks_count + 1) cards.push_back(card);
  cards.push_back(Card::joker());
  std::vector<SetHand> out;
  std::array<Place, pai_gow::hand_cards> at{0, 1, 2, 3, 4, 5, 6};
  do {
    SevenCards hand;
    for (std::size_t i = 0; i < at.size(); ++i) hand.at(i) = cards.at(at.at(i));
    out.push_back(set_hand(worth, hand));
    for (const Place one : at) out.back().bits |= std::uint64_t{1} << one;
  } while (next_set(at, cards.size()));
  return out;
}

void add(PaiGowSums& sums, pai_gow::Outcome outcome, std::int64_t times) {
  sums.deals += times;
  sums.win += outcome == pai_gow::Outcome::win ? times : 0;
  sums.lose += outcome == pai_gow::Outcome::lose ? times : 0;
}

Fraction chance(std::int64_t part, const PaiGowSums& sums) {
  return {part, sums.deals};
}
void expect_alike(const PaiGowSums& made, const PaiGowSums& played) {
  EXPECT_EQ(chance(made.win, made), chance(played.win, played));
  EXPECT_EQ(chance(made.lose, made), chance(played.lose, played));
}

using Told = std::array<std::array<PaiGowSums, house_ways_count>,
                        house_ways_count>;  // by the bank's way, then the client's

void play(const SetHand& client, const SetHand& bank, std::int64_t times, Told& told) {
  for (std::size_t its = 0; its < told.size(); ++its)
    for (std::size_t way = 0; way < told.size(); ++way)
      for (const auto& [own, own_orders] : client.ways.at(way))
        for (const auto& [other, other_orders] : bank.ways.at(its))
          add(told.at(its).at(way), pai_gow::against(own, other, true),
              times * own_orders * other_orders);
}

/// What the best of these settings of a hand does against each hand of the bank beside it.
PaiGowSums play_best(const std::vector<pai_gow::Hands>& settings, const std::vector<SetHand>& banks,
                     std::size_t its, const PaiGowAim& aim) {
  PaiGowSums best;
  Fraction most(-1);
  for (const auto& option : settings) {
    PaiGowSums sums;
    for (const SetHand& bank : banks)
      for (const auto& [other, orders] : bank.ways.at(its))
        add(sums, pai_gow::against(option, other, !aim.wrongly), orders);
    const Fraction brings =
        (Fraction(1) - aim.commission) * Fraction(sums.win) - Fraction(sums.lose);
    if (best.deals != 0 && brings <= most) continue;
    best = sums;
    most = brings;
  }
  return best;
}

/// A deck of four ranks and the joker under one reading, every hand of it set.
struct SmallGame {
  SmallGame(JokerMode joker, bool full_kickers) : worth(small_ranker(joker, full_kickers)) {}
  static Ranker small_ranker(JokerMode joker, bool full_kickers) {
    auto order = pai_gow_order(joker);
    order.lowest_rank = 10;
    order.full_kickers = full_kickers;
    return ranker(order);
  }

  Ranker worth;
  std::vector<SetHand> all = all_hands(worth);
  PaiGowHands hands{worth, small_ranks};
  PaiGow game{hands};
};
const std::vector<SmallGame>& small_games() {
  static const auto made = [] {
    std::vector<SmallGame> out;
    out.reserve(2);  // a game knows where its hands stand
    out.emplace_back(JokerMode::ace_or_completer, true);
    out.emplace_back(JokerMode::ace_only, false);
    return out;
  }();
  return made;
}

/// The first hand of each class.
std::map<std::uint32_t, const SetHand*> firsts(const PaiGowHands& hands,
                                               const std::vector<SetHand>& all) {
  std::map<std::uint32_t, const SetHand*> out;
  for (std::size_t i = 0; i < all.size(); ++i) out.emplace(hands.class_of(i), &all.at(i));
  return out;
}

TEST(PaiGowOdds, house_ways_against_each_other_win_and_lose_as_every_deal_does_one_by_one) {
  for (const auto& [worth, all, hands, game] : small_games()) {
    Told told{};
    for (const auto& [one, client] : firsts(hands, all))
      for (const SetHand& its : all)
        if ((client->bits & its.bits) == 0) play(*client, its, hands.hands(one), told);
    for (std::size_t bank = 0; bank < told.size(); ++bank) {
      const auto odds = game.against(static_cast<pai_gow::HouseWay>(bank), {});
      for (std::size_t way = 0; way < told.size(); ++way)
        expect_alike(odds.ways.at(way), told.at(bank).at(way));
    }
  }
}

TEST(PaiGowOdds, best_setting_is_the_best_of_all_that_are_played_out) {
  // What a gain brings less changes what is best; so does a hand that may be set wrongly.
  const std::array aims = {PaiGowAim{.commission = Fraction(1, 20), .wrongly = false},
                           PaiGowAim{.commission = Fraction(0), .wrongly = false},
                           PaiGowAim{.commission = Fraction(1, 20), .wrongly = true}};
  for (const auto& [worth, all, hands, game] : small_games()) {
    std::array<std::array<PaiGowSums, aims.size()>, house_ways_count> told{};
    for (const auto& [one, hand] : firsts(hands, all)) {
      const auto settings = all_settings(worth, hand->cards);
      std::vector<SetHand> banks;
      for (const SetHand& its : all)
        if ((hand->bits & its.bits) == 0) banks.push_back(its);
      for (std::size_t bank = 0; bank < told.size(); ++bank) {
        for (std::size_t i = 0; i < aims.size(); ++i) {
          const PaiGowSums played = play_best(settings, banks, bank, aims.at(i));
          PaiGowSums& sums = told.at(bank).at(i);
          sums.win += hands.hands(one) * played.win;
          sums.lose += hands.hands(one) * played.lose;
          sums.deals += hands.hands(one) * played.deals;
        }
      }
    }
    for (std::size_t bank = 0; bank < told.size(); ++bank) {
      const auto odds = game.against(static_cast<pai_gow::HouseWay>(bank), aims);
      for (std::size_t i = 0; i < aims.size(); ++i)
        expect_alike(odds.best.at(i), told.at(bank).at(i));
    }
  }
}

/// The greatest low hand of any two of the seven, set wrongly or not.
HandValue any_low(const Ranker& worth, const SevenCards& hand) {
  HandValue out;
  for (std::size_t i = 0; i < hand.size(); ++i)
    for (std::size_t j = i + 1; j < hand.size(); ++j)
      out = std::max(out, worth.two(std::array{hand.at(i), hand.at(j)}));
  return out;
}

TEST(PaiGowOdds, a_hand_may_be_set_as_the_engine_lets_it_be_set) {
  constexpr std::size_t seven_ranks = 7;
  const Ranker worth = ranker(pai_gow_order());
  const PaiGowHands hands(worth, seven_ranks);
  const JokerSets of_seven(seven_ranks, pai_gow::hand_cards);
  const auto& sets = of_seven.firsts();
  ASSERT_EQ(sets.size(), hands.classes());
  constexpr std::uint32_t one_in = 7;
  std::size_t wrongly = 0;
  for (std::uint32_t one = 0; one < hands.classes(); one += one_in) {
    SevenCards hand;
    for (std::size_t i = 0; i < hand.size(); ++i) hand.at(i) = hands.deck()[sets.at(one).set.at(i)];
    const auto options = pai_gow::legal_options(worth, hand);
    const auto settings = hands.settings(one);
    HandValue low;
    for (const auto& option : options) {
      const auto its = hands.setting(option.hands);
      EXPECT_TRUE(std::ranges::any_of(settings, [&](const auto& other) {
        return other.high >= its.high && other.low >= its.low;
      }));
      low = std::max(low, option.hands.low);
    }
    const bool better_wrongly = any_low(worth, hand) > low;
    wrongly += better_wrongly ? 1 : 0;
    for (const auto& its : settings) {
      EXPECT_TRUE(its.high == 0 ? better_wrongly
                                : std::ranges::any_of(options, [&](const auto& option) {
                                    return hands.setting(option.hands) == its;
                                  }));
    }
    EXPECT_EQ(std::ranges::count(settings, 0, &PaiGowHands::Setting::high), better_wrongly ? 1 : 0);
    const auto made = set_by_ways(worth, hand);
    for (const auto way : pai_gow::all_house_ways) {
      const auto its = hands.setting(made.at(static_cast<std::size_t>(way)));
      const auto orders = hands.orders_by(way, one);
      EXPECT_NE(std::ranges::find(orders, its), orders.end());
    }
  }
  EXPECT_GT(wrongly, 1000U);
}

}  // namespace
}  // namespace talla::games::poker
