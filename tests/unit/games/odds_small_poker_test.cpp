// Goal: hold'em and draw poker against the house are worth what the engine settles, deal by deal.
// Method: decks so small that every deal goes through the driver, played as the count found best;
//   equal to the last unit. 10^5 rounds from whole decks of hold'em, from a small one of draw poker
//   (10^7 in the long run), so played, lie within four deviations.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "deck_source.hpp"
#include "engines/second_bet/rules.hpp"
#include "engines/texas/rules.hpp"
#include "odds/draw_law.hpp"
#include "odds/poker/draw_counters.hpp"
#include "odds/poker/holdem.hpp"
#include "odds/poker/lowest_pair.hpp"
#include "odds_support.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

using poker::Place;

/// Suits one after the other, of these ranks.
std::vector<Card> cards_of_ranks(const std::vector<int>& ranks) {
  std::vector<Card> out;
  for (const Card card : shuffle::DeckSpec::french(1).cards())
    if (std::ranges::find(ranks, card.rank()) != ranks.end()) out.push_back(card);
  return out;
}

Table poker_table(std::string_view catalogue, const std::string& game) {
  return odds_table(test::catalogue(catalogue), game, {}).value();
}

Act acts(std::string action, std::vector<std::string> cards = {}) {
  return {1, std::move(action), {}, {}, std::move(cards), {}};
}

/// One box with a first bet of 1,000, before the cards come.
class OneBox {
 public:
  OneBox(const Table& table, const std::string& bet) : opened_(*Driver::start(table)) {
    test::DeckSource none({});
    EXPECT_TRUE(opened_.advance(none, none));
    EXPECT_TRUE(opened_.apply(test::stake("a", bet, 1000, {}, 1)));
    EXPECT_TRUE(opened_.apply(CloseBets{}));
  }
  /// What these decisions gain with these cards, in thousandths of the first bet.
  [[nodiscard]] Units gain(std::vector<Card> cards, const std::vector<Act>& decisions) const {
    test::DeckSource source(std::move(cards));
    Driver driver = opened_;
    EXPECT_TRUE(driver.advance(source, source));
    for (const Act& act : decisions) {
      const auto done = driver.apply(act);
      EXPECT_TRUE(done) << act.action << ": " << done.error().text();
      EXPECT_TRUE(driver.advance(source, source));
    }
    Units out = 0;
    const auto settled = driver.take_settlements();
    EXPECT_FALSE(settled.empty());
    for (const Settlement& one : settled) out += one.returned - one.stake;
    return out;
  }

 private:
  Driver opened_;
};

std::vector<Place> ascending(std::vector<Place> places) {
  std::ranges::sort(places);
  return places;
}
std::uint16_t pair_number(std::vector<Place> pair) {
  return static_cast<std::uint16_t>(poker::CardSets::number(ascending(std::move(pair))));
}
/// Calls `visit` with every set of `count` of these places.
template <class Visit>
void each_set(const std::vector<Place>& from, std::size_t count, const Visit& visit) {
  std::vector<Place> at(count);
  for (std::size_t i = 0; i < count; ++i) at[i] = static_cast<Place>(i);
  do {
    std::vector<Place> set;
    for (const Place one : at) set.push_back(from.at(one));
    visit(set);
  } while (poker::next_set(at, from.size()));
}
std::vector<Place> without(const std::vector<Place>& all, const std::vector<Place>& gone) {
  std::vector<Place> out;
  for (const Place one : all)
    if (std::ranges::find(gone, one) == gone.end()) out.push_back(one);
  return out;
}
std::vector<Place> all_places(std::size_t count) {
  std::vector<Place> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(static_cast<Place>(i));
  return out;
}
std::vector<Place> places_in(const std::vector<Card>& deck, std::span<const Card> cards) {
  std::vector<Place> out;
  for (const Card card : cards)
    out.push_back(static_cast<Place>(std::ranges::find(deck, card) - deck.begin()));
  return ascending(out);
}

/// All five common cards of a deck in the long run, else one set in four: what is played is the
/// best beside those.
std::vector<poker::SuitClass> some_boards(const std::vector<Card>& deck) {
  const auto all = poker::board_classes(deck);
  constexpr std::size_t one_in = 4;
  const std::size_t step = test::rounds_count() > 1'000'000 ? 1 : one_in;
  std::vector<poker::SuitClass> out;
  for (std::size_t i = 0; i < all.size(); i += step) out.push_back(all.at(i));
  return out;
}

/// Every pair of own cards and of the bank's beside each board, as often as the board counts.
template <class Visit>
void each_holdem_deal(const std::vector<Card>& deck, const std::vector<poker::SuitClass>& boards,
                      const Visit& visit) {
  for (const poker::SuitClass& board : boards) {
    const auto common = places_in(deck, board.cards);
    const auto others = without(all_places(deck.size()), common);
    each_set(others, 2, [&](const std::vector<Place>& own) {
      each_set(without(others, own), 2,
               [&](const std::vector<Place>& bank) { visit(board.deals, common, own, bank); });
    });
  }
}

poker::HoldemLaw one_decision(const Table& table) {
  const auto& rules = table.prepared<texas::Rules>();
  const DataLaw law(table);
  return {.bank_plays_from = poker::lowest_pair(rules.ranker, rules.bank_pair_from),
          .ante = poker::PayTable::from(law.bet(rules.ante), table.params()).value()};
}
poker::HoldemBetsLaw three_decisions(const Table& table) {
  const DataLaw law(table);
  return {.ante =
              poker::PayTable::from(law.bet(table.prepared<texas::Rules>().ante), table.params())
                  .value()};
}

/// With one decision: own cards and the bank's by turns, then three common cards, then two.
Units one_decision_gain(const OneBox& box, const std::vector<Card>& deck,
                        const poker::HoldemPlay& play, const std::vector<Place>& own,
                        const std::vector<Place>& bank, const std::vector<Place>& three,
                        const std::vector<Place>& last) {
  const bool goes = play.three.goes(three, pair_number(own));
  std::vector<Card> cards;
  for (const Place place :
       {own[0], bank[0], own[1], bank[1], three[0], three[1], three[2], last[0], last[1]})
    cards.push_back(deck.at(place));
  return box.gain(std::move(cards), {acts(goes ? "voy" : "no-voy")});
}

TEST(SmallPokerTest, every_deal_of_holdem_with_one_decision_is_settled_as_counted) {
  const Table table = poker_table("es-euskadi-2010", "texas-holdem-house");
  const auto& ranker = table.prepared<texas::Rules>().ranker;
  const auto law = one_decision(table);
  const OneBox box(table, "ante");
  // All of three ranks; of six ranks a board beside which the bank may not play.
  const auto twelve = cards_of_ranks({1, 2, 3});
  const auto twenty = cards_of_ranks({2, 3, 5, 7, 8});
  const auto lone =
      std::vector{poker::SuitClass{.cards = test::cards_of("2C 3C 5D 7H 8C"), .deals = 1}};
  for (const auto& [deck, boards] :
       {std::pair(twelve, some_boards(twelve)), std::pair(twenty, lone)}) {
    const auto play = poker::holdem_play(ranker, deck, law, boards).value();
    std::int64_t net = 0;
    std::int64_t deals = 0;
    each_holdem_deal(
        deck, boards,
        [&](std::int64_t times, const auto& common, const auto& own, const auto& bank) {
          each_set(common, 3, [&](const std::vector<Place>& three) {
            net += times *
                   one_decision_gain(box, deck, play, own, bank, three, without(common, three));
            deals += times;
          });
        });
    const auto counted = poker::holdem_odds(ranker, deck, law, boards).value().best;
    EXPECT_EQ(counted.deals, deals);
    EXPECT_EQ(1000 * counted.net, net);
  }
}

/// With three: a card is burned before the first three common ones, the fourth and the fifth.
Units three_decisions_gain(const OneBox& box, const std::vector<Card>& deck,
                           const poker::HoldemBetsPlay& play, const std::vector<Place>& own,
                           const std::vector<Place>& bank, const std::vector<Place>& common,
                           Card burned) {
  const std::uint16_t pair = pair_number(own);
  std::vector<Act> decisions = {acts(play.before.at(pair) ? "voy" : "no-voy")};
  if (play.before.at(pair)) {
    const auto known = [&](std::size_t count) {
      return ascending({common.begin(), common.begin() + static_cast<std::ptrdiff_t>(count)});
    };
    decisions.push_back(acts(play.three.goes(known(3), pair) ? "apostar" : "pasar"));
    decisions.push_back(acts(play.four.goes(known(4), pair) ? "apostar" : "pasar"));
  }
  const auto card = [&](Place place) { return deck.at(place); };
  return box.gain(
      {card(own[0]), card(bank[0]), card(own[1]), card(bank[1]), burned, card(common[0]),
       card(common[1]), card(common[2]), burned, card(common[3]), burned, card(common[4])},
      decisions);
}

TEST(SmallPokerTest, every_deal_of_holdem_with_three_decisions_is_settled_as_counted) {
  const Table table = poker_table("es-aragon-2010", "texas-holdem-house");
  const auto& ranker = table.prepared<texas::Rules>().ranker;
  const auto law = three_decisions(table);
  const OneBox box(table, "ante");
  const auto deck = cards_of_ranks({1, 12, 13});
  const auto boards = some_boards(deck);
  const auto play = poker::holdem_bets_play(ranker, deck, law, boards).value();
  std::int64_t net = 0;
  std::int64_t deals = 0;
  each_holdem_deal(deck, boards,
                   [&](std::int64_t times, const auto& common, const auto& own, const auto& bank) {
                     each_set(common, 3, [&](const std::vector<Place>& three) {
                       auto order = three;
                       for (const Place one : without(common, three)) order.push_back(one);
                       for (int turn = 0; turn < 2; ++turn) {
                         std::swap(order[3], order[4]);
                         net += times * three_decisions_gain(box, deck, play, own, bank, order,
                                                             Card::of(5, shuffle::Suit::clubs));
                         deals += times;
                       }
                     });
                   });
  const auto counted = poker::holdem_bets_odds(ranker, deck, law, boards).value().best;
  EXPECT_EQ(counted.deals, deals);
  EXPECT_EQ(1000 * counted.net, net);
}

/// Draws are told by the engine; the bank's discards come from the catalogue's rule.
class Drawing {
 public:
  explicit Drawing(std::vector<Card> deck)
      : deck_(std::move(deck)),
        table_(poker_table("es-euskadi-2010", "draw-poker-house")),
        law_(table_),
        draw_(draw_law(law_).value()),
        box_(table_, "apuesta-inicial") {}
  [[nodiscard]] poker::DrawOdds odds(
      std::span<const std::array<Place, poker::five_cards>> asked) const {
    return poker::draw_odds(law_.ranker(), deck_, draw_, asked);
  }
  [[nodiscard]] std::size_t bank_changes(const std::vector<Place>& hand) const {
    std::array<Card, poker::five_cards> cards;
    for (std::size_t i = 0; i < cards.size(); ++i) cards.at(i) = deck_.at(hand.at(i));
    return static_cast<std::size_t>(std::popcount(draw_.bank(cards)));
  }
  [[nodiscard]] Units gain(const std::vector<Place>& own, const std::vector<Place>& given_up,
                           const std::vector<Place>& came, const std::vector<Place>& bank,
                           const std::vector<Place>& its) const {
    std::vector<Card> cards;
    for (std::size_t i = 0; i < own.size(); ++i) {
      cards.push_back(deck_.at(own[i]));
      cards.push_back(deck_.at(bank[i]));
    }
    for (const auto* more : {&came, &its})
      for (const Place place : *more) cards.push_back(deck_.at(place));
    std::vector<std::string> names;
    for (const Place place : given_up)
      names.push_back("seat-1-card-" +
                      std::to_string(std::ranges::find(own, place) - own.begin() + 1));
    return box_.gain(
        std::move(cards),
        {acts("voy"), given_up.empty() ? acts("servido") : acts("descartar", std::move(names))});
  }

 private:
  std::vector<Card> deck_;
  Table table_;
  second_bet::Law law_;
  poker::DrawLaw draw_;
  OneBox box_;
};

TEST(SmallPokerTest, every_deal_of_draw_poker_from_a_small_deck_is_settled_as_counted) {
  // Pairs of sixes and sevens do not let the bank play.
  const auto deck = cards_of_ranks({6, 7, 8, 9});
  const Drawing game(deck);
  const std::array<std::array<Place, poker::five_cards>, 2> hands = {
      {{0, 1, 4, 6, 11}, {2, 3, 6, 7, 13}}};
  const auto odds = game.odds(hands);
  const std::size_t played = test::rounds_count() > 1'000'000 ? hands.size() : 1;
  for (std::size_t i = 0; i < played; ++i) {
    const std::vector<Place> own(hands.at(i).begin(), hands.at(i).end());
    const auto others = without(all_places(deck.size()), own);
    std::array<bool, poker::player_changes> tried{};
    for (const poker::DrawChoice& choice : odds.choices.at(i)) {
      // The best way to give up so many cards.
      if (std::exchange(tried.at(choice.given_up.size()), true)) continue;
      Ratio sum;
      std::int64_t deals = 0;
      each_set(others, choice.given_up.size(), [&](const std::vector<Place>& came) {
        const auto left = without(others, came);
        each_set(left, poker::five_cards, [&](const std::vector<Place>& bank) {
          Units gained = 0;
          std::int64_t draws = 0;
          each_set(without(left, bank), game.bank_changes(bank),
                   [&](const std::vector<Place>& its) {
                     gained += game.gain(own, choice.given_up, came, bank, its);
                     ++draws;
                   });
          sum += Ratio(Fraction(gained, 1000 * draws));
          ++deals;
        });
      });
      EXPECT_EQ(choice.gain, sum / Ratio(deals)) << choice.given_up.size();
    }
    EXPECT_EQ(std::ranges::count(tried, true), std::ssize(tried));
  }
}

Odds stored_of(const Table& table, std::string_view bet) {
  const TableOdds all = bet_odds(table).value();
  for (const BetOdds& one : all.bets)
    if (one.bet == bet) return one.odds;
  ADD_FAILURE() << bet << " has no odds";
  return {};
}

/// The first cards of a deck shuffled anew, by their places.
class Places {
 public:
  Places(const std::vector<Card>& deck, std::uint64_t seed) : deck_(&deck), shoe_(deck, seed) {}
  void shuffle() { shoe_.shuffle(); }
  [[nodiscard]] Card card() { return shoe_.next(); }
  [[nodiscard]] std::vector<Place> ascending(std::size_t count) {
    std::vector<Card> cards;
    for (std::size_t i = 0; i < count; ++i) cards.push_back(shoe_.next());
    return places_in(*deck_, cards);
  }

 private:
  const std::vector<Card>* deck_;
  test::Shoe shoe_;
};

TEST(SmallPokerTest, rounds_of_holdem_with_one_decision_agree) {
  const Table table = poker_table("es-euskadi-2010", "texas-holdem-house");
  const auto deck = shuffle::DeckSpec::french(1).cards();
  const auto play = poker::holdem_play(table.prepared<texas::Rules>().ranker, deck,
                                       one_decision(table), poker::board_classes(deck))
                        .value();
  const OneBox box(table, "ante");
  Places shoe(deck, 20261201);
  test::Gains gains(1000);
  for (int round = 0; round < test::rounds_count(); ++round) {
    shoe.shuffle();
    const auto own = shoe.ascending(2);
    const auto bank = shoe.ascending(2);
    const auto three = shoe.ascending(3);
    const auto last = shoe.ascending(2);
    gains.add(Fraction(one_decision_gain(box, deck, play, own, bank, three, last), 1000));
  }
  gains.expect_within_four_deviations(stored_of(table, "ante"), "ante");
}

TEST(SmallPokerTest, rounds_of_holdem_with_three_decisions_agree) {
  const Table table = poker_table("es-aragon-2010", "texas-holdem-house");
  const auto deck = shuffle::DeckSpec::french(1).cards();
  const auto play = poker::holdem_bets_play(table.prepared<texas::Rules>().ranker, deck,
                                            three_decisions(table), poker::board_classes(deck))
                        .value();
  const OneBox box(table, "ante");
  Places shoe(deck, 20261202);
  test::Gains gains(1000);
  for (int round = 0; round < test::rounds_count(); ++round) {
    shoe.shuffle();
    const auto own = shoe.ascending(2);
    const auto bank = shoe.ascending(2);
    auto common = shoe.ascending(3);
    for (int i = 0; i < 2; ++i) common.push_back(shoe.ascending(1).front());
    gains.add(
        Fraction(three_decisions_gain(box, deck, play, own, bank, common, shoe.card()), 1000));
  }
  gains.expect_within_four_deviations(stored_of(table, "ante"), "ante");
}

TEST(SmallPokerTest, rounds_of_draw_poker_from_a_small_deck_agree) {
  const auto deck = cards_of_ranks({6, 7, 8, 9});
  const Drawing game(deck);
  std::vector<std::array<Place, poker::five_cards>> hands;
  each_set(all_places(deck.size()), poker::five_cards, [&](const std::vector<Place>& set) {
    std::ranges::copy(set, hands.emplace_back().begin());
  });
  const auto odds = game.odds(hands);
  Places shoe(deck, 20261203);
  test::Gains gains(1000);
  for (int round = 0; round < test::rounds_count(); ++round) {
    shoe.shuffle();
    const auto own = shoe.ascending(poker::five_cards);
    const auto& best = odds.choices.at(poker::CardSets::number(own)).front();
    if (best.gain <= Ratio(-1)) {
      gains.add(Fraction(-1));
      continue;
    }
    const auto bank = shoe.ascending(poker::five_cards);
    const auto came = shoe.ascending(best.given_up.size());
    const auto its = shoe.ascending(game.bank_changes(bank));
    gains.add(Fraction(game.gain(own, best.given_up, came, bank, its), 1000));
  }
  gains.expect_within_four_deviations(odds.best.odds(), "apuesta-inicial");
}

}  // namespace
}  // namespace talla::games
