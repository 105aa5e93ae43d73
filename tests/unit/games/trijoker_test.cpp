// Goal: trijoker pays what its table says for every hand, deals in the order of the text, and
//       annuls where it says so.
// Method: random decks judged by a second count of ranks and suits; the engine through the driver;
//         broken rules.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "random_deck.hpp"

namespace talla::games::test {
namespace {

constexpr std::array<const char*, 2> catalogues = {"es-aragon-2010", "es-euskadi-2010"};

/// What one euro wins with five cards by the printed table, 0: it loses. Written from the
/// definitions of the text.
Units printed_price(const std::vector<Card>& five) {
  std::array<int, 15> of_rank{};
  std::set<shuffle::Suit> suits;
  for (const auto card : five) {
    ++of_rank.at(static_cast<std::size_t>(card.rank() == 1 ? 14 : card.rank()));
    suits.insert(card.suit());
  }
  std::array<int, 5> groups{};  // how many ranks stand once, twice...
  for (const int count : of_rank) {
    if (count > 0) ++groups.at(static_cast<std::size_t>(count));
  }
  int run_to = 0;
  of_rank[1] = of_rank[14];
  for (std::size_t top = 5; top <= 14; ++top) {
    bool run = groups[1] == 5;
    for (std::size_t rank = top - 4; rank <= top; ++rank) run = run && of_rank.at(rank) == 1;
    if (run) run_to = static_cast<int>(top);
  }
  const bool flush = suits.size() == 1;
  if (flush && run_to == 14) return 500;
  if (flush && run_to > 0) return 200;
  if (groups[4] == 1) return 50;
  if (groups[3] == 1 && groups[2] == 1) return 11;
  if (flush) return 8;
  if (run_to > 0) return 5;
  if (groups[3] == 1) return 3;
  if (groups[2] == 2) return 2;
  for (std::size_t rank = 11; rank <= 14; ++rank) {
    if (of_rank.at(rank) == 2) return 1;
  }
  return 0;
}

RC_GTEST_PROP(Trijoker, pays_every_hand_by_the_table_and_returns_what_was_taken_back, ()) {
  const std::string id = *rc::gen::element<std::string>("es-aragon-2010", "es-euskadi-2010");
  const auto table = open_of(id, "trijoker");
  const auto deck = shuffled();
  DeckTable play(table, deck);
  const auto players = *rc::gen::inRange<Seat>(1, 8);
  for (Seat seat = players; seat >= 1; --seat)
    play.must(stake("b" + std::to_string(seat), "tres-apuestas", 300 * seat, {}, seat));
  play.must(CloseBets{});
  std::set<std::string> taken;
  for (int spot = 1; spot <= 2; ++spot) {
    for (Seat seat = 1; seat <= players; ++seat) {
      const bool take = *rc::gen::inRange(0, 2) == 0;
      if (take) taken.insert("b" + std::to_string(seat) + "/" + std::to_string(spot));
      play.must(Act{seat, take ? "retirar-" + std::to_string(spot) : "dejar", {}, {}, {}, {}});
    }
  }
  RC_ASSERT(play.all().size() == 3 * players);
  for (Seat seat = 1; seat <= players; ++seat) {
    // Positions of the text: player i, then the left card, player i again, the right card, player
    // i.
    const std::vector<Card> hand = {deck[seat - 1], deck[players + seat],
                                    deck[2 * players + 1 + seat], deck[players],
                                    deck[2 * players + 1]};
    const Units price = printed_price(hand);
    for (int spot = 1; spot <= 3; ++spot) {
      const auto bet = "b" + std::to_string(seat) + "/" + std::to_string(spot);
      const Units amount = 100 * static_cast<Units>(seat);
      const bool back = taken.contains(bet);
      RC_ASSERT(play.of(bet).stake == amount);
      RC_ASSERT(play.of(bet).returned == (back ? amount : price == 0 ? 0 : amount * (price + 1)));
      RC_ASSERT(play.of(bet).result == (back         ? BetResult::push
                                        : price == 0 ? BetResult::lose
                                                     : BetResult::win));
    }
  }
}

RC_GTEST_PROP(Trijoker, annuls_for_a_common_card_shown_by_mistake_exactly_from_jack_to_ace, ()) {
  const std::string id = *rc::gen::element<std::string>("es-aragon-2010", "es-euskadi-2010");
  const auto table = open_of(id, "trijoker");
  const auto deck = shuffled();
  const bool left = *rc::gen::inRange(0, 2) == 0;
  DeckTable play(table, deck);
  play.must(stake("b", "tres-apuestas", 300));
  play.must(CloseBets{});
  play.must(Misdeal{"common-card-exposed", left ? "common-1" : "common-2"});
  const int rank = deck[left ? 1 : 3].rank();
  const bool high = rank == 1 || rank >= 11;
  RC_ASSERT(play.all().size() == (high ? 3U : 0U));
  if (high) RC_ASSERT(play.of("b/3").result == BetResult::void_ && play.of("b/3").returned == 100);
}

TEST(Trijoker, shows_a_card_to_its_owner_alone_and_the_common_ones_to_nobody) {
  for (const auto* id : catalogues) {
    const auto table = open_of(id, "trijoker");
    auto state = must(table, start(table), ShoeOpened{52, false});
    state = must(table, state, stake("a", "tres-apuestas", 300, {}, 4));
    state = must(table, state, stake("b", "tres-apuestas", 300, {}, 2));
    state = must(table, state, CloseBets{});
    const auto needs = table.engine().needs(table, state);
    const auto* deal = find_need<Deal>(needs);
    ASSERT_NE(deal, nullptr);
    std::vector<std::string> places;
    for (const auto& one : deal->cards) {
      places.push_back(one.place);
      EXPECT_EQ(one.face, Face::covered);
      const bool common = one.place.starts_with("common");
      EXPECT_EQ(one.seats,
                common ? std::vector<Seat>() : std::vector<Seat>{one.place[5] == '2' ? 2U : 4U});
    }
    EXPECT_EQ(places, (std::vector<std::string>{"seat-2-card-1", "seat-4-card-1", "common-1",
                                                "seat-2-card-2", "seat-4-card-2", "common-2",
                                                "seat-2-card-3", "seat-4-card-3"}));
  }
}

TEST(Trijoker, refuses_a_card_that_lies_open_already) {
  const auto table = open_of("es-euskadi-2010", "trijoker");
  DeckTable play(table, cards_of("QC 7D 4D 8D 9S"));
  play.must(stake("b", "tres-apuestas", 300));
  play.must(CloseBets{});
  EXPECT_EQ(play.driver().apply(Misdeal{"player-card-exposed", "seat-1-card-1"}).has_value(), true);
  EXPECT_EQ(play.refusal(CardRevealed{"seat-1-card-2", *Card::parse("QC")}), "place_unknown");
  EXPECT_EQ(play.refusal(CardRevealed{"seat-1-card-1", *Card::parse("Jk")}), "card_invalid");
  play.must(CardRevealed{"seat-1-card-1", *Card::parse("QC")});
  EXPECT_EQ(play.driver().apply(Misdeal{"common-card-exposed", "common-1"}).has_value(), true);
}

TEST(Trijoker, loads_no_rules_that_it_cannot_play) {
  const std::string id = "es-aragon-2010";
  const auto refused = [&](std::string_view from, std::string_view to) {
    return load_changed(from, to, id);
  };
  EXPECT_EQ(refused("pair_from = 11", "pair_from = 15"), "catalogue_malformed");
  EXPECT_EQ(refused("pair_from = 11", "pair_from = 11\nother = 1"), "catalogue_malformed");
  EXPECT_EQ(refused("void_from = 11", "void_from = \"J\""), "catalogue_malformed");
  EXPECT_EQ(refused("second_card = { parameter = \"second_exposed_card\" }",
                    "second_card = { parameter = \"boxes\" }"),
            "catalogue_malformed");
  EXPECT_EQ(refused("allowed = [\"void\", \"each\"]", "allowed = [\"void\", \"each\", \"all\"]"),
            "catalogue_malformed");
  EXPECT_EQ(refused("effect = \"turn-common\"", "effect = \"expose\""), "catalogue_malformed");
  EXPECT_EQ(refused("{ bet = \"apuesta-3\", chips = 1 }", "{ bet = \"apuesta-3\", chips = 2 }"),
            "catalogue_malformed");
  EXPECT_EQ(refused("boxes = { parameter = \"boxes\" }\n", "boxes = 9\n"), "catalogue_malformed");
}

TEST(Trijoker, restores_no_state_that_no_hand_can_have) {
  const auto table = open_of("es-aragon-2010", "trijoker");
  const std::string bets = R"("bets":[{"id":"b/1","kind":"apuesta-1","seat":1,"stake":100},)"
                           R"({"id":"b/3","kind":"apuesta-3","seat":1,"stake":100}])";
  const auto refused = [&](const std::string& text) {
    const auto value = json::parse(text);
    EXPECT_TRUE(value) << text;
    return !table.engine().restore(table, *value).has_value();
  };
  EXPECT_FALSE(refused(R"({"stage":"playing",)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"over",)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","decided":1,)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","exposing":"seat-1-card-1",)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","cards":[{"place":"common-1"}],)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing"})"));
  EXPECT_TRUE(refused(R"({"stage":"finished"})"));
  EXPECT_TRUE(refused(R"({"stage":"betting","exposed":1})"));
}

}  // namespace
}  // namespace talla::games::test
