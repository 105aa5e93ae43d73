// Goal: every event has one canonical form that comes back as the same event, and nothing else is
//       read.
// Method: one event of each kind through JSON and back; single faults.
#include "games/event.hpp"

#include <gtest/gtest.h>

#include <set>

namespace talla::games {
namespace {

Card card(std::string_view text) {
  return *Card::parse(text);
}

std::vector<Event> one_of_each() {
  return {PlaceBet{"b1", 1, 2, "pleno", {"17"}, 100},
          PlaceBet{"b2", 3, std::nullopt, "rojo", {}, 25},
          WithdrawBet{"b1", std::nullopt},
          WithdrawBet{"b1", 5},
          CloseBets{},
          ShoeOpened{416, false},
          ShoeOpened{416, true},
          CardDealt{"punto-1", Face::open, card("7H")},
          CardDealt{"basket", Face::unseen, std::nullopt},
          CardRevealed{"banca-1", card("TS")},
          StopCard{},
          ShoeClosed{},
          DrawResult{DrawKind::wheel, {"0"}},
          DrawResult{DrawKind::dice, {"3", "4"}},
          Shuffled{{"punto-1"}},
          Act{1, "prison", "b1", std::nullopt, {}, std::nullopt},
          Act{2, "raise", std::nullopt, 50, {"7H", "8H"}, "box-1"},
          TimeOut{4},
          VoidDraw{},
          Misdeal{"stuck-cards", std::nullopt},
          Misdeal{"floor-card", "punto-1"},
          LastRound{},
          LastRound{3, false},
          LastRound{1, true},
          MeterRead{"carrusel", 0},
          ConfirmHand{}};
}

TEST(Event, comes_back_from_its_canonical_form) {
  for (const auto& event : one_of_each()) {
    const auto text = json::canonical(to_json(event));
    const auto parsed = json::parse_canonical(text);
    ASSERT_TRUE(parsed) << text;
    const auto back = event_from_json(*parsed);
    ASSERT_TRUE(back) << text << ": " << back.error().text();
    EXPECT_EQ(*back, event) << text;
  }
}

TEST(Event, kinds_all_have_names_of_their_own) {
  std::set<std::string_view> names;
  std::set<std::size_t> kinds;
  for (const auto& event : one_of_each()) {
    names.insert(event_name(event));
    kinds.insert(event.index());
  }
  EXPECT_EQ(names.size(), std::variant_size_v<Event>);
  EXPECT_EQ(kinds.size(), std::variant_size_v<Event>);
}

TEST(Event, refuses_unknown_members_missing_members_and_cards_that_may_not_be_named) {
  for (const auto* text : {R"({"event":"spin"})", R"({"event":"close","why":"x"})",
                           R"({"event":"bet","id":"b","seat":1,"kind":"k"})",
                           R"({"event":"bet","id":"b","seat":0,"kind":"k","stake":5})",
                           R"({"event":"bet","id":"b","seat":1,"kind":"k","stake":0})",
                           R"({"event":"card","place":"basket","face":"unseen","card":"7H"})",
                           R"({"event":"card","place":"p","face":"open"})",
                           R"({"event":"card","place":"p","face":"open","card":"1H"})",
                           R"({"event":"draw","kind":"wheel","values":[]})",
                           R"({"event":"draw","kind":"coin","values":["1"]})",
                           R"({"event":"shoe","cards_count":416,"in_play":false})", R"([])"}) {
    const auto parsed = json::parse(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_FALSE(event_from_json(*parsed)) << text;
  }
}

}  // namespace
}  // namespace talla::games
