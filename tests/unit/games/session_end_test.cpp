// Goal: an announced end of the session is part of the state: it outlives records and restarts, and
// nobody writes one in.
// Method: states of a roulette and a black jack table (es-euskadi-2010, art. 2) as JSON, changed by
// hand.
#include "games/session_end.hpp"

#include <gtest/gtest.h>

#include "play_support.hpp"

namespace talla::games::test::session_ends {
namespace {

Table euskadi(std::string game, json::Value params = json::Object{}) {
  auto table = Table::open(catalogue("es-euskadi-2010"),
                           {std::move(game), {"EUR"}, 10, std::nullopt, std::move(params)});
  TALLA_CHECK(table.has_value());
  return *table;
}

/// The JSON of a state with that end in it.
json::Value ending(const State& state, json::Value said) {
  auto out = state.to_json();
  out["ending"] = std::move(said);
  return out;
}

TEST(SessionEnd, is_restored_with_the_state_and_carried_from_round_to_round) {
  const auto table = euskadi("french-roulette");
  const auto state = must(table, start(table), LastRound{3, false});
  ASSERT_NE(state.to_json().find("ending"), nullptr);
  const auto restored = table.engine().restore(table, state.to_json());
  ASSERT_TRUE(restored) << restored.error().text();
  EXPECT_EQ(restored->canonical(), state.canonical());
  const auto resumed = table.engine().resume(table, table.engine().carried(table, state));
  ASSERT_TRUE(resumed) << resumed.error().text();
  EXPECT_EQ(refusal(table, *resumed, LastRound{3, false}), "not_due");
  EXPECT_EQ(*table.engine().view(table, state, {}).find("ending"),
            json::Value(json::Object{{"rounds", 3}}));
}

TEST(SessionEnd, says_nothing_in_a_state_in_which_none_is_announced) {
  const auto table = euskadi("french-roulette");
  EXPECT_EQ(start(table).to_json().find("ending"), nullptr);
  EXPECT_EQ(table.engine().carried(table, start(table)).find("ending"), nullptr);
}

TEST(SessionEnd, that_the_text_does_not_announce_is_no_state_of_the_table) {
  const auto table = euskadi("french-roulette");
  const auto state = start(table);
  for (const auto& said :
       {json::Object{{"rounds", 4}}, json::Object{{"rounds", 0}}, json::Object{{"shoe", "this"}},
        json::Object{{"rounds", 2}, {"shoe", "this"}}, json::Object{}}) {
    EXPECT_FALSE(table.engine().restore(table, ending(state, said)));
  }
  EXPECT_TRUE(table.engine().restore(table, ending(state, json::Object{{"rounds", 1}})));
  const auto old = open_table("french-roulette");
  EXPECT_FALSE(old.engine().restore(old, ending(start(old), json::Object{{"rounds", 2}})));
}

TEST(SessionEnd, with_the_shoe_needs_nothing_but_a_shoe_once_and_then_nothing) {
  const auto table = euskadi("blackjack");
  auto state = must(table, start(table), LastRound{1, true});
  const auto before = table.engine().needs(table, state);
  const auto* due = find_need<ShoeNeed>(before);
  ASSERT_NE(due, nullptr);
  state = must(table, state, ShoeOpened{due->cards_count, true});
  EXPECT_FALSE(session_over(table.engine().needs(table, state)));
  const auto restored = table.engine().restore(table, state.to_json());
  ASSERT_TRUE(restored) << restored.error().text();
  state = must(table, *restored, ShoeClosed{});
  EXPECT_TRUE(session_over(table.engine().needs(table, state)));
  EXPECT_EQ(table.engine().forced(table, state).kind, Forced::Kind::nothing);
  EXPECT_EQ(refusal(table, state, ShoeOpened{due->cards_count, true}), "not_due");
  EXPECT_EQ(refusal(table, state, CloseBets{}), "bets_closed");
}

TEST(SessionEnd, has_the_words_of_steps_requests_and_records) {
  EXPECT_EQ(session_end_json(LastRound{}), json::Value(true));
  EXPECT_EQ(session_end_json(LastRound{3, false}), json::Value(3));
  EXPECT_EQ(session_end_json(LastRound{1, true}), json::Value("shoe"));
  for (const auto& last : {LastRound{}, LastRound{3, false}, LastRound{1, true}})
    EXPECT_EQ(*session_end_from(session_end_json(last)), last);
  for (const auto& bad : {json::Value(false), json::Value(1), json::Value(0), json::Value(101),
                          json::Value("ball"), json::Value(json::Object{})})
    EXPECT_FALSE(session_end_from(bad));
}

}  // namespace
}  // namespace talla::games::test::session_ends
