// Goal: the cards that decide each bet of monte are those of the text, for every layout, and the
//       prices fit their numbers.
// Method: every card still to come is tried as the deciding one, on each layout of VI.4 (plain,
// doubled, tripled), and counted: live cards of both sides of each Cartas bet (A49 names the
// counts), exact returns of the multiple bets.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "engines/monte/annul.hpp"
#include "play_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::monte {
namespace {

using test::must;
using test::refusal;

Table open_monte(json::Value params = {}) {
  auto table = Table::open(test::catalogue("es-valencia-2003"),
                           {"monte", {"EUR"}, 10, std::nullopt, std::move(params)});
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

Card card(std::string_view text) {
  return *Card::parse(text);
}

games::State deal(const Table& table, games::State state, const std::vector<std::string>& cards) {
  for (const auto& text : cards) {
    const auto needs = table.engine().needs(table, state);
    const auto* due = find_need<Deal>(needs);
    EXPECT_NE(due, nullptr) << text;
    state = must(table, state, CardDealt{due->cards.front().place, Face::open, card(text)});
  }
  return state;
}

games::State laid(const Table& table, const std::vector<std::string>& cards) {
  return deal(table, must(table, test::start(table), ShoeOpened{40, false}), cards);
}

PlaceBet bet(std::string id, std::string kind, std::vector<std::string> on, Units stake = 100) {
  return {std::move(id), 1, std::nullopt, std::move(kind), std::move(on), stake};
}

/// Cards of the deck that are not on the layout.
std::vector<Card> to_come(const std::vector<std::string>& layout) {
  auto all = shuffle::DeckSpec::parse("spanish40x1")->cards();
  for (const auto& text : layout) std::erase(all, card(text));
  return all;
}

using Layout = std::vector<std::string>;
const Layout plain = {"5o", "2c", "4e", "3b"};
const Layout doubled = {"5o", "2c", "5c", "4e", "3b"};
const Layout both_doubled = {"5o", "2c", "5c", "2e", "4e", "3b"};
const Layout tripled = {"5o", "2c", "5c", "5e", "4e", "3b"};
const Layout tripled_doubled = {"5o", "2c", "5c", "5e", "2e", "4e", "3b"};
const Layout both_tripled = {"5o", "2c", "5c", "5e", "2e", "2b", "4e", "3b"};

/// Cards that make the bet win, and lose, when each comes alone (behind a card of no placed rank).
std::pair<int, int> live(const Layout& layout, const std::string& kind,
                         const std::vector<std::string>& on, json::Value params = {}) {
  const auto table = open_monte(std::move(params));
  auto state = must(table, laid(table, layout), bet("b", kind, on));
  state = deal(table, must(table, state, CloseBets{}), {"7o"});
  std::pair<int, int> out;
  for (const auto next : to_come(layout)) {
    if (next == card("7o")) continue;
    for (const auto& one :
         test::settled(table, must(table, state, CardDealt{"descubierta", Face::open, next}))) {
      if (one.result == BetResult::win) ++out.first;
      if (one.result == BetResult::lose) ++out.second;
    }
  }
  return out;
}

using Counts = std::pair<int, int>;

struct Balance {
  Layout layout;
  Counts first_second, first_third, second_fourth, third_fourth, rows, columns, diagonals;
};

/// Digest, A49: "equal numbers of live cards in ...; with P1 tripled the column and diagonal pairs
/// stay uneven (4-3) and P1-v-P3 is 1-2"; A47: one doubled card leaves diagonals 5-4.
TEST(MonteCartas, have_the_live_cards_of_A49_on_every_layout) {
  const std::vector<Balance> all = {
      {plain, {3, 3}, {3, 3}, {3, 3}, {3, 3}, {6, 6}, {6, 6}, {6, 6}},
      {doubled, {2, 2}, {2, 2}, {3, 3}, {3, 3}, {5, 5}, {5, 5}, {5, 4}},
      {both_doubled, {2, 2}, {2, 2}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {5, 5}},
      {tripled, {1, 1}, {1, 2}, {3, 3}, {3, 3}, {4, 4}, {4, 3}, {4, 3}},
      {tripled_doubled, {1, 1}, {1, 1}, {2, 2}, {3, 3}, {3, 3}, {4, 4}, {3, 2}},
      {both_tripled, {1, 1}, {1, 1}, {1, 1}, {3, 3}, {2, 2}, {4, 4}, {2, 2}},
  };
  for (const auto& one : all) {
    const auto name = std::to_string(one.layout.size() - 4) + " stacked";
    EXPECT_EQ(live(one.layout, "cartas-horizontal", {"1"}), one.first_second) << name;
    EXPECT_EQ(live(one.layout, "cartas-vertical", {"1"}), one.first_third) << name;
    EXPECT_EQ(live(one.layout, "cartas-vertical", {"2"}), one.second_fourth) << name;
    EXPECT_EQ(live(one.layout, "cartas-horizontal", {"3"}), one.third_fourth) << name;
    EXPECT_EQ(live(one.layout, "cartas-dos", {"1", "2"}), one.rows) << name;
    EXPECT_EQ(live(one.layout, "cartas-dos", {"1", "3"}), one.columns) << name;
    EXPECT_EQ(live(one.layout, "cartas-dos", {"1", "4"}), one.diagonals) << name;
  }
}

TEST(MonteCartas, lose_for_one_side_exactly_where_they_win_for_the_other) {
  const std::map<std::vector<std::string>, std::vector<std::string>> opposite = {
      {{"1", "2"}, {"3", "4"}}, {{"1", "3"}, {"2", "4"}}, {{"1", "4"}, {"2", "3"}}};
  for (const auto& layout :
       {plain, doubled, both_doubled, tripled, tripled_doubled, both_tripled}) {
    for (const auto& [on, other] : opposite) {
      const auto mine = live(layout, "cartas-dos", on);
      EXPECT_EQ(live(layout, "cartas-dos", other), Counts(mine.second, mine.first));
    }
    for (const auto* kind : {"cartas-horizontal", "cartas-vertical"}) {
      const auto step = std::string(kind) == "cartas-horizontal" ? 1U : 2U;
      for (const unsigned place : {0U, 1U, 2U, 3U}) {
        const auto mine = live(layout, kind, {std::to_string(place + 1)});
        EXPECT_EQ(live(layout, kind, {std::to_string((place ^ step) + 1)}),
                  Counts(mine.second, mine.first));
      }
    }
  }
}

/// Exact mean return of a bet of 3,600 over the card that decides it, none of which is the first
/// turned.
Fraction mean_return(const Layout& layout, const std::string& kind, const std::string& on) {
  const auto table = open_monte();
  auto state = must(table, laid(table, layout), bet("b", kind, {on}, 300));
  state = deal(table, must(table, state, CloseBets{}), {"7o"});
  Fraction sum;
  int decided = 0;
  for (const auto next : to_come(layout)) {
    if (next == card("7o")) continue;
    for (const auto& one :
         test::settled(table, must(table, state, CardDealt{"descubierta", Face::open, next}))) {
      if (one.result == BetResult::void_) continue;
      ++decided;
      sum += test::exact(one);
    }
  }
  return sum / Fraction(300) / Fraction(decided);
}

/// A56: 12 live cards at 11 to 1 and 3 of 12 at 3 to 1 are exact fair prices; every stacked card
/// takes one of each.
TEST(MontePrices, of_camo_anti_viudo_and_salto_are_fair_behind_the_first_card) {
  for (const auto& layout :
       {plain, doubled, both_doubled, tripled, tripled_doubled, both_tripled}) {
    for (const auto* kind : {"camo", "anti", "viudo"})
      EXPECT_EQ(mean_return(layout, kind, "4"), Fraction(1));
    EXPECT_EQ(mean_return(layout, "salto", "1"), Fraction(1));
    EXPECT_EQ(mean_return(layout, "salto", "4"), Fraction(1));
  }
}

TEST(MontePrices, of_vista_hermosa_are_33_for_one_of_36_cards) {
  const auto table = open_monte();
  const auto state =
      must(table, must(table, laid(table, plain), bet("b", "vista-hermosa", {"1"})), CloseBets{});
  int wins = 0;
  Units returned = 0;
  for (const auto next : to_come(plain)) {
    const auto settled =
        test::settled(table, must(table, state, CardDealt{"descubierta", Face::open, next}));
    ASSERT_EQ(settled.size(), 1U);
    wins += settled.front().result == BetResult::win ? 1 : 0;
    returned += settled.front().returned;
  }
  EXPECT_EQ(wins, 1);
  EXPECT_EQ(returned, 3300);
}

/// V: the house's one advantage in Cartas: 12 of 36 first cards match, and cost a tenth of the even
///    win.
TEST(MontePrices, of_cartas_cost_one_part_in_sixty_by_the_deduction) {
  const auto table = open_monte();
  const auto state =
      must(table, must(table, laid(table, plain), bet("b", "cartas-dos", {"1", "2"})), CloseBets{});
  Fraction sum;
  for (const auto first : to_come(plain)) {
    const auto next = must(table, state, CardDealt{"descubierta", Face::open, first});
    const auto settled = test::settled(table, next);
    sum += settled.empty()
               ? Fraction(100)
               : test::exact(settled.front());  // even behind the first card, as counted above
  }
  EXPECT_EQ(sum / Fraction(3600), Fraction(1) - Fraction(1, 60));
}

TEST(MonteSegundas, prices_are_fair_for_six_live_cards) {
  const auto table = open_monte();
  auto state = must(table, laid(table, plain), CloseBets{});
  state = must(table, deal(table, state, {"7o", "5c"}), bet("b", "camo-segundas", {"3"}));
  state = deal(table, must(table, state, CloseBets{}), {"7c"});
  Units returned = 0;
  int decided = 0;
  for (const auto* text : {"4o", "4c", "4b", "3o", "3c", "3e", "5e", "2o", "6b"}) {
    const auto settled = test::settled(table, deal(table, state, {text}));
    decided += static_cast<int>(settled.size());
    for (const auto& one : settled) returned += one.returned;
  }
  EXPECT_EQ(decided, 6);
  EXPECT_EQ(returned, 600);
}

TEST(MonteLayout, of_nothing_but_pairs_annuls_the_deal_when_the_deck_is_out) {
  const auto table = open_monte();
  auto state = must(table, test::start(table), ShoeOpened{40, false});
  for (const auto* rank : {"1", "2", "3", "4", "5", "6", "7", "S", "C", "R"}) {
    for (const auto* suit : {"o", "c", "e", "b"})
      state = deal(table, state, {std::string(rank) + suit});
  }
  EXPECT_NE(find_need<ShoeNeed>(table.engine().needs(table, state)), nullptr);
  EXPECT_EQ(state.canonical(), test::start(table).canonical());
}

TEST(MonteLayout, takes_no_bets_before_four_cards_lie_and_none_while_cards_are_turned) {
  const auto table = open_monte();
  EXPECT_EQ(refusal(table, test::start(table), bet("b", "camo", {"1"})), "bets_closed");
  EXPECT_EQ(refusal(table, laid(table, {"5o", "2c", "4e"}), bet("b", "camo", {"1"})),
            "bets_closed");
  const auto closed = must(table, laid(table, plain), CloseBets{});
  EXPECT_EQ(refusal(table, closed, bet("b", "camo", {"1"})), "bets_closed");
  EXPECT_EQ(refusal(table, closed, CardDealt{"carta-1", Face::open, card("7o")}), "place_unknown");
  EXPECT_EQ(refusal(table, closed, CardDealt{"descubierta", Face::open, card("5o")}),
            "card_invalid");
  EXPECT_EQ(refusal(table, closed, CardDealt{"descubierta", Face::open, card("8o")}),
            "card_invalid");
  EXPECT_EQ(refusal(table, closed, ShoeClosed{}), "not_due");
}

TEST(MonteState, that_cannot_have_come_about_is_not_restored) {
  const auto table = open_monte();
  const auto state = must(table, laid(table, doubled), bet("b", "camo", {"2"}));
  test::expect_round_trip(table, state);
  const auto refuses = [&](const std::function<void(json::Value&)>& change) {
    auto value = state.to_json();
    change(value);
    const auto restored = table.engine().restore(table, value);
    return !restored && restored.error().is(Errc::state_malformed);
  };
  EXPECT_TRUE(refuses([](auto& v) { v["phase"] = "segundas"; }));
  EXPECT_TRUE(refuses([](auto& v) { v["phase"] = "over"; }));
  EXPECT_TRUE(refuses([](auto& v) { v["round_over"] = true; }));
  EXPECT_TRUE(refuses([](auto& v) { v["round_over"] = false; }));
  EXPECT_TRUE(refuses([](auto& v) { v["turned_here"] = 1; }));
  EXPECT_TRUE(refuses([](auto& v) { v["turned"] = json::Array{"5c"}; }));
  EXPECT_TRUE(refuses([](auto& v) { v["turned"] = json::Array{"8c"}; }));
  EXPECT_TRUE(refuses([](auto& v) { v["held"] = json::Array{"x"}; }));
  EXPECT_TRUE(refuses([](auto& v) { v["layout"].array().at(0)["extras"] = json::Array{"6c"}; }));
  EXPECT_TRUE(refuses([](auto& v) { v["layout"].array().at(2)["card"] = "5b"; }));
  EXPECT_TRUE(refuses([](auto& v) { v["layout"].array().pop_back(); }));
  EXPECT_TRUE(refuses([](auto& v) { v["bets"].array().at(0)["kind"] = "camo-segundas"; }));
  EXPECT_TRUE(refuses([](auto& v) { v["more"] = 1; }));
}

/// Loads the built-in file with the first `from` replaced; true when it is refused.
bool refused_with(std::string_view from, std::string_view to) {
  for (const auto& file : embedded_catalogues()) {
    if (file.id != "es-valencia-2003") continue;
    std::string text(file.bytes.begin(), file.bytes.end());
    const auto at = text.find(from, text.find("id = \"monte\""));
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const auto loaded = load_catalogue(as_bytes(text), test::NoHash());
    return !loaded && loaded.error().is(Errc::catalogue_malformed);
  }
  return false;
}

TEST(MonteRules, that_the_engine_cannot_play_are_refused) {
  EXPECT_FALSE(refused_with("max = \"300\"", "max = \"301\""));
  EXPECT_TRUE(refused_with("spanish40x1", "spanish40x2"));
  EXPECT_TRUE(refused_with("spanish40x1", "french52x1"));
  EXPECT_TRUE(refused_with("stop_depth = 0", "stop_depth = 4"));
  EXPECT_TRUE(refused_with("circle = \"oceb\"", "circle = \"ocee\""));
  EXPECT_TRUE(refused_with("share = \"10%\"", "share = \"110%\""));
  EXPECT_TRUE(refused_with("\"anti\", \"viudo\", \"camo\"", "\"anti\", \"viudo\""));
  EXPECT_TRUE(refused_with("first = 1, second = 0, card = 2", "first = 1, second = 2, card = 2"));
  EXPECT_TRUE(refused_with("card = 2, by = 1", "card = 1, by = 1"));
  EXPECT_TRUE(refused_with("form = \"vista\"", "form = \"vistas\""));
  EXPECT_TRUE(
      refused_with("form = \"camo\", rounds = [\"primeras\"]", "form = \"camo\", rounds = []"));
  EXPECT_TRUE(refused_with("[[1], [2], [3], [4]]", "[[1], [2], [3], [5]]"));
  EXPECT_TRUE(refused_with("[1, 4], [2, 3]]", "[1, 4], [2]]"));
  EXPECT_TRUE(refused_with("id = \"descubierta\"", "id = \"carta-5\""));
  EXPECT_TRUE(refused_with("allowed = [\"burn\", \"redeal\"]", "allowed = [\"burn\", \"redraw\"]"));
  EXPECT_TRUE(refused_with("[game.data.points]", "[game.data.pointed]"));
  EXPECT_TRUE(refused_with("vista_burned = 1", "vista_burnt = 1"));
}

}  // namespace
}  // namespace talla::games::monte
