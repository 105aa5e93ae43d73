// Goal: a scenario file means what its format page says, and a wrong one is refused with a stable
//       code.
// Method: one scenario for each kind of step and each fault, on punto y banca and French roulette
//         of es-1977.
#include "games/scenario.hpp"

#include <gtest/gtest.h>

#include "play_support.hpp"

namespace talla::games {
namespace {

ScenarioOutcome run(std::string_view text) {
  const auto lines = read_scenarios(text);
  EXPECT_EQ(lines.size(), 1U);
  const auto& scenario = lines.at(0).scenario;
  if (!scenario) {
    ADD_FAILURE() << scenario.error().text();
    return {};
  }
  return run_scenario(*scenario,
                      [](std::string_view id) { return load_embedded(id, test::NoHash()); });
}

std::string punto_banco(std::string_view steps, std::string_view expected) {
  return R"({"catalogue":"es-1977","game":"punto-banco","table":{"currency":"ESP","unit":1,"min":25,"params":{}},"steps":[)" +
         std::string(steps) + "]," + std::string(expected) + "}";
}

constexpr std::string_view bet_banca = R"({"bet":{"id":"b1","seat":1,"kind":"banca","stake":100}})";

void expect_passed(const ScenarioOutcome& outcome) {
  EXPECT_TRUE(outcome.passed()) << to_text(outcome);
}

TEST(Scenario, cards_are_a_queue_in_shoe_order_with_the_burns_first) {
  expect_passed(run(punto_banco(
      std::string(bet_banca) + R"(,{"close":true},{"cards":["AS","9H","2H","4D","KS","5C"]})",
      R"("expect":[{"bet":"b1","result":"win","returned":195,"rule":"07 V"}])")));
}

TEST(Scenario, shoe_may_be_named_and_left_over_cards_wait_for_the_next_hand) {
  const std::string steps =
      R"({"shoe":"new"},{"cards":["AS","9H","2H","4D","KS","5C","4H","KD","4S","6C","9D"]},)" +
      std::string(bet_banca) +
      R"(,{"close":true},{"bet":{"id":"b2","seat":1,"kind":"punto","stake":50}},)" +
      R"({"close":true})";
  expect_passed(run(punto_banco(
      steps,
      R"("expect":[{"bet":"b1","returned":195},{"bet":"b2","result":"win","returned":100}])")));
}

TEST(Scenario, at_puts_cards_at_places_of_a_shoe_in_play) {
  const std::string steps =
      std::string(bet_banca) +
      R"(,{"close":true},{"at":{"punto-1":"2H","punto-2":"KS","banca-1":"4D","banca-2":"5C"}})";
  expect_passed(run(punto_banco(steps, R"("expect":[{"bet":"b1","returned":195}])")));
}

TEST(Scenario, stop_card_counts_all_cards_out_of_the_shoe_burns_included) {
  const std::string cards =
      R"({"stop_card_after":4},{"cards":["AS","9H","2H","4D","KS","5C","4H","KD","4S","6C"]},)";
  const std::string hand = std::string(bet_banca) + R"(,{"close":true})";
  const std::string more = R"(,{"bet":{"id":"b2","seat":1,"kind":"punto","stake":50}})";
  expect_passed(run(punto_banco(cards + hand, R"("expect":[{"bet":"b1","returned":195}])")));
  expect_passed(run(punto_banco(cards + hand + more, R"("expect_error":"shoe_finished")")));
}

TEST(Scenario, empty_queue_is_the_error_cards_exhausted) {
  expect_passed(
      run(punto_banco(std::string(bet_banca) + R"(,{"close":true},{"cards":["AS","9H","2H","4D"]})",
                      R"("expect_error":"cards_exhausted")")));
  expect_passed(run(punto_banco(
      std::string(bet_banca) + R"(,{"close":true},{"cards":["AS"]},)" + std::string(bet_banca),
      R"("expect_error":"cards_exhausted")")));
}

TEST(Scenario, prison_of_the_format_page_runs) {
  expect_passed(run(R"({"catalogue":"es-1977","game":"french-roulette",
 "table":{"currency":"ESP","unit":1,"min":25,"params":{}},
 "steps":[
   {"bet":{"id":"b1","seat":1,"kind":"rojo","stake":100}},{"close":true},{"wheel":"0"},
   {"act":{"seat":1,"bet":"b1","do":"prison"}},{"close":true},{"wheel":"0"},
   {"act":{"seat":1,"bet":"b1","do":"prison"}},{"session":"last"},{"close":true},{"wheel":"3"}],
 "expect":[{"bet":"b1","result":"freed","returned":50}],
 "source":"01 IV.1.B.b"})"));
}

TEST(Scenario, numbers_in_on_may_be_integers_or_texts) {
  for (const auto* on : {"[17]", "[\"17\"]", "17"}) {
    expect_passed(run(
        R"({"catalogue":"es-1977","game":"french-roulette","table":{"currency":"ESP","min":25},"steps":[)"
        R"({"bet":{"id":"b","seat":1,"kind":"pleno","on":)" +
        std::string(on) +
        R"(,"stake":25}},{"close":true},{"wheel":17}],"expect":[{"bet":"b","returned":900}]})"));
  }
}

TEST(Scenario, expectation_that_fails_is_named_and_fails) {
  const auto outcome = run(punto_banco(
      std::string(bet_banca) + R"(,{"close":true},{"cards":["AS","9H","2H","4D","KS","5C"]})",
      R"("expect":[{"bet":"b1","returned":200},{"bet":"b9"}])"));
  EXPECT_FALSE(outcome.passed());
  EXPECT_EQ(outcome.differences.size(), 2U);
}

TEST(Scenario, refusal_that_was_not_expected_fails_with_its_step) {
  const auto outcome =
      run(punto_banco(std::string(bet_banca) + "," + std::string(bet_banca), R"("expect":[])"));
  EXPECT_FALSE(outcome.passed());
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, "bet_duplicate");
  EXPECT_EQ(outcome.error_step, 2U);
}

TEST(Scenario, expected_refusal_that_does_not_come_fails) {
  EXPECT_FALSE(run(punto_banco(bet_banca, R"("expect_error":"above_maximum")")).passed());
}

struct Refused {
  std::string_view name, steps, code;
};
class ScenarioRefusal : public ::testing::TestWithParam<Refused> {};
TEST_P(ScenarioRefusal, has_its_stable_code) {
  expect_passed(run(
      punto_banco(GetParam().steps, R"("expect_error":")" + std::string(GetParam().code) + "\"")));
}
INSTANTIATE_TEST_SUITE_P(
    One, ScenarioRefusal,
    ::testing::Values(
        Refused{"card", R"({"cards":["1H"]})", "card_invalid"},
        Refused{"place", R"({"at":{"punto-9":"2H"}})", "place_unknown"},
        Refused{"kind", R"({"bet":{"id":"b","seat":1,"kind":"rojo","stake":25}})",
                "bet_kind_unknown"},
        Refused{"minimum", R"({"bet":{"id":"b","seat":1,"kind":"banca","stake":24}})",
                "below_minimum"},
        Refused{"maximum", R"({"bet":{"id":"b","seat":1,"kind":"banca","stake":2525}})",
                "above_maximum"},
        Refused{"wheel", R"({"wheel":"0"})", "not_due"},
        Refused{"withdraw", R"({"withdraw":{"bet":"b"}})", "bet_unknown"},
        Refused{"action", R"({"act":{"seat":1,"do":"prison"}})", "action_unknown"},
        Refused{"misdeal", R"({"misdeal":{"code":"x"}})", "misdeal_unknown"},
        Refused{"stake", R"({"bet":{"id":"b","seat":1,"kind":"banca","stake":0}})",
                "amount_invalid"},
        Refused{"negative", R"({"bet":{"id":"b","seat":1,"kind":"banca","stake":-25}})",
                "amount_invalid"},
        Refused{"seat", R"({"bet":{"id":"b","seat":0,"kind":"banca","stake":25}})", "seat_invalid"},
        Refused{"far", R"({"timeout":{"seat":1000001}})", "seat_invalid"},
        Refused{"box", R"({"bet":{"id":"b","seat":1,"box":0,"kind":"banca","stake":25}})",
                "seat_invalid"},
        Refused{"amount", R"({"withdraw":{"bet":"b","amount":0}})", "amount_invalid"},
        Refused{"step", R"({"jump":1})", "scenario_malformed"},
        Refused{"two", R"({"close":true,"shoe":"new"})", "scenario_malformed"},
        Refused{"nothing", R"(7)", "scenario_malformed"},
        Refused{"both", R"({"bet":{"id":"b","seat":0,"kind":"banca","stake":25,"color":1}})",
                "scenario_malformed"},
        Refused{"member", R"({"bet":{"id":"b","seat":1,"kind":"banca","stake":25,"color":1}})",
                "scenario_malformed"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Scenario, malformed_step_is_refused_where_it_stands) {
  const auto outcome =
      run(punto_banco(std::string(bet_banca) + R"(,{"jump":1})", R"("expect":[])"));
  EXPECT_FALSE(outcome.passed());
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->code, "scenario_malformed");
  EXPECT_EQ(outcome.error_step, 2U);
}

TEST(ScenarioFile, may_hold_one_object_over_lines_or_one_a_line) {
  const auto one = punto_banco(bet_banca, R"("expect":[])");
  EXPECT_EQ(read_scenarios(one + "\n\n" + one + "\r\n").size(), 2U);
  EXPECT_EQ(read_scenarios(one + "\n\n" + one).at(1).line, 3U);
  EXPECT_TRUE(read_scenarios("").empty());
  EXPECT_TRUE(read_scenarios("\n \n").empty());
}

TEST(ScenarioFile, refuses_unknown_members) {
  for (
      const auto* text :
      {"{}", "[]", "nonsense", R"({"catalogue":"c","game":"g","table":{},"steps":[],"extra":1})",
       R"({"catalogue":"c","game":"g","table":{},"steps":[],"expect":[{"bet":"b","result":"won"}]})"}) {
    const auto lines = read_scenarios(text);
    ASSERT_EQ(lines.size(), 1U) << text;
    ASSERT_FALSE(lines.at(0).scenario) << text;
    EXPECT_TRUE(lines.at(0).scenario.error().is(Errc::scenario_malformed)) << text;
  }
}

TEST(ScenarioSchema, is_json_and_names_every_step) {
  const auto schema = json::parse(scenario_schema());
  ASSERT_TRUE(schema) << schema.error().text();
  const auto* steps = schema->find("$defs")->find("step")->find("properties");
  for (const auto* name :
       {"bet", "withdraw", "close", "act", "timeout", "wheel", "dice", "balls", "lots", "shoe",
        "cards", "at", "stop_card_after", "void", "misdeal", "session", "confirm"}) {
    EXPECT_NE(steps->find(name), nullptr) << name;
  }
  EXPECT_EQ(steps->object().size(), 18U);
}

}  // namespace
}  // namespace talla::games
