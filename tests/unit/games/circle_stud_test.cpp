// Goal: seven card stud among players: where each card goes and who sees it, dead cards and what
//       does for the seventh card when the deck does not reach, cards dealt the wrong way up;
//       random hands make no chips.
// Method: the needs of hands played by hand; random hands of four to eight players with states that
//         leave as JSON and come back at every step; changed catalogue files.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "play_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace {

using shuffle::Card;

Table stud_table(std::string_view catalogue, json::Object params = {}) {
  static std::map<std::string, std::shared_ptr<const Catalogue>, std::less<>> loaded;
  auto& rules = loaded[std::string(catalogue)];
  if (rules == nullptr) rules = test::catalogue(catalogue);
  auto table =
      Table::open(rules, {"circle-seven-card-stud", {"EUR"}, 20, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

/// A deck that deals, takes cards back and knows what lies where.
class StudDeck {
 public:
  explicit StudDeck(std::vector<Card> cards) : left_(std::move(cards)) {}
  Event deal(const DealPlace& place) {
    if (left_.empty()) {
      ADD_FAILURE() << "the deck is empty before " << place.place;
      std::abort();
    }
    const Card card = left_.front();
    left_.erase(left_.begin());
    at_[place.place].push_back(card);
    return CardDealt{place.place, place.face,
                     place.face == Face::open ? std::optional<Card>(card) : std::nullopt};
  }
  Event mix(const Shuffle& need) {
    std::size_t count = 0;
    for (const auto& place : need.places) {
      for (const auto& card : at_[place]) left_.push_back(card);
      count += at_[place].size();
      at_.erase(place);
    }
    EXPECT_EQ(count, need.cards_count);
    ++mixes;
    return Shuffled{need.places};
  }
  [[nodiscard]] Card at(const std::string& place) const { return at_.at(place).back(); }
  [[nodiscard]] std::size_t left() const { return left_.size(); }
  int mixes = 0;

 private:
  std::vector<Card> left_;
  std::map<std::string, std::vector<Card>> at_;
};

std::vector<Card> whole_deck() {
  return shuffle::DeckSpec::french(1).cards();
}

std::optional<Event> forced_in_stud(const Table& table, const State& state, StudDeck& deck) {
  const auto needs = table.engine().needs(table, state);
  if (const auto* mix = find_need<Shuffle>(needs)) return deck.mix(*mix);
  if (const auto* deal = find_need<Deal>(needs)) return deck.deal(deal->cards.front());
  if (const auto* reveal = find_need<Reveal>(needs))
    return CardRevealed{reveal->place, deck.at(reveal->place)};
  return std::nullopt;
}

std::optional<Decide> who_speaks(const Table& table, const State& state) {
  const auto needs = table.engine().needs(table, state);
  const auto* decide = find_need<Decide>(needs);
  if (decide == nullptr || !decide->required) return std::nullopt;
  return *decide;
}

const ActionChoice* offers(const Decide& decide, std::string_view action) {
  const auto found = std::find_if(decide.choices.begin(), decide.choices.end(),
                                  [&](const ActionChoice& one) { return one.action == action; });
  return found == decide.choices.end() ? nullptr : &*found;
}

State seated(const Table& table, Seat players, Units resto = 400) {
  State state = test::must(table, test::start(table), ShoeOpened{52, false});
  for (Seat seat = 1; seat <= players; ++seat)
    state =
        test::must(table, state, test::stake("r" + std::to_string(seat), "resto", resto, {}, seat));
  return test::must(table, state, CloseBets{});
}

/// Deals and turns until somebody speaks or the hand is over.
State forced(const Table& table, State state, StudDeck& deck) {
  while (auto event = forced_in_stud(table, state, deck)) state = test::must(table, state, *event);
  return state;
}

/// Everybody stays as cheaply as he can until `stop` says so or the hand is over.
template <class Stop>
State stay(const Table& table, State state, StudDeck& deck, Stop stop) {
  for (;;) {
    state = forced(table, state, deck);
    const auto decide = who_speaks(table, state);
    if (!decide || stop(state)) return state;
    Act act{decide->seat, "", {}, {}, {}, {}};
    if (offers(*decide, "pasar") != nullptr) {
      act.action = "pasar";
    } else if (offers(*decide, "cubrir") != nullptr) {
      act.action = "cubrir";
    } else if (offers(*decide, "mostrar") != nullptr) {
      act.action = "mostrar";
    } else if (const auto* bet = offers(*decide, "apostar")) {
      act.action = "apostar";
      act.amount = bet->min;
    } else {
      act.action = "resto";
    }
    state = test::must(table, state, act);
  }
}

std::int64_t street_of(const State& state) {
  const auto json = state.to_json();
  const auto* street = json.find("street");
  return street == nullptr ? 0 : street->integer();
}

/// The places due now, in order, with their faces.
std::vector<DealPlace> due(const Table& table, const State& state) {
  const auto needs = table.engine().needs(table, state);
  const auto* deal = find_need<Deal>(needs);
  return deal == nullptr ? std::vector<DealPlace>() : deal->cards;
}

TEST(SevenStudDeal, two_covered_and_one_open_to_each_and_a_dead_card) {
  const auto table = stud_table("es-aragon-2010");
  const auto cards = due(table, seated(table, 4));
  ASSERT_EQ(cards.size(), 13U);
  const std::vector<Seat> order = {1, 4, 3, 2};  // to the right, from the mano on
  for (std::size_t i = 0; i < 12; ++i) {
    const auto seat = order.at(i % 4);
    EXPECT_EQ(cards.at(i).place,
              "seat-" + std::to_string(seat) + "-card-" + std::to_string(i / 4 + 1));
    EXPECT_EQ(cards.at(i).face, i < 8 ? Face::covered : Face::open);
    if (i < 8) {
      EXPECT_EQ(cards.at(i).seats, std::vector<Seat>{seat});
    }
  }
  EXPECT_EQ(cards.back().place, "dead-1");
  EXPECT_EQ(cards.back().face, Face::unseen);
}

/// The dead cards of n players who all stay: 3n+1, 4n+2, 5n+3, 6n+4 of the deck.
TEST(SevenStudDeal, dead_cards_come_after_the_third_to_the_sixth_card) {
  for (const std::string_view catalogue : {"es-aragon-2010", "es-euskadi-2010"}) {
    const auto table = stud_table(catalogue);
    for (Seat n = 4; n <= 8; ++n) {
      const auto cards = whole_deck();
      StudDeck deck(cards);
      stay(table, seated(table, n), deck, [](const State& now) { return street_of(now) == 3; });
      for (std::size_t i = 1; i <= 4; ++i)
        EXPECT_EQ(deck.at("dead-" + std::to_string(i)), cards.at((2 + i) * n + i - 1)) << n;
    }
  }
}

TEST(SevenStudDead, go_back_into_the_deck_only_when_it_does_not_reach_for_the_seventh_card) {
  const auto table = stud_table("es-euskadi-2010");
  for (Seat n = 4; n <= 8; ++n) {
    StudDeck deck(whole_deck());
    const auto end = stay(table, seated(table, n), deck, [](const State&) { return false; });
    EXPECT_EQ(deck.mixes, n >= 7 ? 1 : 0) << n;
    const std::size_t dealt = n == 8 ? 49 : n * 7 + (n == 7 ? 0U : 4U);
    EXPECT_EQ(deck.left(), 52 - dealt) << n;
    EXPECT_FALSE(test::settled(table, end).empty());
  }
}

TEST(SevenStudDead, one_common_card_is_the_seventh_of_eight) {
  const auto table = stud_table("es-euskadi-2010");
  StudDeck deck(whole_deck());
  auto state =
      stay(table, seated(table, 8), deck, [](const State& now) { return street_of(now) == 4; });
  EXPECT_EQ(state.to_json().find("common")->array().size(), 1U);
  EXPECT_EQ(street_of(state), 4);
}

TEST(SevenStudDead, what_goes_back_is_named_by_place) {
  const auto table = stud_table("es-euskadi-2010");
  StudDeck deck(whole_deck());
  auto state =
      stay(table, seated(table, 8), deck, [](const State& now) { return street_of(now) == 3; });
  const auto opener = who_speaks(table, state)->seat;
  state = test::must(table, state, Act{opener, "apostar", {}, 20, {}, {}});
  const auto gone = who_speaks(table, state)->seat;
  state = test::must(table, state, Act{gone, "retirarse", {}, {}, {}, {}});
  while (const auto next = who_speaks(table, state))
    state = test::must(table, state, Act{next->seat, "cubrir", {}, {}, {}, {}});
  const auto needs = table.engine().needs(table, state);
  const auto* mix = find_need<Shuffle>(needs);
  ASSERT_NE(mix, nullptr);
  std::vector<std::string> places = {"dead-1", "dead-2", "dead-3", "dead-4"};
  for (int i = 1; i <= 6; ++i)
    places.push_back("seat-" + std::to_string(gone) + "-card-" + std::to_string(i));
  EXPECT_EQ(mix->places, places);
  EXPECT_EQ(mix->cards_count, 10U);
  EXPECT_EQ(mix->rule, "17.05 II.2");
  test::expect_round_trip(table, state);
  EXPECT_EQ(test::refusal(table, state, Shuffled{{"dead-1"}}), "not_due");
  EXPECT_EQ(due(table, test::must(table, state, Shuffled{mix->places})).size(), 7U);
}

/// Order of the deal 1, 4, 3, 2: seat 3 is passed over, seat 2 gets his card, the rest of the deck
/// is laid aside.
TEST(SevenStudDead, the_first_goes_to_the_player_who_was_passed_over_with_the_seventh_card) {
  const auto table = stud_table("es-aragon-2010");
  StudDeck deck(whole_deck());
  auto state =
      stay(table, seated(table, 4), deck, [](const State& now) { return street_of(now) == 3; });
  while (const auto next = who_speaks(table, state))
    state = test::must(table, state, Act{next->seat, "pasar", {}, {}, {}, {}});
  const Misdeal passed{"seventh-passed-over", "seat-3-card-7"};
  EXPECT_EQ(test::refusal(table, state, passed), "not_due");
  for (int i = 0; i < 2; ++i) state = test::must(table, state, *forced_in_stud(table, state, deck));
  EXPECT_EQ(test::refusal(table, state, Misdeal{"seventh-passed-over", "seat-3-card-6"}),
            "place_unknown");
  EXPECT_EQ(test::refusal(table, state, Misdeal{"seventh-passed-over", "seat-5-card-7"}),
            "place_unknown");
  EXPECT_EQ(test::refusal(table, state, Misdeal{"seventh-passed-over", std::nullopt}),
            "place_unknown");
  state = test::must(table, state, passed);
  test::expect_round_trip(table, state);
  const auto cards = due(table, state);
  ASSERT_EQ(cards.size(), 22U);
  EXPECT_EQ(cards.front().place, "seat-2-card-7");
  for (std::size_t i = 1; i < cards.size(); ++i) {
    EXPECT_EQ(cards.at(i).place, "burn-1");
    EXPECT_EQ(cards.at(i).face, Face::unseen);
  }
  for (std::size_t i = 0; i < cards.size(); ++i) {
    state = test::must(table, state, *forced_in_stud(table, state, deck));
    test::expect_round_trip(table, state);
  }
  EXPECT_EQ(deck.left(), 0U);
  const auto needs = table.engine().needs(table, state);
  const auto* mix = find_need<Shuffle>(needs);
  ASSERT_NE(mix, nullptr);
  EXPECT_EQ(mix->places, std::vector<std::string>{"dead-1"});
  EXPECT_EQ(mix->cards_count, 1U);
  EXPECT_EQ(test::refusal(table, state, CardDealt{"seat-3-card-7", Face::covered, std::nullopt}),
            "not_due");
  EXPECT_EQ(test::refusal(table, state, CardRevealed{"seat-3-card-7", Card()}), "place_unknown");
  const auto first_dead = deck.at("dead-1");
  state = test::must(table, state, *forced_in_stud(table, state, deck));
  test::expect_round_trip(table, state);
  ASSERT_EQ(due(table, state).size(), 1U);
  EXPECT_EQ(due(table, state).front().place, "seat-3-card-7");
  EXPECT_EQ(due(table, state).front().face, Face::covered);
  EXPECT_EQ(due(table, state).front().seats, std::vector<Seat>{3});
  state = forced(table, state, deck);
  EXPECT_EQ(deck.at("seat-3-card-7"), first_dead);
  EXPECT_EQ(street_of(state), 4);
  test::expect_round_trip(table, state);
  EXPECT_FALSE(
      test::settled(table, stay(table, state, deck, [](const State&) { return false; })).empty());
}

TEST(SevenStudErrors, an_exposed_first_card_lies_open_and_the_third_is_covered) {
  const auto table = stud_table("es-aragon-2010");
  StudDeck deck(whole_deck());
  auto state = seated(table, 4);
  for (int i = 0; i < 5; ++i) state = test::must(table, state, *forced_in_stud(table, state, deck));
  state = test::must(table, state, Misdeal{"hole-card-exposed", "seat-1-card-2"});
  EXPECT_TRUE(due(table, state).empty());
  EXPECT_EQ(test::refusal(table, state, CardDealt{"seat-4-card-2", Face::covered, std::nullopt}),
            "not_due");
  test::expect_round_trip(table, state);
  state = test::must(table, state, CardRevealed{"seat-1-card-2", deck.at("seat-1-card-2")});
  test::expect_round_trip(table, state);
  for (const auto& card : due(table, state)) {
    if (card.place == "seat-1-card-3") {
      EXPECT_EQ(card.face, Face::covered);
      EXPECT_EQ(card.seats, std::vector<Seat>{1});
    }
    if (card.place == "seat-4-card-3") {
      EXPECT_EQ(card.face, Face::open);
    }
  }
  const auto void_hand = test::must(table, state, Misdeal{"hole-card-exposed", "seat-1-card-1"});
  for (const auto& card : due(table, void_hand)) EXPECT_NE(card.place, "seat-1-card-3");
  test::expect_round_trip(table, void_hand);
  EXPECT_EQ(test::refusal(table, state, Misdeal{"hole-card-exposed", "seat-1-card-2"}), "not_due");
  EXPECT_EQ(test::refusal(table, state, Misdeal{"hole-card-exposed", "seat-1-card-3"}),
            "place_unknown");
}

TEST(SevenStudErrors, who_has_shown_covered_cards_gets_the_next_card_open) {
  const auto table = stud_table("es-aragon-2010");
  StudDeck deck(whole_deck());
  auto state =
      stay(table, seated(table, 4), deck, [](const State& now) { return street_of(now) == 3; });
  state = test::must(table, state, Misdeal{"hole-card-shown", "seat-3-card-1"});
  test::expect_round_trip(table, state);
  while (const auto next = who_speaks(table, state))
    state = test::must(table, state, Act{next->seat, "pasar", {}, {}, {}, {}});
  for (const auto& card : due(table, state))
    EXPECT_EQ(card.face, card.place == "seat-3-card-7" ? Face::open : Face::covered) << card.place;
}

TEST(SevenStudErrors, cards_dealt_too_early_are_laid_aside_with_one_for_each_player) {
  const auto table = stud_table("es-aragon-2010");
  StudDeck deck(whole_deck());
  auto state =
      stay(table, seated(table, 4), deck, [](const State& now) { return street_of(now) == 1; });
  state = test::must(table, state, Misdeal{"dealt-too-early", std::nullopt});
  test::expect_round_trip(table, state);
  while (const auto next = who_speaks(table, state))
    state = test::must(table, state, Act{next->seat, "pasar", {}, {}, {}, {}});
  const auto cards = due(table, state);
  ASSERT_EQ(cards.size(), 10U);  // five aside, a card to each, a dead one
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(cards.at(i).place, "burn-1");
    EXPECT_EQ(cards.at(i).face, Face::unseen);
  }
  // Eight players: no card is left over for that, the hand is void.
  StudDeck full(whole_deck());
  state = stay(table, seated(table, 8), full, [](const State& now) { return street_of(now) == 1; });
  state = test::must(table, state, Misdeal{"dealt-too-early", std::nullopt});
  EXPECT_FALSE(test::settled(table, state).empty());
}

TEST(SevenStudErrors, the_player_with_an_open_seventh_card_is_asked_first) {
  const auto table = stud_table("es-aragon-2010");
  StudDeck deck(whole_deck());
  auto state =
      stay(table, seated(table, 4), deck, [](const State& now) { return street_of(now) == 4; });
  state = test::must(table, state, Misdeal{"seventh-dealt-open", "seat-3-card-7"});
  test::expect_round_trip(table, state);
  const auto decide = who_speaks(table, state);
  ASSERT_TRUE(decide);
  EXPECT_EQ(decide->seat, 3U);
  ASSERT_EQ(decide->choices.size(), 2U);
  EXPECT_EQ(decide->choices.front().action, "seguir");
  EXPECT_EQ(decide->choices.back().action, "no-seguir");
  EXPECT_EQ(test::refusal(table, state, Misdeal{"seventh-dealt-open", "seat-3-card-7"}), "not_due");
  const auto silent = test::must(table, state, TimeOut{3});
  EXPECT_EQ(silent.canonical(),
            test::must(table, state, Act{3, "seguir", {}, {}, {}, {}}).canonical());
  state = test::must(table, state, Act{3, "no-seguir", {}, {}, {}, {}});
  test::expect_round_trip(table, state);
  while (const auto next = who_speaks(table, state)) {
    if (offers(*next, "pasar") == nullptr) break;
    EXPECT_NE(next->seat, 3U);
    state = test::must(table, state, Act{next->seat, "pasar", {}, {}, {}, {}});
  }
}

RC_GTEST_PROP(SevenStudHands, random_hands_make_no_chips_and_every_state_comes_back, ()) {
  const auto catalogue = *rc::gen::element<std::string>("es-aragon-2010", "es-euskadi-2010");
  const auto limit = *rc::gen::element<std::string>("lower-higher", "limited-pot", "split-limit",
                                                    "pot-limit", "no-limit");
  const auto discards = *rc::gen::element<std::string>("mixed", "left-out");
  const auto settle_on = *rc::gen::element<std::string>("last-card", "confirmation");
  const auto table = stud_table(catalogue, {{"limit", limit},
                                            {"seventh_discards", discards},
                                            {"resto_min", 1},
                                            {"settle_on", settle_on}});
  const Seat players = *rc::gen::inRange<Seat>(4, 9);
  auto cards = whole_deck();
  for (std::size_t i = cards.size(); i > 1; --i)
    std::swap(cards.at(i - 1), cards.at(*rc::gen::inRange<std::size_t>(0, i)));
  StudDeck deck(cards);
  State state = seated(table, players, *rc::gen::inRange<Units>(20, 600));
  int steps = 0;
  for (;;) {
    RC_ASSERT(++steps < 1000);
    if (auto event = forced_in_stud(table, state, deck)) {
      state = test::must(table, state, *event);
      const auto back = table.engine().restore(table, state.to_json());
      RC_ASSERT(back.has_value() && back->canonical() == state.canonical());
      continue;
    }
    const auto decide = who_speaks(table, state);
    if (!decide && find_need<Confirm>(table.engine().needs(table, state)) != nullptr) {
      state = test::must(table, state, ConfirmHand{});
      continue;
    }
    if (!decide) break;
    RC_ASSERT(!decide->choices.empty());
    // Retiring is rare, so that many reach the seventh card.
    auto choice = *rc::gen::elementOf(decide->choices);
    if (choice.action == "retirarse" && decide->choices.size() > 1 && *rc::gen::inRange(0, 4) != 0)
      choice = decide->choices.at(1);
    Act act{decide->seat, choice.action, {}, {}, {}, {}};
    if (choice.max > 0) act.amount = choice.min;
    state = test::must(table, state, act);
    const auto back = table.engine().restore(table, state.to_json());
    RC_ASSERT(back.has_value() && back->canonical() == state.canonical());
  }
  Units staked = 0;
  Units returned = 0;
  for (const auto& one : test::settled(table, state)) {
    if (one.kind == "resto") continue;
    staked += one.stake;
    returned += one.returned;
  }
  RC_ASSERT(staked == returned);
}

TEST(SevenStudRules, data_the_engine_cannot_play_are_refused) {
  const auto changed = [](std::string_view from, std::string_view to) {
    return test::load_changed(from, to, "es-aragon-2010");
  };
  EXPECT_EQ(changed("opens = \"lowest-showing\"", "opens = \"lowest\""), "catalogue_malformed");
  EXPECT_EQ(changed("\"half-pot-dealt\", \"pot-dealt\"", "\"half-pot-dealt\", \"third-dealt\""),
            "catalogue_malformed");
  EXPECT_EQ(changed("allowed = [\"mixed\", \"left-out\"]", "allowed = [\"mixed\", \"burned\"]"),
            "catalogue_malformed");
  EXPECT_EQ(changed("allowed = [\"all\", \"holder\"]", "allowed = [\"all\", \"none\"]"),
            "catalogue_malformed");
  EXPECT_EQ(changed("allowed = [\"right\", \"deal\"]", "allowed = [\"right\", \"lot\"]"),
            "catalogue_malformed");
  // The last card is one covered card to each.
  EXPECT_EQ(changed("{ deal = [\"own\"], opens", "{ deal = [\"own-open\"], opens"),
            "catalogue_malformed");
  // A dead card more has no place.
  EXPECT_EQ(changed("[\"own\", \"own\", \"own-open\", \"dead\"]",
                    "[\"own\", \"own\", \"own-open\", \"dead\", \"dead\"]"),
            "catalogue_malformed");
  EXPECT_EQ(changed("[\"own\", \"own\", \"own-open\", \"dead\"]",
                    "[\"own\", \"own-open\", \"own\", \"dead\"]"),
            "catalogue_malformed");
  EXPECT_EQ(changed("{ id = \"seguir\", cite = \"IV.1.b\" },", ""), "catalogue_malformed");
}

TEST(SevenStudState, that_does_not_fit_is_refused) {
  const auto table = stud_table("es-aragon-2010");
  StudDeck deck(whole_deck());
  const auto good = forced(table, seated(table, 4), deck).to_json();
  const auto refused = [&](auto change) {
    auto value = good;
    change(value);
    return !table.engine().restore(table, value).has_value();
  };
  EXPECT_FALSE(refused([](json::Value& /*s*/) {}));
  EXPECT_TRUE(refused([](json::Value& s) { s["to_mix"] = 1; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["mixed"] = 1; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["single"] = true; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["early_now"] = 1; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["early"] = 60; }));
  EXPECT_TRUE(refused([](json::Value& s) { s["asked"] = json::Array{1}; }));
}

}  // namespace
}  // namespace talla::games
