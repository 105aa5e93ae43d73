// Goal: French roulette of es-1977 takes exactly the bets of the cloth and returns exactly what the
//       text says.
// Method: sets of numbers by brute force against the geometry; all 37 pockets through the engine,
//         in fractions.

#include <rapidcheck.h>

#include <set>

#include "play_support.hpp"

namespace talla::games::test {
namespace {

Table roulette(json::Value params = {}) {
  return open_table("french-roulette", std::move(params));
}

std::vector<std::string> codes(const std::vector<int>& numbers) {
  std::vector<std::string> out;
  for (const int number : numbers) out.push_back(std::to_string(number));
  return out;
}

bool takes(const Table& table, const std::string& kind, const std::vector<int>& numbers) {
  return refusal(table, start(table), stake("b", kind, 100, codes(numbers))).empty();
}

State spin(const Table& table, const State& closed, int pocket) {
  return must(table, closed, DrawResult{DrawKind::wheel, {std::to_string(pocket)}});
}

int row(int number) {
  return (number - 1) / 3;
}
int column(int number) {
  return (number - 1) % 3;
}

/// Fields of the cloth that share an edge; the zero lies along the first row.
bool adjoin(int a, int b) {
  if (a == 0) return b >= 1 && b <= 3;
  return (row(a) == row(b) && b - a == 1) || (column(a) == column(b) && b - a == 3);
}

TEST(RouletteCovers, a_caballo_is_two_fields_that_share_an_edge) {
  const auto table = roulette();
  int count = 0;
  for (int a = 0; a <= 36; ++a) {
    for (int b = a + 1; b <= 36; ++b) {
      const bool taken = takes(table, "caballo", {a, b});
      EXPECT_EQ(taken, adjoin(a, b)) << a << "-" << b;
      count += int{taken};
    }
  }
  EXPECT_EQ(count, 60);
}

TEST(RouletteCovers, a_transversal_is_one_of_twelve_rows) {
  const auto table = roulette();
  int count = 0;
  for (int a = 0; a <= 36; ++a) {
    for (int b = a + 1; b <= 36; ++b) {
      for (int c = b + 1; c <= 36; ++c) {
        const bool row_of_three = a > 0 && column(a) == 0 && b == a + 1 && c == a + 2;
        const bool taken = takes(table, "transversal", {a, b, c});
        ASSERT_EQ(taken, row_of_three) << a << "-" << b << "-" << c;
        count += int{taken};
      }
    }
  }
  EXPECT_EQ(count, 12);
}

/// Four fields around one crossing of lines: a square of two rows and two columns.
bool square(const std::vector<int>& n) {
  return n[0] > 0 && column(n[0]) < 2 && n[1] == n[0] + 1 && n[2] == n[0] + 3 && n[3] == n[0] + 4;
}

TEST(RouletteCovers, a_cuadro_is_one_of_twenty_two_squares) {
  const auto table = roulette();
  const auto& bet = *table.rules().bet("cuadro");
  std::set<std::vector<std::string>> offered;
  for (const auto& position : positions(bet, table.params())) offered.insert(position);
  EXPECT_EQ(offered.size(), 22U);
  for (int a = 0; a <= 33; ++a) {
    for (int b = a + 1; b <= 34; ++b) {
      for (int c = b + 1; c <= 35; ++c) {
        for (int d = c + 1; d <= 36; ++d) {
          ASSERT_EQ(offered.contains(codes({a, b, c, d})), square({a, b, c, d}));
        }
      }
    }
  }
}

TEST(RouletteCovers, a_seisena_is_two_neighbouring_rows) {
  const auto table = roulette();
  int count = 0;
  for (int first = 1; first <= 34; ++first) {
    for (int second = first + 1; second <= 34; ++second) {
      const std::vector<int> six{first, first + 1, first + 2, second, second + 1, second + 2};
      const bool rows = column(first) == 0 && second == first + 3;
      const bool taken = takes(table, "seisena", six);
      EXPECT_EQ(taken, rows) << first << " and " << second;
      count += int{taken};
    }
  }
  EXPECT_EQ(count, 11);
}

TEST(RouletteCovers, combinations_with_the_zero_follow_their_reading) {
  const auto none = roulette(json::Object{{"zero_combinations", "none"}});
  const auto all = roulette(json::Object{{"zero_combinations", "all"}});
  EXPECT_FALSE(takes(none, "caballo", {0, 2}));
  EXPECT_TRUE(takes(none, "pleno", {0}));
  EXPECT_TRUE(takes(all, "caballo", {0, 2}));
  EXPECT_TRUE(takes(all, "transversal", {0, 1, 2}));
  EXPECT_TRUE(takes(all, "transversal", {0, 2, 3}));
  EXPECT_FALSE(takes(all, "transversal", {0, 1, 3}));
  EXPECT_TRUE(takes(all, "cuadro", {0, 1, 2, 3}));
}

TEST(RouletteColours, black_is_an_even_sum_of_digits_and_10_and_29_but_not_19) {
  const auto table = roulette();
  for (int n = 1; n <= 36; ++n) {
    const bool black = ((n / 10 + n % 10) % 2 == 0 || n == 10 || n == 29) && n != 19;
    const auto closed =
        must(table, must(table, start(table), stake("r", "rojo", 100)), CloseBets{});
    EXPECT_EQ(settled(table, spin(table, closed, n)).front().result,
              black ? BetResult::lose : BetResult::win)
        << n;
  }
}

TEST(RouletteColours, neighbours_on_the_wheel_alternate_and_are_never_consecutive_numbers) {
  const auto table = roulette();
  const auto& pockets = table.rules().draw->pockets;
  ASSERT_EQ(pockets.size(), 37U);
  const auto& red = *table.rules().bet("rojo");
  const auto reds = covered(red, table.params(), Bet{"r", 1, std::nullopt, "rojo", {}, 100});
  const std::set<std::string> red_set(reds.begin(), reds.end());
  for (std::size_t i = 0; i < pockets.size(); ++i) {
    const auto& here = pockets[i];
    const auto& next = pockets[(i + 1) % pockets.size()];
    EXPECT_NE(std::abs(std::stoi(here) - std::stoi(next)), 1) << here << " beside " << next;
    if (here == "0" || next == "0") continue;
    EXPECT_NE(red_set.contains(here), red_set.contains(next)) << here << " beside " << next;
  }
}

/// Expected return of one unit, over all pockets, for a bet that one spin decides.
Fraction one_spin_return(const Table& table, const std::string& kind,
                         const std::vector<std::string>& on) {
  const auto closed =
      must(table, must(table, start(table), stake("b", kind, 100, on)), CloseBets{});
  Fraction sum;
  for (int pocket = 0; pocket <= 36; ++pocket)
    sum += exact(settled(table, spin(table, closed, pocket)).front());
  return sum / Fraction(3700);
}

TEST(RouletteReturns, every_inside_column_and_dozen_bet_keeps_one_in_37) {
  const auto table = roulette();
  for (const std::string kind : {"pleno", "caballo", "transversal", "cuadro", "seisena"}) {
    for (const auto& on : positions(*table.rules().bet(kind), table.params())) {
      EXPECT_EQ(one_spin_return(table, kind, on), Fraction(36, 37)) << kind << " " << on.front();
    }
  }
  for (const std::string kind : {"columna", "docena"}) {
    for (const std::string index : {"1", "2", "3"}) {
      EXPECT_EQ(one_spin_return(table, kind, {index}), Fraction(36, 37)) << kind;
    }
  }
  for (const std::string kind : {"doble-columna", "doble-docena"}) {
    EXPECT_EQ(one_spin_return(table, kind, {"1", "2"}), Fraction(36, 37)) << kind;
    EXPECT_EQ(one_spin_return(table, kind, {"1", "3"}), Fraction(36, 37)) << kind;
  }
}

/// Expected return of a stake of 2^20 left in prison at the first `patience` zeros and halved at
/// the next.
Fraction patient_return(const Table& table, const State& closed, int patience) {
  Fraction sum;
  for (int pocket = 0; pocket <= 36; ++pocket) {
    const auto after = spin(table, closed, pocket);
    const auto result = settled(table, after).front();
    if (result.result != BetResult::prison) {
      sum += exact(result);
      continue;
    }
    const Act choice{1, patience > 0 ? "prison" : "half", "b", std::nullopt, {}, std::nullopt};
    const auto chosen = must(table, after, choice);
    sum += patience == 0 ? exact(settled(table, chosen).front())
                         : patient_return(table, must(table, chosen, CloseBets{}), patience - 1);
  }
  return sum / Fraction(37);
}

Fraction chance_return(const json::Value& params, const std::string& kind, int patience) {
  const auto table = open_table("french-roulette", params, 2000);
  constexpr Units units = Units{1} << 20;
  const auto closed = must(table, must(table, start(table), stake("b", kind, units)), CloseBets{});
  return patient_return(table, closed, patience) / Fraction(units);
}

TEST(RouletteReturns, half_back_at_the_zero_keeps_one_in_74) {
  for (const std::string kind : {"par", "impar", "rojo", "negro", "falta", "pasa"}) {
    EXPECT_EQ(chance_return({}, kind, 0), Fraction(73, 74)) << kind;
  }
}

TEST(RouletteReturns, prison_follows_the_series_of_halves) {
  // By hand: after k zeros a win frees 1/2^(k-1); with patience n the zero n+1 gives back
  //          1/2^(n+1).
  for (int patience = 0; patience <= 4; ++patience) {
    Fraction waiting(1, Int128{1} << (patience + 1));
    for (int k = patience; k >= 1; --k) {
      waiting = Fraction(18, 37) * Fraction(1, Int128{1} << (k - 1)) + Fraction(1, 37) * waiting;
    }
    EXPECT_EQ(chance_return({}, "rojo", patience), Fraction(36, 37) + Fraction(1, 37) * waiting)
        << patience;
  }
}

TEST(RouletteReturns, one_prison_then_half_is_a_known_fraction_in_both_readings) {
  // 18/37 x 2 + 1/37 x (18/37 x 1 + 1/37 x 1/4), whatever a second zero would free.
  const Fraction expected =
      Fraction(36, 37) + Fraction(1, 37) * (Fraction(18, 37) + Fraction(1, 148));
  EXPECT_EQ(chance_return({}, "par", 1), expected);
  EXPECT_EQ(chance_return(json::Object{{"second_zero_value", "literal"}}, "par", 1), expected);
  // With patience 2 the readings part: 1/2 or 1/4 is freed after the second zero.
  const Fraction residual = chance_return({}, "par", 2);
  const Fraction literal = chance_return(json::Object{{"second_zero_value", "literal"}}, "par", 2);
  EXPECT_EQ(residual - literal, Fraction(1, 37 * 37) * Fraction(18, 37) * Fraction(1, 4));
}

TEST(RouletteSettlements, name_their_rule_and_what_rounding_took) {
  const auto table = roulette();
  auto state = must(table, must(table, start(table), stake("b", "rojo", 75)), CloseBets{});
  state = must(table, spin(table, state, 0), Act{1, "half", "b", std::nullopt, {}, std::nullopt});
  const auto half = settled(table, state).front();
  EXPECT_EQ(half.rule, "01 IV.1.B.b");
  EXPECT_EQ(half.stake, 75);
  EXPECT_EQ(half.returned, 37);
  EXPECT_EQ(half.remainder, Fraction(1, 2));
}

TEST(RouletteNeeds, at_a_zero_the_choice_and_new_bets_are_open_together) {
  const auto table = roulette();
  auto state = must(table, start(table), stake("b", "rojo", 100, {}, 3));
  state = spin(table, must(table, state, CloseBets{}), 0);
  const auto needs = table.engine().needs(table, state);
  EXPECT_NE(find_need<BetsOpen>(needs), nullptr);
  EXPECT_NE(find_need<Settled>(needs), nullptr);
  const auto* decide = find_need<Decide>(needs);
  ASSERT_NE(decide, nullptr);
  EXPECT_EQ(decide->seat, 3U);
  EXPECT_FALSE(decide->required);
  EXPECT_EQ(decide->choices.size(), 2U);
}

TEST(RouletteState, prison_is_carried_to_the_next_round_and_nothing_else_is_accepted) {
  const auto table = roulette();
  auto state = must(table, start(table), stake("b", "rojo", 100));
  state = spin(table, must(table, state, CloseBets{}), 0);
  const auto carried = table.engine().carried(table, state);
  auto resumed = table.engine().resume(table, carried);
  ASSERT_TRUE(resumed);
  const auto after = spin(table, must(table, *resumed, CloseBets{}), 3);
  EXPECT_EQ(settled(table, after).front().result, BetResult::freed);
  for (const char* bad :
       {R"({"prison":1})", R"({"x":1})", R"({"prison":[{"zeros":1}]})", R"({"last":2})"}) {
    const auto refused = table.engine().resume(table, *json::parse(bad));
    ASSERT_FALSE(refused) << bad;
    EXPECT_TRUE(refused.error().is(Errc::state_malformed)) << bad;
  }
  for (const char* kind : {"zz", "pleno"}) {
    const std::string bet =
        std::string(R"({"id":"x","kind":")") + kind + R"(","seat":1,"stake":9})";
    const auto foreign = table.engine().resume(
        table, *json::parse(R"({"prison":[{"bet":)" + bet + R"(,"zeros":1}]})"));
    ASSERT_FALSE(foreign) << kind;
    EXPECT_TRUE(foreign.error().is(Errc::state_malformed)) << foreign.error().text();
  }
}

TEST(RouletteRules, that_the_engine_cannot_play_are_refused_when_the_catalogue_is_loaded) {
  EXPECT_EQ(load_changed("wheel", "wheel"), "");
  const std::vector<std::pair<std::string_view, std::string_view>> faults{
      {R"(silent_parameter = "zero_silent_choice")", R"(silent_parameter = "max_caballo")"},
      {R"(pockets = ["0"])", R"(pockets = ["00"])"},
      {R"(allowed = ["any", "neighbours"])", R"(allowed = ["any", "odd"])"},
      {"covers = [1, 3, 5, 7, 9, 12,", "covers = [1, 3, 5, 7, 9, 37,"},
      {R"({ id = "half", cite = "IV.1.B.b" },)", ""},
      {"[game.data.pairs]", "[game.data.couples]"}};
  for (const auto& [from, to] : faults)
    EXPECT_EQ(load_changed(from, to), "catalogue_malformed") << from;
}

/// Random play: who staked what, and what came of it.
struct Ledger {
  std::map<std::string, Units> live;
  Units staked = 0;
  Units decided = 0;

  void take(const std::vector<Settlement>& settlements) {
    for (const auto& one : settlements) {
      RC_ASSERT(live.contains(one.bet));
      RC_ASSERT(live.at(one.bet) == one.stake);
      RC_ASSERT(one.returned >= 0);
      if (one.result == BetResult::prison) {
        RC_ASSERT(one.returned == 0);
        continue;
      }
      if (one.result != BetResult::win) RC_ASSERT(exact(one) <= Fraction(one.stake));
      live.erase(one.bet);
      decided += one.stake;
    }
  }
};

TEST(RouletteProperties, every_stake_is_decided_exactly_once_and_no_money_appears) {
  const auto table = roulette();
  EXPECT_TRUE(rc::check([&table] {
    static const std::vector<std::pair<std::string, std::vector<std::string>>> kinds{
        {"pleno", {"0"}},   {"caballo", {"17", "20"}},
        {"rojo", {}},       {"negro", {}},
        {"par", {}},        {"pasa", {}},
        {"columna", {"2"}}, {"doble-docena", {"1", "3"}}};
    Ledger ledger;
    State state = start(table);
    const auto apply = [&](const Event& event) {
      auto next = table.engine().apply(table, state, event);
      if (!next) return false;
      state = *next;
      ledger.take(settled(table, state));
      expect_round_trip(table, state);
      return true;
    };
    int names = 0;
    for (int round = *rc::gen::inRange(1, 8); round > 0; --round) {
      for (int bets = *rc::gen::inRange(0, 4); bets > 0; --bets) {
        const auto& [kind, on] = *rc::gen::elementOf(kinds);
        const Units amount = *rc::gen::inRange(25, 700);
        const std::string id = "b" + std::to_string(names++);
        if (apply(stake(id, kind, amount, on, static_cast<Seat>(*rc::gen::inRange(1, 4))))) {
          ledger.live[id] = amount;
          ledger.staked += amount;
        }
      }
      const auto waiting = ledger.live;
      for (const auto& [id, amount] : waiting) {
        apply(Act{1,
                  *rc::gen::element<std::string>("half", "prison"),
                  id,
                  std::nullopt,
                  {},
                  std::nullopt});
      }
      RC_ASSERT(apply(CloseBets{}));
      if (*rc::gen::inRange(0, 5) == 0) RC_ASSERT(apply(VoidDraw{}));
      const int pocket = *rc::gen::inRange(0, 3) == 0 ? 0 : *rc::gen::inRange(0, 37);
      RC_ASSERT(apply(DrawResult{DrawKind::wheel, {std::to_string(pocket)}}));
    }
    Units standing = 0;
    for (const auto& [id, amount] : ledger.live) standing += amount;
    RC_ASSERT(ledger.staked == ledger.decided + standing);
  }));
}

TEST(FrenchRoulette_01_IV, a_refusal_names_what_was_said_and_what_the_text_allows) {
  const auto table = roulette();
  const auto said = [&](const PlaceBet& bet) {
    auto next = table.engine().apply(table, start(table), bet);
    return next ? std::string() : std::string(next.error().detail);
  };
  const auto wrong = said(stake("b", "caballo", 100, {"1", "3"}));
  EXPECT_NE(wrong.find("(1 3)"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("01 IV.1.A.b"), std::string::npos) << wrong;
  EXPECT_LT(
      said(stake("b", "pleno", 100, std::vector<std::string>(64, std::string(64, '7')))).size(),
      300U);

  const auto other = Table::open(
      catalogue(),
      {"french-roulette", {"ESP"}, 25, std::nullopt, json::Object{{"zero_combinations", "two"}}});
  ASSERT_FALSE(other);
  for (const std::string allowed : {"none", "pairs", "all"})
    EXPECT_NE(other.error().detail.find(allowed), std::string::npos) << other.error().detail;
}

}  // namespace
}  // namespace talla::games::test
