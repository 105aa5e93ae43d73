// Goal: rules that no wheel can play are refused with the catalogue; a stake in prison is worth
//       what each reading says.
// Method: single faults in the built-in files; zeros in a row, each followed by the number that
//         frees.
#include "wheel_support.hpp"

namespace talla::games {
namespace {

using test::two_units;

TEST(WheelRules, that_the_engine_cannot_play_are_refused_when_the_catalogue_is_loaded) {
  struct RuleFault {
    std::string catalogue, from, to;
  };
  const std::vector<RuleFault> faults = {
      {"es-aragon-2010", R"(effect = "half")", R"(effect = "double")"},
      {"es-aragon-2010", R"(effect = "half")",
       R"(effect = "choice")"},  // a choice without actions and parameters
      {"es-aragon-2010", R"(pockets = ["00"] })", R"(pockets = ["000"] })"},
      {"es-aragon-2010", R"(parameter = "double_zero", value = "as-zero")",
       R"(parameter = "double_zero", value = "never")"},
      {"es-valencia-2003", R"(below_minimum_parameter = "below_minimum")",
       R"(below_minimum_parameter = "second_zero_value")"},
      {"es-valencia-2003", R"(allowed = ["residual", "literal", "whole"])",
       R"(allowed = ["residual", "none"])"},
      {"es-valencia-2003", "repeated = true, ", ""},
      {"es-valencia-2003", R"(value = "push", pays)", R"(value = "draw", pays)"},
      {"es-valencia-2003", R"(pays = "0:1")", R"(when = "lose", pays = "0:1")"},
      {"es-valencia-2003", R"(value = "first", max)", R"(value = "last", max)"},
      {"es-valencia-2003", R"(parameter = "max_scale", value)",
       R"(parameter = "max_scales", value)"},
      {"es-valencia-2003", R"(on = [5, 8], chips)", R"(on = [5, 9], chips)"},
      {"es-valencia-2003", R"(bets = ["pleno", "caballo")", R"(bets = ["huerfanos", "caballo")"},
      {"es-valencia-2003", "min = \"1\"\nmultiples = true", "min = \"0\"\nmultiples = true"},
      {"es-valencia-2003", "multiples = true", R"(multiples_parameter = "max_pleno")"},
      {"es-euskadi-2010", R"(of_when = { parameter = "max_simple_of")",
       R"(of_when = { parameter = "max_pleno")"},
      {"es-euskadi-2010", "of = \"min_simple\"\n", ""},
      {"es-euskadi-2010", R"(multiples_parameter = "simple_in_multiples")",
       R"(multiples_parameter = "no_such")"},
      {"es-euskadi-2010", R"(each_side = 2)", R"(each_side = 19)"},
  };
  for (const auto& fault : faults) {
    EXPECT_EQ(test::load_changed(fault.from, fault.to, fault.catalogue), "catalogue_malformed")
        << fault.from;
  }
}

TEST(WheelRules, a_wheel_that_halves_holds_no_prison) {
  const auto table = test::open_wheel("es-1977", "american-roulette-single-zero");
  const auto carried =
      json::parse(R"({"prison":[{"bet":{"id":"x","kind":"rojo","seat":1,"stake":10},"zeros":1}]})");
  ASSERT_TRUE(carried);
  const auto resumed = table.engine().resume(table, *carried);
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code, "state_malformed");
}

/// Exact worth of an imprisoned stake of two that always stays: zeros, then the ball decides.
struct Reading {
  std::string id;
  std::string value;
  std::vector<Fraction> freed;  ///< of two units, after one, two, three zeros
};

TEST(Prison, frees_what_each_reading_leaves) {
  const std::vector<Reading> readings = {
      {"es-valencia-2003", "residual", {2, 1, Fraction(1, 2)}},
      {"es-valencia-2003", "literal", {2, Fraction(1, 2), Fraction(1, 4)}},
      {"es-valencia-2003", "whole", {2, 2, 2}},
      {"es-euskadi-2010", "residual", {2, 1, Fraction(1, 2)}},
      {"es-euskadi-2010", "literal", {2, Fraction(1, 2), Fraction(1, 4)}},
      {"es-euskadi-2010", "whole", {2, 2, 2}},
  };
  for (const auto& reading : readings) {
    json::Value params;
    params["second_zero_value"] = reading.value;
    const auto table = test::open_wheel(reading.id, "french-roulette", params);
    auto state = test::must(table, test::start(table), test::stake("b", "rojo", two_units));
    for (const auto& freed : reading.freed) {
      state = test::must(table, test::must(table, state, CloseBets{}),
                         DrawResult{DrawKind::wheel, {"0"}});
      const auto over = test::must(table, test::must(table, state, CloseBets{}),
                                   DrawResult{DrawKind::wheel, {"1"}});
      ASSERT_EQ(test::settled(table, over).size(), 1U);
      EXPECT_EQ(test::settled(table, over).front().result, BetResult::freed);
      EXPECT_EQ(test::exact(test::settled(table, over).front()), freed)
          << reading.id << ' ' << reading.value;
    }
  }
}

TEST(Prison, a_stake_halved_beyond_writing_stays_and_the_table_goes_on) {
  const auto table = test::open_wheel("es-valencia-2003", "french-roulette");
  const auto carried = json::parse(
      R"({"prison":[{"bet":{"id":"b","kind":"rojo","seat":1,"stake":10},"chosen":true,"zeros":200}]})");
  ASSERT_TRUE(carried);
  auto state = *table.engine().resume(table, *carried);
  state =
      test::must(table, test::must(table, state, CloseBets{}), DrawResult{DrawKind::wheel, {"0"}});
  EXPECT_EQ(test::settled(table, state).front().result, BetResult::prison);
  EXPECT_EQ(find_need<Decide>(table.engine().needs(table, state)), nullptr);
  const Act half{1, "half", "b", std::nullopt, {}, std::nullopt};
  EXPECT_EQ(test::refusal(table, state, half), "action_refused");
  state =
      test::must(table, test::must(table, state, CloseBets{}), DrawResult{DrawKind::wheel, {"2"}});
  EXPECT_EQ(test::settled(table, state).front().result, BetResult::lose);
}

}  // namespace
}  // namespace talla::games
