// Goal: a meter that tables share takes in and gives out every unit exactly once, whatever the
//   order in which its tables settle; a table reads it when its hand is complete, and at no other
//   moment.
// Method: two tables and one amount kept by the test as the appliance keeps it; random hands of the
//   kinds that win and lose, their awards reckoned a second time from the words of the text;
//   refusals before, while and after the meter is due.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "deck_source.hpp"

namespace talla::games::test {
namespace {

constexpr Units half_minimum = 50;

Table carrousel_table(const std::string& stake_multiple = "1/2") {
  return open_of("es-aragon-2010", "caribbean-stud",
                 json::Object{{"carrousel", true}, {"carrousel_stake", stake_multiple}}, 100,
                 {"carrusel"});
}

/// One player's five cards and the bank's, dealt one by one.
std::vector<Card> deck_of(const std::string& hand) {
  const auto own = cards_of(hand);
  const auto bank = cards_of("AD KC 5D 3H 2C");
  std::vector<Card> deck;
  for (std::size_t i = 0; i < 5; ++i) deck.insert(deck.end(), {own[i], bank[i]});
  return deck;
}

/// A hand with a stake in the carrousel, up to where everybody has spoken.
void play_to_the_end(DeckTable& play) {
  play.must(stake("b1", "apuesta-inicial", 500, {}, 1));
  play.must(stake("c1", "carrusel", half_minimum, {}, 1));
  play.must(CloseBets{});
  play.must(Act{1, "voy", {}, {}, {}, {}});
}

Meter meter_of(DeckTable& play) {
  return play.driver()
      .table()
      .engine()
      .meters(play.driver().table(), play.driver().state())
      .front();
}

bool reads(DeckTable& play) {
  const auto needs = play.driver().needs();
  return find_need<ReadMeter>(needs) != nullptr;
}

RC_GTEST_PROP(SharedMeter, gives_and_keeps_every_unit_over_all_its_tables, ()) {
  // 10.1.A VII: the royal flush takes everything accumulated, a straight flush ten per cent, others
  // nothing.
  const std::array<std::pair<const char*, Units>, 3> kinds = {
      {{"AS KS QS JS TS", 100}, {"4S 5S 6S 7S 8S", 10}, {"9S 9H 9D 9C 7S", 0}}};
  static const std::array tables = {carrousel_table(), carrousel_table()};
  RC_ASSERT(tables[0].engine().meter_terms(tables[0], "carrusel") ==
            tables[1].engine().meter_terms(tables[1], "carrusel"));
  Units value = *rc::gen::inRange<Units>(0, 100'000);
  const Units begin = value;
  Units staked = 0;
  Units paid = 0;
  const auto hands = *rc::gen::inRange(1, 7);
  for (int hand = 0; hand < hands; ++hand) {
    const auto& table = tables.at(*rc::gen::inRange<std::size_t>(0, 2));
    const auto& [cards, percent] = kinds.at(*rc::gen::inRange<std::size_t>(0, kinds.size()));
    DeckTable play(table, deck_of(cards));
    play.source().meters["carrusel"] = value;
    play_to_the_end(play);
    const Units award = (value + half_minimum) * percent / 100;
    const auto left = meter_of(play).value;
    RC_ASSERT(left == value + half_minimum - award);
    RC_ASSERT(play.of("c1").returned == award);
    value = left;
    staked += half_minimum;
    paid += award;
  }
  RC_ASSERT(begin + staked - paid == value);
}

TEST(SharedMeter, is_read_when_the_hand_is_complete_and_at_no_other_moment) {
  const auto table = carrousel_table();
  DeckTable play(table, deck_of("AS KS QS JS TS"));
  EXPECT_EQ(play.refusal(MeterRead{"carrusel", 700}), "not_due");
  play_to_the_end(play);
  ASSERT_TRUE(reads(play));
  const auto needs = play.driver().needs();
  EXPECT_EQ(needs.size(), 1U) << "nothing else may come before it";
  EXPECT_EQ(json::canonical(to_json(needs)), R"([{"meter":"carrusel","need":"meter"}])");
  EXPECT_EQ(play.refusal(MeterRead{"progresivo", 700}), "not_due");
  EXPECT_EQ(play.refusal(Act{1, "voy", {}, {}, {}, {}}), "action_refused");
  EXPECT_EQ(play.refusal(CloseBets{}), "bets_closed");
  play.must(MeterRead{"carrusel", 700});
  EXPECT_EQ(play.of("c1").returned, 750);
  EXPECT_EQ(play.refusal(MeterRead{"carrusel", 700}), "not_due");
}

TEST(SharedMeter, is_read_behind_the_confirmation_of_the_hand) {
  const auto table = open_of(
      "es-aragon-2010", "caribbean-stud",
      json::Object{{"carrousel", true}, {"carrousel_stake", "1/2"}, {"settle_on", "confirmation"}},
      100, {"carrusel"});
  DeckTable play(table, deck_of("AS KS QS JS TS"));
  play_to_the_end(play);
  EXPECT_EQ(json::canonical(to_json(play.driver().needs())), R"([{"need":"confirm"}])");
  EXPECT_EQ(play.refusal(MeterRead{"carrusel", 700}), "not_due");
  play.must(ConfirmHand{});
  EXPECT_EQ(json::canonical(to_json(play.driver().needs())),
            R"([{"meter":"carrusel","need":"meter"}])");
  EXPECT_EQ(play.refusal(ConfirmHand{}), "not_due");
  EXPECT_EQ(play.refusal(Misdeal{"exposed-card", std::nullopt}), "not_due")
      << "what was confirmed stays";
  const auto text = play.driver().state().to_json();
  EXPECT_TRUE(table.engine().restore(table, text));
  EXPECT_FALSE(table.engine().restore(carrousel_table(), text)) << "a table that does not confirm";
  play.must(MeterRead{"carrusel", 700});
  EXPECT_EQ(play.of("c1").returned, 750);
}

TEST(SharedMeter, is_not_touched_by_a_hand_that_counts_for_nothing) {
  const auto table = carrousel_table();
  DeckTable play(table, deck_of("AS KS QS JS TS"));
  play_to_the_end(play);
  ASSERT_TRUE(reads(play));
  play.must(Misdeal{"exposed-card", std::nullopt});
  EXPECT_EQ(play.of("c1").result, BetResult::void_);
  EXPECT_EQ(play.of("c1").returned, half_minimum);
  EXPECT_EQ(meter_of(play), (Meter{"carrusel", 0, 0, 0}));
}

TEST(SharedMeter, is_read_once_for_each_meter_and_none_is_settled_before_all_are) {
  const auto table = open_of("es-aragon-2010", "caribbean-stud",
                             json::Object{{"carrousel", true}, {"progressive", true}}, 100,
                             {"carrusel", "progresivo"});
  DeckTable play(table, deck_of("4S 5S 6S 7S 8S"));
  play.must(stake("b1", "apuesta-inicial", 500, {}, 1));
  play.must(stake("c1", "carrusel", half_minimum, {}, 1));
  play.must(stake("p1", "progresivo", half_minimum, {}, 1));
  play.must(CloseBets{});
  play.must(Act{1, "voy", {}, {}, {}, {}});
  const auto first = play.driver().needs();
  const auto word = find_need<ReadMeter>(first)->meter;
  const std::string other = word == "carrusel" ? "progresivo" : "carrusel";
  EXPECT_EQ(play.refusal(MeterRead{other, 1000}), "not_due");
  play.must(MeterRead{word, 9950});
  EXPECT_TRUE(play.all().empty());
  EXPECT_EQ(play.refusal(MeterRead{word, 9950}), "not_due");
  play.must(MeterRead{other, 1950});
  EXPECT_EQ(play.of(word == "carrusel" ? "c1" : "p1").returned, 1000);
  EXPECT_EQ(play.of(word == "carrusel" ? "p1" : "c1").returned, 200);
}

TEST(SharedMeter, has_other_terms_with_another_stake) {
  const auto half = carrousel_table();
  const auto whole = carrousel_table("1");
  EXPECT_NE(half.engine().meter_terms(half, "carrusel"),
            whole.engine().meter_terms(whole, "carrusel"));
  EXPECT_FALSE(half.engine().meter_terms(half, "progresivo")) << "this table does not offer it";
  EXPECT_FALSE(half.engine().meter_terms(half, "seguro")) << "no meter";
}

TEST(SharedMeter, belongs_to_no_state_outside_of_the_end_of_a_hand) {
  const auto table = carrousel_table();
  DeckTable play(table, deck_of("AS KS QS JS TS"));
  auto state = play.driver().state().to_json();
  state["meters"].array().at(0)["read"] = true;
  EXPECT_FALSE(table.engine().restore(table, state));
  play_to_the_end(play);
  auto waiting = play.driver().state().to_json();
  waiting["meters"].array().at(0)["read"] = true;
  EXPECT_FALSE(table.engine().restore(table, waiting)) << "then it would be settled";
}

TEST(SharedMeter, of_blackjack_is_read_before_the_dealer_s_first_hand_is_settled) {
  const auto table = open_of("es-euskadi-2010", "triple-blackjack",
                             json::Object{{"acumulada", true}, {"acumulada_contribution", "1"}},
                             100, {"acumulada"});
  // Burns, then 7H, the dealer's nine, 7H, then one card after the other.
  DeckTable play(table, cards_of("2C 2C 2C 2C 2C 7H 9D 7H 7H TC 8C 8D 9S 9H"));
  play.must(stake("b1", "juego-simple", 1000, {"1"}, 1));
  play.must(stake("a1", "acumulada", half_minimum, {}, 1));
  play.must(CloseBets{});
  bool third_card = false;
  while (!reads(play)) {
    const auto needs = play.driver().needs();
    const auto* decide = find_need<Decide>(needs);
    ASSERT_NE(decide, nullptr);
    const auto& choices = decide->choices;
    const bool hit = std::any_of(choices.begin(), choices.end(),
                                 [](const auto& one) { return one.action == "hit"; });
    if (hit && !third_card) {
      third_card = true;
      play.must(Act{1, "hit", {}, {}, {}, {}});
    } else {
      play.must(TimeOut{1});
    }
  }
  EXPECT_FALSE(play.all().contains("a1"));
  EXPECT_FALSE(play.all().contains("b1")) << "the hand is settled with it";
  play.must(MeterRead{"acumulada", 2'000'000});
  EXPECT_EQ(play.of("a1").returned, 2'000'000 + half_minimum);
}

}  // namespace
}  // namespace talla::games::test
