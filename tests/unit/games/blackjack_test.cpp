// Goal: black jack of four catalogues: hands, dealer, what may be doubled or split, jackpots, and
// rules or states that are no black jack are refused.
// Method: the arithmetic written a second time in another form and compared over every hand; the
// dealer's draws through the engine against a plain recursion over the composition of the shoe;
// restored states with one member changed.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "engines/blackjack/hands.hpp"
#include "games/driver.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

using Composition = std::array<int, 10>;  // cards left by points: tens at 0, aces at 1, 2 to 9

Table open_blackjack(const std::string& id, json::Value params = {},
                     const std::string& game = "blackjack") {
  const auto rules = test::catalogue(id);
  auto table = Table::open(rules, {game, {rules->currency}, 10, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

Card of_points(int points, shuffle::Suit suit = shuffle::Suit::hearts) {
  return Card::of(points == 0 ? 10 : points, suit);
}

/// The totals a hand may count, each ace as one or eleven; the best up to 21, else the least.
int best_by_sets(const std::vector<int>& points) {
  std::vector<int> totals = {0};
  for (const int one : points) {
    std::vector<int> next;
    for (const int total : totals) {
      next.push_back(total + (one == 0 ? 10 : one));
      if (one == 1) next.push_back(total + 11);
    }
    totals = std::move(next);
  }
  int best = 0;
  for (const int total : totals) {
    if (total <= 21) best = std::max(best, total);
  }
  return best > 0 ? best : *std::min_element(totals.begin(), totals.end());
}

TEST(Blackjack_03_II, every_hand_of_two_three_and_four_cards_counts_its_best_total) {
  const auto table = open_blackjack("es-1977");
  const blackjack::Law law(table);
  for (int code = 0; code < 10000; ++code) {
    for (std::size_t size = 2; size <= 4; ++size) {
      const std::vector<int> digits = {code % 10, code / 10 % 10, code / 100 % 10, code / 1000};
      blackjack::Hand hand;
      for (std::size_t i = 0; i < size; ++i) hand.cards.push_back(of_points(digits.at(i)));
      const std::vector<int> points(digits.begin(),
                                    digits.begin() + static_cast<std::ptrdiff_t>(size));
      const int best = best_by_sets(points);
      ASSERT_EQ(blackjack::hand_total(law, hand), best) << code;
      ASSERT_EQ(blackjack::busted(law, hand), best > 21) << code;
      ASSERT_EQ(blackjack::is_blackjack(law, hand), size == 2 && best == 21) << code;
      hand.split = true;
      ASSERT_FALSE(blackjack::is_blackjack(law, hand));
    }
  }
}

/// What the texts say of the first two cards, in their own words.
bool double_by_words(const std::string& id, int a, int b) {
  const int high = std::max(a == 0 ? 10 : a, b == 0 ? 10 : b);
  const int low = std::min(a == 0 ? 10 : a, b == 0 ? 10 : b);
  const bool is_natural = low == 1 && high == 10;
  if (id == "es-euskadi-2010") return !is_natural && !(low == 1 && high == 1);
  const int sum = low + high;
  if (low == 1) return high == 8 || high == 9;
  return sum >= 9 && sum <= 11;
}

TEST(Blackjack_03_V_1_d, doubling_every_first_two_cards_as_each_text_says) {
  for (const std::string id : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const auto table = open_blackjack(id);
    const blackjack::Law law(table);
    for (int a = 0; a < 10; ++a) {
      for (int b = 0; b < 10; ++b) {
        blackjack::Hand hand;
        hand.cards = {of_points(a), of_points(b)};
        EXPECT_EQ(blackjack::can_double(law, hand), double_by_words(id, a, b))
            << id << " " << a << " " << b;
        hand.cards.push_back(of_points(2));
        EXPECT_FALSE(blackjack::can_double(law, hand));
      }
    }
  }
}

TEST(Blackjack_03_V_1_c, every_two_cards_of_one_value_are_a_pair_and_no_others) {
  const auto table = open_blackjack("es-1977");
  const blackjack::Law law(table);
  for (int a = 1; a <= 13; ++a) {
    for (int b = 1; b <= 13; ++b) {
      blackjack::Hand hand;
      hand.cards = {Card::of(a, shuffle::Suit::hearts), Card::of(b, shuffle::Suit::spades)};
      const bool equal = std::min(a, 10) == std::min(b, 10);
      EXPECT_EQ(blackjack::can_split(law, hand, 1), equal);
      EXPECT_EQ(blackjack::can_split(law, hand, 90), equal) << "no limit in this text";
    }
  }
}

TEST(Blackjack_03_V_1_d_A14, an_initial_ace_of_a_doubled_hand_counts_one_a_drawn_one_is_free) {
  const auto table = open_blackjack("es-euskadi-2010");
  const blackjack::Law law(table);
  for (int first = 2; first <= 9; ++first) {
    for (int third = 0; third < 10; ++third) {
      blackjack::Hand hand;
      hand.cards = {of_points(1), of_points(first), of_points(third)};
      hand.doubled = true;
      const int rest = 1 + first;
      const int drawn = third == 1 ? (rest + 11 <= 21 ? 11 : 1) : third == 0 ? 10 : third;
      EXPECT_EQ(blackjack::hand_total(law, hand), rest + drawn) << first << " " << third;
    }
  }
}

// The dealer
// -------------------------------------------------------------------------------------------------

Composition six_decks() {
  Composition out;
  out.fill(24);
  out[0] = 96;
  return out;
}

/// Final totals 17 to 21 and 22 (beyond), as ways over the common denominator `cards` x ... of
/// `depth` draws.
using Totals = std::array<Int128, 6>;
constexpr int depth = 12;  // six aces, a six and five aces more are the longest hand

Int128 falling(int cards, int from) {
  Int128 out = 1;
  for (int k = from; k < depth; ++k) out *= cards - k;
  return out;
}

/// Plain recursion: hard total and whether an ace is among the cards; nothing of the engine.
void recurse(Composition& left, int cards, int drawn, int hard, bool ace, Int128 ways,
             Totals& out) {
  const int soft = ace && hard + 10 <= 21 ? hard + 10 : hard;
  if (soft >= 17) {
    out.at(static_cast<std::size_t>(std::min(soft, 22) - 17)) += ways * falling(cards, drawn);
    return;
  }
  for (int points = 0; points < 10; ++points) {
    auto& count = left.at(static_cast<std::size_t>(points));
    if (count == 0) continue;
    const Int128 choices = count--;
    recurse(left, cards, drawn + 1, hard + (points == 0 ? 10 : points), ace || points == 1,
            ways * choices, out);
    ++count;
  }
}

/// The same through the functions of the engine.
void deal(const blackjack::Law& law, Composition& left, int cards, std::vector<Card>& dealer,
          Int128 ways, Totals& out) {
  if (!blackjack::dealer_draws(law, dealer)) {
    const int total = blackjack::dealer_total(law, dealer);
    out.at(static_cast<std::size_t>(std::min(total, 22) - 17)) +=
        ways * falling(cards, static_cast<int>(dealer.size()) - 1);
    return;
  }
  for (int points = 0; points < 10; ++points) {
    auto& count = left.at(static_cast<std::size_t>(points));
    if (count == 0) continue;
    const Int128 choices = count--;
    dealer.push_back(of_points(points));
    deal(law, left, cards, dealer, ways * choices, out);
    dealer.pop_back();
    ++count;
  }
}

void compare_dealer(const blackjack::Law& law, const Composition& full) {
  for (int first = 0; first < 10; ++first) {
    Composition left = full;
    if (left.at(static_cast<std::size_t>(first))-- == 0) continue;
    const int cards = std::accumulate(left.begin(), left.end(), 0);
    Totals plain{};
    Totals engine{};
    recurse(left, cards, 0, first == 0 ? 10 : first, first == 1, 1, plain);
    std::vector<Card> dealer = {of_points(first)};
    deal(law, left, cards, dealer, 1, engine);
    EXPECT_TRUE(plain == engine) << "first card " << first;
    EXPECT_TRUE(std::accumulate(engine.begin(), engine.end(), Int128{0}) == falling(cards, 0))
        << first;
  }
}

TEST(Blackjack_03_V_1_a, final_totals_of_the_dealer_from_six_decks) {
  for (const std::string id : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const auto table = open_blackjack(id);
    compare_dealer(blackjack::Law(table), six_decks());
  }
}

TEST(Blackjack_03_V_1_a, final_totals_of_the_dealer_from_shoes_that_are_nearly_played) {
  const auto table = open_blackjack("es-1977");
  compare_dealer(blackjack::Law(table), {16, 4, 4, 4, 4, 4, 4, 4, 4, 4});
  compare_dealer(blackjack::Law(table), {2, 20, 1, 0, 3, 0, 8, 1, 0, 5});
  compare_dealer(blackjack::Law(table), {0, 12, 12, 0, 0, 12, 0, 0, 0, 0});
}

struct Outcomes {
  Int128 win = 0, push = 0, lose = 0;
};

/// Every card the dealer may get, dealt through the engine to a table where a hand stands on 18.
void play_out(const Table& table, const State& state, Composition& left, int cards, int drawn,
              Int128 ways, Outcomes& out) {
  const auto needs = table.engine().needs(table, state);
  const auto* due = find_need<Deal>(needs);
  if (due == nullptr) {
    const auto one = table.engine().settlements(state).back();
    (one.result == BetResult::win    ? out.win
     : one.result == BetResult::push ? out.push
                                     : out.lose) += ways * falling(cards, drawn);
    return;
  }
  for (int points = 0; points < 10; ++points) {
    auto& count = left.at(static_cast<std::size_t>(points));
    if (count == 0) continue;
    const Int128 choices = count--;
    const auto next = test::must(
        table, state, CardDealt{due->cards.front().place, Face::open, of_points(points)});
    play_out(table, next, left, cards, drawn + 1, ways * choices, out);
    ++count;
  }
}

TEST(Blackjack_03_V_1_a, an_eighteen_wins_ties_and_loses_as_often_as_the_totals_say) {
  const auto table = open_blackjack("es-euskadi-2010");
  for (const int first : {6, 0}) {
    auto state = test::must(table, test::start(table), ShoeOpened{312, true});
    state = test::must(table, state, test::stake("b", "juego-simple", 100));
    state = test::must(table, state, CloseBets{});
    for (const auto& [place, points] :
         {std::pair("box-1-1", 0), std::pair("dealer-1", first), std::pair("box-1-2", 8)}) {
      state = test::must(table, state, CardDealt{place, Face::open, of_points(points)});
    }
    state = test::must(table, state, Act{1, "stand", {}, {}, {}, {}});
    Composition left = {4, 1, 1, 0, 2, 2, 2, 1, 1, 1};
    const int cards = std::accumulate(left.begin(), left.end(), 0);
    Outcomes engine;
    play_out(table, state, left, cards, 0, 1, engine);
    Totals plain{};
    recurse(left, cards, 0, first == 0 ? 10 : first, false, 1, plain);
    EXPECT_TRUE(engine.win == plain[0] + plain[5]);
    EXPECT_TRUE(engine.push == plain[1]);
    EXPECT_TRUE(engine.lose == plain[2] + plain[3] + plain[4]);
  }
}

// Jackpots
// -------------------------------------------------------------------------------------------------

/// One round with the accumulated bet on these first three cards, from that carried state.
State accumulated_round(const Table& table, const State& from,
                        const std::vector<std::string>& cards) {
  auto state = from;
  if (find_need<ShoeNeed>(table.engine().needs(table, state)) != nullptr) {
    state = test::must(table, state, ShoeOpened{312, true});
  }
  state = test::must(table, state, test::stake("b", "juego-simple", 100));
  state = test::must(table, state, test::stake("a", "acumulada", 5));
  state = test::must(table, state, CloseBets{});
  const std::vector<std::string> all = {cards.at(0), "9D", cards.at(1), cards.at(2), "TC"};
  for (const auto& card : all) {
    auto needs = table.engine().needs(table, state);
    if (find_need<Deal>(needs) == nullptr) {
      state = test::must(table, state, Act{1, "hit", {}, {}, {}, {}});
      needs = table.engine().needs(table, state);
    }
    const auto& place = find_need<Deal>(needs)->cards.front().place;
    state = test::must(table, state, CardDealt{place, Face::open, *Card::parse(card)});
    test::expect_round_trip(table, state);
  }
  if (find_need<Settled>(table.engine().needs(table, state)) == nullptr) {
    ADD_FAILURE() << "the round is not over";
  }
  return state;
}

TEST(Blackjack_03_V_1_f, the_jackpot_takes_its_share_is_paid_whole_and_starts_again_from_its_seed) {
  const auto table =
      open_blackjack("es-euskadi-2010", json::Object{{"acumulada", true},
                                                     {"acumulada_contribution", "1/2"},
                                                     {"acumulada_seed", "3000"}});
  auto state = test::start(table);
  EXPECT_EQ(table.engine().meters(table, state), (std::vector<Meter>{{"acumulada", 30000, 0, 0}}));
  state = accumulated_round(table, state, {"7H", "9S", "5C"});
  EXPECT_EQ(table.engine().meters(table, state), (std::vector<Meter>{{"acumulada", 30002, 2, 0}}));
  const auto resumed = table.engine().resume(table, table.engine().carried(table, state));
  ASSERT_TRUE(resumed);
  EXPECT_EQ(table.engine().meters(table, *resumed),
            (std::vector<Meter>{{"acumulada", 30002, 0, 0}}));
  state = accumulated_round(table, *resumed, {"7H", "7H", "7H"});
  // Twice 5/2: the half that the first round left is carried to the second.
  EXPECT_EQ(table.engine().meters(table, state),
            (std::vector<Meter>{{"acumulada", 30000, 30003, 30005}}));
}

TEST(Blackjack_03_V_1_f, without_the_bet_there_is_no_jackpot) {
  const auto table = open_blackjack("es-euskadi-2010");
  EXPECT_TRUE(table.engine().meters(table, test::start(table)).empty());
  const auto carried = json::Object{
      {"shoe", "none"}, {"meters", json::Array{json::Object{{"id", "acumulada"}, {"value", 5}}}}};
  EXPECT_TRUE(table.engine().resume(table, json::Value(carried)).error().is(Errc::state_malformed));
}

// The end of the shoe
// -------------------------------------------------------------------------------------------------

/// Box 1 has ten and six, the dealer seven, and asks for a card; the stop card came out before the
/// dealer's.
State last_round_of_a_shoe(const Table& table) {
  State state = test::must(table, test::start(table), ShoeOpened{312, true});
  state = test::must(table, state, test::stake("b1", "juego-simple", 100));
  state = test::must(table, state, CloseBets{});
  state = test::must(table, state, CardDealt{"box-1-1", Face::open, *Card::parse("TH")});
  state = test::must(table, state, StopCard{});
  state = test::must(table, state, CardDealt{"dealer-1", Face::open, *Card::parse("7D")});
  state = test::must(table, state, CardDealt{"box-1-2", Face::open, *Card::parse("6S")});
  return test::must(table, state, Act{1, "hit", std::nullopt, std::nullopt, {}, std::nullopt});
}

/// So many cards lie face up and are taken out.
State without_cards(const Table& table, State state, int count) {
  for (int i = 0; i < count; ++i) {
    state = test::must(table, state, Misdeal{"face-up-card", std::nullopt});
    state = test::must(table, state, CardDealt{"removed", Face::open, *Card::parse("2C")});
    test::expect_round_trip(table, state);
  }
  return state;
}

TEST(Blackjack_03_V_4, the_round_is_void_when_the_52_cards_of_the_reserve_are_used_up) {
  for (const std::string id : {"es-valencia-2003", "es-euskadi-2010"}) {
    const auto table = open_blackjack(id);
    auto state = without_cards(table, last_round_of_a_shoe(table), 49);
    EXPECT_TRUE(test::settled(table, state).empty());
    const auto on = test::must(table, state, CardDealt{"box-1", Face::open, *Card::parse("TC")});
    ASSERT_EQ(test::settled(table, on).size(), 1U) << "the last card of the reserve decides";
    EXPECT_EQ(test::settled(table, on).front().result, BetResult::lose);

    state = without_cards(table, state, 1);
    ASSERT_EQ(test::settled(table, state).size(), 1U) << "no card is left for the box";
    EXPECT_EQ(test::settled(table, state).front().result, BetResult::void_);
    EXPECT_EQ(test::settled(table, state).front().returned, 100);
    EXPECT_NE(find_need<ShoeNeed>(table.engine().needs(table, state)), nullptr);
  }
}

TEST(Blackjack, more_cards_behind_the_stop_card_than_the_reserve_has_are_refused) {
  const auto table = open_blackjack("es-euskadi-2010");
  const auto value = without_cards(table, last_round_of_a_shoe(table), 40).to_json();
  EXPECT_EQ(*value.find("behind"), json::Value(42));
  for (const auto& [member, wrong] : std::vector<std::pair<std::string, json::Value>>{
           {"behind", 52}, {"behind", 53}, {"shoe", "in-play"}}) {
    auto other = value;
    other[member] = wrong;
    const auto restored = table.engine().restore(table, other);
    EXPECT_TRUE(!restored && restored.error().is(Errc::state_malformed)) << json::canonical(other);
  }
}

// Rules and states that are refused
// ---------------------------------------------------------------------------------

TEST(Blackjack, rules_that_are_no_black_jack_do_not_load) {
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"burn = 5", "burn = 99"},
      {"burn = 5", "burns = 5"},
      {"ace_extra = 10", "ace_extra = \"10\""},
      {"stands_on = 17", "stands_on = 99"},
      {"stands_on = 17", "stands_on = true"},
      {"window = \"hand\"", "window = \"door\""},
      {"follow = { parameter = \"backer_follow\" }", "follow = { parameter = \"boxes\" }"},
      {"on_target = { parameter = \"hit_on_21\" }", "on_target = { parameter = \"no_such\" }"},
      {"[game.data.settle]", "[game.data.unsettle]"},
      {"[game.data.backers]", "[game.data.insurance_of_others]"},
      {"covers = \"hand\"", "covers = \"foot\""},
      {"covers = \"insurance\"", "covers = \"under\""},
      {"{ when = \"blackjack\", pays", "{ when = \"red-jack\", pays"},
      {"bet = \"juego-simple\"", "bet = \"no-such\""},
      {"effect = \"void-round\"", "effect = \"void-hand\""},
      {"totals = [9, 10, 11]", "totals = [9, 10, 99]"}};
  for (const auto& [from, to] : broken) {
    EXPECT_EQ(test::load_changed(from, to), "catalogue_malformed") << to;
  }
  EXPECT_EQ(test::load_changed("burn = 5", "burn = 6"), "");
}

/// One member somewhere below, changed: another number, another word, a flag turned, something
/// lost.
void change(json::Value& value) {
  if (value.is_object() && !value.object().empty()) {
    auto& members = value.object();
    auto at = std::next(members.begin(), *rc::gen::inRange<std::ptrdiff_t>(
                                             0, static_cast<std::ptrdiff_t>(members.size())));
    if (*rc::gen::inRange(0, 6) == 0) {
      members.erase(at);
    } else {
      change(at->second);
    }
  } else if (value.is_array() && !value.array().empty()) {
    auto& list = value.array();
    const auto at = *rc::gen::inRange<std::size_t>(0, list.size());
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        list.push_back(list.at(at));
        break;
      default:
        change(list.at(at));
    }
  } else if (value.is_integer()) {
    value = json::Value(*rc::gen::element<std::int64_t>(0, 1, 2, 3, 7, 100, -1));
  } else if (value.is_bool()) {
    value = json::Value(!value.boolean());
  } else if (value.is_string()) {
    value = json::Value(*rc::gen::element<std::string>(
        "", "AH", "TS", "5D", "1", "3", "b1", "b1.2", "b1.seguro", "playing", "dealer", "dealing",
        "over", "betting", "in-play", "last-hand", "split", "double"));
  }
}

/// Anything that is due or offered, until nothing is: a restored state goes on like any other.
void go_on(const Table& table, State state) {
  for (int step = 0; step < 40; ++step) {
    const auto needs = table.engine().needs(table, state);
    RC_ASSERT(!needs.empty());
    std::optional<Event> event;
    if (const auto* due = find_need<Deal>(needs)) {
      const auto& place = due->cards.front();
      const bool open = place.face == Face::open;
      event =
          CardDealt{place.place, place.face,
                    open ? std::optional<Card>(of_points(*rc::gen::inRange(0, 10))) : std::nullopt};
    } else if (const auto* decide = find_need<Decide>(needs)) {
      const auto& choice =
          decide->choices.at(*rc::gen::inRange<std::size_t>(0, decide->choices.size()));
      event = Act{decide->seat,
                  choice.action,
                  choice.bet.empty() ? std::nullopt : std::optional(choice.bet),
                  choice.max > 0 ? std::optional(choice.max) : std::nullopt,
                  {},
                  {}};
    }
    if (!event) return;
    auto next = table.engine().apply(table, state, *event);
    if (!next) return;  // a stake that may not be split again, a place that is taken
    state = *std::move(next);
  }
}

State some_round(const Table& table) {
  auto state = test::must(table, test::start(table), ShoeOpened{312, true});
  for (const auto& [id, seat, box] :
       {std::tuple("b1", 1U, 1U), std::tuple("b2", 2U, 1U), std::tuple("b3", 3U, 3U)}) {
    auto bet = test::stake(id, "juego-simple", 100, {}, seat);
    bet.box = box;
    state = test::must(table, state, bet);
  }
  state = test::must(table, state, test::stake("p", "parejas", 50));
  state = test::must(table, state, test::stake("a", "acumulada", 5));
  state = test::must(table, state, CloseBets{});
  const int steps = *rc::gen::inRange(0, 20);
  const bool ace = *rc::gen::inRange(0, 2) == 0;
  for (int step = 0; step < steps; ++step) {
    const auto needs = table.engine().needs(table, state);
    if (const auto* due = find_need<Deal>(needs)) {
      const auto& place = due->cards.front().place;
      const int points = place == "dealer-1" && ace ? 1 : *rc::gen::element(0, 0, 8, 8, 1, 5, 2);
      state = test::must(table, state, CardDealt{place, Face::open, of_points(points)});
      continue;
    }
    const auto* decide = find_need<Decide>(needs);
    if (decide == nullptr) break;
    const auto& choice =
        decide->choices.at(*rc::gen::inRange<std::size_t>(0, decide->choices.size()));
    state = test::must(table, state,
                       Act{decide->seat,
                           choice.action,
                           std::optional(choice.bet),
                           choice.max > 0 ? std::optional(choice.max) : std::nullopt,
                           {},
                           {}});
  }
  return state;
}

RC_GTEST_PROP(Blackjack, a_state_with_a_changed_member_is_refused_or_plays_on, ()) {
  static const auto table = open_blackjack("es-euskadi-2010", json::Object{{"acumulada", true}});
  const auto state = some_round(table);
  const auto same = table.engine().restore(table, state.to_json());
  RC_ASSERT(same.has_value());
  RC_ASSERT(same->canonical() == state.canonical());
  for (int i = 0; i < 20; ++i) {
    auto changed = state.to_json();
    change(changed);
    if (*rc::gen::inRange(0, 2) == 0) change(changed);
    const auto restored = table.engine().restore(table, changed);
    if (restored) go_on(table, *restored);
  }
}

TEST(BlackjackPatterns, are_data_that_an_authorisation_may_add_to) {
  const char* printed = R"(blackjack-suited = { cards = [[1], [10, 11, 12, 13]], suits = "same" })";
  const auto changed = [&](const char* pattern) {
    return test::load_changed(printed, pattern, "es-valencia-2003");
  };
  EXPECT_EQ(changed(R"(blackjack-suited = { cards = [[1], [10, 11, 12, 13]], suits = "any" }
three-aces = { cards = [[1], [1], [1]], suits = "all-different" })"),
            "");
  for (const auto* wrong :
       {R"(blackjack-suited = { cards = [], suits = "same" })",
        R"(blackjack-suited = { cards = [[]], suits = "same" })",
        R"(blackjack-suited = { cards = [[0]], suits = "same" })",
        R"(blackjack-suited = { cards = [[14]], suits = "same" })",
        R"(blackjack-suited = { cards = [[1], [1], [1], [1]], suits = "same" })",
        R"(blackjack-suited = { cards = [[1]], suits = "red" })",
        R"(blackjack-suited = { cards = [[1]] })",
        R"(blackjack-suited = { cards = [[1]], suits = "same", more = 1 })",
        R"(blackjack-suited = 21)"}) {
    EXPECT_EQ(changed(wrong), "catalogue_malformed") << wrong;
  }
}

}  // namespace
}  // namespace talla::games
