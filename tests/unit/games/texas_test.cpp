// Goal: hold'em against the house settles as the text says: who is better, what the ante is paid,
// when the bank plays, what the side bets are worth; cards in the order of the text, and nothing
// from cards that nobody showed.
// Method: random decks and decisions; the expected money is worked out here from the places in the
//         deck and the text.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

#include "games/poker_hand.hpp"
#include "random_deck.hpp"

namespace talla::games::test {
namespace {

using poker::Category;

poker::Ranker texas_ranker() {
  poker::HandOrder order;
  order.low_to_high = {Category::high_card,  Category::pair,     Category::two_pair,
                       Category::trio,       Category::straight, Category::flush,
                       Category::full,       Category::four,     Category::straight_flush,
                       Category::royal_flush};
  return *poker::Ranker::create(order);
}

std::vector<Card> join(std::vector<Card> left, const std::vector<Card>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

int rank_of(Card card) {
  return card.rank() == 1 ? 14 : card.rank();
}

/// The rank that stands exactly twice, or 0.
int pair_of(const std::vector<Card>& cards) {
  for (const auto one : cards) {
    if (std::count_if(cards.begin(), cards.end(), [&](Card x) { return x.rank() == one.rank(); }) ==
        2)
      return rank_of(one);
  }
  return 0;
}

Act says(Seat seat, std::string action) {
  return {seat, std::move(action), {}, {}, {}, {}};
}

RC_GTEST_PROP(TexasAragon, pays_from_the_positions_of_the_deck_as_10_1_E_and_F_say, ()) {
  const bool bonus = *rc::gen::inRange(0, 2) == 0;
  const auto table = open_of("es-aragon-2010", bonus ? "texas-holdem-bonus" : "texas-holdem-house");
  const auto deck = shuffled();
  DeckTable play(table, deck);
  const auto n = *rc::gen::inRange<Seat>(1, 8);
  for (Seat seat = 1; seat <= n; ++seat) {
    play.must(stake("a" + std::to_string(seat), "ante", 100, {}, seat));
    if (bonus) play.must(stake("x" + std::to_string(seat), "bonus", 100, {}, seat));
  }
  play.must(CloseBets{});
  std::array<bool, 8> in{}, turn{}, river{};
  for (Seat seat = 1; seat <= n; ++seat) {
    in.at(seat) = *rc::gen::inRange(0, 4) > 0;
    play.must(says(seat, in.at(seat) ? "voy" : "no-voy"));
  }
  for (auto* made : {&turn, &river}) {
    for (Seat seat = 1; seat <= n; ++seat) {
      if (!in.at(seat)) continue;
      made->at(seat) = *rc::gen::inRange(0, 2) == 0;
      play.must(says(seat, made->at(seat) ? "apostar" : "pasar"));
    }
  }
  const auto at = [&](std::size_t position) {
    return deck.at(position - 1);
  };  // from 1, as the text counts
  const std::vector<Card> board = {at(2 * n + 4), at(2 * n + 5), at(2 * n + 6), at(2 * n + 8),
                                   at(2 * n + 10)};
  const std::vector<Card> bank = {at(n + 1), at(2 * n + 2)};
  const auto judge = texas_ranker();
  const auto bank_value = judge.best(join(bank, board));
  for (Seat seat = 1; seat <= n; ++seat) {
    const std::vector<Card> own = {at(seat), at(n + 1 + seat)};
    const auto value = judge.best(join(own, board));
    const bool straight = judge.category(value) >= Category::straight;
    const auto id = "a" + std::to_string(seat);
    const auto pay = [&](Units stake) {
      return value > bank_value ? 2 * stake : value == bank_value ? stake : 0;
    };
    RC_ASSERT(play.of(id).returned == (!in.at(seat)                      ? 0
                                       : value > bank_value && !straight ? 100
                                                                         : pay(100)));
    RC_ASSERT(play.all().contains(id + ".flop") == in.at(seat));
    RC_ASSERT(play.all().contains(id + ".turn") == turn.at(seat));
    RC_ASSERT(play.all().contains(id + ".river") == river.at(seat));
    if (in.at(seat)) RC_ASSERT(play.of(id + ".flop").returned == pay(200));
    if (turn.at(seat)) RC_ASSERT(play.of(id + ".turn").returned == pay(100));
    if (river.at(seat)) RC_ASSERT(play.of(id + ".river").returned == pay(100));
    if (!bonus) continue;
    const int high = std::max(rank_of(own[0]), rank_of(own[1]));
    const int low = std::min(rank_of(own[0]), rank_of(own[1]));
    const bool suited = own[0].suit() == own[1].suit();
    Units price = 0;
    if (high == low) price = high == 14 ? (pair_of(bank) == 14 ? 1000 : 30) : high > 10 ? 10 : 3;
    if (high == 14 && low == 13) price = suited ? 25 : 15;
    if (high == 14 && (low == 12 || low == 11)) price = suited ? 20 : 5;
    RC_ASSERT(play.of("x" + std::to_string(seat)).returned == (price == 0 ? 0 : 100 * (price + 1)));
  }
}

RC_GTEST_PROP(TexasEuskadi, pays_from_the_positions_of_the_deck_as_16_says, ()) {
  const auto table = open_of("es-euskadi-2010", "texas-holdem-house");
  const auto deck = shuffled();
  DeckTable play(table, deck);
  const auto n = *rc::gen::inRange<Seat>(1, 10);
  for (Seat seat = 1; seat <= n; ++seat) {
    play.must(stake("a" + std::to_string(seat), "ante", 100, {}, seat));
    play.must(stake("x" + std::to_string(seat), "txb", 100, {}, seat));
  }
  play.must(CloseBets{});
  std::array<bool, 10> in{};
  for (Seat seat = 1; seat <= n; ++seat) {
    in.at(seat) = *rc::gen::inRange(0, 4) > 0;
    play.must(says(seat, in.at(seat) ? "voy" : "no-voy"));
  }
  const std::vector<Card> flop(deck.begin() + 2 * n + 2, deck.begin() + 2 * n + 5);
  const std::vector<Card> board(deck.begin() + 2 * n + 2, deck.begin() + 2 * n + 7);
  const auto judge = texas_ranker();
  const auto bank = join({deck.at(n), deck.at(2 * n + 1)}, board);
  const auto bank_value = judge.best(bank);
  const auto bank_has = judge.category(bank_value);
  const bool plays =
      bank_has > Category::pair || (bank_has == Category::pair && pair_of(bank) >= 4);
  for (Seat seat = 1; seat <= n; ++seat) {
    const std::vector<Card> own = {deck.at(seat - 1), deck.at(n + seat)};
    const auto value = judge.best(join(own, board));
    const auto has = judge.category(value);
    const Units price = has == Category::royal_flush      ? 100
                        : has == Category::straight_flush ? 20
                        : has == Category::four           ? 10
                        : has == Category::full           ? 3
                        : has == Category::flush          ? 2
                                                          : 1;
    const auto first = join(own, flop);
    const auto five = judge.category(judge.best(first));
    const bool aces = five == Category::pair && pair_of(first) == 14;
    const Units bonus = five >= Category::flush ? 25 : five > Category::pair || aces ? 7 : 0;
    const auto id = std::to_string(seat);
    if (!in.at(seat)) {
      RC_ASSERT(play.of("a" + id).returned == 0 && play.of("x" + id).returned == 0);
      continue;
    }
    const bool better = !plays || value > bank_value;
    RC_ASSERT(play.of("a" + id).returned == (better                ? 100 * (price + 1)
                                             : value == bank_value ? 100
                                                                   : 0));
    RC_ASSERT(play.of("a" + id + ".segunda-apuesta").returned == (!plays || value == bank_value
                                                                      ? 200
                                                                  : value > bank_value ? 400
                                                                                       : 0));
    RC_ASSERT(play.of("x" + id).returned == (bonus == 0 ? 0 : 100 * (bonus + 1)));
  }
}

RC_GTEST_PROP(Texas, gives_everything_back_when_the_hand_is_annulled_at_any_time, ()) {
  const auto table = open_of("es-aragon-2010", "texas-holdem-bonus");
  DeckTable play(table, shuffled());
  play.must(stake("a1", "ante", 100, {}, 1));
  play.must(stake("x1", "bonus", 200, {}, 1));
  play.must(stake("a2", "ante", 300, {}, 4));
  play.must(CloseBets{});
  const auto spoken = *rc::gen::inRange(0, 6);
  const std::vector<Act> words = {says(1, "no-voy"), says(4, "voy"), says(4, "apostar")};
  for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), static_cast<std::size_t>(spoken));
       ++i)
    play.must(words.at(i));
  play.must(Misdeal{"wrong-count", {}});
  for (const auto& [id, one] : play.all()) {
    RC_ASSERT(one.result == BetResult::void_ && one.returned == one.stake);
  }
  RC_ASSERT(play.all().size() == 3U + (spoken > 1 ? 1U : 0U) + (spoken > 2 ? 1U : 0U));
}

TEST(Texas, shows_own_cards_to_the_holder_of_the_box_alone_and_those_of_the_bank_to_nobody) {
  const auto table = open_of("es-euskadi-2010", "texas-holdem-house");
  auto state = must(table, start(table), ShoeOpened{52, false});
  state = must(table, state, stake("a", "ante", 100, {}, 3));
  state = must(table, state, PlaceBet{"s", 12, 3, "ante", {}, 100});
  state = must(table, state, CloseBets{});
  const auto needs = table.engine().needs(table, state);
  const auto* deal = find_need<Deal>(needs);
  ASSERT_NE(deal, nullptr);
  std::vector<std::string> places;
  for (const auto& one : deal->cards) {
    places.push_back(one.place);
    const bool own = one.place.starts_with("seat-");
    EXPECT_EQ(one.face, one.place.starts_with("common") ? Face::open : Face::covered);
    EXPECT_EQ(one.seats, own ? std::vector<Seat>{3} : std::vector<Seat>());
  }
  EXPECT_EQ(places, (std::vector<std::string>{"seat-3-card-1", "bank-1", "seat-3-card-2", "bank-2",
                                              "common-1", "common-2", "common-3"}));
}

TEST(Texas, never_turns_the_cards_of_who_retired_without_a_bonus) {
  const auto table = open_of("es-aragon-2010", "texas-holdem-house");
  DeckTable play(table, all_french());
  play.must(stake("a", "ante", 100, {}, 1));
  play.must(stake("b", "ante", 100, {}, 2));
  play.must(CloseBets{});
  play.must(says(1, "no-voy"));
  play.must(says(2, "voy"));
  play.must(says(2, "pasar"));
  play.must(says(2, "pasar"));
  for (const auto& event : play.driver().take_events()) {
    if (const auto* turned = std::get_if<CardRevealed>(&event)) {
      EXPECT_FALSE(turned->place.starts_with("seat-1")) << turned->place;
    }
  }
  EXPECT_EQ(play.of("a").returned, 0);
}

TEST(Texas, loads_no_rules_that_it_cannot_play) {
  const auto aragon = [](std::string_view from, std::string_view to) {
    return load_changed(from, to, "es-aragon-2010");
  };
  const auto euskadi = [](std::string_view from, std::string_view to) {
    return load_changed(from, to, "es-euskadi-2010");
  };
  EXPECT_EQ(aragon("[game.data.stage_2]\ncite = \"VII.2\"\nburn = 1\ncommon = 3",
                   "[game.data.stage_2]\ncite = \"VII.2\"\nburn = 1\ncommon = 2"),
            "catalogue_malformed");
  EXPECT_EQ(aragon("otherwise = \"retire\"", "otherwise = \"stay\""), "catalogue_malformed");
  EXPECT_EQ(aragon("[game.data.stage_3]", "[game.data.stage_5]"), "catalogue_malformed");
  EXPECT_EQ(aragon("wrong_count = { parameter = \"wrong_count_scope\" }\n", ""),
            "catalogue_malformed");
  EXPECT_EQ(aragon("{ when = \"aces\", pays = \"30:1\", cite = \"VII.3.b\" },", ""),
            "catalogue_malformed");
  EXPECT_EQ(euskadi("unpaid = \"none\"", "unpaid = \"kept\""), "catalogue_malformed");
  EXPECT_EQ(euskadi("bet = \"txb\"\npair_from = 14", "bet = \"txb\"\npair_from = 15"),
            "catalogue_malformed");
  EXPECT_EQ(euskadi("touched = { parameter = \"touched_stakes\" }\n", ""), "catalogue_malformed");
}

TEST(Texas, restores_no_state_that_no_hand_can_have) {
  const auto table = open_of("es-aragon-2010", "texas-holdem-house");
  const std::string bet = R"("bets":[{"box":1,"id":"a","kind":"ante","seat":1,"stake":100}])";
  const std::string players = R"("players":[{"box":1,"seat":1}],)";
  const auto refused = [&](const std::string& text) {
    const auto value = json::parse(text);
    EXPECT_TRUE(value) << text;
    return !table.engine().restore(table, *value).has_value();
  };
  EXPECT_FALSE(refused(R"({"stage":"playing",)" + players + bet + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing",)" + bet + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","turn":1,)" + players + bet + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","street":9,)" + players + bet + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","cards":[{"place":"bank-1"}],)" + players + bet + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","exposing":"bank-1",)" + players + bet + "}"));
  EXPECT_TRUE(
      refused(R"({"stage":"playing","players":[{"box":1,"out":true,"seat":1}],)" + bet + "}"));
  EXPECT_TRUE(refused(R"({"stage":"over",)" + bet + "}"));
}

}  // namespace
}  // namespace talla::games::test
