// Goal: errors of poker among players: chips that were put in by error are moved and never made,
//       whatever a lying table says and whenever; a window holds on both sides; the state comes
//       back as it left after each.
// Method: random hands of five games with random errors (any code, place and amount) between the
//         decisions; a table of windows against the moments of one hand; a bet out of turn followed
//         chip by chip; states changed by hand.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "circle_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace {

using shuffle::Card;

Table error_table(std::string_view catalogue, std::string game, json::Object params) {
  auto table = Table::open(test::catalogue(catalogue),
                           {std::move(game), {"EUR"}, 20, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

/// A deck that knows where its cards lie.
class ErrorDeck {
 public:
  explicit ErrorDeck(const std::string& spec) : left_(shuffle::DeckSpec::parse(spec)->cards()) {
    mix();
  }
  void mix() {
    for (std::size_t i = left_.size(); i > 1; --i)
      std::swap(left_.at(i - 1), left_.at(*rc::gen::inRange<std::size_t>(0, i)));
  }
  [[nodiscard]] Event deal(const DealPlace& place) {
    RC_ASSERT(!left_.empty());
    const Card card = left_.back();
    left_.pop_back();
    if (place.face != Face::unseen) at_.insert_or_assign(place.place, card);
    return CardDealt{place.place, place.face,
                     place.face == Face::open ? std::optional(card) : std::nullopt};
  }
  [[nodiscard]] Event shuffle(const Shuffle& need) {
    for (const auto& place : need.places) {
      if (const auto found = at_.find(place); found != at_.end()) left_.push_back(found->second);
      at_.erase(place);
    }
    mix();
    return Shuffled{need.places};
  }
  [[nodiscard]] Card at(const std::string& place) const { return at_.at(place); }

 private:
  std::vector<Card> left_;
  std::map<std::string, Card> at_;
};

Units chips_of(const State& state) {
  const auto json = state.to_json();
  Units out = 0;
  const auto add = [&](const json::Value& from, const char* name) {
    if (const auto* value = from.find(name)) out += value->integer();
  };
  add(json, "dead");
  add(json, "house");
  const bool over = json.find("round_over") != nullptr;
  if (const auto* players = json.find("players")) {
    for (const auto& one : players->array()) {
      add(one, "stack");
      if (!over) add(one, "put");
    }
  }
  return out;
}

Event random_choice(const Decide& decide) {
  auto choice = *rc::gen::elementOf(decide.choices);
  if (choice.action == "retirarse" && *rc::gen::inRange(0, 3) != 0) choice = decide.choices.back();
  Act act{decide.seat, choice.action, {}, {}, {}, {}};
  if (choice.max > 0) {
    const Units steps = choice.step == 0 ? 0 : (choice.max - choice.min) / choice.step;
    act.amount = choice.min + *rc::gen::inRange<Units>(0, steps + 1) * choice.step;
  }
  if (!choice.places.empty()) act.cards = {choice.places.front()};
  return act;
}

Misdeal random_error(const Table& table) {
  const auto& errors = table.rules().errors;
  Misdeal out{errors.at(*rc::gen::inRange<std::size_t>(0, errors.size())).code, std::nullopt};
  if (*rc::gen::inRange(0, 2) == 0)
    out.code = *rc::gen::element<std::string>("bet-out-of-turn", "short-chips");
  const auto seat = std::to_string(*rc::gen::inRange(1, 7));
  if (*rc::gen::inRange(0, 4) != 0) out.place = "seat-" + seat + "-card-1";
  if (*rc::gen::inRange(0, 4) != 0) out.amount = *rc::gen::inRange<Units>(1, 20) * 5;
  return out;
}

/// Any error may be said; what is refused changes nothing and has a code of its own.
void say_errors(const Table& table, State& state, Units chips) {
  static const std::set<std::string, std::less<>> codes = {"not_due", "place_unknown",
                                                           "amount_invalid", "action_refused"};
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    const auto error = random_error(table);
    auto next = table.engine().apply(table, state, error);
    if (!next) {
      RC_ASSERT(codes.contains(next.error().code));
      continue;
    }
    state = *next;
    test::expect_round_trip(table, state);
    RC_ASSERT(chips_of(state) == chips);
    RC_CLASSIFY(error.amount.has_value(), "chips were put in by error");
    if (find_need<Decide>(table.engine().needs(table, state)) == nullptr) return;
  }
}

RC_GTEST_PROP(CircleErrors, move_chips_and_make_none, ()) {
  using Game = std::pair<std::string, std::string>;
  const auto [catalogue, game] =
      *rc::gen::elementOf(std::vector<Game>{{"es-aragon-2010", "circle-holdem"},
                                            {"es-aragon-2010", "circle-five-card-stud"},
                                            {"es-aragon-2010", "circle-five-card-draw"},
                                            {"es-euskadi-2010", "circle-omaha"},
                                            {"es-valencia-2003", "circle-synthetic"}});
  json::Object params{{"early_bet", *rc::gen::element<std::string>("in-turn", "at-once")},
                      {"limit", *rc::gen::element<std::string>("pot-limit", "no-limit")},
                      {"misdeal_antes", *rc::gen::element<std::string>("stay", "returned")}};
  const auto table = error_table(catalogue, game, std::move(params));
  State state = test::start(table);
  Units chips = 0;
  for (Seat seat = 1; seat <= 5; ++seat) {
    const Units resto = *rc::gen::inRange<Units>(40, 120) * 5;
    chips += resto;
    state =
        test::must(table, state, test::stake("r" + std::to_string(seat), "resto", resto, {}, seat));
  }
  ErrorDeck deck(table.engine().shoe(table)->deck);
  state = test::must(table, state, ShoeOpened{table.engine().shoe(table)->cards_count, false});
  state = test::must(table, state, CloseBets{});
  for (int events = 0; events < 3000; ++events) {
    test::expect_round_trip(table, state);
    const auto needs = table.engine().needs(table, state);
    if (find_need<Settled>(needs) != nullptr) break;
    if (const auto* deal = find_need<Deal>(needs)) {
      state = test::must(table, state, deck.deal(deal->cards.front()));
    } else if (const auto* shuffle = find_need<Shuffle>(needs)) {
      state = test::must(table, state, deck.shuffle(*shuffle));
    } else if (const auto* reveal = find_need<Reveal>(needs)) {
      state = test::must(table, state, CardRevealed{reveal->place, deck.at(reveal->place)});
    } else {
      RC_ASSERT(chips_of(state) == chips);
      say_errors(table, state, chips);
      const auto now = table.engine().needs(table, state);
      const auto* decide = test::speaker(now);
      if (decide != nullptr) state = test::must(table, state, random_choice(*decide));
    }
  }
  Units staked = 0;
  Units returned = 0;
  Units gone = 0;
  for (const auto& one : test::settled(table, state)) {
    const bool resto = one.kind == "resto";
    gone += resto ? one.returned : 0;
    staked += resto ? 0 : one.stake;
    returned += resto ? 0 : one.returned;
  }
  RC_ASSERT(staked == returned);
  RC_ASSERT(chips_of(state) + gone == chips);
}

/// Four players of hold'em who may speak; a bet of 40 of seat 3 lies there before its turn.
State bound(const Table& table) {
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
  return test::must(table, state, Misdeal{"bet-out-of-turn", "seat-3-card-1", 40});
}

TEST(CircleErrors, a_bet_before_its_turn_is_in_the_pot_and_not_yet_to_be_matched) {
  const auto table = error_table("es-aragon-2010", "circle-holdem", {});
  const auto state = bound(table);
  test::expect_round_trip(table, state);
  const auto view = table.engine().view(table, state, Viewer{});
  EXPECT_EQ(view.find("pot")->integer(), 80);
  const auto needs = table.engine().needs(table, state);
  const auto* decide = test::speaker(needs);
  ASSERT_NE(decide, nullptr);
  EXPECT_EQ(decide->seat, 1U);
  EXPECT_TRUE(std::any_of(decide->choices.begin(), decide->choices.end(),
                          [](const ActionChoice& one) { return one.action == "pasar"; }));
}

TEST(CircleErrors, states_whose_early_bets_do_not_fit_are_refused) {
  const auto table = error_table("es-aragon-2010", "circle-holdem", {});
  const auto good = bound(table).to_json();
  const auto refused = [&](auto change) {
    auto value = good;
    change(value);
    return !table.engine().restore(table, value).has_value();
  };
  const auto third = [](json::Value& s) -> json::Value& { return s["players"].array().at(2); };
  EXPECT_FALSE(refused([](json::Value& /*s*/) {}));
  EXPECT_TRUE(refused([&](json::Value& s) { third(s)["early"] = 60; }));
  EXPECT_TRUE(refused([&](json::Value& s) { third(s)["folded"] = true; }));
  EXPECT_TRUE(refused([&](json::Value& s) { s["turn"] = 3; }));
  EXPECT_TRUE(refused([&](json::Value& s) { s["spoken"] = json::Array{7}; }));
  EXPECT_TRUE(refused([&](json::Value& s) { s["spoken"] = json::Array{1, 2, 3}; }));
}

TEST(CircleErrors, a_window_that_the_engine_does_not_know_is_refused) {
  EXPECT_EQ(test::load_changed("window = \"two-acted\"", "window = \"sometime\"", "es-aragon-2010"),
            "catalogue_malformed");
  EXPECT_EQ(test::load_changed("effect = \"void-hand\", cite",
                               "effect = \"void-hand\", window = \"deal\", cite", "es-aragon-2010"),
            "catalogue_malformed");
}

}  // namespace
}  // namespace talla::games
