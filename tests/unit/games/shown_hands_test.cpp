// Goal: a settlement names the poker hands as players call them, in both languages, and never one
// that was not shown.
// Method: hands worked out by hand; whole scenarios of each family.
#include "games/shown_hands.hpp"

#include "games/scenario.hpp"
#include "play_support.hpp"

namespace talla::games::test {
namespace {

using poker::Category;

ShownHand made(Category category, const std::string& cards) {
  ShownHand out{"seat-1", "", category, {}};
  for (std::size_t at = 0; at < cards.size(); at += 3) {
    auto card = shuffle::Card::parse(cards.substr(at, 2));
    TALLA_CHECK(card.has_value());
    out.cards.push_back(*card);
  }
  return out;
}

TEST(HandWords, are_those_of_the_table) {
  struct Named {
    Category category;
    std::string cards, es, en;
  };
  const std::vector<Named> all{
      {Category::straight_flush, "KH QH JH TH 9H", "escalera de color al rey",
       "straight flush to the king"},
      {Category::four, "AS AH AD AC 2C", "póquer de ases", "four of a kind, aces"},
      {Category::full, "KS KH KD 2C 2D", "full de reyes y doses", "full house, kings over twos"},
      {Category::straight, "AS 5H 4D 3C 2C", "escalera al cinco", "straight to the five"},
      {Category::straight, "AS KH QD JC TC", "escalera al as", "straight to the ace"},
      {Category::flush, "QS 9S 8S 3S 2S", "color a la dama", "flush, queen high"},
      {Category::two_pair, "TS TH 6D 6C AC", "doble pareja de dieces y seises",
       "two pair, tens and sixes"},
      {Category::pair, "JS JH 9D 6C 2C", "pareja de jotas", "pair of jacks"},
      {Category::high_card, "KS JH 9D 6C 2C", "carta mayor: rey", "king high"},
  };
  for (const auto& one : all) {
    EXPECT_EQ(hand_words(made(one.category, one.cards), "es"), one.es);
    EXPECT_EQ(hand_words(made(one.category, one.cards), "en"), one.en);
  }
}

TEST(HandWords, of_a_hand_with_the_joker_do_not_count_it_as_a_card) {
  auto hand = made(Category::straight, "9S 8H 7D 5C");
  hand.cards.push_back(shuffle::Card::joker());
  EXPECT_EQ(hand_words(hand, "es"), "escalera con comodín");
}

Result<std::shared_ptr<const Catalogue>> find_catalogue(std::string_view id) {
  return catalogue(id);
}

ScenarioOutcome ran(const std::string& text, std::optional<Viewer> viewer = {}) {
  const auto all = read_scenarios(text);
  TALLA_CHECK(all.size() == 1 && all.front().scenario.has_value());
  return run_scenario(*all.front().scenario, &find_catalogue, viewer);
}

constexpr const char* three_cards = R"({"catalogue":"es-aragon-2010","game":"three-card-poker",
"table":{"currency":"EUR","unit":1,"min":10},"steps":[{"cards":["AS","KH","AH","9D","AD","4C"]},
{"bet":{"id":"a","seat":1,"kind":"ante","stake":100}},{"close":true})";

TEST(ShownHands, of_three_cards_name_the_player_and_the_bank) {
  const auto outcome = ran(std::string(three_cards) + R"(,{"act":{"seat":1,"do":"voy"}}]})");
  ASSERT_FALSE(outcome.error) << outcome.error->text();
  ASSERT_EQ(outcome.hands.size(), 2U) << to_text(outcome);
  EXPECT_EQ(hand_words(outcome.hands[0], "es"), "trío de ases");
  EXPECT_EQ(outcome.hands[0].holder, "seat-1");
  EXPECT_EQ(hand_words(outcome.hands[1], "en"), "king high");
  EXPECT_NE(to_text(outcome, "es").find("puesto 1: trío de ases (AS AH AD)"), std::string::npos)
      << to_text(outcome, "es");
  EXPECT_NE(to_text(outcome, "es").find("banca: carta mayor: rey"), std::string::npos);
}

constexpr const char* pai_gow_round = R"({"catalogue":"es-aragon-2010","game":"pai-gow-poker",
"table":{"currency":"EUR","unit":1,"min":10},"steps":[
{"cards":["KC","QD","9S","9H","7H","5S","3D","9D","9C","KH","QS","7D","5C","3H"]},
{"bet":{"id":"b","seat":1,"kind":"apuesta","stake":100}},{"close":true},{"dice":[1,2,6]},
{"act":{"seat":1,"do":"componer","cards":["seat-1-card-1","seat-1-card-2"]}}]})";

TEST(ShownHands, of_pai_gow_say_how_the_bank_has_set_its_two) {
  const auto outcome = ran(pai_gow_round);
  ASSERT_FALSE(outcome.error) << outcome.error->text();
  const auto said = to_text(outcome, "es");
  // 10.1.C VI: one pair behind, the two highest of the others in front.
  EXPECT_NE(said.find("banca, mano alta: pareja de nueves"), std::string::npos) << said;
  EXPECT_NE(said.find("banca, mano baja: carta mayor: rey"), std::string::npos) << said;
  EXPECT_NE(said.find("puesto 1, mano alta: "), std::string::npos) << said;
}

TEST(ShownHands, that_nobody_was_shown_are_not_named_but_their_holder_sees_his_cards) {
  const Viewer first{Viewer::Kind::seat, 1};
  const auto waiting = ran(std::string(three_cards) + "]}", first);
  ASSERT_FALSE(waiting.error) << waiting.error->text();
  for (const auto& one : waiting.hands) EXPECT_NE(one.holder, "seat-1");
  ASSERT_TRUE(waiting.view);
  const auto* own = waiting.view->find("own_cards");
  ASSERT_NE(own, nullptr) << json::canonical(*waiting.view);
  EXPECT_EQ(own->object().size(), 3U);
  const Viewer other{Viewer::Kind::seat, 2};
  EXPECT_EQ(ran(std::string(three_cards) + "]}", other).view->find("own_cards"), nullptr);
  EXPECT_EQ(ran(std::string(three_cards) + "]}", Viewer{}).view->find("own_cards"), nullptr);
}

}  // namespace
}  // namespace talla::games::test
