// Goal: a black jack table whose machine shuffles all the time (03 V.3.b of Euskadi) gets the cards
// of each round back before the next bet, sets cards aside as its reading of V.3.c says, and never
// comes to an end.
// Method: engine and driver by hand, one round; then 200 rounds of one shoe with the driver's own
//         count.
#include <gtest/gtest.h>

#include <algorithm>

#include "games/driver.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

using test::must;
using test::start;

Table open_euskadi(json::Value params = {}) {
  auto table = Table::open(test::catalogue("es-euskadi-2010"),
                           {"blackjack", {"EUR"}, 10, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

/// A table whose machine shuffles all the time, after one round: box 1 has ten and nine, the dealer
/// seven and ten.
State after_a_continuous_round(const Table& table) {
  State state = must(table, start(table), ShoeOpened{312, false});
  while (find_need<Deal>(table.engine().needs(table, state)) != nullptr) {
    state = must(table, state, CardDealt{"burn", Face::unseen, std::nullopt});
  }
  state = must(table, state, test::stake("b1", "juego-simple", 100));
  state = must(table, state, CloseBets{});
  for (const auto& [place, card] : std::vector<std::pair<std::string, std::string>>{
           {"box-1-1", "TH"}, {"dealer-1", "7D"}, {"box-1-2", "9S"}}) {
    state = must(table, state, CardDealt{place, Face::open, *Card::parse(card)});
  }
  state = must(table, state, Act{1, "stand", std::nullopt, std::nullopt, {}, std::nullopt});
  return must(table, state, CardDealt{"dealer-2", Face::open, *Card::parse("TC")});
}

TEST(Blackjack_03_V_3_b,
     an_automatic_distributor_gets_the_cards_of_each_round_back_before_the_next_bet) {
  const auto table = open_euskadi(json::Object{{"shuffler", "continuous"}});
  EXPECT_EQ(table.engine().shoe(table)->stop_depth, 0U) << "no separator";
  auto state = after_a_continuous_round(table);
  test::expect_round_trip(table, state);
  const auto needs = table.engine().needs(table, state);
  const auto* due = find_need<Shuffle>(needs);
  ASSERT_NE(due, nullptr);
  EXPECT_EQ(due->cards_count, 4U);
  EXPECT_EQ(due->rule, "03 V.3.b");
  for (const auto* aside : {"burn", "removed"})
    EXPECT_EQ(std::count(due->places.begin(), due->places.end(), aside), 0)
        << aside << " stays out";
  EXPECT_NE(find_need<Settled>(needs), nullptr);
  EXPECT_EQ(find_need<BetsOpen>(needs), nullptr);
  EXPECT_EQ(test::refusal(table, state, test::stake("b2", "juego-simple", 100)), "bets_closed");
  EXPECT_EQ(test::refusal(table, state, CloseBets{}), "bets_closed");
  EXPECT_EQ(test::refusal(table, state, Shuffled{{"box-1-1"}}), "place_unknown");
  const auto heir = table.engine().resume(table, table.engine().carried(table, state));
  ASSERT_TRUE(heir.has_value());
  EXPECT_EQ(*find_need<Shuffle>(table.engine().needs(table, *heir)), *due)
      << "it outlives the round";

  state = must(table, state, Shuffled{due->places});
  test::expect_round_trip(table, state);
  EXPECT_EQ(test::refusal(table, state, Shuffled{due->places}), "not_due") << "once a round";
  EXPECT_NE(find_need<BetsOpen>(table.engine().needs(table, state)), nullptr);
  EXPECT_EQ(find_need<Deal>(table.engine().needs(table, state)), nullptr)
      << "five are set aside once";
}

TEST(Blackjack_03_V_3_b,
     a_shoe_that_is_not_automatic_never_gets_cards_back_and_the_last_round_needs_no_shuffle) {
  const auto finite = open_euskadi();
  const auto state = after_a_continuous_round(finite);
  EXPECT_EQ(find_need<Shuffle>(finite.engine().needs(finite, state)), nullptr);
  EXPECT_EQ(test::refusal(finite, state, Shuffled{}), "not_due");
  const auto table = open_euskadi(json::Object{{"shuffler", "continuous"}});
  auto last = after_a_continuous_round(table).to_json();
  last["closing"] = true;
  const auto over = table.engine().restore(table, last);
  ASSERT_TRUE(over.has_value()) << over.error().text();
  EXPECT_EQ(find_need<Shuffle>(table.engine().needs(table, *over)), nullptr);
}

TEST(Blackjack_03_V_3_c,
     five_cards_go_aside_before_each_round_where_the_table_reads_it_so_and_go_back_with_it) {
  const auto table =
      open_euskadi(json::Object{{"shuffler", "continuous"}, {"continuous_burn", "every-round"}});
  auto state = after_a_continuous_round(table);
  const auto needs = table.engine().needs(table, state);
  const auto* due = find_need<Shuffle>(needs);
  ASSERT_NE(due, nullptr);
  EXPECT_EQ(due->cards_count, 9U);
  EXPECT_EQ(std::count(due->places.begin(), due->places.end(), "burn"), 1);
  state = must(table, state, Shuffled{due->places});
  const auto after = table.engine().needs(table, state);
  ASSERT_NE(find_need<Deal>(after), nullptr);
  EXPECT_EQ(find_need<Deal>(after)->cards.size(), 5U);
}

/// Deals the same four cards for ever; knows nothing of a shoe.
class EndlessCards final : public CardSource {
 public:
  Result<std::optional<ShoeOpened>> open_shoe(const ShoeNeed& need) override {
    return std::optional(ShoeOpened{need.cards_count, false});
  }
  Result<Next> next_card(const DealPlace& place) override {
    return Next{true, *Card::parse(place.place == "dealer-1" ? "7D" : "TC")};
  }
  Result<std::optional<Card>> reveal(const std::string& /*place*/) override {
    return std::optional<Card>();
  }
  Result<bool> shuffle(const Shuffle& /*need*/) override { return true; }
};
class NoDraws final : public DrawSource {
 public:
  Result<std::optional<DrawResult>> draw(const Draw& /*need*/) override {
    return std::optional<DrawResult>();
  }
};

TEST(Blackjack_03_V_3_b, the_driver_counts_the_cards_back_in_so_that_the_distributor_never_ends) {
  const auto table = open_euskadi(json::Object{{"shuffler", "continuous"}});
  auto driver = *Driver::start(table);
  EndlessCards cards;
  NoDraws draws;
  ASSERT_TRUE(driver.advance(cards, draws));
  for (int round = 0; round < 200; ++round) {
    ASSERT_TRUE(driver.apply(test::stake("b1", "juego-simple", 100)));
    ASSERT_TRUE(driver.apply(CloseBets{}));
    ASSERT_TRUE(driver.advance(cards, draws));
    ASSERT_TRUE(driver.apply(Act{1, "stand", std::nullopt, std::nullopt, {}, std::nullopt}));
    const auto advanced = driver.advance(cards, draws);
    ASSERT_TRUE(advanced) << advanced.error().text();
    ASSERT_EQ(driver.shoe(), (ShoeAccount{307, 307, 0, false, 5}))
        << "all but the five set aside are in it again";
  }
}

}  // namespace
}  // namespace talla::games
