// Goal: when a complete hand is settled is one rule for all games of cards: with the last card, or
//       when staff confirm it.
// Method: the parameter of every game of every catalogue; one hand of punto y banca under both
// values, its states restored under both; catalogue files that name the parameter wrongly.
#include <gtest/gtest.h>

#include <array>

#include "games/catalogue.hpp"
#include "games/driver.hpp"
#include "games/engine_registry.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

/// Punto 7, banca 6: both stand.
const std::array<std::string_view, 4> stood_cards = {"7H", "6S", "KD", "KC"};
const std::array<std::string, 4> stood_places = {"punto-1", "banca-1", "punto-2", "banca-2"};

Driver dealt_coup(const Table& table) {
  auto driver = Driver::start(table);
  EXPECT_TRUE(driver.has_value());
  const auto must = [&](const Event& event) {
    const auto status = driver->apply(event);
    EXPECT_TRUE(status) << json::canonical(to_json(event)) << (status ? "" : status.error().text());
  };
  must(ShoeOpened{table.rules().shoe->cards_count, true});
  must(PlaceBet{"b1", 1, std::nullopt, "punto", {}, table.min()});
  must(CloseBets{});
  for (std::size_t i = 0; i < stood_cards.size(); ++i)
    must(CardDealt{stood_places.at(i), Face::open, *Card::parse(stood_cards.at(i))});
  return *std::move(driver);
}

TEST(SettleOn, stands_in_every_game_whose_engine_holds_hands) {
  for (const auto* id : {"es-1977", "es-valencia-2003", "es-aragon-2010", "es-euskadi-2010"}) {
    const auto catalogue = test::catalogue(id);
    for (const auto& game : catalogue->games) {
      const auto* engine = find_engine(game.family);
      if (engine == nullptr || !engine->holds_hands()) continue;
      const auto* rule = game.parameter(settle_parameter);
      ASSERT_NE(rule, nullptr) << id << " " << game.id;
      EXPECT_EQ(rule->fallback, json::Value("last-card")) << id << " " << game.id;
      EXPECT_FALSE(rule->cite.section.empty()) << id << " " << game.id;
    }
  }
}

TEST(SettleOn, last_card_settles_in_the_step_that_deals_it) {
  const auto table = test::open_table("punto-banco");
  auto driver = dealt_coup(table);
  EXPECT_EQ(driver.settled().size(), 1U);
  EXPECT_FALSE(driver.apply(ConfirmHand{}));
}

TEST(SettleOn, confirmation_holds_the_hand_until_staff_say_so) {
  const auto table = test::open_table("punto-banco", json::Object{{"settle_on", "confirmation"}});
  auto driver = dealt_coup(table);
  EXPECT_TRUE(driver.settled().empty());
  EXPECT_EQ(json::canonical(to_json(driver.needs())), R"([{"need":"confirm"}])");
  EXPECT_FALSE(driver.next_card_place()) << "no card is forced";
  const auto held = driver.state().to_json();
  EXPECT_TRUE(table.engine().restore(table, held));
  const auto other = test::open_table("punto-banco");
  const auto refused = other.engine().restore(other, held);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::state_malformed));
  ASSERT_TRUE(driver.apply(ConfirmHand{}));
  ASSERT_EQ(driver.settled().size(), 1U);
  EXPECT_EQ(driver.settled().front().result, BetResult::win);
  EXPECT_FALSE(driver.apply(ConfirmHand{})) << "once";
}

TEST(SettleOn, has_these_two_values_and_only_where_there_is_a_hand) {
  const std::string values = R"(allowed = ["last-card", "confirmation"])";
  EXPECT_EQ(test::load_changed(values, R"(allowed = ["last-card", "later"])"),
            "catalogue_malformed");
  const std::string first = "[[game.parameter]]\nid = \"zero_combinations\"";  // of a roulette
  const std::string rule =
      "[[game.parameter]]\nid = \"settle_on\"\ntype = \"choice\"\ndefault = \"last-card\"\n" +
      values + "\nset_by = \"casino\"\ncite = \"II\"\n\n";
  EXPECT_EQ(test::load_changed(first, rule + first), "catalogue_malformed")
      << "a wheel has no hand";
}

}  // namespace
}  // namespace talla::games
