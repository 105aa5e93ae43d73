// Goal: Caribbean stud and draw poker against the house settle every deal as their texts say; the
// bank changes cards by its fixed rules; jackpots lose and gain no unit; nobody's covered cards are
// turned without need.
// Method: random decks judged by a second comparison and a second reading of the bank's rules, both
// written from the text; reveals and the seats that may look counted.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "random_deck.hpp"

namespace talla::games::test {
namespace {

/// 9 royal, 8 straight flush, 7 four, 6 full, 5 flush, 4 straight, 3 three, 2 two pair, 1 pair, 0
/// high cards; then the ranks that are compared, those that make the combination first.
struct Five {
  int rank = 0;
  std::vector<int> cards;
  auto operator<=>(const Five&) const = default;
};

int high(Card card) {
  return card.rank() == 1 ? 14 : card.rank();
}

Five judged_five(const std::vector<Card>& five) {
  std::vector<std::pair<int, int>> groups;  // count, rank
  std::set<shuffle::Suit> suits;
  for (const auto card : five) {
    suits.insert(card.suit());
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](auto& one) { return one.second == high(card); });
    if (known == groups.end()) {
      groups.emplace_back(1, high(card));
    } else {
      ++known->first;
    }
  }
  std::sort(groups.begin(), groups.end(), std::greater<>());
  Five out;
  for (const auto& [count, rank] : groups) out.cards.push_back(rank);
  const bool flush = suits.size() == 1;
  bool run = groups.size() == 5 && out.cards.front() - out.cards.back() == 4;
  if (out.cards == std::vector<int>{14, 5, 4, 3, 2}) {
    run = true;
    out.cards = {5, 4, 3, 2, 1};
  }
  const int first = groups[0].first;
  const int second = groups.size() > 1 ? groups[1].first : 0;
  if (run && flush) {
    out.rank = out.cards.front() == 14 ? 9 : 8;
  } else if (first == 4) {
    out.rank = 7;
  } else if (first == 3) {
    out.rank = second == 2 ? 6 : flush ? 5 : 3;
  } else if (flush) {
    out.rank = 5;
  } else if (run) {
    out.rank = 4;
  } else {
    out.rank = first == 2 ? (second == 2 ? 2 : 1) : 0;
  }
  return out;
}

/// Cards of hand i (from 0) of n, the bank being n, dealt one by one.
std::vector<Card> dealt(const std::vector<Card>& deck, std::size_t i, std::size_t n) {
  std::vector<Card> out;
  for (std::size_t round = 0; round < 5; ++round) out.push_back(deck[round * (n + 1) + i]);
  return out;
}

constexpr std::array<Units, 10> caribbean_pays = {1, 1, 2, 3, 4, 5, 7, 20, 25, 100};
constexpr std::array<Units, 10> draw_pays = {0, 1, 1, 2, 3, 5, 7, 20, 25, 100};

void expect_pair(DeckTable& play, Seat seat, bool plays, const Five& own, const Five& bank,
                 Units pays) {
  const auto& first = play.of(id_of("b", seat));
  const auto& second = play.of(id_of("b", seat) + ".segunda");
  RC_ASSERT(second.stake == 1000);
  RC_ASSERT(first.returned == (!plays || own > bank ? 1000 : own == bank ? 500 : 0));
  RC_ASSERT(second.returned == (!plays        ? 1000
                                : own > bank  ? 1000 * (pays + 1)
                                : own == bank ? 1000
                                              : 0));
}

RC_GTEST_PROP(CaribbeanStud, settles_every_deal_as_the_texts_say, ()) {
  const std::string catalogue_id =
      *rc::gen::element<std::string>("es-valencia-2003", "es-aragon-2010", "es-euskadi-2010");
  const auto table = open_of(catalogue_id, "caribbean-stud");
  const auto deck = shuffled();
  DeckTable play(table, deck);
  const auto players = *rc::gen::inRange<Seat>(1, 8);
  for (Seat seat = 1; seat <= players; ++seat)
    play.must(stake(id_of("b", seat), "apuesta-inicial", 500, {}, seat));
  play.must(CloseBets{});
  std::vector<bool> goes;
  for (Seat seat = 1; seat <= players; ++seat) {
    goes.push_back(*rc::gen::inRange(0, 3) > 0);
    play.must(Act{seat, goes.back() ? "voy" : "paso", {}, {}, {}, {}});
  }
  const auto bank = judged_five(dealt(deck, players, players));
  const bool plays = bank.rank > 0 || (bank.cards[0] == 14 && bank.cards[1] == 13);
  for (Seat seat = 1; seat <= players; ++seat) {
    if (!goes.at(seat - 1)) {
      RC_ASSERT(play.of(id_of("b", seat)).returned == 0);
      continue;
    }
    const auto own = judged_five(dealt(deck, seat - 1, players));
    expect_pair(play, seat, plays, own, bank,
                caribbean_pays.at(static_cast<std::size_t>(own.rank)));
  }
}

/// Which of the bank's cards go, by the seven rules of 12 7.3, read once more.
std::vector<Card> kept_by_bank(std::vector<Card> five) {
  const auto hand = judged_five(five);
  std::sort(five.begin(), five.end(), [](Card a, Card b) { return high(a) > high(b); });
  const auto times = [&](Card card) {
    return std::count_if(five.begin(), five.end(),
                         [&](Card other) { return other.rank() == card.rank(); });
  };
  std::vector<Card> keep;
  std::vector<Card> odd;
  for (const auto card : five) (times(card) > 1 ? keep : odd).push_back(card);
  if (hand.rank >= 4) return five;                    // 1
  if (hand.rank == 3 || hand.rank == 2) return keep;  // 2, 3
  if (hand.rank == 1) {                               // 4: the best of the three others stays
    keep.push_back(odd.front());
    return keep;
  }
  for (const auto suit : {shuffle::Suit::clubs, shuffle::Suit::diamonds, shuffle::Suit::hearts,
                          shuffle::Suit::spades}) {
    std::vector<Card> same;
    for (const auto card : five) {
      if (card.suit() == suit) same.push_back(card);
    }
    if (same.size() == 4) return same;  // 5
  }
  if (high(five[0]) - high(five[3]) == 3) return {five.begin(), five.begin() + 4};  // 6
  if (high(five[1]) - high(five[4]) == 3) return {five.begin() + 1, five.end()};
  return {five.begin(), five.begin() + 3};  // 7
}

RC_GTEST_PROP(DrawPokerHouse, settles_every_deal_and_change_as_the_text_says, ()) {
  const auto table = open_of("es-euskadi-2010", "draw-poker-house");
  const auto deck = shuffled();
  DeckTable play(table, deck);
  const auto players = *rc::gen::inRange<Seat>(1, 7);
  for (Seat seat = 1; seat <= players; ++seat)
    play.must(stake(id_of("b", seat), "apuesta-inicial", 500, {}, seat));
  play.must(CloseBets{});
  std::vector<bool> goes;
  for (Seat seat = 1; seat <= players; ++seat) {
    goes.push_back(*rc::gen::inRange(0, 4) > 0);
    play.must(Act{seat, goes.back() ? "voy" : "paso", {}, {}, {}, {}});
  }
  std::size_t next = 5 * (players + 1);  // the first card that was not dealt
  std::vector<std::vector<Card>> hands;
  for (Seat seat = 1; seat <= players; ++seat) {
    auto hand = dealt(deck, seat - 1, players);
    if (goes.at(seat - 1)) {
      const auto count = *rc::gen::inRange<std::size_t>(0, 3);
      const auto from = *rc::gen::inRange<std::size_t>(0, 4);
      Act act{seat, count == 0 ? "servido" : "descartar", {}, {}, {}, {}};
      for (std::size_t i = 0; i < count; ++i)
        act.cards.push_back("seat-" + std::to_string(seat) + "-card-" +
                            std::to_string(from + i + 1));
      play.must(act);
      for (std::size_t i = 0; i < count; ++i) hand.at(from + i) = deck.at(next++);
    }
    hands.push_back(std::move(hand));
  }
  auto bank_cards = kept_by_bank(dealt(deck, players, players));
  while (bank_cards.size() < 5) bank_cards.push_back(deck.at(next++));
  const auto bank = judged_five(bank_cards);
  const bool plays = bank.rank > 1 || (bank.rank == 1 && bank.cards[0] >= 8);
  for (Seat seat = 1; seat <= players; ++seat) {
    if (!goes.at(seat - 1)) {
      RC_ASSERT(play.of(id_of("b", seat)).returned == 0);
      continue;
    }
    const auto own = judged_five(hands.at(seat - 1));
    expect_pair(play, seat, plays, own, bank, draw_pays.at(static_cast<std::size_t>(own.rank)));
  }
}

Units meter_value(DeckTable& play) {
  return play.driver()
      .table()
      .engine()
      .meters(play.driver().table(), play.driver().state())
      .front()
      .value;
}

RC_GTEST_PROP(Jackpots, give_and_keep_every_unit_between_players_house_and_meter, ()) {
  json::Value params;
  params["jackpot"] = true;
  params["jackpot_drawn"] = *rc::gen::arbitrary<bool>();
  params["jackpot_drawn_base"] = *rc::gen::element<std::string>("remainder", "hand-start");
  params["jackpot_initial"] = *rc::gen::element<std::string>("hand-start", "seed");
  params["jackpot_fed"] = *rc::gen::element<std::string>("before-awards", "after-awards");
  const auto table = open_of("es-euskadi-2010", "draw-poker-house", params);
  // Hands of the highest kinds, two of which are often equal; the bank and what is drawn from the
  // rest.
  const std::vector<std::string> kinds = {"AS KS QS JS TS", "AH KH QH JH TH", "4S 5S 6S 7S 8S",
                                          "4H 5H 6H 7H 8H", "9S 9H 9D 9C 2C", "3S 3H 3D 3C 2D"};
  const auto a = *rc::gen::inRange<std::size_t>(0, kinds.size());
  const auto b = (a + *rc::gen::inRange<std::size_t>(1, kinds.size())) % kinds.size();
  const auto one = cards_of(kinds[a]);
  const auto two = cards_of(kinds[b]);
  const auto bank = cards_of("AD KC QD JC 7D");
  std::vector<Card> deck;
  for (std::size_t i = 0; i < 5; ++i) deck.insert(deck.end(), {one[i], two[i], bank[i]});
  for (const auto card : cards_of("6D 6C 5D 5C TD TC")) deck.push_back(card);
  DeckTable play(table, deck);
  const Units before = meter_value(play);
  for (Seat seat : {1U, 2U}) {
    play.must(stake(id_of("b", seat), "apuesta-inicial", 100, {}, seat));
    play.must(stake(id_of("j", seat), "jackpot", 50, {}, seat));
  }
  play.must(CloseBets{});
  for (Seat seat : {1U, 2U}) play.must(Act{seat, "voy", {}, {}, {}, {}});
  bool whole = false;
  for (Seat seat : {1U, 2U}) {
    const bool changes = *rc::gen::inRange(0, 3) == 0;
    whole = whole || (!changes && (seat == 1 ? a : b) < 2);  // a royal flush without discard
    Act act{seat, changes ? "descartar" : "servido", {}, {}, {}, {}};
    if (changes) act.cards.push_back("seat-" + std::to_string(seat) + "-card-5");
    play.must(act);
  }
  const Units after = meter_value(play);
  const Units paid = play.of("j1").returned + play.of("j2").returned;
  // 100 cents of stakes go in; a jackpot that was taken whole begins at its opening amount again.
  const Units rest = before + 100 - paid;
  RC_ASSERT(after == rest ||
            (whole && rest < before && (after == before || after == before + 100)));
}

TEST(CaribbeanStud, turns_no_player_s_cards_when_the_bank_does_not_play) {
  const auto table = open_of("es-valencia-2003", "caribbean-stud");
  DeckTable play(table, cards_of("QS KC JH QD 8D 9H 6S 5C 3S 2D"));
  play.must(stake("a", "apuesta-inicial", 500));
  play.must(CloseBets{});
  play.must(Act{1, "voy", {}, {}, {}, {}});
  EXPECT_EQ(turned(play.driver().take_events()),
            (std::vector<std::string>{"bank-1", "bank-2", "bank-3", "bank-4"}));
  EXPECT_EQ(play.of("a").returned, 1000);
}

TEST(CaribbeanStud, shows_the_bank_s_first_or_last_card_and_a_blind_box_to_nobody) {
  struct Shown {
    const char* catalogue;
    std::string open;
  };
  for (const auto& one : {Shown{"es-valencia-2003", "bank-5"}, Shown{"es-aragon-2010", "bank-1"},
                          Shown{"es-euskadi-2010", "bank-5"}}) {
    const auto table = open_of(one.catalogue, "caribbean-stud");
    auto state = must(table, start(table), ShoeOpened{52, false});
    state = must(table, state, stake("a", "apuesta-inicial", 500));
    auto blind = stake("b", "apuesta-inicial", 500);
    blind.box = 4;
    state = must(table, state, blind);
    state = must(table, state, CloseBets{});
    const auto needs = table.engine().needs(table, state);
    const auto* deal = find_need<Deal>(needs);
    ASSERT_NE(deal, nullptr);
    ASSERT_EQ(deal->cards.size(), 15U);
    for (const auto& card : deal->cards) {
      EXPECT_EQ(card.face, card.place == one.open ? Face::open : Face::covered) << card.place;
      const bool own = card.place.starts_with("seat-1-");
      EXPECT_EQ(card.seats, own ? std::vector<Seat>{1} : std::vector<Seat>()) << card.place;
    }
  }
}

TEST(DrawPokerHouse, lets_nobody_look_at_a_card_that_was_drawn) {
  const auto table = open_of("es-euskadi-2010", "draw-poker-house");
  auto state = must(table, start(table), ShoeOpened{52, false});
  state = must(table, state, stake("a", "apuesta-inicial", 500));
  state = must(table, state, CloseBets{});
  const auto deal_all = [&] {
    for (;;) {
      const auto needs = table.engine().needs(table, state);
      const auto* deal = find_need<Deal>(needs);
      if (deal == nullptr) return;
      state = must(table, state, CardDealt{deal->cards.front().place, Face::covered, std::nullopt});
    }
  };
  deal_all();
  state = must(table, state, Act{1, "voy", {}, {}, {}, {}});
  state = must(table, state, Act{1, "descartar", {}, {}, {"seat-1-card-2", "seat-1-card-4"}, {}});
  const auto needs = table.engine().needs(table, state);
  const auto* deal = find_need<Deal>(needs);
  ASSERT_NE(deal, nullptr);
  EXPECT_EQ(deal->cards, (std::vector<DealPlace>{{"seat-1-card-6", Face::covered},
                                                 {"seat-1-card-7", Face::covered}}));
}

TEST(DrawPokerHouse, turns_neither_what_was_discarded_nor_who_has_passed) {
  const auto table = open_of("es-euskadi-2010", "draw-poker-house");
  DeckTable play(table, cards_of("9S QS 8C 9H QH 8D 9D 6D QC 7S AS TH 2S JC 4C 7H 7D 5C 3H"));
  play.must(stake("a", "apuesta-inicial", 500, {}, 1));
  play.must(stake("b", "apuesta-inicial", 500, {}, 2));
  play.must(CloseBets{});
  play.must(Act{1, "voy", {}, {}, {}, {}});
  play.must(Act{2, "paso", {}, {}, {}, {}});
  play.must(Act{1, "descartar", {}, {}, {"seat-1-card-4", "seat-1-card-5"}, {}});
  const auto all = turned(play.driver().take_events());
  EXPECT_EQ(all, (std::vector<std::string>{"bank-1", "bank-2", "bank-3", "bank-4", "bank-5",
                                           "seat-1-card-1", "seat-1-card-2", "seat-1-card-3",
                                           "seat-1-card-6", "seat-1-card-7"}));
  EXPECT_EQ(play.of("a.segunda").returned, 1000 * 8);
}

}  // namespace
}  // namespace talla::games::test
