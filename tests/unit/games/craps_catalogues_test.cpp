// Goal: craps of every catalogue: all 36 throws of every bet in every state give what the texts
// say, and every bet is worth exactly what STANDARDS 5.4 publishes.
// Method: a second table of the bets, written from the digests in another form (a letter a total),
//         against the engine.

#include <array>
#include <optional>

#include "craps_support.hpp"

namespace talla::games::test {
namespace {

const std::vector<std::string> craps_catalogues{"es-1977", "es-valencia-2003", "es-euskadi-2010"};
const std::vector<int> point_numbers{4, 5, 6, 8, 9, 10};

/// One letter for each total from 2 to 12: W wins, D wins twice its stake, L loses, N null, - goes
/// on.
const std::map<std::string, std::string> by_total{
    {"field", "DWWLLLLWWWD"},       {"big-6", "----WL-----"},     {"big-8", "-----LW----"},
    {"under-7", "WWWWWLLLLLL"},     {"over-7", "LLLLLLWWWWW"},    {"juego-de-7", "LLLLLWLLLLL"},
    {"juego-de-11", "LLLLLLLLLWL"}, {"any-craps", "WWLLLLLLLLW"}, {"craps-2", "WLLLLLLLLLL"},
    {"craps-3", "LWLLLLLLLLL"},     {"craps-12", "LLLLLLLLLLW"},  {"horn", "WWLLLLLLLWW"}};
constexpr std::string_view first_right = "LL---W---WL";
constexpr std::string_view first_wrong = "WW---L---LN";

/// Profit for one staked of bets that pay more or less than even money, whatever wins.
const std::map<std::string, int> profit_times{
    {"hard-4", 7},     {"hard-10", 7},      {"hard-6", 9},    {"hard-8", 9},
    {"juego-de-7", 4}, {"juego-de-11", 15}, {"any-craps", 7}, {"craps-2", 30},
    {"craps-3", 15},   {"craps-12", 30},    {"horn", 4}};
/// The same for bets on a number: on 4 and 10, on 5 and 9, on 6 and 8.
const std::map<std::string, std::array<Fraction, 3>> by_number{
    {"right-bet", {Fraction(9, 5), Fraction(7, 5), Fraction(7, 6)}},
    {"wrong-bet", {Fraction(5, 11), Fraction(5, 8), Fraction(4, 5)}},
    {"asociada-win", {Fraction(2), Fraction(3, 2), Fraction(6, 5)}},
    {"asociada-come", {Fraction(2), Fraction(3, 2), Fraction(6, 5)}},
    {"asociada-dont-win", {Fraction(1, 2), Fraction(2, 3), Fraction(5, 6)}},
    {"asociada-dont-come", {Fraction(1, 2), Fraction(2, 3), Fraction(5, 6)}}};

struct Situation {
  std::string kind;
  int number = 0;  ///< the bet's own, 0: none
  int point = 0;   ///< the table's
};

bool is_right(const std::string& kind) {
  return kind.find("dont") == std::string::npos && kind != "wrong-bet";
}

char letter_of(const Situation& at, int first, int second) {
  const int total = first + second;
  const auto index = static_cast<std::size_t>(total - 2);
  if (const auto plain = by_total.find(at.kind); plain != by_total.end())
    return plain->second[index];
  if (at.kind.starts_with("hard-")) {
    if (total == 7) return 'L';
    if (total != std::stoi(at.kind.substr(5))) return '-';
    return first == second ? 'W' : 'L';
  }
  const bool on_table_point = at.kind.ends_with("win");
  const int number = on_table_point ? at.point : at.number;
  if (number == 0) return (is_right(at.kind) ? first_right : first_wrong)[index];
  if (total == number) return is_right(at.kind) ? 'W' : 'L';
  if (total == 7) return is_right(at.kind) ? 'L' : 'W';
  return '-';
}

Fraction profit_of(const Situation& at, char letter) {
  if (letter == 'D') return 2;
  if (const auto known = profit_times.find(at.kind); known != profit_times.end())
    return known->second;
  const auto known = by_number.find(at.kind);
  if (known == by_number.end()) return 1;
  const int number = at.number != 0 ? at.number : at.point;
  return known->second.at(number == 4 || number == 10 ? 0 : number == 5 || number == 9 ? 1 : 2);
}

int point_after(int point, int total) {
  const bool number = total >= 4 && total <= 10 && total != 7;
  if (point == 0) return number ? total : 0;
  return total == point || total == 7 ? 0 : point;
}

std::vector<Situation> situations(int point) {
  std::vector<Situation> out;
  for (const auto& [kind, letters] : by_total) out.push_back({kind, 0, point});
  for (const int hard : {4, 6, 8, 10}) out.push_back({"hard-" + std::to_string(hard), 0, point});
  for (const std::string kind : {"win", "dont-win", "come", "dont-come"})
    out.push_back({kind, 0, point});
  for (const int number : point_numbers) {
    for (const std::string kind :
         {"come", "dont-come", "asociada-come", "asociada-dont-come", "right-bet", "wrong-bet"}) {
      out.push_back({kind, number, point});
    }
  }
  if (point == 0) return out;
  for (const std::string kind : {"asociada-win", "asociada-dont-win"})
    out.push_back({kind, 0, point});
  return out;
}

/// Divisible by every denominator of the price lists, so that no payment is rounded.
constexpr Units divisible_stake = 1320;

State closed_state(const Table& table, const Situation& at) {
  json::Object bet{{"id", "b"}, {"seat", 1}, {"kind", at.kind}, {"stake", divisible_stake}};
  if (at.number != 0) bet["on"] = json::Array{std::to_string(at.number)};
  json::Object state{{"phase", "closed"}, {"bets", json::Array{std::move(bet)}}};
  if (at.point != 0) state["point"] = at.point;
  auto restored = table.engine().restore(table, json::Value(std::move(state)));
  if (!restored) {
    ADD_FAILURE() << at.kind << ": " << restored.error().text();
    std::abort();
  }
  return *restored;
}

/// What must come back, or nothing while the bet goes on.
std::optional<std::pair<BetResult, Units>> wanted(const Situation& at, char letter, bool locked) {
  if (letter == 'L') return std::pair{BetResult::lose, Units{0}};
  if (letter == 'N' && !locked) return std::pair{BetResult::push, divisible_stake};
  if (letter != 'W' && letter != 'D') return std::nullopt;
  const auto back = Fraction(divisible_stake) * (Fraction(1) + profit_of(at, letter));
  EXPECT_TRUE(back.is_integer());
  return std::pair{BetResult::win, static_cast<Units>(back.floor())};
}

void expect_throw(const Table& table, const Situation& at, int first, int second, bool locked) {
  const int total = first + second;
  const auto name = at.kind + " on " + std::to_string(at.number) + ", point " +
                    std::to_string(at.point) + ", thrown " + std::to_string(total);
  const auto after =
      must(table, closed_state(table, at),
           DrawResult{DrawKind::dice, {std::to_string(first), std::to_string(second)}});
  EXPECT_EQ(point_of(table, after), point_after(at.point, total)) << name;
  const auto letter = letter_of(at, first, second);
  const auto result = wanted(at, letter, locked);
  const auto done = settled(table, after);
  const auto view = table.engine().view(table, after, {});
  const auto& standing = view.find("bets")->array();
  ASSERT_EQ(done.size(), result ? 1U : 0U) << name;
  ASSERT_EQ(standing.size(), result ? 0U : 1U) << name;
  if (result) {
    EXPECT_EQ(done[0].result, result->first) << name;
    EXPECT_EQ(done[0].returned, result->second) << name;
    EXPECT_TRUE(done[0].remainder.is_zero()) << name;
    return;
  }
  const bool moves =
      at.kind.ends_with("come") && at.number == 0 && letter == '-' && !at.kind.starts_with("as");
  const int number = moves ? total : at.number;
  const auto* on = standing[0].find("on");
  EXPECT_EQ(on == nullptr ? "" : on->array()[0].string(), number == 0 ? "" : std::to_string(number))
      << name;
  EXPECT_EQ(standing[0].find("stake")->integer(), divisible_stake);
}

class CrapsCatalogues : public ::testing::TestWithParam<std::string> {};

TEST_P(CrapsCatalogues, all_36_throws_of_every_bet_in_every_state_follow_the_table_of_the_digests) {
  int throws = 0;
  for (const bool locked : {false, true}) {
    const auto table =
        craps_table(GetParam(), json::Object{{"dont_12", locked ? "locked" : "push"}});
    for (const int point : {0, 4, 5, 6, 8, 9, 10}) {
      for (const auto& at : situations(point)) {
        for (int face = 0; face < 36; ++face, ++throws) {
          expect_throw(table, at, face / 6 + 1, face % 6 + 1, locked);
        }
      }
    }
  }
  EXPECT_EQ(throws, 2 * (7 * (12 + 4 + 4 + 36) + 6 * 2) * 36);
}

TEST_P(CrapsCatalogues, the_table_of_this_test_names_every_bet_of_the_game) {
  const auto table = craps_table(GetParam());
  std::set<std::string> here;
  for (const auto& at : situations(4)) here.insert(at.kind);
  std::set<std::string> there;
  for (const auto& bet : table.rules().bets) there.insert(bet.id);
  EXPECT_EQ(here, there);
}

Fraction edge_of(const Table& table, const State& state, Units stake_units) {
  return Fraction(1) - Chain(table).value(state) / Fraction(stake_units);
}

Fraction edge_in(const std::string& id, const std::string& kind, std::vector<std::string> on = {},
                 json::Value params = {}) {
  const auto table = craps_table(id, std::move(params), 1);
  const auto state = must(table, start(table), stake("b", kind, 40, std::move(on)));
  return edge_of(table, state, 40);
}

TEST_P(CrapsCatalogues, STANDARDS_5_4_edges_of_the_bets_before_a_point) {
  const std::map<std::string, Fraction> published{
      {"win", {7, 495}},       {"dont-win", {3, 220}}, {"field", {1, 18}},   {"big-6", {1, 11}},
      {"big-8", {1, 11}},      {"under-7", {1, 6}},    {"over-7", {1, 6}},   {"hard-4", {1, 9}},
      {"hard-10", {1, 9}},     {"hard-6", {1, 11}},    {"hard-8", {1, 11}},  {"juego-de-7", {1, 6}},
      {"juego-de-11", {1, 9}}, {"any-craps", {1, 9}},  {"craps-2", {5, 36}}, {"craps-3", {1, 9}},
      {"craps-12", {5, 36}},   {"horn", {1, 6}}};
  const json::Object wide{{"max_simple", 1000}, {"max_multiple_win", 3}};
  for (const auto& [kind, value] : published)
    EXPECT_EQ(edge_in(GetParam(), kind, {}, wide), value) << kind;
}

TEST_P(CrapsCatalogues, STANDARDS_5_4_edges_of_come_and_place_bets) {
  EXPECT_EQ(edge_in(GetParam(), "come", {}, json::Object{{"come_open", "always"}}),
            Fraction(7, 495));
  EXPECT_EQ(edge_in(GetParam(), "dont-come", {}, json::Object{{"come_open", "always"}}),
            Fraction(3, 220));
  const std::map<int, std::pair<int, int>> parts{{4, {15, 33}}, {5, {25, 40}}, {6, {66, 55}},
                                                 {8, {66, 55}}, {9, {25, 40}}, {10, {15, 33}}};
  const auto table = craps_table(GetParam(), json::Object{{"max_simple", 1000}}, 5);
  for (const auto& [number, part] : parts) {
    const std::vector<std::string> on{std::to_string(number)};
    const auto right = must(table, start(table), stake("b", "right-bet", divisible_stake, on));
    const auto wrong = must(table, start(table), stake("b", "wrong-bet", divisible_stake, on));
    EXPECT_EQ(edge_of(table, right, divisible_stake), Fraction(1, part.first)) << number;
    EXPECT_EQ(edge_of(table, wrong, divisible_stake), Fraction(1, part.second)) << number;
  }
}

/// The house's part of all that is staked on Win and its associated bet. The second is `multiple`
/// times the first: on 4 and 10, on 5 and 9, on 6 and 8. Expected values of the two add up.
Fraction edge_with_odds(const Table& table, std::array<int, 3> multiple) {
  constexpr Units line = 60;
  Fraction staked = line;
  Fraction lost =
      Fraction(line) * edge_of(table, must(table, start(table), stake("b", "win", line)), line);
  const std::array<int, 6> ways{3, 4, 5, 5, 4, 3};
  for (std::size_t i = 0; i < point_numbers.size(); ++i) {
    const int number = point_numbers[i];
    const int first = number / 2;
    auto state =
        roll(table, must(table, start(table), stake("w", "win", line)), first, number - first);
    const Units units = line * multiple.at(number == 4 || number == 10  ? 0
                                           : number == 5 || number == 9 ? 1
                                                                        : 2);
    state = must(table, state, stake("b", "asociada-win", units));
    staked += Fraction(ways.at(i), 36) * Fraction(units);
    lost += Fraction(ways.at(i), 36) * (Fraction(units) - Chain(table).value(state));
  }
  return lost / staked;
}

TEST_P(CrapsCatalogues, STANDARDS_5_4_win_with_single_odds_costs_7_in_825) {
  EXPECT_EQ(edge_with_odds(craps_table(GetParam()), {1, 1, 1}), Fraction(7, 825));
}

INSTANTIATE_TEST_SUITE_P(All, CrapsCatalogues, ::testing::ValuesIn(craps_catalogues),
                         [](const auto& id) {
                           std::string name = id.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(CrapsEuskadi, STANDARDS_5_4_larger_odds_where_the_authorisation_allows_them) {
  const auto with = [](int most, std::array<int, 3> multiple) {
    return edge_with_odds(craps_table("es-euskadi-2010", json::Object{{"odds_max", most}}),
                          multiple);
  };
  EXPECT_EQ(with(2, {2, 2, 2}), Fraction(1, 165));   // 0.606 %
  EXPECT_EQ(with(3, {3, 3, 3}), Fraction(7, 1485));  // 0.471 %
  EXPECT_EQ(with(5, {3, 4, 5}), Fraction(7, 1870));  // 0.374 %
}

TEST(CrapsEuskadi, whole_chips_are_asked_of_every_stake_on_a_number_and_of_no_other) {
  for (const Units chip : {1, 5}) {
    const auto table = craps_table("es-euskadi-2010", {}, 5 * chip, chip);
    for (const int number : point_numbers) {
      for (const std::string kind : {"right-bet", "wrong-bet"}) {
        const auto pays = profit_of({kind, number, 0}, 'W');
        for (Units units = 5 * chip; units <= 100 * chip; units += chip) {
          const bool whole = (pays * Fraction(units) / Fraction(chip)).is_integer();
          EXPECT_EQ(refusal(table, start(table), stake("b", kind, units, {std::to_string(number)})),
                    whole ? "" : "chip_step")
              << kind << number << ' ' << units;
        }
      }
    }
    for (const std::string kind : {"win", "field", "hard-6", "big-8"}) {
      EXPECT_EQ(refusal(table, start(table), stake("b", kind, 7 * chip)), "") << kind;
    }
  }
}

TEST(CrapsValencia,
     any_seven_at_15_as_the_valencian_version_prints_it_favours_the_player_by_five_thirds) {
  EXPECT_EQ(edge_in("es-valencia-2003", "juego-de-7", {},
                    json::Object{{"seven_pays", "15"}, {"max_simple", 1000}}),
            Fraction(-5, 3));
}

TEST(CrapsRules, parameters_of_odds_numbers_and_payouts_must_exist) {
  struct Fault {
    std::string_view catalogue, from, to;
  };
  const std::string_view euskadi = "es-euskadi-2010";
  for (const Fault& fault : {
           Fault{euskadi, R"(asociada-win = "odds_max")", R"(asociada-win = "odds_min")"},
           Fault{euskadi, R"(asociada-win = "odds_max")", R"(asociada-win = "max_simple")"},
           Fault{euskadi, R"(allowed = ["required", "free"])", R"(allowed = ["required", "some"])"},
           Fault{euskadi, R"(allowed = ["placed", "point"])", R"(allowed = ["point", "roll"])"},
           Fault{euskadi, "covers = [[8]]", "covers = [[7]]"},
           Fault{"es-valencia-2003", R"(parameter = "seven_pays", value = "15")",
                 R"(parameter = "seven_pays", value = "16")"},
       }) {
    EXPECT_EQ(load_changed(fault.from, fault.to, fault.catalogue), "catalogue_malformed")
        << fault.from;
  }
}

}  // namespace
}  // namespace talla::games::test
