// Goal: three card poker settles every deal as the text says, pays what the exact odds say, and
//       shows nobody's cards.
// Method: random decks judged by a second comparison written from the text; all hands of three
// cards against the published counts; the deal, the seats that may look and the cards that are
// never turned; broken rules and states.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "random_deck.hpp"

namespace talla::games::test {
namespace {

/// A hand as the text ranks it: 6 royal ... 1 pair, 0 high cards (escalera real, de color, trío,
/// escalera, color, pareja), then the cards that break ties.
struct Three {
  int rank = 0;
  std::array<int, 3> cards{};
  auto operator<=>(const Three&) const = default;
};

Three judged_three(const std::vector<Card>& three) {
  std::array<int, 3> r{};
  std::transform(three.begin(), three.end(), r.begin(),
                 [](Card c) { return c.rank() == 1 ? 14 : c.rank(); });
  std::sort(r.begin(), r.end(), std::greater<>());
  const bool flush = three[0].suit() == three[1].suit() && three[1].suit() == three[2].suit();
  const bool low = r == std::array<int, 3>{14, 3, 2};
  const bool run = low || (r[0] == r[1] + 1 && r[1] == r[2] + 1);
  if (low) r = {3, 2, 1};
  if (run && flush) return {r[0] == 14 ? 6 : 5, r};
  if (r[0] == r[2]) return {4, r};
  if (run) return {3, r};
  if (flush) return {2, r};
  if (r[0] == r[1]) return {1, r};
  if (r[1] == r[2]) return {1, {r[1], r[2], r[0]}};
  return {0, r};
}

bool bank_plays(const Three& bank) {
  return bank.rank > 0 || bank.cards[0] >= 12;
}

Units bonus_of(int rank) {
  constexpr std::array<Units, 7> pays = {0, 0, 0, 1, 4, 5, 5};
  return pays.at(static_cast<std::size_t>(rank));
}

Units plus_of(int rank) {
  constexpr std::array<Units, 7> pays = {0, 1, 3, 6, 30, 40, 50};
  return pays.at(static_cast<std::size_t>(rank));
}

std::string bet_id(Seat seat) {
  return "b" + std::to_string(seat);
}

RC_GTEST_PROP(ThreeCardPoker, settles_every_deal_as_the_text_says, ()) {
  const std::string id = *rc::gen::element<std::string>("es-aragon-2010", "es-euskadi-2010");
  const auto table = open_of(id, "three-card-poker");
  const auto deck = shuffled();
  DeckTable play(table, deck);
  const auto players = *rc::gen::inRange<Seat>(1, 8);
  for (Seat seat = 1; seat <= players; ++seat) {
    play.must(stake(bet_id(seat), "ante", 500, {}, seat));
    play.must(stake("p" + std::to_string(seat), "pareja-plus", 200, {}, seat));
  }
  play.must(CloseBets{});
  std::vector<bool> goes;
  for (Seat seat = 1; seat <= players; ++seat) {
    goes.push_back(*rc::gen::inRange(0, 3) > 0);
    play.must(Act{seat, goes.back() ? "voy" : "paso", {}, {}, {}, {}});
  }
  // Positions of the text: hand i, card r is number (r-1)(n+1)+i, the bank's r(n+1).
  const auto hand = [&](std::size_t i) {
    return judged_three({deck[i], deck[players + 1 + i], deck[2 * (players + 1) + i]});
  };
  const auto bank = hand(players);
  for (Seat seat = 1; seat <= players; ++seat) {
    const auto own = hand(seat - 1);
    const auto& ante = play.of(bet_id(seat));
    const auto plus = play.of("p" + std::to_string(seat)).returned;
    if (!goes.at(seat - 1)) {
      RC_ASSERT(ante.returned == 0 && plus == 0);
      RC_ASSERT(!play.all().contains(bet_id(seat) + ".segunda"));
      continue;
    }
    const auto second = play.of(bet_id(seat) + ".segunda").returned;
    const Units price = plus_of(own.rank);
    RC_ASSERT(plus == (price == 0 ? 0 : 200 * (price + 1)));
    const bool bonus = play.all().contains(bet_id(seat) + ".bonus");
    RC_ASSERT(bonus == (bonus_of(own.rank) > 0));
    if (bonus) RC_ASSERT(play.of(bet_id(seat) + ".bonus").returned == 500 * bonus_of(own.rank));
    const bool plays = bank_plays(bank);
    RC_ASSERT(ante.returned == (!plays || own > bank ? 1000 : own == bank ? 500 : 0));
    RC_ASSERT(second == (!plays ? 500 : own > bank ? 1000 : own == bank ? 500 : 0));
  }
}

TEST(ThreeCardPoker, pays_pair_plus_over_all_hands_what_the_printed_tables_say) {
  // Counts of the 22,100 hands: stats/STANDARDS.md, "Exact odds" (48 with the four royals, 52, 720,
  // 1,096, 3,744, 16,440).
  std::array<int, 7> counts{};
  const auto deck = all_french();
  for (std::size_t a = 0; a < 52; ++a) {
    for (std::size_t b = a + 1; b < 52; ++b) {
      for (std::size_t c = b + 1; c < 52; ++c)
        ++counts.at(static_cast<std::size_t>(judged_three({deck[a], deck[b], deck[c]}).rank));
    }
  }
  EXPECT_EQ(counts, (std::array<int, 7>{16440, 3744, 1096, 720, 52, 44, 4}));
  // One unit on each hand: what comes back less what is staked, for the tables A, B and C of
  // Aragón.
  struct Plus {
    const char* table;
    std::array<int, 7> pays;
    int gain;
  };
  const std::array<Plus, 3> all = {{{"A", {-1, 1, 3, 6, 30, 40, 50}, -1568},
                                    {"B", {-1, 1, 4, 6, 30, 40, 40}, -512},
                                    {"C", {-1, 1, 4, 6, 33, 35, 35}, -596}}};
  for (const auto& one : all) {
    json::Value params;
    params["pair_plus_table"] = one.table;
    const auto table = open_of("es-aragon-2010", "three-card-poker", params);
    const auto* rule = table.rules().bet("pareja-plus");
    Fraction from_rules(-counts[0]);
    int printed = 0;
    constexpr std::array names = {"",     "pair",           "flush",      "straight",
                                  "trio", "straight-flush", "royal-flush"};
    for (std::size_t i = 0; i < 7; ++i) {
      printed += counts.at(i) * one.pays.at(i);
      if (i > 0)
        from_rules += Fraction(counts.at(i)) * rule->payout(names.at(i), table.params())->pays;
    }
    EXPECT_EQ(from_rules, Fraction(printed)) << one.table;
    EXPECT_EQ(printed, one.gain) << one.table;
  }
}

TEST(ThreeCardPoker, deals_covered_to_the_owner_alone_and_the_bank_to_nobody) {
  for (const auto* id : {"es-aragon-2010", "es-euskadi-2010"}) {
    const auto table = open_of(id, "three-card-poker");
    auto state = must(table, start(table), ShoeOpened{52, false});
    state = must(table, state, stake("a", "ante", 300, {}, 4));
    state = must(table, state, stake("b", "ante", 300, {}, 2));
    state = must(table, state, CloseBets{});
    const auto needs = table.engine().needs(table, state);
    const auto* deal = find_need<Deal>(needs);
    ASSERT_NE(deal, nullptr);
    std::vector<std::string> places;
    for (const auto& one : deal->cards) {
      places.push_back(one.place);
      EXPECT_EQ(one.face, Face::covered);
      const bool bank = one.place.starts_with("bank");
      EXPECT_EQ(one.seats,
                bank ? std::vector<Seat>() : std::vector<Seat>{one.place[5] == '2' ? 2U : 4U});
    }
    EXPECT_EQ(places, (std::vector<std::string>{"seat-2-card-1", "seat-4-card-1", "bank-1",
                                                "seat-2-card-2", "seat-4-card-2", "bank-2",
                                                "seat-2-card-3", "seat-4-card-3", "bank-3"}));
  }
}

TEST(ThreeCardPoker, never_turns_the_cards_of_who_retired) {
  const auto table = open_of("es-euskadi-2010", "three-card-poker");
  DeckTable play(table, cards_of("KS AS QD 8H AH 4C 3D AD 2C"));
  play.must(stake("a", "ante", 300, {}, 1));
  play.must(stake("b", "ante", 300, {}, 2));
  play.must(CloseBets{});
  play.must(Act{1, "voy", {}, {}, {}, {}});
  play.must(Act{2, "paso", {}, {}, {}, {}});
  const auto events = play.driver().take_events();
  EXPECT_EQ(turned(events), (std::vector<std::string>{"bank-1", "bank-2", "bank-3", "seat-1-card-1",
                                                      "seat-1-card-2", "seat-1-card-3"}));
  EXPECT_EQ(play.of("b").returned, 0);
}

TEST(ThreeCardPoker, turns_nothing_when_all_retire) {
  const auto table = open_of("es-euskadi-2010", "three-card-poker");
  DeckTable play(table, cards_of("KS QD 8H 4C 3D 2C"));
  play.must(stake("a", "ante", 300));
  play.must(CloseBets{});
  play.must(Act{1, "paso", {}, {}, {}, {}});
  const auto events = play.driver().take_events();
  EXPECT_TRUE(turned(events).empty());
  EXPECT_EQ(play.of("a").result, BetResult::lose);
}

TEST(ThreeCardPoker, refuses_a_card_that_lies_open_already) {
  const auto table = open_of("es-euskadi-2010", "three-card-poker");
  auto state = must(table, start(table), ShoeOpened{52, false});
  state = must(table, state, stake("a", "ante", 300));
  state = must(table, state, CloseBets{});
  for (const auto* place :
       {"seat-1-card-1", "bank-1", "seat-1-card-2", "bank-2", "seat-1-card-3", "bank-3"})
    state = must(table, state, CardDealt{place, Face::covered, std::nullopt});
  state = must(table, state, Act{1, "voy", {}, {}, {}, {}});
  state = must(table, state, CardRevealed{"bank-1", *Card::parse("QC")});
  EXPECT_EQ(refusal(table, state, CardRevealed{"bank-2", *Card::parse("QC")}), "card_invalid");
  EXPECT_EQ(refusal(table, state, CardRevealed{"bank-2", *Card::parse("Jk")}), "card_invalid");
  EXPECT_EQ(refusal(table, state, CardRevealed{"bank-3", *Card::parse("QD")}), "place_unknown");
  EXPECT_EQ(refusal(table, state, CardDealt{"bank-2", Face::covered, std::nullopt}), "not_due");
}

TEST(ThreeCardPoker, loads_no_rules_that_it_cannot_play) {
  const std::string id = "es-euskadi-2010";
  const auto refused = [&](std::string_view from, std::string_view to) {
    return load_changed(from, to, id);
  };
  const std::string bad = "catalogue_malformed";
  EXPECT_EQ(refused("minimum = [\"QS\", \"3H\", \"2D\"]", "minimum = [\"QS\", \"3H\"]"), bad);
  EXPECT_EQ(refused("minimum = [\"QS\", \"3H\", \"2D\"]", "minimum = [\"QS\", \"3H\", \"2X\"]"),
            bad);
  EXPECT_EQ(refused("cards = 3\nmode", "cards = 4\nmode"), bad);
  EXPECT_EQ(refused("{ when = \"trio\", pays = \"4:1\", cite = \"V.3\" }",
                    "{ when = \"trios\", pays = \"4:1\", cite = \"V.3\" }"),
            bad);
  EXPECT_EQ(refused("  { when = \"pair\", pays = \"1:1\", cite = \"V.3\" },\n", ""), bad);
  EXPECT_EQ(refused("lower_hand = { parameter = \"lower_hand_loses\" }", "lower_hand = \"none\""),
            bad);
  EXPECT_EQ(refused("code = \"shown-cards\", effect = \"lose-stakes\"",
                    "code = \"shown-cards\", effect = \"expose\""),
            bad);
  EXPECT_EQ(refused("allowed = [\"main\", \"all\"]", "allowed = [\"main\", \"all\", \"none\"]"),
            bad);
}

TEST(ThreeCardPoker, restores_no_state_that_no_hand_can_have) {
  const auto table = open_of("es-aragon-2010", "three-card-poker");
  const auto refused = [&](const std::string& text) {
    const auto value = json::parse(text);
    EXPECT_TRUE(value) << text;
    return !table.engine().restore(table, *value).has_value();
  };
  const std::string bets = R"("bets":[{"box":1,"id":"a","kind":"ante","seat":1,"stake":300}])";
  const std::string covered =
      R"("bank":["","",""],"hands":[{"box":1,"cards":["","",""],"seat":1}])";
  EXPECT_FALSE(refused(R"({"phase":"betting","shoe":true,)" + bets + "}"));
  EXPECT_FALSE(refused(R"({"phase":"playing","shoe":true,)" + bets + "," + covered + "}"));
  EXPECT_TRUE(refused(R"({"phase":"playing",)" + bets + "," + covered + "}"));
  EXPECT_TRUE(refused(R"({"phase":"betting",)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"phase":"over",)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"phase":"bank","shoe":true,)" + bets + "," + covered + "}"));
  EXPECT_TRUE(refused(R"({"phase":"dealing","shoe":true,)" + bets + "," + covered + "}"));
  EXPECT_TRUE(refused(R"({"phase":"playing","shoe":true,"lost":[{"bet":"a","by":"luck"}],)" + bets +
                      "," + covered + "}"));
  EXPECT_TRUE(refused(R"({"phase":"playing","shoe":true,"bank":["QS","",""],)"
                      R"("hands":[{"box":1,"cards":["","",""],"seat":1}],)" +
                      bets + "}"));
  EXPECT_TRUE(refused(R"({"phase":"playing","shoe":true,"bank":["","",""],)"
                      R"("hands":[{"box":1,"cards":["KS","",""],"seat":1}],)" +
                      bets + "}"));
  EXPECT_TRUE(refused(R"({"phase":"playing","shoe":true,"bank":["","",""],)"
                      R"("hands":[{"box":1,"cards":["","",""],"seat":2}],)" +
                      bets + "}"));
  EXPECT_TRUE(refused(R"({"phase":"playing","shoe":true,"bank":["","",""],)"
                      R"("hands":[{"box":1,"cards":["","",""],"discards":[1],"seat":1}],)" +
                      bets + "}"));
}

}  // namespace
}  // namespace talla::games::test
