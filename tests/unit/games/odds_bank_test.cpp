// Goal: the odds of chemin de fer and of two cloths are those of their texts (08 and 09), whoever
//       uses his freedom and how.
// Method: published integers where no freedom is left; small decks whose every deal the engine
//         settles while both sides play as the odds say; rounds through the driver; nobody is
//         better off otherwise.
#include <gtest/gtest.h>

#include <functional>

#include "baccarat_support.hpp"
#include "deck_source.hpp"
#include "games/odds.hpp"
#include "odds/banque.hpp"
#include "odds_support.hpp"

namespace talla::games {
namespace {

using banque::Banker;
using banque::Free;
using banque::Values;

Table banque_table(std::string_view catalogue, std::string game,
                   json::Value params = json::Object{}) {
  auto table = odds_table(test::catalogue(catalogue), std::move(game), std::move(params));
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

const Odds& odds_of_play(const TableOdds& all, std::string_view bet,
                         const std::vector<std::string>& play) {
  for (const BetOdds& one : all.bets)
    if (one.bet == bet && one.play == play) return one.odds;
  ADD_FAILURE() << bet;
  static const Odds none;
  return none;
}

TEST(BankOddsTest, without_freedom_six_decks_give_the_published_integers) {
  const auto table = banque_table("es-1977", "chemin-de-fer");
  banque::Law law = banque::law_of(table);
  for (auto& row : law.chart)
    for (auto& cell : row)
      if (cell == banque::Cell::optional) cell = banque::Cell::draw;
  const auto hands =
      banque::one_cloth(law, banque::values_of_decks(law, 6), Free::draws, Banker::chart);
  constexpr std::int64_t draws = 878'869'206'895'680;
  EXPECT_EQ(hands.ends[0], Ratio(Fraction(403'095'751'234'560, draws)));
  EXPECT_EQ(hands.ends[1], Ratio(Fraction(83'552'962'932'288, draws)));
  EXPECT_EQ(hands.ends[2], Ratio(Fraction(392'220'492'728'832, draws)));
}

TEST(BankOddsTest, the_balanced_player_leaves_neither_side_anything_to_gain) {
  for (const char* catalogue : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const auto table = banque_table(catalogue, "chemin-de-fer");
    const auto& law = banque::law_of(table);
    const auto cards = banque::values_of_decks(law, 6);
    const auto best = banque::one_cloth(law, cards, Free::best, Banker::best);
    const auto gain = [](const banque::OneCloth& hands) { return hands.ends[2] - hands.ends[0]; };
    const auto bank = [&](const banque::OneCloth& hands) {
      return (Ratio(1) - Ratio(law.commission)) * hands.ends[0] - hands.ends[2];
    };
    EXPECT_GT(best.player_draws, Ratio(0));
    EXPECT_LT(best.player_draws, Ratio(1));
    EXPECT_TRUE(best.freedom_is_idle);
    // A player known to draw, or to stand, meets a banker who does better than against the balance.
    for (const Free free : {Free::draws, Free::stands}) {
      const auto known = banque::one_cloth(law, cards, free, Banker::best);
      EXPECT_LE(gain(known), gain(best)) << catalogue;
      EXPECT_GE(bank(known), bank(best)) << catalogue;
      EXPECT_GE(bank(known), bank(banque::one_cloth(law, cards, free, Banker::chart)));
    }
  }
}

TEST(BankOddsTest, what_one_side_loses_the_other_and_the_house_have) {
  for (const char* game : {"chemin-de-fer", "baccarat-banque-limited", "baccarat-banque-open"}) {
    for (const char* catalogue : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
      const auto table = banque_table(catalogue, game);
      const auto all = bet_odds(table);
      ASSERT_TRUE(all) << all.error().text();
      const std::string against = std::string_view(game) == "chemin-de-fer" ? "punto" : "a-caballo";
      int banks = 0;
      for (const BetOdds& one : all->bets) {
        EXPECT_EQ(one.odds.win + one.odds.lose + one.odds.other, Ratio(1)) << one.bet;
        ASSERT_TRUE(one.house_share.has_value());
        if (one.bet != "banca") continue;
        ++banks;
        const Odds& other = odds_of_play(*all, against, one.play);
        EXPECT_EQ(one.odds.house_edge() + other.house_edge(), *one.house_share) << game;
      }
      EXPECT_GE(banks, 5);
    }
  }
}

TEST(BankOddsTest, a_bet_on_the_line_plays_for_half) {
  const auto all = bet_odds(banque_table("es-1977", "chemin-de-fer"));
  ASSERT_TRUE(all);
  const std::vector<std::string> play = {"five-best", "bank-best"};
  EXPECT_EQ(odds_of_play(*all, "raya", play).house_edge() * Ratio(2),
            odds_of_play(*all, "punto", play).house_edge());
  EXPECT_TRUE(odds_of_play(*all, "raya", play).lose.is_zero());
}

TEST(BankOddsTest, each_reading_of_two_cloths_that_matters_has_its_own_figures) {
  const std::vector<std::string> play = {"five-draws", "bank-best"};
  const auto bank = [&](const json::Object& params) {
    const auto all = bet_odds(banque_table("es-1977", "baccarat-banque-limited", params));
    EXPECT_TRUE(all);
    return odds_of_play(*all, "banca", play).house_edge();
  };
  const Ratio usual = bank({});
  EXPECT_LT(bank({{"natural_nine", "ties"}}), usual) << "the bank ties where it lost";
  EXPECT_LE(bank({{"natural_binds_banker", false}}), usual) << "a free banker does no worse";
  EXPECT_LE(bank({{"banker_zero", "free"}}), usual);
  EXPECT_EQ(bank({{"deduction_base", "gross"}}), usual)
      << "with equal stakes nothing is deducted when each side has one cloth";
}

// --- Played by the engine

/// A hand of one or two cloths, both sides playing as the odds say.
class PlayedHand {
 public:
  /// Draws on the free total of a cloth?  The banker's third card?
  using Draws = std::function<bool(std::size_t cloth)>;
  using BankDraws = std::function<bool(std::size_t total, std::size_t first, std::size_t second)>;

  // NOLINTNEXTLINE(modernize-pass-by-value): a copy is what it plays
  PlayedHand(const Table& table, const Driver& closed)
      : law_(banque::law_of(table)), driver_(closed) {}

  /// Cards come from `next`; covered ones are turned as they were dealt.
  template <class Next>
  void run(Next next, const Draws& draws, const BankDraws& bank_draws, bool chart) {
    while (!over()) {
      if (const auto place = driver_.next_card_place()) {
        const Card card = next();
        cards_[place->place] = card;
        ASSERT_TRUE(driver_.deal(place->face == Face::open ? std::optional(card) : std::nullopt));
        continue;
      }
      const Needs needs = driver_.needs();
      if (const auto* reveal = find_need<Reveal>(needs)) {
        ASSERT_TRUE(driver_.apply(CardRevealed{reveal->place, cards_.at(reveal->place)}));
        continue;
      }
      const auto* decide = find_need<Decide>(needs);
      ASSERT_NE(decide, nullptr);
      const std::string word =
          decide->seat == 1 ? banker(*decide, bank_draws, chart) : player(*decide, draws);
      ASSERT_TRUE(driver_.apply(Act{decide->seat, word, {}, {}, {}, {}})) << word;
    }
  }
  [[nodiscard]] const std::vector<Settlement>& settled() const { return driver_.settled(); }

 private:
  [[nodiscard]] bool over() const { return !driver_.settled().empty(); }
  [[nodiscard]] std::size_t points(const std::string& place) const {
    return static_cast<std::size_t>(baccarat::value_of(law_.points, cards_.at(place)));
  }
  [[nodiscard]] std::size_t two(const std::string& a, const std::string& b) const {
    return (points(a) + points(b)) % 10;
  }
  [[nodiscard]] std::size_t total_of(std::size_t cloth) const {
    return two(banque::cloth_place(law_.cloths, cloth, 1),
               banque::cloth_place(law_.cloths, cloth, 2));
  }
  static bool offers(const Decide& need, std::string_view action) {
    return std::any_of(need.choices.begin(), need.choices.end(),
                       [&](const ActionChoice& one) { return one.action == action; });
  }
  [[nodiscard]] std::string player(const Decide& need, const Draws& draws) const {
    const std::size_t cloth = law_.cloths == 2 && need.seat == second_seat ? 1 : 0;
    const std::size_t total = total_of(cloth);
    if (total >= 8) return "abatir";
    if (law_.punto_draws.at(total)) return "carta";
    return law_.punto_free.at(total) && draws(cloth) ? "carta" : "no";
  }
  [[nodiscard]] std::size_t column(std::size_t cloth) const {
    if (total_of(cloth) >= 8) return 11;
    const auto third = cards_.find(banque::cloth_place(law_.cloths, cloth, 3));
    return third == cards_.end() ? 10 : points(third->first);
  }
  [[nodiscard]] std::string banker(const Decide& need, const BankDraws& draws, bool chart) const {
    const std::size_t total = two("banca-1", "banca-2");
    if (total >= 8) return "abatir";
    if (chart && offers(need, "cuadro")) return "cuadro";
    if (offers(need, "dar")) return "dar";
    return draws(total, column(0), law_.cloths == 2 ? column(1) : 10) ? "carta" : "no";
  }

 public:
  static constexpr Seat second_seat = 6;  ///< of the second cloth, with five seats each

 private:
  const banque::Law& law_;
  Driver driver_;
  std::map<std::string, Card> cards_;
};

constexpr Units bank_units = 100'000;
constexpr Units stake_units = 10'000;

/// A table before its first card, with that stake on each bet.
Driver closed_table(const Table& table, const std::map<std::string, Seat>& bets) {
  Driver driver = *Driver::start(table, Journal::off);
  const bool one = banque::law_of(table).cloths == 1;
  const auto must = [&](const Event& event) {
    const auto status = driver.apply(event);
    EXPECT_TRUE(status) << status.error().text();
  };
  must(Act{1, one ? "tomar-banca" : "pujar", {}, bank_units, {}, {}});
  while (!one) {
    const Needs needs = driver.needs();
    const auto* decide = find_need<Decide>(needs);
    if (decide == nullptr || !decide->required) break;
    must(TimeOut{decide->seat});
  }
  const Needs needs = driver.needs();
  if (const auto* shoe = find_need<ShoeNeed>(needs)) must(ShoeOpened{shoe->cards_count, false});
  for (const auto& [bet, seat] : bets) must(PlaceBet{bet, seat, {}, bet, {}, stake_units});
  must(CloseBets{});
  return driver;
}

/// All orders in which so many of these points can come, and how often each.
void each_order_of(Values& left, std::size_t count, std::vector<std::size_t>& order,
                   std::int64_t ways, const std::function<void(std::int64_t)>& visit) {
  if (order.size() == count) return visit(ways);
  for (std::size_t value = 0; value < 10; ++value) {
    if (left.at(value) == 0) continue;
    const std::int64_t more = ways * left.at(value)--;
    order.push_back(value);
    each_order_of(left, count, order, more, visit);
    order.pop_back();
    ++left.at(value);
  }
}

TEST(BankOddsTest, every_deal_of_a_small_deck_at_one_cloth_is_settled_as_counted) {
  const auto table = banque_table("es-1977", "chemin-de-fer");
  const auto& law = banque::law_of(table);
  const Driver closed = closed_table(table, {{"punto", 4}});
  Values cards = {2, 0, 1, 1, 1, 2, 1, 0, 0, 1};
  for (const Free free : {Free::draws, Free::stands}) {
    for (const Banker banker : {Banker::best, Banker::chart}) {
      const auto counted = banque::one_cloth(law, cards, free, banker);
      std::array<std::int64_t, 3> ends{};
      std::vector<std::size_t> order;
      each_order_of(cards, 6, order, 1, [&](std::int64_t ways) {
        PlayedHand hand(table, closed);
        std::size_t at = 0;
        hand.run([&] { return test::of_value(static_cast<int>(order.at(at++))); },
                 [&](std::size_t) { return free == Free::draws; },
                 [&](std::size_t total, std::size_t third, std::size_t) {
                   return counted.banker_draws.at(total).at(third) == Ratio(1);
                 },
                 banker == Banker::chart);
        if (::testing::Test::HasFatalFailure()) return;
        for (const Settlement& one : hand.settled()) {
          if (one.bet != "punto") continue;
          ends.at(one.result == BetResult::win ? 2 : one.result == BetResult::lose ? 0 : 1) += ways;
        }
      });
      for (std::size_t end = 0; end < 3; ++end)
        EXPECT_EQ(counted.ends.at(end), Ratio(Fraction(ends.at(end), 9 * 8 * 7 * 6 * 5 * 4)));
    }
  }
}

TEST(BankOddsTest, every_deal_of_a_small_deck_at_two_cloths_is_settled_as_counted) {
  const auto table = banque_table("es-1977", "baccarat-banque-limited");
  const auto& law = banque::law_of(table);
  const auto more = banque::two_cloths_law(table);
  const Driver closed = closed_table(table, {{"pano-1", 2}, {"pano-2", PlayedHand::second_seat}});
  Values cards = {4, 0, 0, 2, 0, 2, 0, 0, 0, 1};
  for (const Free free : {Free::draws, Free::stands, Free::draws_first}) {
    const auto both = banque::two_cloths(law, more, cards, std::array{free}).front();
    for (const bool chart : {false, true}) {
      const auto& counted = chart ? both.second : both.first;
      std::array<std::array<std::int64_t, 3>, 3> ends{};
      std::vector<std::size_t> order;
      each_order_of(cards, 9, order, 1, [&](std::int64_t ways) {
        PlayedHand hand(table, closed);
        std::size_t at = 0;
        hand.run([&] { return test::of_value(static_cast<int>(order.at(at++))); },
                 [&](std::size_t cloth) {
                   return free == Free::draws || (free == Free::draws_first && cloth == 0);
                 },
                 [&](std::size_t total, std::size_t first, std::size_t second) {
                   return bool{counted.banker_draws.at(total).at(first).at(second)};
                 },
                 chart);
        if (::testing::Test::HasFatalFailure()) return;
        std::array<std::size_t, 2> end = {1, 1};
        for (const Settlement& one : hand.settled()) {
          if (!one.bet.starts_with("pano-")) continue;
          end.at(one.bet == "pano-1" ? 0 : 1) = one.result == BetResult::win    ? 2
                                                : one.result == BetResult::lose ? 0
                                                                                : 1;
        }
        ends.at(end[0]).at(end[1]) += ways;
      });
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_EQ(counted.ends.at(i).at(k), Ratio(Fraction(ends.at(i).at(k), 362'880)))
              << i << k << " " << chart << " " << static_cast<int>(free);
        }
      }
    }
  }
}

std::vector<Card> shoe_of_decks(int count) {
  std::vector<Card> out;
  for (int deck = 0; deck < count; ++deck) {
    const auto one = test::all_french();
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

/// So often as the fraction says, to one part in 2^62.
bool falls_so_often(sim::Random& random, const Ratio& often) {
  const WideInt parts = often.numerator() * (WideInt(1) << 62) / often.denominator();
  return WideInt(random.word() >> 2) < parts;
}

TEST(BankOddsTest, rounds_of_the_balanced_play_agree) {
  const auto table = banque_table("es-1977", "chemin-de-fer");
  const auto& law = banque::law_of(table);
  const Driver closed = closed_table(table, {{"punto", 4}});
  const auto best =
      banque::one_cloth(law, banque::values_of_decks(law, 6), Free::best, Banker::best);
  test::Shoe shoe(shoe_of_decks(6), 19'770'117);
  sim::Random random(8);
  test::Gains punto(20);
  test::Gains bank(20);
  for (int round = 0; round < test::rounds_count(); ++round) {
    PlayedHand hand(table, closed);
    shoe.shuffle();
    hand.run([&] { return shoe.next(); },
             [&](std::size_t) { return falls_so_often(random, best.player_draws); },
             [&](std::size_t total, std::size_t third, std::size_t) {
               return falls_so_often(random, best.banker_draws.at(total).at(third));
             },
             false);
    ASSERT_FALSE(HasFatalFailure());
    for (const Settlement& one : hand.settled()) {
      if (one.bet != "punto" && one.bet != "bank") continue;
      (one.bet == "punto" ? punto : bank)
          .add((test::exact(one) - Fraction(one.stake)) / Fraction(stake_units));
    }
  }
  const auto all = bet_odds(table);
  ASSERT_TRUE(all);
  punto.expect_within_four_deviations(odds_of_play(*all, "punto", {"five-best", "bank-best"}),
                                      "punto");
  bank.expect_within_four_deviations(odds_of_play(*all, "banca", {"five-best", "bank-best"}),
                                     "banca");
}

TEST(BankOddsTest, who_makes_banco_gains_by_his_freedom_and_not_much) {
  for (const char* catalogue : {"es-1977", "es-valencia-2003"}) {
    const auto all = bet_odds(banque_table(catalogue, "baccarat-banque-limited"));
    ASSERT_TRUE(all);
    for (const char* free : {"five-draws", "five-stands", "five-draws-first"}) {
      for (const char* banker : {"bank-best", "bank-chart"}) {
        const Odds bound = odds_of_play(*all, "a-caballo", {free, banker});
        const Odds banco = odds_of_play(*all, "banco", {free, banker, "banco-best"});
        EXPECT_LE(banco.house_edge(), bound.house_edge()) << free << " " << banker;
        EXPECT_GT(banco.house_edge(), bound.house_edge() - Ratio(Fraction(1, 50)));
        EXPECT_EQ(banco.win + banco.lose + banco.other, Ratio(1));
      }
    }
  }
}

TEST(BankOddsTest, rounds_at_two_cloths_agree) {
  const auto table = banque_table("es-1977", "baccarat-banque-limited");
  const auto& law = banque::law_of(table);
  const Driver closed = closed_table(table, {{"pano-1", 2}, {"pano-2", PlayedHand::second_seat}});
  const auto best = banque::two_cloths(law, banque::two_cloths_law(table),
                                       banque::values_of_decks(law, 3), std::array{Free::draws})
                        .front()
                        .first;
  test::Shoe shoe(shoe_of_decks(3), 405'480);
  test::Gains first(1);
  test::Gains second(1);
  test::Gains bank(200);
  for (int round = 0; round < test::rounds_count(); ++round) {
    PlayedHand hand(table, closed);
    shoe.shuffle();
    hand.run([&] { return shoe.next(); }, [](std::size_t) { return true; },
             [&](std::size_t total, std::size_t one, std::size_t other) {
               return bool{best.banker_draws.at(total).at(one).at(other)};
             },
             false);
    ASSERT_FALSE(HasFatalFailure());
    for (const Settlement& one : hand.settled()) {
      const Fraction gain = test::exact(one) - Fraction(one.stake);
      if (one.bet == "pano-1") first.add(gain / Fraction(stake_units));
      if (one.bet == "pano-2") second.add(gain / Fraction(stake_units));
      if (one.bet == "bank") bank.add(gain / Fraction(2 * stake_units));
    }
  }
  const auto all = bet_odds(table);
  ASSERT_TRUE(all);
  const std::vector<std::string> play = {"five-draws", "bank-best"};
  first.expect_within_four_deviations(odds_of_play(*all, "pano-1", play), "pano-1");
  second.expect_within_four_deviations(odds_of_play(*all, "pano-2", play), "pano-2");
  bank.expect_within_four_deviations(odds_of_play(*all, "banca", play), "banca");
}

}  // namespace
}  // namespace talla::games
