// Goal: pai gow poker settles by the table of nine cases, deals by the dice, sets the bank's cards
// never wrongly, and moves money between clients, a player's bank, the dealer's bet and the
// commission without losing any.
// Method: the cases and wrong settings one by one; random decks, dice and settings, with the hands
//         read again here.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "deck_source.hpp"
#include "engines/pai_gow/settle.hpp"
#include "engines/pai_gow/split.hpp"

namespace talla::games::test {
namespace {

using pai_gow::Hands;
using pai_gow::HouseWay;
using pai_gow::Low;
using pai_gow::Outcome;
using pai_gow::Seven;
using poker::Category;

poker::Ranker pai_gow_ranker(poker::JokerMode joker = poker::JokerMode::ace_or_completer) {
  poker::HandOrder order;
  order.low_to_high = {Category::high_card,   Category::pair,     Category::two_pair,
                       Category::trio,        Category::straight, Category::flush,
                       Category::full,        Category::four,     Category::straight_flush,
                       Category::royal_flush, Category::five_aces};
  order.wheel_second = true;
  order.joker = joker;
  return *poker::Ranker::create(order);
}

std::vector<Card> shuffled_with_joker() {
  auto deck = all_french();
  deck.push_back(Card::joker());
  for (std::size_t i = deck.size(); i > 1; --i)
    std::swap(deck[i - 1], deck[*rc::gen::inRange<std::size_t>(0, i)]);
  return deck;
}

Seven seven(const std::vector<Card>& cards) {
  return Seven(cards.data(), pai_gow::hand_cards);
}

Low some_low() {
  const auto second = *rc::gen::inRange<std::size_t>(1, 7);
  return {*rc::gen::inRange<std::size_t>(0, second), second};
}

Hands worth(std::uint32_t high, std::uint32_t low, bool foul = false) {
  return {{high}, {low}, foul};
}

TEST(PaiGow, settles_the_nine_cases_of_10_1_C_VI_and_14_VI) {
  const auto bank = worth(5, 5);
  EXPECT_EQ(pai_gow::against(worth(6, 6), bank, true), Outcome::win);    // 1
  EXPECT_EQ(pai_gow::against(worth(6, 4), bank, true), Outcome::void_);  // 2
  EXPECT_EQ(pai_gow::against(worth(4, 6), bank, true), Outcome::void_);  // 2 bis
  EXPECT_EQ(pai_gow::against(worth(6, 5), bank, true), Outcome::void_);  // 3
  EXPECT_EQ(pai_gow::against(worth(5, 6), bank, true), Outcome::void_);  // 3 bis
  EXPECT_EQ(pai_gow::against(worth(4, 5), bank, true), Outcome::lose);   // 4
  EXPECT_EQ(pai_gow::against(worth(5, 4), bank, true), Outcome::lose);   // 4 bis
  EXPECT_EQ(pai_gow::against(worth(5, 5), bank, true), Outcome::lose);   // 5
  EXPECT_EQ(pai_gow::against(worth(4, 4), bank, true), Outcome::lose);   // 6
}

TEST(PaiGow, makes_a_hand_set_wrongly_lose_VII_3) {
  EXPECT_EQ(pai_gow::against(worth(9, 9, true), worth(5, 5), true), Outcome::lose);
  EXPECT_EQ(pai_gow::against(worth(9, 9, true), worth(5, 5), false), Outcome::void_);
  EXPECT_EQ(pai_gow::against(worth(9, 4, true), worth(5, 5), false), Outcome::lose);
  EXPECT_EQ(pai_gow::against(worth(1, 1), worth(5, 5, true), true), Outcome::win);
  EXPECT_EQ(pai_gow::against(worth(1, 1, true), worth(5, 5, true), true), Outcome::lose);
}

TEST(PaiGow, knows_what_is_worth_more) {
  const auto judge = pai_gow_ranker();
  const auto more = [&](const std::string& high, const std::string& low) {
    const auto five = cards_of(high);
    const auto two = cards_of(low);
    return pai_gow::outranks(judge, std::span<const Card, 5>(five.data(), 5),
                             std::span<const Card, 2>(two.data(), 2));
  };
  EXPECT_TRUE(more("2C 2D 9S 7H 5D", "AC KD"));
  EXPECT_FALSE(more("AC KD 9S 7H 5D", "2C 2D"));
  EXPECT_FALSE(more("9C 9D KS 7H 5D", "TC TD"));
  EXPECT_TRUE(more("9C 9D KS 7H 5D", "9H 9S"));
  EXPECT_TRUE(more("3C 3D 2S 2H 5D", "AC AD"));
  EXPECT_TRUE(more("AC KD 9S 7H 5D", "AD KS"));
  EXPECT_TRUE(more("AC QD 9S 7H 5D", "KD QS"));
  EXPECT_FALSE(more("AC JD 9S 7H 5D", "AD QS"));
  EXPECT_FALSE(more("KC QD 9S 7H 5D", "Jk 2S"));
  EXPECT_TRUE(more("Jk QD 9S 7H 5D", "KD JS"));
  EXPECT_TRUE(more("AC Jk 9S 7H 5D", "KD KS"));
  EXPECT_FALSE(more("KC KD 9S 7H 5D", "AD Jk"));
}

RC_GTEST_PROP(PaiGow, never_sets_the_cards_of_the_bank_wrongly, ()) {
  const auto judge = pai_gow_ranker(
      *rc::gen::element(poker::JokerMode::ace_or_completer, poker::JokerMode::ace_only));
  const auto deck = shuffled_with_joker();
  const auto way =
      *rc::gen::element(HouseWay::informative, HouseWay::best_high, HouseWay::best_low);
  const auto low = pai_gow::house_low(judge, seven(deck), way);
  RC_ASSERT(low[0] < low[1] && low[1] < pai_gow::hand_cards);
  const auto hands = pai_gow::hands_of(judge, seven(deck), low);
  RC_ASSERT(!hands.foul);
  // No legal way has both hands better than what any of the three ways chose.
  for (std::size_t i = 0; i < pai_gow::hand_cards; ++i) {
    for (std::size_t j = i + 1; j < pai_gow::hand_cards; ++j) {
      const auto other = pai_gow::hands_of(judge, seven(deck), {i, j});
      if (other.foul) continue;
      if (way == HouseWay::best_high) RC_ASSERT(other.high <= hands.high);
      if (way == HouseWay::best_low) RC_ASSERT(other.low <= hands.low);
      RC_ASSERT(!(other.high > hands.high && other.low > hands.low));
    }
  }
}

std::vector<std::string> texts(const std::array<int, 3>& dice) {
  return {std::to_string(dice[0]), std::to_string(dice[1]), std::to_string(dice[2])};
}

Act sets(Seat seat, Low low) {
  const auto place = [&](std::size_t i) {
    return "seat-" + std::to_string(seat) + "-card-" + std::to_string(i + 1);
  };
  return {seat, "componer", {}, {}, {place(low[0]), place(low[1])}, {}};
}

/// Seven cards of each seat (0: the dealer) from the deck, as the dice say. Written from VI.
std::map<Seat, std::vector<Card>> packets(const std::vector<Card>& deck, int sum, Seat banker,
                                          const std::vector<Seat>& players, bool blocks) {
  std::vector<Seat> ring = {0, 1, 2, 3, 4, 5, 6};
  std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(banker), ring.end());
  std::rotate(ring.begin(), ring.begin() + (sum - 1) % 7, ring.end());
  std::erase_if(ring, [&](Seat seat) {
    return seat != 0 && std::count(players.begin(), players.end(), seat) == 0;
  });
  std::map<Seat, std::vector<Card>> out;
  for (std::size_t card = 0; card < 7; ++card) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      out[ring[i]].push_back(deck.at(blocks ? 7 * i + card : card * ring.size() + i));
  }
  return out;
}

RC_GTEST_PROP(PaiGow, deals_by_the_dice_and_pays_every_client_against_the_bank, ()) {
  const bool aragon = *rc::gen::inRange(0, 2) == 0;
  json::Value params;
  params["commission"] = std::string(*rc::gen::element<std::string>("0", "1%", "5%"));
  const auto table =
      open_of(aragon ? "es-aragon-2010" : "es-euskadi-2010", "pai-gow-poker", params);
  const auto kept = table.params().fraction("commission");
  const auto deck = shuffled_with_joker();
  const std::array<int, 3> dice = {*rc::gen::inRange(1, 7), *rc::gen::inRange(1, 7),
                                   *rc::gen::inRange(1, 7)};
  DeckTable play(table, deck);
  std::vector<Seat> players;
  for (Seat seat = 1; seat <= 6; ++seat) {
    if (*rc::gen::inRange(0, 2) == 0 && !(seat == 6 && players.empty())) continue;
    players.push_back(seat);
    play.must(stake("b" + std::to_string(seat), "apuesta", 2000, {}, seat));
  }
  play.source().dice = texts(dice);
  play.must(CloseBets{});
  std::map<Seat, Low> lows;
  for (const auto seat : players) {
    lows[seat] = some_low();
    play.must(sets(seat, lows[seat]));
  }
  const auto judge = pai_gow_ranker();
  const auto cards = packets(deck, dice[0] + dice[1] + dice[2], 0, players, aragon);
  const auto& own = cards.at(0);
  const auto bank = pai_gow::hands_of(judge, seven(own),
                                      pai_gow::house_low(judge, seven(own), HouseWay::informative));
  for (const auto seat : players) {
    const auto hands = pai_gow::hands_of(judge, seven(cards.at(seat)), lows[seat]);
    const int better = (hands.high > bank.high ? 1 : 0) + (hands.low > bank.low ? 1 : 0);
    const Fraction win = Fraction(4000) - kept * Fraction(2000);
    const Units expected = hands.foul || better == 0 ? 0 : better == 1 ? 2000 : win.floor();
    RC_ASSERT(play.of("b" + std::to_string(seat)).returned == expected);
  }
}

RC_GTEST_PROP(PaiGow, keeps_the_money_of_a_players_bank_together, ()) {
  json::Value params;
  params["player_banking"] = std::string("rotation");
  params["dealer_stake"] = 2;
  const auto table = open_of("es-euskadi-2010", "pai-gow-poker", params);
  DeckTable play(table, shuffled_with_joker());
  const auto banker = *rc::gen::inRange<Seat>(1, 7);
  for (Seat seat = 1; seat < banker; ++seat) play.must(Act{seat, "pasar-banca", {}, {}, {}, {}});
  play.must(Act{banker, "tomar-banca", {}, 50'000, {}, {}});
  Units staked = 0;
  for (Seat seat = 1; seat <= 6; ++seat) {
    if (seat == banker) continue;
    const Units amount = 100 * *rc::gen::inRange<Units>(1, 100);
    staked += amount;
    play.must(stake("b" + std::to_string(seat), "apuesta", amount, {}, seat));
  }
  play.source().dice =
      texts({*rc::gen::inRange(1, 7), *rc::gen::inRange(1, 7), *rc::gen::inRange(1, 7)});
  play.must(CloseBets{});
  for (Seat seat = 1; seat <= 6; ++seat) play.must(sets(seat, some_low()));
  RC_ASSERT(play.all().size() == 6U);
  Units gained = 0;       // by the clients, before the commission
  Units commissions = 0;  // five per cent of whole euros: no rounding
  Units returned = 0;
  for (const auto& [id, one] : play.all()) {
    returned += one.returned;
    if (id == "banca-jugador") continue;
    if (one.result == BetResult::win) gained += one.stake;
    if (one.result == BetResult::win) commissions += one.stake / 20;
    if (one.result == BetResult::lose) gained -= one.stake;
  }
  const auto& bank = play.of("banca-jugador");
  // The dealer's two minimums are won, lost or neither; a gain of the bank pays its commission too.
  const auto fits = [&](Units dealer) {
    const Units net = dealer - gained;
    const Units commission = net > 0 ? net / 20 : 0;
    return bank.returned == 50'000 + net - commission &&
           returned == 50'000 + staked + dealer - commissions - commission;
  };
  RC_ASSERT(fits(200) || fits(0) || fits(-200));
}

TEST(PaiGow, shows_cards_to_their_player_alone_and_turns_none_before_all_are_set) {
  const auto table = open_of("es-aragon-2010", "pai-gow-poker");
  auto deck = all_french();
  DeckTable play(table, deck);
  play.must(stake("a", "apuesta", 1000, {}, 2));
  play.must(stake("b", "apuesta", 1000, {}, 5));
  play.must(CloseBets{});
  auto needs = play.driver().needs();
  ASSERT_NE(find_need<Draw>(needs), nullptr);
  EXPECT_EQ(play.refusal(CardDealt{"seat-2-card-1", Face::covered, {}}), "not_due");
  ASSERT_TRUE(play.driver().apply(DrawResult{DrawKind::dice, {"1", "1", "2"}}));
  needs = play.driver().needs();
  const auto* deal = find_need<Deal>(needs);
  ASSERT_NE(deal, nullptr);
  ASSERT_EQ(deal->cards.size(), 21U);
  for (const auto& one : deal->cards) {
    EXPECT_EQ(one.face, Face::covered);
    EXPECT_EQ(one.seats, one.place.starts_with("bank")
                             ? std::vector<Seat>()
                             : std::vector<Seat>{one.place[5] == '2' ? 2U : 5U});
  }
  EXPECT_EQ(deal->cards.front().place,
            "seat-5-card-1");  // four: position 4 is box 3, empty, as is box 4
  play.advance();
  play.must(sets(2, {0, 1}));
  EXPECT_EQ(find_need<Reveal>(play.driver().needs()), nullptr);
  play.must(sets(5, {0, 1}));
  EXPECT_EQ(play.all().size(), 2U);
}

TEST(PaiGow, loads_no_rules_that_it_cannot_play) {
  const auto refused = [](std::string_view from, std::string_view to) {
    return load_changed(from, to, "es-aragon-2010");
  };
  EXPECT_EQ(refused("deck = \"french52+1jx1\"", "deck = \"french52x1\""), "catalogue_malformed");
  EXPECT_EQ(refused("draw = { kind = \"dice\", count = 3", "draw = { kind = \"dice\", count = 2"),
            "catalogue_malformed");
  EXPECT_EQ(refused("bank_bet = \"banca-jugador\"", "bank_bet = \"apuesta\""),
            "catalogue_malformed");
  EXPECT_EQ(refused("allowed = [\"informative\", \"best-high\", \"best-low\"]",
                    "allowed = [\"informative\", \"by-hand\"]"),
            "catalogue_malformed");
  EXPECT_EQ(refused("wheel = \"second\"", "wheel = \"third\""), "catalogue_malformed");
  EXPECT_EQ(refused("foul = \"both\"", "foul = \"none\""), "catalogue_malformed");
  EXPECT_EQ(refused("max = \"5%\"\nset_by = \"casino\"\ncite = \"V.2\"\nreading = \"A34\"",
                    "max = \"200%\"\nset_by = \"casino\"\ncite = \"V.2\"\nreading = \"A34\""),
            "catalogue_malformed");
}

TEST(PaiGow, restores_no_state_that_no_hand_can_have) {
  const auto table = open_of("es-aragon-2010", "pai-gow-poker");
  const std::string bets = R"("bets":[{"id":"b","kind":"apuesta","seat":1,"stake":100}])";
  const auto refused = [&](const std::string& text) {
    const auto value = json::parse(text);
    EXPECT_TRUE(value) << text;
    return !table.engine().restore(table, *value).has_value();
  };
  EXPECT_FALSE(refused(R"({"stage":"playing",)" + bets + "}"));
  EXPECT_FALSE(refused(R"({"stage":"playing","dice":9,)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","dice":19,)" + bets + "}"));
  EXPECT_TRUE(
      refused(R"({"stage":"playing","dice":9,"settings":[{"low":[1,2],"seat":1}],)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"playing","dice":9,"cards":[{"place":"bank-1"}],)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"betting","banker":1,)" + bets + "}"));
  EXPECT_TRUE(refused(R"({"stage":"over","dice":9})"));
  EXPECT_TRUE(refused(R"({"stage":"idle","offer":1})"));
}

}  // namespace
}  // namespace talla::games::test
