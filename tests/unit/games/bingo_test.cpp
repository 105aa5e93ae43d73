// Goal: bingo of es-1977: prizes go to the combinations that the last ball completes and that are
// announced in time, in equal parts, to the last fraction; nothing else ever pays.
// Method: random games against a second reckoning that looks at whole orders of balls and knows no
// engine; restored and replayed states; states and rules that must be refused.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "engines/bingo/card.hpp"
#include "play_support.hpp"

namespace talla::games::test {
namespace {

using Numbers = std::vector<int>;

Table hall(json::Value params = {}, Units min = 100) {
  return open_table("bingo", std::move(params), min);
}

State sale(const Table& table) {
  return must(table, start(table), ShoeOpened{90, false});
}

PlaceBet card(const std::string& id, Seat seat, const Numbers& numbers, Units price = 100) {
  std::vector<std::string> on;
  for (const int number : numbers) on.push_back(std::to_string(number));
  return stake(id, "carton", price, std::move(on), seat);
}

State call(const Table& table, const State& state, int number) {
  return must(table, state, CardDealt{"bola", Face::open, Card::ball(number)});
}

Numbers row_of(const Numbers& numbers, std::size_t row) {
  const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(5 * row);
  return {first, first + 5};
}

Numbers from(int first) {
  Numbers out(15);
  std::iota(out.begin(), out.end(), first);
  return out;
}

/// When the last of these numbers is called: the count of balls that complete them.
std::size_t complete_at(const Numbers& numbers, const Numbers& order) {
  std::size_t last = 0;
  for (const int number : numbers) {
    const auto at = std::find(order.begin(), order.end(), number) - order.begin();
    last = std::max(last, static_cast<std::size_t>(at) + 1);
  }
  return last;
}

/// Who wins when everybody announces everything at once: cards whose line, then whose numbers, come
/// first.
struct Winners {
  std::set<std::size_t> line;
  std::set<std::size_t> bingo;
};
Winners winners(const std::vector<Numbers>& cards, const Numbers& order) {
  std::vector<std::size_t> lines, all;
  for (const auto& numbers : cards) {
    std::size_t first = 91;
    for (std::size_t row = 0; row < 3; ++row)
      first = std::min(first, complete_at(row_of(numbers, row), order));
    lines.push_back(first);
    all.push_back(complete_at(numbers, order));
  }
  Winners out;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (lines[i] == *std::min_element(lines.begin(), lines.end())) out.line.insert(i);
    if (all[i] == *std::min_element(all.begin(), all.end())) out.bingo.insert(i);
  }
  return out;
}

Numbers shuffled_balls() {
  Numbers order(90);
  std::iota(order.begin(), order.end(), 1);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  return order;
}

/// Every choice that is open is taken, in an order of its own, until none is left.
State announce_all(const Table& table, State state, bool last_first) {
  for (;;) {
    const auto needs = table.engine().needs(table, state);
    const auto* decide = find_need<Decide>(needs);
    if (decide == nullptr) return state;
    EXPECT_TRUE(decide->required);
    const auto& choice = last_first ? decide->choices.back() : decide->choices.front();
    state = must(table, state, Act{decide->seat, choice.action, choice.bet, {}, {}, {}});
    expect_round_trip(table, state);
  }
}

TEST(BingoGames, pay_what_a_reckoning_over_the_whole_order_of_balls_gives) {
  const auto table = hall(json::Object{{"line_prize", "1/7"}, {"bingo_prize", "5/11"}});
  EXPECT_TRUE(rc::check([&table] {
    const auto order = shuffled_balls();
    const auto count = *rc::gen::inRange<std::size_t>(1, 9);
    std::vector<Numbers> cards;
    State state = sale(table);
    for (std::size_t i = 0; i < count; ++i) {
      auto numbers = shuffled_balls();
      numbers.resize(15);
      if (i > 0 && *rc::gen::inRange(0, 3) == 0)
        numbers = cards[0];  // the same card again, or its lines turned
      if (*rc::gen::inRange(0, 3) == 0)
        std::rotate(numbers.begin(), numbers.begin() + 5, numbers.end());
      cards.push_back(numbers);
      state =
          must(table, state, card("c" + std::to_string(i), static_cast<Seat>(1 + i % 3), numbers));
    }
    state = must(table, state, CloseBets{});
    const bool last_first = *rc::gen::arbitrary<bool>();
    std::size_t called = 0;
    while (find_need<Deal>(table.engine().needs(table, state)) != nullptr) {
      state = announce_all(table, call(table, state, order.at(called++)), last_first);
      expect_round_trip(table, state);
    }
    const auto expected = winners(cards, order);
    const auto takings = Fraction(static_cast<std::int64_t>(100 * count));
    const auto line =
        takings / Fraction(7) / Fraction(static_cast<std::int64_t>(expected.line.size()));
    const auto full =
        takings * Fraction(5, 11) / Fraction(static_cast<std::int64_t>(expected.bingo.size()));
    const auto done = settled(table, state);
    RC_ASSERT(done.size() == count);
    Fraction paid;
    for (std::size_t i = 0; i < count; ++i) {
      Fraction won;
      if (expected.line.contains(i)) won += line;
      if (expected.bingo.contains(i)) won += full;
      RC_ASSERT(done[i].bet == "c" + std::to_string(i));
      RC_ASSERT(exact(done[i]) == won);
      RC_ASSERT(done[i].result == (won.is_zero() ? BetResult::lose : BetResult::win));
      paid += exact(done[i]);
    }
    RC_ASSERT(paid == takings * (Fraction(1, 7) + Fraction(5, 11)));
    RC_ASSERT(called == complete_at(cards[*expected.bingo.begin()], order));
  }));
}

TEST(BingoGames, whoever_is_silent_gets_nothing_and_the_rest_share_as_if_his_card_had_not_won) {
  const auto table = hall();
  const Numbers numbers = from(1);
  for (int mask = 0; mask < 8; ++mask) {  // which of three equal cards announces its line
    State state = sale(table);
    for (Seat seat = 1; seat <= 3; ++seat)
      state = must(table, state, card("c" + std::to_string(seat), seat, numbers));
    state = must(table, state, CloseBets{});
    for (int number = 1; number <= 5; ++number) state = call(table, state, number);
    int winning = 0;
    for (Seat seat = 1; seat <= 3; ++seat) {
      const bool speaks = (mask >> (seat - 1) & 1) != 0;
      winning += speaks ? 1 : 0;
      state = speaks
                  ? must(table, state, Act{seat, "linea", "c" + std::to_string(seat), {}, {}, {}})
                  : must(table, state, TimeOut{seat});
    }
    for (int number = 6; number <= 15; ++number) {
      ASSERT_TRUE(number == 11 || mask != 0 ||
                  find_need<Deal>(table.engine().needs(table, state)) != nullptr);
      if (find_need<Decide>(table.engine().needs(table, state)) !=
          nullptr) {  // nobody has a line yet
        for (Seat seat = 1; seat <= 3; ++seat) state = must(table, state, TimeOut{seat});
      }
      state = call(table, state, number);
    }
    for (Seat seat = 1; seat <= 3; ++seat) {
      state = must(table, state, Act{seat, "bingo", "c" + std::to_string(seat), {}, {}, {}});
    }
    if (mask == 0) {  // the third line came with the bingo: still nobody
      for (Seat seat = 1; seat <= 3; ++seat) state = must(table, state, TimeOut{seat});
    }
    const auto done = settled(table, state);
    ASSERT_EQ(done.size(), 3U);
    for (Seat seat = 1; seat <= 3; ++seat) {
      const bool spoke = (mask >> (seat - 1) & 1) != 0;
      EXPECT_EQ(exact(done[seat - 1]), Fraction(50) + (spoke ? Fraction(30, winning) : Fraction()));
    }
  }
}

TEST(BingoBalls, come_one_by_one_from_a_shoe_and_nothing_comes_while_a_claim_is_open) {
  const auto table = hall();
  ASSERT_NE(find_need<ShoeNeed>(table.engine().needs(table, start(table))), nullptr);
  EXPECT_EQ(*find_need<ShoeNeed>(table.engine().needs(table, start(table))),
            (ShoeNeed{"balls90x1", 90, 0}));
  auto state = must(table, sale(table), card("a", 1, from(1)));
  state = must(table, state, CloseBets{});
  EXPECT_EQ(*find_need<Deal>(table.engine().needs(table, state)), (Deal{{{"bola", Face::open}}}));
  for (int number = 1; number <= 5; ++number) state = call(table, state, number);
  EXPECT_EQ(find_need<Deal>(table.engine().needs(table, state)), nullptr);
  EXPECT_EQ(refusal(table, state, CardDealt{"bola", Face::open, Card::ball(6)}), "not_due");
  state = must(table, state, TimeOut{1});
  EXPECT_EQ(refusal(table, state, CardDealt{"bola", Face::unseen, {}}), "place_unknown");
  EXPECT_EQ(refusal(table, state, CardDealt{"punto-1", Face::open, Card::ball(6)}),
            "place_unknown");
  EXPECT_EQ(refusal(table, state, CardDealt{"bola", Face::open, Card::joker()}), "card_invalid");
  EXPECT_EQ(refusal(table, state, CardDealt{"bola", Face::open, Card::ball(5)}), "card_invalid");
  EXPECT_EQ(refusal(table, state, CardDealt{"bola", Face::open, Card::ball(6)}), "");
}

TEST(BingoBalls, end_after_ninety_when_nobody_ever_speaks) {
  const auto table = hall();
  auto state = must(table, sale(table), card("a", 1, from(1)));
  state = must(table, state, CloseBets{});
  for (int number = 1; number <= 90; ++number) {
    state = call(table, state, number);
    if (find_need<Decide>(table.engine().needs(table, state)) != nullptr)
      state = must(table, state, TimeOut{1});
  }
  const auto done = settled(table, state);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].result, BetResult::lose);
  EXPECT_EQ(done[0].rule, "10 IV");
}

TEST(BingoSale, numbers_go_on_through_the_series_and_start_anew_with_the_next) {
  const auto table = hall(json::Object{{"series_size", 5}});
  auto state = start(table);
  const std::vector<int> sold{2, 2, 1, 3, 2};
  const std::vector<int> first{3, 5, 1, 4, 1};  // of the game after it
  for (std::size_t game = 0; game < sold.size(); ++game) {
    state = must(table, state, ShoeOpened{90, false});
    for (int i = 0; i < sold[game]; ++i)
      state = must(table, state, card("c" + std::to_string(i), 1, from(1)));
    state = must(table, state, CloseBets{});
    state = must(table, state, Misdeal{"calling-error", {}});
    EXPECT_EQ(table.engine().carried(table, state).find("first_card")->integer(), first[game])
        << game;
    const auto resumed = table.engine().resume(table, table.engine().carried(table, state));
    ASSERT_TRUE(resumed);
    state = *resumed;
  }
}

TEST(BingoCard, rows_and_cards_are_complete_exactly_when_the_last_ball_closes_them) {
  using bingo::Ball;
  const std::vector<Ball> numbers{1, 2, 3, 4, 5, 6};  // three rows of two
  for (int mask = 0; mask < 128;
       ++mask) {  // every set of balls 1 to 7, each of them as the last one
    std::vector<Ball> balls;
    for (Ball ball = 1; ball <= 7; ++ball) {
      if ((mask >> (ball - 1) & 1) != 0) balls.push_back(ball);
    }
    for (std::size_t turn = 0; turn < balls.size(); ++turn) {
      std::rotate(balls.begin(), balls.begin() + 1, balls.end());
      const int last = balls.back();
      const int other = last % 2 == 1 ? last + 1 : last - 1;
      const bool row = last != 7 && (mask >> (other - 1) & 1) != 0;
      EXPECT_EQ(bingo::completed_row(numbers, 3, balls).has_value(), row);
      const auto index = static_cast<std::size_t>((last - 1) / 2);
      EXPECT_EQ(bingo::completed_row(numbers, 3, balls).value_or(index), index);
      EXPECT_EQ(bingo::completed_card(numbers, balls), (mask & 63) == 63 && last != 7);
    }
  }
}

TEST(BingoState, that_no_game_can_reach_is_refused) {
  const auto table = hall();
  auto state = must(table, sale(table), card("a", 1, from(1)));
  state = must(table, state, card("b", 2, from(16)));
  state = must(table, state, CloseBets{});
  for (int number = 1; number <= 5; ++number) state = call(table, state, number);
  state = must(table, state, TimeOut{1});
  const auto text = state.canonical();
  const std::vector<std::pair<std::string, std::string>> faults{
      {R"("balls":["B1","B2","B3","B4","B5"])", R"("balls":["B1","B2","B3","B4","B4"])"},
      {R"("balls":["B1","B2","B3","B4","B5"])", R"("balls":["B1","B2","B3","B4","7H"])"},
      {R"("balls":["B1","B2","B3","B4","B5"])", R"("balls":[])"},
      {R"("drawing":true)", R"("drawing":false)"},
      {R"("drawing":true)", R"("round_over":true)"},
      {R"("forfeited":["a"])", R"("forfeited":["z"])"},
      {R"("silent":[1])", R"("silent":[2])"},
      {R"("silent":[1])", R"("line":["a"],"silent":[1])"},
      {R"("silent":[1])", R"("line":["b"],"line_ball":5,"silent":[1])"},
      {R"("silent":[1])", R"("bingo":["a"],"silent":[1])"},
      {R"("first_card":1)", R"("first_card":1001)"},
      {R"("first_card":1)", R"("first_card":1000)"},
      {R"("shoe":true)", R"("shoe":false)"},
      {R"("stake":100)", R"("stake":200)"},
      {R"("first_card":1)", R"("extra":1,"first_card":1)"}};
  for (const auto& [before, after] : faults) {
    auto changed = text;
    const auto at = changed.find(before);
    ASSERT_NE(at, std::string::npos) << before << " in " << text;
    changed.replace(at, before.size(), after);
    const auto restored = table.engine().restore(table, *json::parse(changed));
    ASSERT_FALSE(restored) << after;
    EXPECT_TRUE(restored.error().is(Errc::state_malformed)) << restored.error().text();
  }
}

TEST(BingoRules, that_the_engine_cannot_play_are_refused_when_the_catalogue_is_loaded) {
  const std::vector<std::pair<std::string_view, std::string_view>> faults{
      {R"(deck = "balls90x1", stop_depth = 0)", R"(deck = "french52x1", stop_depth = 0)"},
      {R"(deck = "balls90x1", stop_depth = 0)", R"(deck = "balls90x1", stop_depth = 1)"},
      {"covers = { count = 15, highest = 90 }", "covers = { count = 16, highest = 90 }"},
      {"covers = { count = 15, highest = 90 }", "covers = { count = 15, highest = 75 }"},
      {"covers = { count = 15, highest = 90 }", "covers = { count = 91, highest = 90 }"},
      {"covers = { count = 15, highest = 90 }", "covers = { count = 15 }"},
      {R"(places = [{ id = "bola")", R"(places = [{ id = "burn")"},
      {R"({ id = "linea", cite)", R"({ id = "prison", cite)"},
      {R"(effect = "void-game")", R"(effect = "void-hand")"},
      {R"(allowed = ["not-paid", "to-bingo"])", R"(allowed = ["not-paid", "to-charity"])"},
      {R"(split = "winning-card")", R"(split = "seat")"},
      {"lines = 3", "lines = 5"},
      {"[game.data.claims]", "[game.data.clams]"}};
  for (const auto& [before, after] : faults)
    EXPECT_EQ(load_changed(before, after), "catalogue_malformed") << after;
}

}  // namespace
}  // namespace talla::games::test
