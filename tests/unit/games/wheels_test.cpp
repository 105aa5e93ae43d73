// Goal: every pocket of every number wheel against every bet and position, paid to the last unit.
// Method: a second table, written here from the cloth's geometry and the texts' prices, without the
// catalogue's covers; returns over all pockets as exact fractions against the published ones
// (STANDARDS 5.3).
#include <algorithm>
#include <map>
#include <set>

#include "wheel_support.hpp"

namespace talla::games {
namespace {

using Numbers = std::set<int>;

using test::two_units;

enum class Cloth : std::uint8_t { single, double_zero, boule, fortune };
/// What a zero does to a simple chance at once.
enum class AtZero : std::uint8_t { loses, prison, half };

struct Wheel {
  std::string catalogue;
  std::string game;
  Cloth cloth = Cloth::single;
  AtZero zero = AtZero::loses;
  std::map<std::string, std::size_t> positions;  ///< how many positions each bet has on the cloth
};

std::ostream& operator<<(std::ostream& out, const Wheel& wheel) {
  return out << wheel.catalogue << ' ' << wheel.game;
}

const std::map<std::string, std::size_t> cloth_1977 = {
    {"pleno", 37},  {"caballo", 60}, {"transversal", 12},  {"cuadro", 22},      {"seisena", 11},
    {"columna", 3}, {"docena", 3},   {"doble-columna", 3}, {"doble-docena", 3}, {"par", 1},
    {"impar", 1},   {"rojo", 1},     {"negro", 1},         {"falta", 1},        {"pasa", 1}};

std::map<std::string, std::size_t> cloth_with(std::map<std::string, std::size_t> cloth,
                                              const std::map<std::string, std::size_t>& more) {
  for (const auto& [bet, count] : more) cloth[bet] = count;
  return cloth;
}

std::vector<Wheel> wheels() {
  const auto zero_rows = cloth_with(cloth_1977, {{"transversal", 14}, {"cuadro", 23}});
  const auto valencia = cloth_with(zero_rows, {{"doble-columna", 2}, {"doble-docena", 2}});
  const auto double_zero =
      cloth_with(cloth_1977, {{"pleno", 38}, {"caballo", 58}, {"cuadro-especial", 1}});
  const std::map<std::string, std::size_t> boule = {
      {"numero-entero", 9}, {"rojo", 1}, {"negro", 1}, {"par", 1},
      {"impar", 1},         {"pasa", 1}, {"falta", 1}};
  const std::map<std::string, std::size_t> fortune = {{"simbolo-24", 1}, {"simbolo-15", 1},
                                                      {"simbolo-7", 1},  {"simbolo-4", 1},
                                                      {"simbolo-2", 1},  {"joker", 2}};
  const std::string american = "american-roulette-single-zero";
  return {
      {"es-1977", "french-roulette", Cloth::single, AtZero::prison, cloth_1977},
      {"es-1977", american, Cloth::single, AtZero::half, cloth_1977},
      {"es-1977", "boule", Cloth::boule, AtZero::loses, boule},
      {"es-valencia-2003", "french-roulette", Cloth::single, AtZero::prison, valencia},
      {"es-valencia-2003", american, Cloth::single, AtZero::half, valencia},
      {"es-valencia-2003", "boule", Cloth::boule, AtZero::loses, boule},
      {"es-valencia-2003", "wheel-of-fortune", Cloth::fortune, AtZero::loses, fortune},
      {"es-euskadi-2010", "french-roulette", Cloth::single, AtZero::prison, zero_rows},
      {"es-euskadi-2010", american, Cloth::single, AtZero::half, zero_rows},
      {"es-euskadi-2010", "boule", Cloth::boule, AtZero::loses, boule},
      {"es-euskadi-2010", "wheel-of-fortune", Cloth::fortune, AtZero::loses, fortune},
      {"es-aragon-2010", "american-roulette-double-zero", Cloth::double_zero, AtZero::half,
       double_zero},
  };
}

/// 00 is -1 here, jokers 101 and 102.
int number(const std::string& pocket) {
  if (pocket == "00") return -1;
  if (pocket == "joker-1") return 101;
  if (pocket == "joker-2") return 102;
  return std::stoi(pocket);
}

bool red(int n) {
  static const Numbers reds = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36};
  return reds.contains(n);
}

/// Numbers 1 to 36 lie in rows of three, r = (n - 1) / 3, c = (n - 1) % 3; zeros above the first
/// row.
bool is_row(const Numbers& set) {
  return set.size() == 3 && *set.begin() % 3 == 1 && *set.rbegin() == *set.begin() + 2;
}
bool share_line(const Numbers& set) {
  if (set.size() != 2) return false;
  const int a = *set.begin();
  const int b = *set.rbegin();
  if (a <= 0) return (a == 0 && b <= 3) || (a == -1 && b == 0);
  return b - a == 3 || (b - a == 1 && a % 3 != 0);
}
bool is_square(const Numbers& set) {
  if (set.size() != 4) return false;
  const int a = *set.begin();
  return set == Numbers{a, a + 1, a + 3, a + 4} && a % 3 != 0 && a > 0;
}
bool two_rows(const Numbers& set) {
  if (set.size() != 6) return false;
  const int a = *set.begin();
  return a % 3 == 1 && *set.rbegin() == a + 5;
}

/// Whether these numbers make a position of that bet on a cloth with numbers to 36.
bool lies_on_cloth(const std::string& bet, const Numbers& set) {
  if (bet == "pleno") return set.size() == 1;
  if (bet == "caballo") return share_line(set);
  if (bet == "transversal")
    return is_row(set) || set == Numbers{0, 1, 2} || set == Numbers{0, 2, 3};
  if (bet == "cuadro") return is_square(set) || set == Numbers{0, 1, 2, 3};
  return bet == "seisena" && two_rows(set);
}

bool simple_wins(const std::string& bet, int n, bool boule) {
  if (boule && n == 5) return false;
  const bool black_or_red = boule ? n == 2 || n == 4 || n == 7 || n == 9 : red(n);
  const bool low = boule ? n < 5 : n <= 18;
  if (n <= 0) return false;
  if (bet == "rojo") return black_or_red;
  if (bet == "negro") return !black_or_red;
  if (bet == "par") return n % 2 == 0;
  if (bet == "impar") return n % 2 == 1;
  if (bet == "falta") return low;
  return bet == "pasa" && !low;
}

bool is_simple(const std::string& bet) {
  static const std::set<std::string> simple = {"rojo", "negro", "par", "impar", "falta", "pasa"};
  return simple.contains(bet);
}

bool index_wins(const std::string& bet, const std::vector<std::string>& on, int n) {
  if (n <= 0) return false;
  const bool columns = bet.ends_with("columna");
  const int here = columns ? (n - 1) % 3 + 1 : (n - 1) / 12 + 1;
  return std::find(on.begin(), on.end(), std::to_string(here)) != on.end();
}

bool wins(const Wheel& wheel, const std::string& bet, const std::vector<std::string>& on, int n) {
  if (is_simple(bet)) return simple_wins(bet, n, wheel.cloth == Cloth::boule);
  if (bet.starts_with("simbolo-")) return bet == "simbolo-" + std::to_string(n);
  if (bet == "cuadro-especial") return n >= -1 && n <= 3;
  if (bet.ends_with("columna") || bet.ends_with("docena")) return index_wins(bet, on, n);
  return std::any_of(on.begin(), on.end(),
                     [&](const std::string& code) { return number(code) == n; });
}

/// Returned for a stake of two units, the price included. Prices as the texts print them, in units
/// won for two.
Units paid(const Wheel& wheel, const std::string& bet) {
  static const std::map<std::string, Units> won = {
      {"pleno", 70},         {"caballo", 34},         {"transversal", 22},
      {"cuadro", 16},        {"seisena", 10},         {"columna", 4},
      {"docena", 4},         {"doble-columna", 1},    {"doble-docena", 1},
      {"numero-entero", 14}, {"cuadro-especial", 12}, {"simbolo-7", 10},
      {"simbolo-4", 20},     {"simbolo-2", 40},       {"joker", 90}};
  if (is_simple(bet)) return two_units + two_units;
  const bool valencia = wheel.catalogue == "es-valencia-2003";
  if (bet == "simbolo-24") return two_units + (valencia ? 2 : 0);
  if (bet == "simbolo-15") return two_units + (valencia ? 4 : 2);
  return two_units + won.at(bet);
}

json::Value base_params(const Wheel& wheel) {
  json::Value params;
  if (wheel.catalogue == "es-aragon-2010") params["base"] = "es-1977";
  return params;
}

Table table_of(const Wheel& wheel) {
  return test::open_wheel(wheel.catalogue, wheel.game, base_params(wheel));
}

/// Every position of every ordinary bet, spelt as a player would.
std::vector<PlaceBet> all_bets(const Table& table) {
  std::vector<PlaceBet> out;
  const auto add = [&](const BetRule& rule, std::vector<std::string> on) {
    out.push_back(test::stake("b" + std::to_string(out.size()), rule.id, two_units, std::move(on)));
  };
  for (const auto& rule : table.rules().bets) {
    if (rule.is_call() || (rule.offered_if && !table.params().holds(*rule.offered_if))) continue;
    if (rule.on == OnForm::none) add(rule, {});
    if (rule.on == OnForm::none) continue;
    const auto all = positions(rule, table.params());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (rule.on == OnForm::set) add(rule, all[i]);
      if (rule.on == OnForm::index) add(rule, {std::to_string(i + 1)});
      for (std::size_t j = i + 1; rule.on == OnForm::pair && j < all.size(); ++j) {
        add(rule, {std::to_string(i + 1), std::to_string(j + 1)});
      }
    }
  }
  return out;
}

std::set<std::string> names(const Wheel& wheel) {
  std::set<std::string> out;
  const auto range = [&](int from, int to) {
    for (int n = from; n <= to; ++n) out.insert(std::to_string(n));
  };
  if (wheel.cloth == Cloth::boule) range(1, 9);
  if (wheel.cloth == Cloth::single || wheel.cloth == Cloth::double_zero) range(0, 36);
  if (wheel.cloth == Cloth::double_zero) out.insert("00");
  if (wheel.cloth == Cloth::fortune) out = {"24", "15", "7", "4", "2", "joker-1", "joker-2"};
  return out;
}

class NumberWheel : public ::testing::TestWithParam<Wheel> {};

TEST_P(NumberWheel, has_these_pockets_and_these_positions) {
  const auto& wheel = GetParam();
  const auto table = table_of(wheel);
  const auto& pockets = table.rules().draw->pockets;
  EXPECT_EQ(std::set<std::string>(pockets.begin(), pockets.end()), names(wheel));
  const std::map<Cloth, std::size_t> sizes = {
      {Cloth::single, 37}, {Cloth::double_zero, 38}, {Cloth::boule, 9}, {Cloth::fortune, 54}};
  EXPECT_EQ(pockets.size(), sizes.at(wheel.cloth));
  for (const std::string symbol : {"24", "15", "7", "4", "2"}) {
    if (wheel.cloth != Cloth::fortune) break;
    EXPECT_EQ(std::count(pockets.begin(), pockets.end(), symbol), std::stoi(symbol));
  }
  std::map<std::string, std::set<std::multiset<std::string>>> seen;
  auto state = test::start(table);
  for (const auto& bet : all_bets(table)) {
    const auto next = table.engine().apply(table, state, bet);
    if (!next) {
      EXPECT_EQ(next.error().code, "bet_position")
          << bet.kind;  // two columns that are no neighbours
      continue;
    }
    state = *next;
    EXPECT_TRUE(seen[bet.kind].insert({bet.on.begin(), bet.on.end()}).second)
        << bet.kind << " twice";
    const bool numbers = table.rules().bet(bet.kind)->on == OnForm::set &&
                         wheel.cloth != Cloth::boule && wheel.cloth != Cloth::fortune;
    if (!numbers) continue;
    Numbers set;
    for (const auto& code : bet.on) set.insert(number(code));
    EXPECT_TRUE(lies_on_cloth(bet.kind, set)) << bet.kind;
  }
  std::map<std::string, std::size_t> counts;
  for (const auto& [bet, positions] : seen) counts[bet] = positions.size();
  EXPECT_EQ(counts, wheel.positions);
}

TEST_P(NumberWheel, every_pocket_pays_every_bet_as_the_second_table_says) {
  const auto& wheel = GetParam();
  const auto table = table_of(wheel);
  auto open = test::start(table);
  std::map<std::string, PlaceBet> placed;
  for (const auto& bet : all_bets(table)) {
    auto next = table.engine().apply(table, open, bet);
    if (!next) continue;
    open = *next;
    placed[bet.id] = bet;
  }
  const auto closed = test::must(table, open, CloseBets{});
  for (const auto& pocket : names(wheel)) {
    const auto over = test::must(table, closed, DrawResult{DrawKind::wheel, {pocket}});
    const auto results = test::settled(table, over);
    ASSERT_EQ(results.size(), placed.size());
    for (const auto& one : results) {
      const auto& bet = placed.at(one.bet);
      const int n = number(pocket);
      Units expected = wins(wheel, bet.kind, bet.on, n) ? paid(wheel, bet.kind) : 0;
      auto result = expected > two_units    ? BetResult::win
                    : expected == two_units ? BetResult::push
                                            : BetResult::lose;
      if (is_simple(bet.kind) && n <= 0) {
        result = wheel.zero == AtZero::half ? BetResult::half : BetResult::prison;
        expected = wheel.zero == AtZero::half ? 1 : 0;
      }
      EXPECT_EQ(one.result, result) << wheel << ' ' << bet.kind << " at " << pocket;
      EXPECT_EQ(one.returned, expected) << wheel << ' ' << bet.kind << " at " << pocket;
      EXPECT_TRUE(one.remainder.is_zero());
    }
  }
}

/// Exact return of one unit on that bet over all pockets; a stake in prison takes half back.
Fraction mean_return(const Table& table, const PlaceBet& bet) {
  const auto& pockets = table.rules().draw->pockets;
  const auto closed = test::must(table, test::must(table, test::start(table), bet), CloseBets{});
  Fraction sum = 0;
  for (const auto& pocket : pockets) {
    auto state = test::must(table, closed, DrawResult{DrawKind::wheel, {pocket}});
    auto results = test::settled(table, state);
    if (results.front().result == BetResult::prison) {
      state = test::must(table, state, Act{1, "half", bet.id, std::nullopt, {}, std::nullopt});
      results = test::settled(table, state);
    }
    for (const auto& one : results) sum += test::exact(one);
  }
  return sum / Fraction(static_cast<std::int64_t>(pockets.size()) * bet.stake);
}

TEST_P(NumberWheel, returns_what_is_published) {
  const auto& wheel = GetParam();
  const auto table = table_of(wheel);
  const bool valencia = wheel.catalogue == "es-valencia-2003";
  const std::map<std::string, Fraction> fortune = {{"simbolo-24", Fraction(valencia ? 48 : 24, 54)},
                                                   {"simbolo-15", Fraction(valencia ? 45 : 30, 54)},
                                                   {"simbolo-7", Fraction(42, 54)},
                                                   {"simbolo-4", Fraction(44, 54)},
                                                   {"simbolo-2", Fraction(42, 54)},
                                                   {"joker", Fraction(46, 54)}};
  for (const auto& bet : all_bets(table)) {
    if (test::refusal(table, test::start(table), bet) == "bet_position") continue;
    Fraction expected =
        Fraction(36, 37);  // STANDARDS 5.3: 1/37 on every bet but the simple chances
    if (wheel.cloth == Cloth::boule) expected = Fraction(8, 9);  // STANDARDS 5.3: 1/9 on every bet
    if (wheel.cloth == Cloth::double_zero) expected = Fraction(36, 38);
    if (wheel.cloth == Cloth::fortune) expected = fortune.at(bet.kind);
    if (bet.kind == "cuadro-especial") expected = Fraction(35, 38);
    if (is_simple(bet.kind) && wheel.cloth == Cloth::single)
      expected = Fraction(73, 74);  // la partage: 1/74
    if (is_simple(bet.kind) && wheel.cloth == Cloth::double_zero) expected = Fraction(37, 38);
    EXPECT_EQ(mean_return(table, bet), expected) << wheel << ' ' << bet.kind;
  }
}

INSTANTIATE_TEST_SUITE_P(All, NumberWheel, ::testing::ValuesIn(wheels()), [](const auto& one) {
  std::string name = one.param.catalogue + "_" + one.param.game;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace talla::games
