// Goal: five-card draw among players: cards are exchanged as the law says, a deck that runs out is
//       made up from the discards, no hand gets stuck, chips are moved and never made, states come
//       back as they left.
// Method: random hands with a deck of real cards that is shuffled anew when the engine asks for it;
//         states changed by hand; changed catalogue files.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "circle_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace {

using shuffle::Card;

Table draw_table(std::string_view catalogue, json::Object params) {
  auto table = Table::open(test::catalogue(catalogue),
                           {"circle-five-card-draw", {"EUR"}, 20, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

/// The cards of the table's deck in some order: the ones that are left, and where the others lie.
class RefilledDeck {
 public:
  explicit RefilledDeck(const std::string& spec) : left_(shuffle::DeckSpec::parse(spec)->cards()) {
    mix();
  }
  void mix() {
    for (std::size_t i = left_.size(); i > 1; --i)
      std::swap(left_.at(i - 1), left_.at(*rc::gen::inRange<std::size_t>(0, i)));
  }
  Event deal(const DealPlace& place) {
    RC_ASSERT(!left_.empty());
    at_[place.place] = left_.back();
    left_.pop_back();
    return CardDealt{place.place, place.face, std::nullopt};
  }
  Event shuffle(const Shuffle& need) {
    RC_ASSERT(need.places.size() == need.cards_count);
    for (const auto& place : need.places) {
      RC_ASSERT(at_.contains(place));
      left_.push_back(at_.at(place));
      at_.erase(place);
    }
    mix();
    return Shuffled{need.places};
  }
  [[nodiscard]] Card at(const std::string& place) const { return at_.at(place); }
  [[nodiscard]] std::size_t left() const { return left_.size(); }

 private:
  std::vector<Card> left_;
  std::map<std::string, Card> at_;
};

/// Any of the choices; retiring seldom, so that hands go on.
Event random_act(const Decide& decide) {
  auto choice = *rc::gen::elementOf(decide.choices);
  if (choice.action == "retirarse" && *rc::gen::inRange(0, 4) != 0) choice = decide.choices.back();
  Act act{decide.seat, choice.action, {}, {}, {}, {}};
  if (choice.max > 0) {
    const Units steps = choice.step == 0 ? 0 : (choice.max - choice.min) / choice.step;
    act.amount = choice.min + *rc::gen::inRange<Units>(0, steps + 1) * choice.step;
  }
  if (!choice.places.empty()) {
    auto places = choice.places;
    const auto count = *rc::gen::inRange<std::size_t>(choice.cards_min, choice.cards_max + 1);
    while (places.size() > count)
      places.erase(places.begin() +
                   static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, places.size())));
    act.cards = places;
  }
  return act;
}

struct Outcome {
  Units staked = 0;
  Units returned = 0;
  std::size_t shuffles = 0;
};

/// One hand to its end; `state` stands before its close, with a shoe open.
Outcome play_hand(const Table& table, State& state) {
  RefilledDeck deck(table.engine().shoe(table)->deck);
  Outcome out;
  state = test::must(table, state, CloseBets{});
  for (int events = 0;; ++events) {
    RC_ASSERT(events < 2000);
    test::expect_round_trip(table, state);
    const auto needs = table.engine().needs(table, state);
    if (find_need<Settled>(needs) != nullptr) break;
    if (const auto* deal = find_need<Deal>(needs)) {
      RC_ASSERT(deal->cards.size() <= deck.left());
      state = test::must(table, state, deck.deal(deal->cards.front()));
    } else if (const auto* shuffle = find_need<Shuffle>(needs)) {
      ++out.shuffles;
      state = test::must(table, state, deck.shuffle(*shuffle));
    } else if (const auto* reveal = find_need<Reveal>(needs)) {
      state = test::must(table, state, CardRevealed{reveal->place, deck.at(reveal->place)});
    } else {
      const auto* decide = test::speaker(needs);
      RC_ASSERT(decide != nullptr);
      state = test::must(table, state, random_act(*decide));
    }
  }
  for (const auto& one : test::settled(table, state)) {
    if (one.kind == "resto" || one.kind == "reposicion") continue;
    out.staked += one.stake;
    out.returned += one.returned;
  }
  return out;
}

Units chips(const State& state) {
  const auto value = state.to_json();
  Units out = 0;
  for (const auto* key : {"dead", "house"}) {
    if (const auto* found = value.find(key)) out += found->integer();
  }
  if (const auto* players = value.find("players")) {
    for (const auto& one : players->array()) {
      if (const auto* stack = one.find("stack")) out += stack->integer();
    }
  }
  return out;
}

RC_GTEST_PROP(CircleDraw, hands_end_and_make_no_chips, ()) {
  const bool aragon = *rc::gen::inRange(0, 2) == 1;
  const auto deck = *rc::gen::element<std::string>("52", "32");
  const auto lack = *rc::gen::element<std::string>("retired-then-own", "own-then-retired");
  json::Object params{{"deck", deck}, {"draw_lack", lack}, {"resto_min", 1}};
  if (aragon) params["false_bet"] = *rc::gen::element<std::string>("stays", "returned");
  const auto table = draw_table(aragon ? "es-aragon-2010" : "es-euskadi-2010", params);
  State state = test::start(table);
  const Seat players = *rc::gen::inRange<Seat>(4, deck == "32" ? 7 : 11);
  Units bought = 0;
  for (Seat seat = 1; seat <= players; ++seat) {
    const Units resto = *rc::gen::inRange<Units>(40, 600);
    bought += resto;
    state =
        test::must(table, state, test::stake("r" + std::to_string(seat), "resto", resto, {}, seat));
  }
  Units paid = 0;
  for (int hand = 0; hand < 3; ++hand) {
    state = test::must(table, state, ShoeOpened{table.engine().shoe(table)->cards_count, false});
    const auto needs = table.engine().needs(table, state);
    const auto* open = find_need<BetsOpen>(needs);
    if (open == nullptr || !open->can_close) break;
    const auto outcome = play_hand(table, state);
    RC_ASSERT(outcome.staked == outcome.returned);
    RC_CLASSIFY(outcome.shuffles > 0, "discards were mixed in");
    for (const auto& one : test::settled(table, state)) {
      if (one.kind == "resto") paid += one.returned;
    }
    RC_ASSERT(chips(state) + paid == bought);
  }
}

/// Four have covered the opener of seat 1, who has asked for two cards.
State drawing(const Table& table) {
  State state = test::must(table, test::start(table), ShoeOpened{52, false});
  for (Seat seat = 1; seat <= 4; ++seat)
    state =
        test::must(table, state, test::stake("r" + std::to_string(seat), "resto", 400, {}, seat));
  state = test::must(table, state, CloseBets{});
  for (;;) {
    const auto needs = table.engine().needs(table, state);
    const auto* deal = find_need<Deal>(needs);
    if (deal == nullptr) break;
    const auto& place = deal->cards.front();
    state = test::must(table, state, CardDealt{place.place, place.face, std::nullopt});
  }
  state = test::must(table, state, Act{1, "apostar", {}, 20, {}, {}});
  for (const Seat seat : {2U, 3U, 4U})
    state = test::must(table, state, Act{seat, "cubrir", {}, {}, {}, {}});
  return test::must(table, state,
                    Act{1, "descartar", {}, {}, {"seat-1-card-5", "seat-1-card-2"}, {}});
}

/// Nobody covers; he has to show that he could open, and mixes his cards with the discards instead.
TEST(CircleDrawErrors, an_opener_alone_whose_hand_is_void_cannot_take_the_pot) {
  const auto table = draw_table("es-aragon-2010", {});
  State state = test::must(table, test::start(table), ShoeOpened{52, false});
  for (Seat seat = 1; seat <= 4; ++seat)
    state =
        test::must(table, state, test::stake("r" + std::to_string(seat), "resto", 400, {}, seat));
  state = test::must(table, state, CloseBets{});
  for (auto needs = table.engine().needs(table, state); const auto* deal = find_need<Deal>(needs);
       needs = table.engine().needs(table, state)) {
    const auto& place = deal->cards.front();
    state = test::must(table, state, CardDealt{place.place, place.face, std::nullopt});
  }
  state = test::must(table, state, Act{1, "apostar", {}, 20, {}, {}});
  for (const Seat seat : {2U, 3U, 4U})
    state = test::must(table, state, Act{seat, "retirarse", {}, {}, {}, {}});
  const auto needs = table.engine().needs(table, state);
  ASSERT_NE(find_need<Reveal>(needs), nullptr);
  state = test::must(table, state, Misdeal{"cards-mixed", "seat-1-card-1"});
  test::expect_round_trip(table, state);
  Units account = 0;
  for (const auto& one : test::settled(table, state)) account += one.stake - one.returned;
  EXPECT_EQ(account, 0);
  EXPECT_EQ(state.to_json().find("dead")->integer(),
            60);  // four antes, and the bet that nobody called
  EXPECT_EQ(chips(state), 1600);
}

TEST(CircleDrawState, cards_asked_for_come_covered_to_their_own_places) {
  const auto table = draw_table("es-aragon-2010", {});
  const auto state = drawing(table);
  test::expect_round_trip(table, state);
  const auto needs = table.engine().needs(table, state);
  const auto* deal = find_need<Deal>(needs);
  ASSERT_NE(deal, nullptr);
  ASSERT_EQ(deal->cards.size(), 2U);
  EXPECT_EQ(deal->cards.front(), (DealPlace{"seat-1-draw-1", Face::covered, {1}}));
  EXPECT_EQ(deal->cards.back(), (DealPlace{"seat-1-draw-2", Face::covered, {1}}));
}

TEST(CircleDrawState, that_does_not_fit_is_refused) {
  const auto table = draw_table("es-aragon-2010", {});
  const auto good = drawing(table).to_json();
  const auto refused = [&](auto change) {
    auto value = good;
    change(value);
    return !table.engine().restore(table, value).has_value();
  };
  EXPECT_FALSE(refused([](json::Value& /*s*/) {}));
  EXPECT_TRUE(refused([](json::Value& s) { s["phase"] = "bet"; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["phase"] = "deal"; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["phase"] = "blind"; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["last_blind"] = 1; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["opened"] = 7; }));
  const auto first = [](json::Value& s) -> json::Value& { return s["players"].array().front(); };
  EXPECT_TRUE(refused([&](json::Value& s) { first(s)["discards"] = json::Array{5, 2}; }));
  EXPECT_TRUE(refused([&](json::Value& s) { first(s)["discards"] = json::Array{2, 6}; }));
  EXPECT_TRUE(refused([&](json::Value& s) { first(s)["discards"] = json::Array{1, 2, 3, 4, 5}; }));
  EXPECT_TRUE(refused([&](json::Value& s) { first(s)["drawn"] = json::Array{"-", "-", "-"}; }));
  EXPECT_TRUE(refused([&](json::Value& s) { first(s)["drawn"] = json::Array{"?"}; }));
  EXPECT_TRUE(refused([&](json::Value& s) { first(s)["false_opening"] = true; }));
  EXPECT_TRUE(refused([&](json::Value& s) {
    first(s)["cards"] = json::Array{"-", "*", "-", "-", "-"};
  }));
}

TEST(CircleDrawRules, data_the_engine_cannot_play_are_refused) {
  const auto changed = [](std::string_view from, std::string_view to) {
    return test::load_changed(from, to, "es-aragon-2010");
  };
  EXPECT_EQ(changed("first = \"pot-opener\"", "first = \"somebody\""), "catalogue_malformed");
  EXPECT_EQ(changed("deal = [\"draw\"]", "deal = [\"draw\", \"own\"]"), "catalogue_malformed");
  EXPECT_EQ(changed("deal = [\"draw\"]", "deal = [\"own\"]"), "catalogue_malformed");
  EXPECT_EQ(changed("pairs = [11, 12, 13, 14]", "pairs = [1]"), "catalogue_malformed");
  EXPECT_EQ(changed("reshuffle = \"last-card\"", "reshuffle = \"never\""), "catalogue_malformed");
  EXPECT_EQ(changed("left_out = \"opener-and-own\"", "left_out = \"all\""), "catalogue_malformed");
  EXPECT_EQ(changed("most = 4\nfirst", "most = 5\nfirst"), "catalogue_malformed");
  EXPECT_EQ(changed("most = 4\nfirst", "most = 3\nfirst"),
            "catalogue_malformed");  // its places are there
  EXPECT_EQ(changed("allowed = [\"stays\", \"returned\"]", "allowed = [\"stays\", \"lost\"]"),
            "catalogue_malformed");
  EXPECT_EQ(changed("allowed = [\"52\", \"48\"", "allowed = [\"52\", \"50\""),
            "catalogue_malformed");
}

}  // namespace
}  // namespace talla::games
