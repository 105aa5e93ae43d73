// Goal: each bet of es-1977 craps returns exactly what the text makes it worth; no stake is decided
//       twice.
// Method: all 36 throws through the engine from every situation of a bet, solved as a Markov chain,
//         exactly.

#include <rapidcheck.h>

#include "craps_support.hpp"

namespace talla::games::test {
namespace {

Table craps(json::Value params = {}) {
  return open_table("craps", without_shooter(std::move(params)));
}

constexpr Units craps_stake = 60;

Fraction house_edge(const Table& table, const State& state) {
  return Fraction(1) - Chain(table).value(state) / Fraction(craps_stake);
}

/// Edge of a bet placed before the first throw of a series.
Fraction edge(const std::string& kind, std::vector<std::string> on = {}, json::Value params = {}) {
  const auto table = craps(std::move(params));
  return house_edge(table, must(table, start(table), stake("b", kind, craps_stake, std::move(on))));
}

TEST(CrapsReturns, line_bets) {
  EXPECT_EQ(edge("win"), Fraction(7, 495));
  EXPECT_EQ(edge("dont-win"), Fraction(3, 220));
}

TEST(CrapsReturns, a_locked_twelve_makes_dont_win_dearer_by_36_to_35) {
  EXPECT_EQ(edge("dont-win", {}, json::Object{{"dont_12", "locked"}}), Fraction(27, 1925));
}

TEST(CrapsReturns, come_bets_are_worth_what_line_bets_are) {
  for (const int second : {1, 2, 3, 5, 6}) {  // points 4, 5, 6, 8, 9
    const auto table = craps();
    const auto open = roll(table, must(table, start(table), stake("w", "win", 25)), 3, second);
    ASSERT_EQ(point_of(table, open), 3 + second);
    EXPECT_EQ(house_edge(table, must(table, open, stake("b", "come", craps_stake))),
              Fraction(7, 495));
    EXPECT_EQ(house_edge(table, must(table, open, stake("b", "dont-come", craps_stake))),
              Fraction(3, 220));
  }
  EXPECT_EQ(edge("come", {}, json::Object{{"come_open", "always"}}), Fraction(7, 495));
}

TEST(CrapsReturns, other_simple_bets) {
  EXPECT_EQ(edge("field"), Fraction(1, 18));
  EXPECT_EQ(edge("big-6"), Fraction(1, 11));
  EXPECT_EQ(edge("big-8"), Fraction(1, 11));
  EXPECT_EQ(edge("under-7"), Fraction(1, 6));
  EXPECT_EQ(edge("over-7"), Fraction(1, 6));
}

TEST(CrapsReturns, multiple_bets) {
  EXPECT_EQ(edge("hard-4"), Fraction(1, 9));
  EXPECT_EQ(edge("hard-10"), Fraction(1, 9));
  EXPECT_EQ(edge("hard-6"), Fraction(1, 11));
  EXPECT_EQ(edge("hard-8"), Fraction(1, 11));
  EXPECT_EQ(edge("juego-de-7"), Fraction(1, 6));
  EXPECT_EQ(edge("juego-de-11"), Fraction(1, 9));
  EXPECT_EQ(edge("any-craps"), Fraction(1, 9));
  EXPECT_EQ(edge("craps-2"), Fraction(5, 36));
  EXPECT_EQ(edge("craps-3"), Fraction(1, 9));
  EXPECT_EQ(edge("craps-12"), Fraction(5, 36));
  EXPECT_EQ(edge("horn"), Fraction(1, 6));
}

TEST(CrapsReturns, place_bets) {
  const std::map<std::string, std::pair<int, int>> edges{{"4", {15, 33}}, {"5", {25, 40}},
                                                         {"6", {66, 55}}, {"8", {66, 55}},
                                                         {"9", {25, 40}}, {"10", {15, 33}}};
  for (const auto& [number, parts] : edges) {
    EXPECT_EQ(edge("right-bet", {number}), Fraction(1, parts.first)) << number;
    EXPECT_EQ(edge("wrong-bet", {number}), Fraction(1, parts.second)) << number;
  }
}

TEST(CrapsReturns, associated_bets_are_fair) {
  for (const int number : {4, 5, 6, 8, 9, 10}) {
    const int first = number / 2;
    const int second = number - first;
    for (const std::string line : {"win", "dont-win"}) {
      const auto table = craps();
      const auto open =
          roll(table, must(table, start(table), stake("l", line, 100)), first, second);
      EXPECT_EQ(house_edge(table, must(table, open, stake("b", "asociada-" + line, craps_stake))),
                Fraction())
          << number;
    }
    for (const std::string come : {"come", "dont-come"}) {
      const auto table = craps();
      const int other = number == 4 ? 6 : 4;
      auto open =
          roll(table, must(table, start(table), stake("l", "win", 100)), other / 2, other / 2);
      open = roll(table, must(table, open, stake("c", come, 100)), first, second);
      const auto on = std::vector<std::string>{std::to_string(number)};
      EXPECT_EQ(
          house_edge(table, must(table, open, stake("b", "asociada-" + come, craps_stake, on))),
          Fraction());
    }
  }
}

TEST(CrapsLimits, the_largest_multiple_stake_wins_between_one_and_three_times_the_simple_maximum) {
  const std::map<std::string, int> odds{{"hard-4", 7},       {"hard-6", 9},     {"hard-8", 9},
                                        {"hard-10", 7},      {"juego-de-7", 4}, {"any-craps", 7},
                                        {"juego-de-11", 15}, {"craps-2", 30},   {"craps-3", 15},
                                        {"craps-12", 30},    {"horn", 4}};
  for (const int factor : {1, 2, 3}) {
    const auto table = craps(json::Object{{"max_multiple_win", factor}});
    for (const auto& [kind, pays] : odds) {
      Units largest = 0;
      for (Units units = 25; units <= 2000; ++units) {
        if (refusal(table, start(table), stake("b", kind, units)).empty()) largest = units;
      }
      EXPECT_GE(largest * pays, 2500) << kind << " at " << factor;
      EXPECT_LE(largest * pays, 7500) << kind << " at " << factor;
      EXPECT_TRUE(refusal(table, start(table), stake("b", kind, largest - 1)).empty());
    }
  }
}

TEST(CrapsSettlements, name_their_section) {
  const auto table = craps();
  auto state = must(table, start(table), stake("w", "win", 100));
  state = must(table, roll(table, state, 2, 4), stake("o", "asociada-win", 27));
  const auto done = settled(table, roll(table, state, 3, 3));
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0].rule, "06 IV.1.A");
  EXPECT_EQ(done[1].rule, "06 IV.1.C");
  EXPECT_EQ(done[1].returned, 59);
  EXPECT_EQ(done[1].remainder, Fraction(2, 5));
}

TEST(CrapsState, point_and_stakes_are_carried_and_nothing_else_is_accepted) {
  const auto table = craps();
  const auto state = roll(table, must(table, start(table), stake("w", "win", 100)), 2, 4);
  auto resumed = table.engine().resume(table, table.engine().carried(table, state));
  ASSERT_TRUE(resumed);
  EXPECT_EQ(point_of(table, *resumed), 6);
  EXPECT_EQ(settled(table, roll(table, *resumed, 1, 5)).front().result, BetResult::win);
  for (const char* bad : {R"({"point":7})", R"({"point":3})", R"({"bets":{}})", R"({"more":1})"}) {
    const auto refused = table.engine().resume(table, *json::parse(bad));
    ASSERT_FALSE(refused) << bad;
    EXPECT_TRUE(refused.error().is(Errc::state_malformed)) << bad;
  }
  for (const char* bet : {R"({"id":"x","kind":"zz","seat":1,"stake":9})",
                          R"({"id":"x","kind":"come","on":["7"],"seat":1,"stake":9})",
                          R"({"id":"x","kind":"right-bet","seat":1,"stake":9})"}) {
    const auto foreign =
        table.engine().resume(table, *json::parse(std::string(R"({"bets":[)") + bet + "]}"));
    ASSERT_FALSE(foreign) << bet;
    EXPECT_TRUE(foreign.error().is(Errc::state_malformed)) << foreign.error().text();
  }
}

TEST(CrapsRules, that_the_engine_cannot_play_are_refused_when_the_catalogue_is_loaded) {
  const std::vector<std::pair<std::string_view, std::string_view>> faults{
      {"lose = [2, 3, 12], null = []", "lose = [2, 3], null = []"},
      {"lose = [2, 3, 12], null = []", "lose = [2, 3, 4, 12], null = []"},
      {R"(form = "until")", R"(form = "till")"},
      {R"(with = "come")", R"(with = "field")"},
      {R"(bets = ["hard-4", "hard-6", "hard-8")", R"(bets = ["hard-5", "hard-6", "hard-8")"},
      {R"(none = ["win", "dont-win")", R"(none = ["wim", "dont-win")"},
      {R"(allowed = ["push", "locked"])", R"(allowed = ["push", "lose"])"},
      {R"(right-bet = { 4 = "1", )", "right-bet = { "},
      {"faces = 6", "faces = 8"}};
  for (const auto& [from, to] : faults)
    EXPECT_EQ(load_changed(from, to), "catalogue_malformed") << from;
}

TEST(CrapsProperties, every_stake_is_decided_at_most_once_and_stands_on_the_cloth_until_then) {
  const auto table = craps();
  EXPECT_TRUE(rc::check([&table] {
    std::map<std::string, Units> live;
    State state = start(table);
    int names = 0;
    for (int round = *rc::gen::inRange(1, 25); round > 0; --round) {
      for (int bets = *rc::gen::inRange(0, 4); bets > 0; --bets) {
        const auto& rule = *rc::gen::elementOf(table.rules().bets);
        std::vector<std::string> on;
        if (rule.on != OnForm::none)
          on.push_back(*rc::gen::element<std::string>("4", "5", "6", "8", "9", "10"));
        const Units units = *rc::gen::inRange(25, 200);
        const std::string id = "b" + std::to_string(names++);
        const auto seat = static_cast<Seat>(*rc::gen::inRange(1, 3));
        auto next = table.engine().apply(table, state, stake(id, rule.id, units, on, seat));
        if (!next) continue;
        state = *next;
        live[id] = units;
      }
      state = roll(table, state, *rc::gen::inRange(1, 7), *rc::gen::inRange(1, 7));
      expect_round_trip(table, state);
      for (const auto& one : settled(table, state)) {
        RC_ASSERT(live.contains(one.bet));
        RC_ASSERT(live.at(one.bet) == one.stake);
        if (one.result == BetResult::win) RC_ASSERT(one.returned > one.stake);
        if (one.result == BetResult::lose) RC_ASSERT(one.returned == 0);
        if (one.result == BetResult::push) RC_ASSERT(one.returned == one.stake);
        live.erase(one.bet);
      }
      std::map<std::string, Units> standing;
      const auto view = table.engine().view(table, state, {});
      for (const auto& bet : view.find("bets")->array()) {
        standing[bet.find("id")->string()] = bet.find("stake")->integer();
      }
      RC_ASSERT(standing == live);
    }
  }));
}

TEST(CrapsShooter, a_state_that_no_table_reaches_is_refused) {
  const auto table = open_table("craps");
  const auto restored = [](const Table& at, const char* text) {
    return at.engine().restore(at, *json::parse(text)).has_value();
  };
  EXPECT_TRUE(restored(table, R"({"phase":"betting","shooter":2,"before":1})"));
  EXPECT_TRUE(restored(table, R"({"phase":"betting","refused":[1,3]})"));
  EXPECT_TRUE(restored(table, R"({"phase":"finished","last":true})"));
  for (
      const auto* lie :
      {R"({"phase":"betting","shooter":0})", R"({"phase":"betting","shooter":1,"refused":[2]})",
       R"({"phase":"betting","refused":[3,1]})", R"({"phase":"betting","refused":[1,1]})",
       R"({"phase":"betting","refused":[]})", R"({"phase":"betting","before":-1})",
       R"({"phase":"finished"})",
       R"({"phase":"finished","last":true,"bets":[{"id":"b","kind":"big-6","seat":1,"stake":25}]})"}) {
    EXPECT_FALSE(restored(table, lie)) << lie;
  }
  const auto unwatched = craps();
  EXPECT_FALSE(restored(unwatched, R"({"phase":"betting","shooter":2})"));
  EXPECT_TRUE(restored(unwatched, R"({"phase":"betting","last":true})"));
}

TEST(CrapsShooter, what_is_refused_changes_nothing) {
  const auto table = open_table("craps");
  const auto first = must(table, must(table, start(table), stake("w", "win", 25, {}, 1)),
                          stake("f", "field", 25, {}, 2));
  const auto act = [](Seat seat, const char* word) {
    return Act{seat, word, std::nullopt, std::nullopt, {}, std::nullopt};
  };
  EXPECT_EQ(refusal(table, first, act(2, "tomar-dados")), "action_refused");
  EXPECT_EQ(refusal(table, first, act(2, "pasar-dados")), "action_refused");
  EXPECT_EQ(refusal(table, first, act(1, "soplar")), "action_unknown");
  EXPECT_EQ(refusal(table, first, Act{1, "tomar-dados", "w", std::nullopt, {}, std::nullopt}),
            "action_refused");
  EXPECT_EQ(refusal(table, first, TimeOut{2}), "not_due");
  const auto passed = must(table, first, act(1, "pasar-dados"));
  EXPECT_EQ(refusal(table, passed, CloseBets{}),
            "not_due");  // seat 2 has them now, and no line
  const auto both = must(table, passed, stake("v", "dont-win", 25, {}, 2));
  const auto closed = must(table, both, CloseBets{});
  EXPECT_EQ(table.engine().view(table, closed, {}).find("shooter")->integer(), 2);
  expect_round_trip(table, passed);
  expect_round_trip(table, closed);
}

}  // namespace
}  // namespace talla::games::test
