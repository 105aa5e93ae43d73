// Goal: call bets of the roulettes lie and pay as the texts say, and their parts are ordinary bets.
// Method: a second table of returns by number, written here from the texts; every number drawn;
//         ids, limits and states.
#include <algorithm>
#include <map>
#include <set>

#include "wheel_support.hpp"

namespace talla::games {
namespace {

using test::two_units;

/// Returned for one unit a chip, by number: Valencia 01 IV.1.B, Euskadi 01 IV.1.A.k.
std::map<int, Units> call_table(const std::string& call) {
  std::map<int, Units> out;
  const auto put = [&](const std::set<int>& numbers, Units units) {
    for (const int n : numbers) out[n] = units;
  };
  if (call == "serie-grande") {
    put({0, 2, 3}, 24);
    put({25, 26, 28, 29, 4, 7, 12, 15, 18, 21, 19, 22, 32, 35}, 18);
  }
  if (call == "serie-pequena") put({5, 8, 10, 11, 13, 16, 23, 24, 27, 30, 33, 36}, 18);
  if (call == "huerfanos") {
    put({1, 17}, 36);
    put({6, 9, 14, 20, 31, 34}, 18);
  }
  if (call == "juego-al-cero") {
    put({26}, 36);
    put({0, 3, 12, 15, 32, 35}, 18);
  }
  return out;
}

Units returned(const Table& table, const PlaceBet& bet, int n, std::size_t parts) {
  auto state = test::must(table, test::start(table), bet);
  state = test::must(table, state, CloseBets{});
  state = test::must(table, state, DrawResult{DrawKind::wheel, {std::to_string(n)}});
  Units sum = 0;
  const auto results = test::settled(table, state);
  EXPECT_EQ(results.size(), parts) << bet.kind;
  for (const auto& one : results) {
    EXPECT_TRUE(one.bet.starts_with(bet.id + "/"));
    EXPECT_TRUE(one.rule.starts_with("01 IV.1.A."));
    sum += one.returned;
  }
  return sum;
}

TEST(CallBets, every_number_pays_as_the_text_says) {
  struct Call {
    std::string kind;
    Units chips;
    std::size_t parts;
  };
  const std::vector<Call> calls = {{"serie-grande", 9, 7},
                                   {"serie-pequena", 6, 6},
                                   {"huerfanos", 5, 5},
                                   {"juego-al-cero", 4, 4}};
  for (const std::string game : {"french-roulette", "american-roulette-single-zero"}) {
    for (const std::string id : {"es-valencia-2003", "es-euskadi-2010"}) {
      const auto table = test::open_wheel(id, game);
      for (const auto& call : calls) {
        if (call.kind == "juego-al-cero" && id == "es-euskadi-2010") continue;
        const auto expected = call_table(call.kind);
        for (int n = 0; n <= 36; ++n) {
          const auto found = expected.find(n);
          const auto bet = test::stake("c", call.kind, call.chips * two_units);
          EXPECT_EQ(returned(table, bet, n, call.parts),
                    found == expected.end() ? 0 : two_units * found->second)
              << id << ' ' << call.kind << ' ' << n;
        }
      }
    }
  }
}

TEST(CallBets, a_number_and_its_neighbours_lie_side_by_side_on_the_wheel) {
  const std::vector<int> wheel = {0,  32, 15, 19, 4,  21, 2,  25, 17, 34, 6, 27, 13,
                                  36, 11, 30, 8,  23, 10, 5,  24, 16, 33, 1, 20, 14,
                                  31, 9,  22, 18, 29, 7,  28, 12, 35, 3,  26};
  const auto table = test::open_wheel("es-euskadi-2010", "french-roulette");
  for (std::size_t centre = 0; centre < 37; ++centre) {
    for (std::size_t place = 0; place < 37; ++place) {
      const auto distance = std::min((place + 37 - centre) % 37, (centre + 37 - place) % 37);
      const auto bet =
          test::stake("c", "vecinos", 5 * two_units, {std::to_string(wheel.at(centre))});
      EXPECT_EQ(returned(table, bet, wheel.at(place), 5), distance <= 2 ? 36 * two_units : 0);
    }
  }
}

TEST(CallBets, the_parts_are_ordinary_bets_under_one_id) {
  const auto table = test::open_wheel("es-valencia-2003", "french-roulette");
  const auto start = test::start(table);
  const auto placed = test::must(table, start, test::stake("c", "huerfanos", 5 * two_units));
  test::expect_round_trip(table, placed);
  EXPECT_EQ(test::refusal(table, placed, test::stake("c", "rojo", two_units)), "bet_duplicate");
  EXPECT_EQ(test::refusal(table, placed, test::stake("c/1", "rojo", two_units)), "bet_unknown");
  EXPECT_EQ(test::refusal(table, start, test::stake("c", "huerfanos", 5 * two_units + 1)),
            "not_multiple");
  EXPECT_EQ(test::refusal(table, start, test::stake("c", "huerfanos", 5)), "below_minimum");
  EXPECT_EQ(test::refusal(table, placed, WithdrawBet{"c", 2}), "withdrawal_refused");
  EXPECT_EQ(test::must(table, placed, WithdrawBet{"c", {}}).canonical(),
            test::must(table, test::must(table, start, test::stake("x", "rojo", two_units)),
                       WithdrawBet{"x", {}})
                .canonical());
  const auto four = test::must(table, placed, WithdrawBet{"c/1", {}});
  EXPECT_EQ(test::refusal(table, four, WithdrawBet{"c/1", {}}), "bet_unknown");
  // Ordinary stakes and parts share a maximum: 20 minimums on a number.
  const auto full = test::must(table, start, test::stake("p", "pleno", 20 * two_units, {"1"}));
  EXPECT_EQ(test::refusal(table, full, test::stake("c", "huerfanos", 5 * two_units)),
            "above_maximum");
}

TEST(CallBets, a_state_that_holds_one_undivided_is_refused) {
  const auto table = test::open_wheel("es-valencia-2003", "french-roulette");
  auto state = test::must(table, test::start(table), test::stake("c", "rojo", 10)).to_json();
  state["bets"].array().front()["kind"] = "huerfanos";
  const auto restored = table.engine().restore(table, state);
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().code, "state_malformed");
}

}  // namespace
}  // namespace talla::games
