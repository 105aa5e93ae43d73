// Goal: pai gow is worth what the engine settles.
// Method: a deck of four ranks and the joker, every hand of the bank beside a client's (one hand in
//   ten of those that differ in more than suits; all in the long run), set at its best: equal to
//   the last deal. 10^5 hands from whole decks shuffled anew (10^7 in the long run), set as the
//   bank sets its own, within four deviations; in the long run set at their best too, from a new
//   count that is held against what is stored.
#include <gtest/gtest.h>

#include <algorithm>

#include "../deck_source.hpp"
#include "../odds_support.hpp"
#include "../play_support.hpp"
#include "engines/pai_gow/rules.hpp"
#include "engines/pai_gow/settle.hpp"
#include "odds/poker/pai_gow.hpp"

namespace talla::games {
namespace {

using pai_gow::HouseWay;
using pai_gow::Low;
using poker::PaiGowAim;
using poker::PaiGowHands;
using poker::PaiGowSums;
using poker::Place;
using SevenPlaces = std::array<Place, pai_gow::hand_cards>;
using SevenCards = std::array<Card, pai_gow::hand_cards>;

constexpr Units pai_gow_stake = 2000;
constexpr int five_percent = 20;

bool plays_long() {
  constexpr int normal = 1'000'000;
  return test::rounds_count() > normal;
}

/// A client alone with the dealer.
class PaiGowTable {
 public:
  explicit PaiGowTable(json::Value params)
      : table_(odds_table(test::catalogue("es-euskadi-2010"), "pai-gow-poker", std::move(params))
                   .value()),
        opened_(*Driver::start(table_)) {
    test::DeckSource none({});
    EXPECT_TRUE(opened_.advance(none, none));
    EXPECT_TRUE(opened_.apply(test::stake("a", "apuesta", pai_gow_stake, {}, 1)));
    EXPECT_TRUE(opened_.apply(CloseBets{}));
  }
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] const poker::Ranker& ranker() const {
    return table_.prepared<pai_gow::Rules>().ranker;
  }
  /// What comes back: the dealer's card first, then the client's, seven times.
  [[nodiscard]] Units returned(const SevenCards& own, const SevenCards& bank,
                               const Low& low) const {
    std::vector<Card> order;
    for (std::size_t i = 0; i < own.size(); ++i) {
      order.push_back(bank.at(i));
      order.push_back(own.at(i));
    }
    test::DeckSource source(std::move(order));
    source.dice = {"1", "1", "6"};
    Driver driver = opened_;
    EXPECT_TRUE(driver.advance(source, source));
    const auto place = [](std::size_t i) { return "seat-1-card-" + std::to_string(i + 1); };
    EXPECT_TRUE(driver.apply(Act{1, "componer", {}, {}, {place(low[0]), place(low[1])}, {}}));
    EXPECT_TRUE(driver.advance(source, source));
    const auto settled = driver.take_settlements();
    EXPECT_EQ(settled.size(), 1U);
    return settled.empty() ? 0 : settled.front().returned;
  }

 private:
  Table table_;
  Driver opened_;
};

SevenCards cards_at(const PaiGowHands& hands, const SevenPlaces& places) {
  SevenCards out;
  for (std::size_t i = 0; i < places.size(); ++i) out.at(i) = hands.deck()[places.at(i)];
  return out;
}

/// Two cards that make that setting.
Low low_for(const PaiGowHands& hands, const poker::Ranker& ranker, const SevenCards& cards,
            const PaiGowHands::Setting& wanted) {
  for (std::size_t i = 0; i < cards.size(); ++i) {
    for (std::size_t j = i + 1; j < cards.size(); ++j) {
      const auto made = pai_gow::hands_of(ranker, cards, {i, j});
      const auto its = hands.setting(made);
      const bool fits =
          wanted.high == 0 ? made.foul && its.low == wanted.low : !made.foul && its == wanted;
      if (fits) return {i, j};
    }
  }
  ADD_FAILURE() << "no such setting";
  return {0, 1};
}

/// A hand in six orders: where three aces and the joker are in it, each two of them first.
std::vector<SevenCards> orders_of(const SevenCards& cards) {
  std::vector<std::size_t> aces;
  for (std::size_t i = 0; i < cards.size(); ++i)
    if (cards.at(i).is_joker() || cards.at(i).rank() == 1) aces.push_back(i);
  if (!cards.back().is_joker() || aces.size() != 4) return {PaiGowHands::orders_count, cards};
  std::vector<SevenCards> out;
  for (std::size_t i = 0; i < aces.size(); ++i) {
    for (std::size_t j = i + 1; j < aces.size(); ++j) {
      SevenCards dealt;
      std::size_t at = 2;
      for (std::size_t k = 0; k < cards.size(); ++k) {
        const std::size_t to = k == aces[i] ? 0 : k == aces[j] ? 1 : at++;
        dealt.at(to) = cards.at(k);
      }
      out.push_back(dealt);
    }
  }
  return out;
}

/// Every hand of the bank beside this one, each in its orders, settled by the engine.
PaiGowSums settle_all(const PaiGowTable& play, const PaiGowHands& hands, const SevenPlaces& own,
                      const Low& low) {
  std::vector<Place> left;
  for (std::size_t i = 0; i < hands.deck().size(); ++i)
    if (std::ranges::find(own, static_cast<Place>(i)) == own.end())
      left.push_back(static_cast<Place>(i));
  PaiGowSums out;
  SevenPlaces at{0, 1, 2, 3, 4, 5, 6};
  do {
    SevenPlaces bank{};
    for (std::size_t i = 0; i < at.size(); ++i) bank.at(i) = left.at(at.at(i));
    const auto orders = orders_of(cards_at(hands, bank));
    const bool alike = orders.front() == orders.back();
    const auto times = static_cast<std::int64_t>(alike ? orders.size() : 1);
    for (std::size_t i = 0; i < (alike ? 1 : orders.size()); ++i) {
      const Units back = play.returned(cards_at(hands, own), orders.at(i), low);
      out.deals += times;
      out.win += back > pai_gow_stake ? times : 0;
      out.lose += back == 0 ? times : 0;
    }
  } while (poker::next_set(at, left.size()));
  return out;
}

TEST(PaiGowRounds, every_deal_of_a_small_deck_is_settled_as_counted) {
  constexpr std::size_t ranks = 4;
  const auto sets = poker::JokerSets(ranks, pai_gow::hand_cards);
  for (const bool wrongly : {false, true}) {
    const PaiGowTable play(
        json::parse(wrongly ? R"({"foul_hand":"high","house_way":"best-high"})" : "{}").value());
    const auto way = play.table().prepared<pai_gow::Rules>().way;
    const PaiGowHands hands(play.ranker(), ranks);
    const poker::PaiGow game(hands);
    const PaiGowAim aim{.commission = Fraction(1, five_percent), .wrongly = wrongly};
    const std::uint32_t step = plays_long() ? 1 : 10;
    std::size_t set_wrongly = 0;
    for (std::uint32_t one = 0; one < hands.classes(); one += step) {
      const auto& own = sets.firsts().at(one).set;
      const auto best = game.best(way, one, aim);
      set_wrongly += best.high == 0 ? 1 : 0;
      const Low low = low_for(hands, play.ranker(), cards_at(hands, own), best);
      const PaiGowSums counted = game.of(way, one, best);
      const PaiGowSums settled = settle_all(play, hands, own, low);
      EXPECT_EQ(counted.deals, settled.deals);
      EXPECT_EQ(counted.win, settled.win) << one;
      EXPECT_EQ(counted.lose, settled.lose) << one;
    }
    EXPECT_EQ(set_wrongly > 0, wrongly);
  }
}

Odds stored_play(const Table& table, std::string_view play) {
  const TableOdds all = bet_odds(table).value();
  for (const BetOdds& one : all.bets)
    if (one.bet == "apuesta" && one.play == std::vector<std::string>{std::string(play)})
      return one.odds;
  ADD_FAILURE() << play << " has no odds";
  return {};
}

/// Rounds from whole decks, the client's cards set by `choose`.
template <class Choose>
void expect_rounds_agree(const PaiGowTable& play, std::uint64_t seed, std::string_view way,
                         const Choose& choose) {
  auto deck = test::all_french();
  deck.push_back(Card::joker());
  test::Shoe shoe(deck, seed);
  test::Gains gains(five_percent);
  for (int round = 0; round < test::rounds_count(); ++round) {
    shoe.shuffle();
    SevenCards own;
    SevenCards bank;
    for (Card& card : own) card = shoe.next();
    for (Card& card : bank) card = shoe.next();
    gains.add(Fraction(play.returned(own, bank, choose(own)) - pai_gow_stake, pai_gow_stake));
  }
  gains.expect_within_four_deviations(stored_play(play.table(), way), std::string(way));
}

TEST(PaiGowRounds, hands_set_by_the_house_ways_agree) {
  const PaiGowTable play(json::Value{});
  expect_rounds_agree(play, 20261204, "way-informative", [&](const SevenCards& own) {
    return pai_gow::house_low(play.ranker(), own, HouseWay::informative);
  });
  expect_rounds_agree(play, 20261205, "way-best-low", [&](const SevenCards& own) {
    return pai_gow::house_low(play.ranker(), own, HouseWay::best_low);
  });
}

/// Places of cards of a whole deck, ascending, and where each of them came from.
std::array<std::pair<Place, std::size_t>, pai_gow::hand_cards> in_places(const PaiGowHands& hands,
                                                                         const SevenCards& cards) {
  std::array<std::pair<Place, std::size_t>, pai_gow::hand_cards> out;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const auto at = std::ranges::find(hands.deck(), cards.at(i)) - hands.deck().begin();
    out.at(i) = {static_cast<Place>(at), i};
  }
  std::ranges::sort(out);
  return out;
}

TEST(PaiGowRounds, hands_set_at_their_best_agree_and_are_counted_again_in_the_long_run) {
  const PaiGowTable play(json::Value{});
  const Odds stored = stored_play(play.table(), "best-play");
  // Published of good play against usual house ways: from 2.3 to 2.6 % (no text has a house way).
  EXPECT_LT(stored.house_edge(), stored_play(play.table(), "way-informative").house_edge());
  EXPECT_LT(stored.house_edge(), Ratio(Fraction(26, 1000)));
  EXPECT_GT(stored.house_edge(), Ratio(Fraction(23, 1000)));
  if (!plays_long()) return;
  const PaiGowHands hands(play.ranker(), poker::ranks_count);
  const poker::PaiGow game(hands);
  const PaiGowAim aim{.commission = Fraction(1, five_percent), .wrongly = false};
  const auto odds = game.against(HouseWay::informative, std::array{aim});
  EXPECT_EQ(Ratio(Fraction(odds.best[0].win, odds.best[0].deals)), stored.win);
  EXPECT_EQ(Ratio(Fraction(odds.best[0].lose, odds.best[0].deals)), stored.lose);
  expect_rounds_agree(play, 20261206, "best-play", [&](const SevenCards& own) {
    const auto sorted = in_places(hands, own);
    SevenPlaces places{};
    for (std::size_t i = 0; i < sorted.size(); ++i) places.at(i) = sorted.at(i).first;
    const auto one = hands.class_of(poker::CardSets::number(places));
    return low_for(hands, play.ranker(), own, game.best(HouseWay::informative, one, aim));
  });
}

}  // namespace
}  // namespace talla::games
