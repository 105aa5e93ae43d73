// Goal: the family "second-bet" answers about every state that it restores, restores none that no
//   hand can have, and loads no rules that it cannot play.
// Method: random play of its games, states changed at random and restored; broken rules and states
//         one by one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "random_deck.hpp"

namespace talla::games::test {
namespace {

/// All values inside a JSON value that hold no others, or are lists.
void collect(json::Value& value, std::vector<json::Value*>& out) {
  if (value.is_object()) {
    for (auto& [key, inner] : value.object()) collect(inner, out);
    return;
  }
  out.push_back(&value);
  if (value.is_array()) {
    for (auto& inner : value.array()) collect(inner, out);
  }
}

void mutate(json::Value& state) {
  std::vector<json::Value*> all;
  collect(state, all);
  auto& one = *all.at(*rc::gen::inRange<std::size_t>(0, all.size()));
  if (one.is_integer()) {
    one = one.integer() + *rc::gen::element<std::int64_t>(-1, 1, 7, 1000);
  } else if (one.is_string()) {
    one = *rc::gen::element<std::string>("", "AS", "2H", "went", "passed", "playing", "changing",
                                         "serving", "bank", "showing", "over", "betting", "b1",
                                         "b2", "b1.segunda", "segunda", "jackpot",
                                         "apuesta-inicial", "pass", "purchase");
  } else if (one.is_bool()) {
    one = !one.boolean();
  } else if (one.is_array() && !one.array().empty()) {
    auto& list = one.array();
    const auto at = *rc::gen::inRange<std::size_t>(0, list.size());
    if (*rc::gen::arbitrary<bool>()) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      list.push_back(list.at(at));
    }
  }
}

/// Everything an engine answers about a state, and some events on it.
void ask(const Table& table, const State& state) {
  const auto& engine = table.engine();
  const auto needs = engine.needs(table, state);
  RC_ASSERT(!needs.empty());
  static_cast<void>(engine.view(table, state, {}));
  static_cast<void>(engine.carried(table, state));
  static_cast<void>(engine.forced(table, state));
  for (const auto& need : needs) {
    if (const auto* decide = std::get_if<Decide>(&need)) {
      static_cast<void>(engine.apply(table, state, TimeOut{decide->seat}));
      static_cast<void>(engine.apply(table, state, Act{decide->seat, "voy", {}, {}, {}, {}}));
      static_cast<void>(engine.apply(table, state, Act{decide->seat, "servido", {}, {}, {}, {}}));
    }
    if (const auto* reveal = std::get_if<Reveal>(&need))
      static_cast<void>(
          engine.apply(table, state, CardRevealed{reveal->place, *Card::parse("7H")}));
    if (const auto* deal = std::get_if<Deal>(&need)) {
      const auto& place = deal->cards.front();
      const auto card = place.face == Face::open ? std::optional(*Card::parse("7H")) : std::nullopt;
      static_cast<void>(engine.apply(table, state, CardDealt{place.place, place.face, card}));
    }
  }
  static_cast<void>(engine.apply(table, state, Misdeal{"wrong-count", {}}));
  static_cast<void>(engine.apply(table, state, Misdeal{"shown-cards", "seat-1-card-1"}));
}

RC_GTEST_PROP(SecondBet, answers_about_every_state_that_it_restores, ()) {
  const auto catalogue_id = *rc::gen::element<std::string>("es-aragon-2010", "es-euskadi-2010");
  const auto game = catalogue_id == "es-aragon-2010"
                        ? *rc::gen::element<std::string>("caribbean-stud", "three-card-poker")
                        : *rc::gen::element<std::string>("caribbean-stud", "three-card-poker",
                                                         "draw-poker-house");
  json::Value params;
  const auto text = catalogue(catalogue_id);
  const auto* rules = text->game(game);
  for (const auto* id : {"jackpot", "card_purchase", "insurance", "pair_plus_standalone"}) {
    if (rules->parameter(id) != nullptr) params[id] = true;
  }
  const auto table = open_of(catalogue_id, game, params);
  auto state = must(table, start(table), ShoeOpened{52, false});
  const auto& first = game == "three-card-poker" ? "ante" : "apuesta-inicial";
  for (Seat seat : {1U, 2U})
    state = must(table, state, stake(id_of("b", seat), first, 100 * seat, {}, seat));
  if (rules->bet("jackpot") != nullptr) state = must(table, state, stake("j", "jackpot", 50));
  state = must(table, state, CloseBets{});
  const auto deck = shuffled();
  const auto steps = *rc::gen::inRange(0, 45);
  std::size_t next = 0;
  for (int step = 0; step < steps; ++step) {
    const auto needs = table.engine().needs(table, state);
    if (find_need<Settled>(needs) != nullptr) break;
    if (const auto* deal = find_need<Deal>(needs)) {
      const auto& place = deal->cards.front();
      const auto card = place.face == Face::open ? std::optional(deck.at(next++)) : std::nullopt;
      state = must(table, state, CardDealt{place.place, place.face, card});
    } else if (const auto* reveal = find_need<Reveal>(needs)) {
      state = must(table, state, CardRevealed{reveal->place, deck.at(next++)});
    } else if (const auto* decide = find_need<Decide>(needs)) {
      const auto& choice =
          decide->choices.at(*rc::gen::inRange<std::size_t>(0, decide->choices.size()));
      Act act{decide->seat, choice.action, {}, {}, {}, {}};
      for (std::size_t i = 0; i < choice.cards_max; ++i) act.cards.push_back(choice.places.at(i));
      state = must(table, state, act);
    }
  }
  auto value = state.to_json();
  const auto restored = table.engine().restore(table, value);
  RC_ASSERT(restored.has_value());
  const auto times = *rc::gen::inRange(1, 4);
  for (int i = 0; i < times; ++i) mutate(value);
  const auto changed = table.engine().restore(table, value);
  if (changed) ask(table, *changed);
}

TEST(SecondBet, loads_no_rules_that_it_cannot_play) {
  const auto refused = [&](std::string_view from, std::string_view to,
                           const char* from_catalogue = "es-aragon-2010") {
    return load_changed(from, to, from_catalogue);
  };
  const std::string bad = "catalogue_malformed";
  EXPECT_EQ(refused("{ when = \"royal-flush\", share = \"100%\" }",
                    "{ when = \"royal-flush\", share = \"101%\" }"),
            bad);
  EXPECT_EQ(refused("{ when = \"royal-flush\", share = \"100%\" }",
                    "{ when = \"royal\", share = \"100%\" }"),
            bad);
  EXPECT_EQ(refused("{ when = \"royal-flush\", share = \"100%\" }",
                    "{ when = \"royal-flush\", share = \"100%\", drawn = \"10%\" }"),
            bad);
  EXPECT_EQ(refused("exposed = 1", "exposed = 6"), bad);
  EXPECT_EQ(refused("multiple = 2", "multiple = 0"), bad);
  EXPECT_EQ(refused("covers = \"price\"\npayouts = []",
                    "covers = \"price\"\npayouts = [{ pays = \"1:1\", cite = \"VIII.3\" }]"),
            bad);
  EXPECT_EQ(refused("order = { parameter = \"jackpot_order\" }", "order = \"lots\""), bad);
  EXPECT_EQ(
      refused("  { when = \"ace-king\", pays = \"1:1\", cite = \"V.1.j\", reading = \"A11\" },\n",
              ""),
      bad);
  const char* euskadi = "es-euskadi-2010";
  EXPECT_EQ(refused("{ holds = \"nothing\", discards = 2 }", "{ holds = \"pair\", discards = 2 }",
                    euskadi),
            bad);
  EXPECT_EQ(refused("{ holds = \"four-suited\", discards = 1 }",
                    "{ holds = \"four\", discards = 6 }", euskadi),
            bad);
  EXPECT_EQ(refused("cards_max = 2", "cards_max = 6", euskadi), bad);
  EXPECT_EQ(refused("drawn_base = { parameter = \"jackpot_drawn_base\" }\n", "", euskadi), bad);
}

TEST(SecondBet, restores_no_state_that_no_hand_can_have) {
  const auto table = open_of("es-euskadi-2010", "draw-poker-house");
  const auto refused = [&](const std::string& text) {
    const auto value = json::parse(text);
    EXPECT_TRUE(value) << text;
    return !table.engine().restore(table, *value).has_value();
  };
  const std::string first = R"({"box":1,"id":"a","kind":"apuesta-inicial","seat":1,"stake":300})";
  const std::string second = R"({"box":1,"id":"a.segunda","kind":"segunda","seat":1,"stake":600})";
  const std::string bets = R"("bets":[)" + first + "," + second + "],";
  const std::string bank = R"("bank":["","","","",""],)";
  const std::string cards = R"("cards":["","","","",""])";
  const std::string begin = R"({"shoe":true,)";
  const auto hand = [&](const std::string& more) {
    return R"("hands":[{"box":1,"seat":1,)" + more + "}],";
  };
  EXPECT_FALSE(
      refused(begin + bets + bank + hand(cards + R"(,"word":"went")") + R"("phase":"changing"})"));
  EXPECT_TRUE(refused(begin + bets + bank + hand(cards) + R"("phase":"changing"})"));
  EXPECT_TRUE(refused(begin + bets + bank + hand(cards + R"(,"word":"went","stood":true)") +
                      R"("phase":"changing"})"));
  EXPECT_TRUE(refused(begin + bets + bank + hand(cards + R"(,"word":"went","discards":[1])") +
                      R"("phase":"changing"})"));
  EXPECT_TRUE(refused(begin + bets + bank +
                      hand(cards + R"(,"word":"went","stood":true,"discards":[1,2,3])") +
                      R"("phase":"serving"})"));
  EXPECT_FALSE(refused(begin + bets + bank +
                       hand(cards + R"(,"word":"went","stood":true,"discards":[1,2])") +
                       R"("phase":"serving"})"));
  EXPECT_TRUE(refused(begin + bets + bank +
                      hand(cards + R"(,"word":"went","stood":true,"discards":[2,1])") +
                      R"("phase":"serving"})"));
  EXPECT_TRUE(refused(begin + R"("bets":[)" + second + "]," + bank +
                      hand(cards + R"(,"word":"went")") + R"("phase":"changing"})"));
  EXPECT_TRUE(refused(begin + R"("bets":[)" + first +
                      R"(,{"box":1,"id":"a.segunda","kind":"segunda","seat":1,"stake":500}],)" +
                      bank + hand(cards + R"(,"word":"went")") + R"("phase":"changing"})"));
  EXPECT_TRUE(refused(begin + bets + R"("bank":["AS","","","",""],)" +
                      hand(cards + R"(,"word":"went")") + R"("phase":"changing"})"));
}

}  // namespace
}  // namespace talla::games::test
