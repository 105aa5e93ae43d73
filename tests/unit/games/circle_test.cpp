// Goal: poker among players: pots of unequal restos are divided as a count chip by chip says, a
//       hand moves chips and makes none, rules and states that do not fit are refused.
// Method: random restos and cards, everybody all in, compared with a model that looks at one chip
//         level after the other and knows nothing of pots; changed catalogue files; changed states.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "circle_support.hpp"
#include "games/poker_hand.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace {

using shuffle::Card;

Table circle_table(std::string game, json::Object params,
                   std::string_view catalogue = "es-euskadi-2010") {
  auto table = Table::open(test::catalogue(catalogue),
                           {std::move(game), {"EUR"}, 20, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

/// Cards by place, from a deck in some order.
class Deck {
 public:
  explicit Deck(std::vector<Card> cards) : cards_(std::move(cards)) {}
  Event deal(const DealPlace& place) {
    const Card card = cards_.at(at_.size());
    at_[place.place] = card;
    return CardDealt{place.place, place.face,
                     place.face == Face::open ? std::optional<Card>(card) : std::nullopt};
  }
  [[nodiscard]] Card at(const std::string& place) const { return at_.at(place); }
  [[nodiscard]] bool knows(const std::string& place) const { return at_.contains(place); }

 private:
  std::vector<Card> cards_;
  std::map<std::string, Card> at_;
};

/// Serves what is forced; nothing when a player must speak or the hand is over.
std::optional<Event> forced_event(const Table& table, const State& state, Deck& deck) {
  const auto needs = table.engine().needs(table, state);
  if (const auto* deal = find_need<Deal>(needs)) return deck.deal(deal->cards.front());
  if (const auto* reveal = find_need<Reveal>(needs))
    return CardRevealed{reveal->place, deck.at(reveal->place)};
  return std::nullopt;
}

struct Account {
  std::map<Seat, Units> put;
  std::map<Seat, Units> got;
  Units house = 0;
};

/// A hand in which everybody goes all in.
Account all_in(const Table& table, const std::map<Seat, Units>& restos, Deck& deck) {
  State state = test::start(table);
  state = test::must(table, state, ShoeOpened{table.rules().shoe->cards_count, false});
  for (const auto& [seat, units] : restos) {
    state =
        test::must(table, state, test::stake("r" + std::to_string(seat), "resto", units, {}, seat));
  }
  state = test::must(table, state, CloseBets{});
  for (;;) {
    if (auto event = forced_event(table, state, deck)) {
      state = test::must(table, state, *event);
      continue;
    }
    const auto needs = table.engine().needs(table, state);
    const auto* decide = test::speaker(needs);
    if (decide == nullptr) break;
    const auto offers = [&](std::string_view action) {
      return std::any_of(decide->choices.begin(), decide->choices.end(),
                         [&](const ActionChoice& one) { return one.action == action; });
    };
    const std::string action = offers("resto") ? "resto" : offers("cubrir") ? "cubrir" : "pasar";
    state = test::must(table, state, Act{decide->seat, action, {}, {}, {}, {}});
  }
  Account out;
  for (const auto& one : test::settled(table, state)) {
    if (one.kind == "resto") continue;
    if (one.seat == 0) out.house += one.returned - one.stake;
    if (one.seat == 0) continue;
    out.put[one.seat] += one.stake;
    out.got[one.seat] += one.returned;
  }
  return out;
}

/// What each gets, level by level: the chips at one height belong to the best of those who reach
/// it.
std::map<Seat, Units> chip_by_chip(const std::map<Seat, Units>& put,
                                   const std::map<Seat, poker::HandValue>& worth,
                                   const std::vector<Seat>& order) {
  std::map<Seat, Units> out;
  std::map<std::vector<Seat>, Units> heaps;  // by who reaches the height
  Units highest = 0;
  for (const auto& [seat, units] : put) highest = std::max(highest, units);
  for (Units height = 1; height <= highest; ++height) {
    std::vector<Seat> reach;
    for (const auto& [seat, units] : put) {
      if (units >= height) reach.push_back(seat);
    }
    heaps[reach] += static_cast<Units>(reach.size());
  }
  for (const auto& [reach, chips] : heaps) {
    poker::HandValue best = worth.at(reach.front());
    for (const auto seat : reach) best = std::max(best, worth.at(seat));
    std::vector<Seat> winners;
    for (const auto seat : order) {
      if (std::find(reach.begin(), reach.end(), seat) != reach.end() && worth.at(seat) == best)
        winners.push_back(seat);
    }
    for (Units chip = 0; chip < chips; ++chip)
      ++out[winners.at(static_cast<std::size_t>(chip) % winners.size())];
  }
  return out;
}

poker::Ranker high_ranker() {
  using poker::Category;
  poker::HandOrder order;
  order.low_to_high = {Category::high_card,  Category::pair,     Category::two_pair,
                       Category::trio,       Category::straight, Category::flush,
                       Category::full,       Category::four,     Category::straight_flush,
                       Category::royal_flush};
  return *poker::Ranker::create(order);
}

std::vector<Card> shuffled_deck() {
  auto cards = shuffle::DeckSpec::french(1).cards();
  for (std::size_t i = cards.size(); i > 1; --i)
    std::swap(cards.at(i - 1), cards.at(*rc::gen::inRange<std::size_t>(0, i)));
  return cards;
}

RC_GTEST_PROP(CirclePots, unequal_restos_are_divided_as_a_count_chip_by_chip_says, ()) {
  const bool omaha = *rc::gen::inRange(0, 2) == 1;
  const auto table = circle_table(omaha ? "circle-omaha" : "circle-holdem",
                                  {{"fee_rate", "0"}, {"limit", "no-limit"}, {"resto_min", 1}});
  std::map<Seat, Units> restos;
  const Seat players = *rc::gen::inRange<Seat>(4, 8);
  for (Seat seat = 1; seat <= players; ++seat) restos[seat] = *rc::gen::inRange<Units>(20, 140);
  Deck deck(shuffled_deck());
  const auto played = all_in(table, restos, deck);
  RC_ASSERT(played.house == 0);
  const auto ranker = high_ranker();
  std::map<Seat, poker::HandValue> worth;
  std::vector<Card> common;
  for (int i = 1; i <= 5; ++i) common.push_back(deck.at("common-" + std::to_string(i)));
  for (Seat seat = 1; seat <= players; ++seat) {
    std::vector<Card> own;
    for (int i = 1; i <= (omaha ? 4 : 2); ++i)
      own.push_back(deck.at("seat-" + std::to_string(seat) + "-card-" + std::to_string(i)));
    if (omaha) {
      worth[seat] = ranker.best_two_three(own, common);
    } else {
      own.insert(own.end(), common.begin(), common.end());
      worth[seat] = ranker.best(own);
    }
  }
  std::vector<Seat> order = {
      1};  // the mano is seat 1; from there clockwise, that is down, since seat 1 is at the right
  for (Seat seat = players; seat > 1; --seat) order.push_back(seat);
  const auto expected = chip_by_chip(played.put, worth, order);
  for (const auto& [seat, units] : played.got) {
    const auto found = expected.find(seat);
    RC_ASSERT(units == (found == expected.end() ? 0 : found->second));
  }
}

RC_GTEST_PROP(CirclePots, what_goes_in_comes_out_or_is_the_fee, ()) {
  const auto split = *rc::gen::element<std::string>("side-pots", "by-contribution");
  const auto taken = *rc::gen::element<std::string>("interval", "hand");
  const auto uncalled = *rc::gen::element<std::string>("counts", "free");
  const auto table = circle_table("circle-holdem", {{"limit", "no-limit"},
                                                    {"resto_min", 1},
                                                    {"pot_split", split},
                                                    {"fee_taken", taken},
                                                    {"fee_uncalled", uncalled}});
  std::map<Seat, Units> restos;
  for (Seat seat = 1; seat <= 5; ++seat) restos[seat] = *rc::gen::inRange<Units>(20, 500);
  Deck deck(shuffled_deck());
  const auto played = all_in(table, restos, deck);
  Units put = 0;
  Units got = 0;
  for (const auto& [seat, units] : played.put) put += units;
  for (const auto& [seat, units] : played.got) got += units;
  RC_ASSERT(put == got + played.house);
  RC_ASSERT(played.house * 20 <= put);  // five per cent at most
}

TEST(CircleRules, data_the_engine_cannot_play_are_refused) {
  const auto changed = [](std::string_view from, std::string_view to) {
    return test::load_changed(from, to, "es-aragon-2010");
  };
  EXPECT_EQ(changed("made = \"two-and-three\"", "made = \"two-and-four\""), "catalogue_malformed");
  EXPECT_EQ(changed("opens = \"after-blinds\"", "opens = \"nobody\""), "catalogue_malformed");
  EXPECT_EQ(changed("split-limit = [\"half-pot\"]", "split-limit = [\"quarter-pot\"]"),
            "catalogue_malformed");
  EXPECT_EQ(changed("split-limit = [\"half-pot\"], ", ""), "catalogue_malformed");
  EXPECT_EQ(changed("rest_count = \"row\"", "rest_count = \"week\""), "catalogue_malformed");
  EXPECT_EQ(changed("players_min = 4", "players_min = 1"), "catalogue_malformed");
  EXPECT_EQ(changed("deal = [\"burn\", \"common\"], opens", "deal = [\"burn\", \"basket\"], opens"),
            "catalogue_malformed");
  EXPECT_EQ(changed("deal = [\"burn\", \"common\"], opens", "deal = [\"burn\"], opens"),
            "catalogue_malformed");
  EXPECT_EQ(changed("effect = \"both-hands-dead\"", "effect = \"all-hands-dead\""),
            "catalogue_malformed");
  EXPECT_EQ(
      changed("allowed = [\"table-min\", \"last-raise\"]", "allowed = [\"table-min\", \"any\"]"),
      "catalogue_malformed");
  EXPECT_EQ(changed("may_renounce = true", "may_renounce = false"),
            "catalogue_malformed");  // its action is there
  EXPECT_EQ(changed("taken = \"hand\"", "taken = \"hand\"\nsurprise = 1"), "catalogue_malformed");
  EXPECT_EQ(changed("taken = \"hand\"", "taken = \"day\""), "catalogue_malformed");
}

/// A table of four whose first player is to speak.
State betting(const Table& table) {
  State state = test::must(table, test::start(table), ShoeOpened{52, false});
  for (Seat seat = 1; seat <= 4; ++seat) {
    state =
        test::must(table, state, test::stake("r" + std::to_string(seat), "resto", 400, {}, seat));
  }
  state = test::must(table, state, CloseBets{});
  Deck deck(shuffle::DeckSpec::french(1).cards());
  while (auto event = forced_event(table, state, deck)) state = test::must(table, state, *event);
  return state;
}

TEST(CircleState, leaves_as_json_and_comes_back) {
  const auto table = circle_table("circle-holdem", json::Object{});
  const auto state = betting(table);
  test::expect_round_trip(table, state);
  test::expect_round_trip(table, test::must(table, state, Act{1, "apostar", {}, 20, {}, {}}));
}

TEST(CircleState, that_does_not_fit_is_refused) {
  const auto table = circle_table("circle-holdem", json::Object{});
  const auto good = betting(table).to_json();
  const auto refused = [&](auto change) {
    auto value = good;
    change(value);
    return !table.engine().restore(table, value).has_value();
  };
  EXPECT_FALSE(refused([](json::Value& /*s*/) {}));
  EXPECT_TRUE(refused([](json::Value& s) { s["unknown"] = 1; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["phase"] = "show"; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["phase"] = "deal"; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["turn"] = 5; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["street"] = 9; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["street"] = 1; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["fee"] = 1'000'000; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["common"] = json::Array{"AS"}; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["to_reveal"] = json::Array{"seat-9-card-1"}; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["queue"] = json::Array{1}; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["round_over"] = true; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["dead"] = units_max; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["bets"] = json::Array{}; }));
}

TEST(CircleMeters, the_fees_of_a_hand_are_what_the_meter_takes_in) {
  const auto table = circle_table("circle-holdem", json::Object{});
  State state = betting(table);
  for (const Seat seat : {1U, 4U, 3U})
    state = test::must(table, state, Act{seat, "retirarse", {}, {}, {}, {}});
  const auto meters = table.engine().meters(table, state);
  ASSERT_EQ(meters.size(), 1U);
  EXPECT_EQ(meters.front(), (Meter{"beneficio", 2, 2, 0}));  // five per cent of four antes of 10
}

}  // namespace
}  // namespace talla::games
