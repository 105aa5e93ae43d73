// Goal: a game whose text is not at hand opens only on a base that is named, and everything it
//       settles says so.
// Method: the built-in file of Aragón against es-1977, figure by figure; single faults in a small
//         file.
#include <gtest/gtest.h>

#include "play_support.hpp"

namespace talla::games {
namespace {

using test::catalogue;

constexpr std::string_view double_zero_wheel = "american-roulette-double-zero";

std::string open_code(const std::string& game, json::Value params) {
  const auto table =
      Table::open(catalogue("es-aragon-2010"), {game, {"EUR"}, 1, std::nullopt, std::move(params)});
  return table ? std::string() : std::string(table.error().code);
}

json::Value on_base() {
  json::Value params;
  params["base"] = "es-1977";
  return params;
}

TEST(Base, a_table_opens_only_with_it_and_the_refusal_names_the_decree) {
  const std::string game(double_zero_wheel);
  EXPECT_EQ(open_code(game, {}), "decree_missing");
  EXPECT_EQ(open_code(game, on_base()), "");
  json::Value other;
  other["base"] = "es-euskadi-2010";
  EXPECT_EQ(open_code(game, other), "parameter_not_allowed");
  const auto refused =
      Table::open(catalogue("es-aragon-2010"), {game, {"EUR"}, 1, std::nullopt, {}});
  EXPECT_NE(refused.error().detail.find("Decreto 159/2002"), std::string::npos);
  EXPECT_NE(refused.error().detail.find("es-1977"), std::string::npos);
}

TEST(Base, games_of_the_missing_text_name_the_decree_and_unknown_ones_do_not) {
  const auto aragon = catalogue("es-aragon-2010");
  for (const auto& id : aragon->base_games) {
    const auto found = find_game(*aragon, id);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, "decree_missing");
    EXPECT_NE(found.error().detail.find("Decreto 159/2002"), std::string::npos);
    EXPECT_EQ(open_code(id, on_base()), "decree_missing");
  }
  EXPECT_EQ(aragon->base_games.size(), 10U);
  EXPECT_EQ(find_game(*aragon, "monte").error().code, "game_unknown");
}

TEST(Base, stands_in_the_parameters_of_the_table) {
  const auto table =
      Table::open(catalogue("es-aragon-2010"),
                  {std::string(double_zero_wheel), {"EUR"}, 1, std::nullopt, on_base()});
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->params().choice("base"), "es-1977");
}

TEST(Base, every_lent_payout_is_the_payout_of_the_lender) {
  const auto aragon = catalogue("es-aragon-2010");
  const auto lender = catalogue("es-1977");
  std::size_t lent = 0;
  for (const auto& game : aragon->games) {
    for (const auto& bet : game.bets) {
      for (const auto& payout : bet.payouts) {
        if (payout.cite.inherited != "es-1977") continue;
        const auto from =
            std::find_if(lender->games.begin(), lender->games.end(), [&](const GameRules& one) {
              return one.number == payout.cite.number && one.bet(bet.id) != nullptr;
            });
        ASSERT_NE(from, lender->games.end()) << bet.id;
        const auto* same = from->bet(bet.id)->payout(payout.when);
        ASSERT_NE(same, nullptr) << bet.id;
        EXPECT_EQ(payout.pays, same->pays) << bet.id;
        EXPECT_EQ(payout.cite.section, same->cite.section) << bet.id;
        ++lent;
      }
    }
  }
  EXPECT_GE(lent, 14U);
}

TEST(Base, rules_say_where_they_come_from) {
  const auto aragon = catalogue("es-aragon-2010");
  const auto* game = aragon->game(double_zero_wheel);
  EXPECT_EQ(game->rule(game->bet("cuadro-especial")->cite), "2 bis c (base es-1977, provisional)");
  EXPECT_EQ(game->rule(game->bet("rojo")->cite), "es-1977 01 IV.1.B.a (provisional)");
}

constexpr std::string_view small = R"(
[catalogue]
id = "test"
legal_name = "A test order"
territory = "ES"
published = "2000-01-01"
source = "none"
language = "es"
currency = "EUR"
[catalogue.base]
decree = "Decree 7"
games = ["elsewhere"]

[[game]]
id = "first"
number = "01"
family = "none"
cite = "I"
draw = { kind = "wheel", pockets = ["0", "1", "2", "3", "4"], cite = "II" }
[[game.bet]]
id = "pleno"
on = "set"
covers = [[0], [1], [2], [3], [4]]
payouts = [{ pays = "3:1", cite = "III" }]
cite = "III"
[game.data.one]
cite = "IV"
figure = 1

[[game]]
id = "second"
number = "02"
family = "none"
cite = "I"
follows = { game = "first", cite = "I", takes = ["draw", "bet", "data.one"] }
[[game.bet]]
id = "both"
covers = [1, 2]
members = [{ bet = "pleno", on = [1], chips = 1 }, { bet = "pleno", on = [2], chips = 2 }]
cite = "V"
[[game.bet]]
id = "around"
on = "set"
covers = [[0], [1], [2], [3], [4]]
neighbours = { bet = "pleno", each_side = 1 }
cite = "V"

[[game]]
id = "third"
number = "03"
family = "none"
cite = "I"
base = "es-1977"
draw = { kind = "wheel", pockets = ["0", "1"], cite = "02:II", inherited = "es-1977" }
[[game.bet]]
id = "pleno"
on = "set"
covers = [[0], [1]]
payouts = [{ pays = "3:1", cite = "III" }]
cite = "III"
)";

Result<std::shared_ptr<const Catalogue>> changed(std::string_view from, std::string_view to) {
  std::string text(small);
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return load_catalogue(as_bytes(text), test::NoHash());
}

TEST(Follows, takes_what_it_names_and_keeps_the_number_it_comes_from) {
  const auto loaded = changed("", "");
  ASSERT_TRUE(loaded) << loaded.error().text();
  const auto* game = (*loaded)->game("second");
  ASSERT_NE(game, nullptr);
  EXPECT_EQ(game->follows, "first");
  ASSERT_EQ(game->bets.size(), 3U);
  EXPECT_EQ(game->bets.front().id, "pleno");
  EXPECT_EQ(game->rule(game->bet("pleno")->cite), "01 III");
  EXPECT_EQ(game->rule(game->bet("both")->cite), "02 V");
  EXPECT_EQ(game->rule(game->data.at("one").cite), "01 IV");
  EXPECT_EQ(game->draw->pockets.size(), 5U);
}

TEST(Catalogue, a_fault_in_base_follows_or_call_bets_is_refused) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"game = \"first\"", "game = \"third\""},                       // not before it
      {"\"data.one\"", "\"data.two\""},                               // nothing of that name
      {"\"data.one\"", "\"family\""},                                 // cannot be taken
      {"\"data.one\"", "\"data.one\", \"data.one\""},                 // twice
      {"\"data.one\"", "\"bet.pleno\""},                              // a bet twice
      {"covers = [1, 2]", "covers = [1, 2, 3]"},                      // parts do not cover it
      {"on = [2], chips = 2", "on = [9], chips = 2"},                 // no position of that bet
      {"{ bet = \"pleno\", on = [2]", "{ bet = \"both\", on = [2]"},  // a call bet of call bets
      {"chips = 2", "chips = 0"},
      {"each_side = 1", "each_side = 3"},  // more neighbours than pockets
      {"neighbours = { bet = \"pleno\", each_side = 1 }", "payouts = []"},
      {"inherited = \"es-1977\"", "inherited = \"es-1978\""},  // not the game's base
      {"cite = \"02:II\"", "cite = \"II\""},                   // a lent figure names its number
      {"cite = \"02:II\"", "cite = \"02:\""},
      {"base = \"es-1977\"\n", ""},               // lent without a base
      {"base = \"es-1977\"", "base = \"test\""},  // its own base
      {"[catalogue.base]\ndecree = \"Decree 7\"\ngames = [\"elsewhere\"]\n",
       ""},                                                // a base for no missing text
      {"games = [\"elsewhere\"]", "games = [\"first\"]"},  // both here and elsewhere
      {"decree = \"Decree 7\"", "decree = \"\""},
  };
  for (const auto& [from, to] : faults) {
    const auto loaded = changed(from, to);
    ASSERT_FALSE(loaded) << from << " -> " << to;
    EXPECT_EQ(loaded.error().code, "catalogue_malformed") << from << " -> " << to;
  }
}

}  // namespace
}  // namespace talla::games
