// Goal: the short cuts of stakes never change an answer: codes compared in registers, hints, slots
//       that are used again.
// Method: random codes against plain equality; random lists against a plain vector; stakes with
// every wrong hint; one book of stakes looked at by two tables whose bets stand in another order.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "code.hpp"
#include "play_support.hpp"
#include "table/bet_index.hpp"

namespace talla::games {
namespace {

using test::stake;

std::string some_code() {
  const auto size = *rc::gen::inRange(0, 40);
  std::string out;
  for (int i = 0; i < size; ++i) out.push_back(*rc::gen::element('a', 'a', 'a', 'b', '-'));
  return out;
}

RC_GTEST_PROP(Codes, are_the_same_exactly_when_their_letters_are, ()) {
  const auto one = some_code();
  auto other = *rc::gen::inRange(0, 3) == 0 ? some_code() : one;
  if (!other.empty() && *rc::gen::inRange(0, 2) == 0) {
    other.at(*rc::gen::inRange<std::size_t>(0, other.size())) = *rc::gen::element('a', 'b', 'c');
  }
  RC_ASSERT(same_code(one, other) == (one == other));
  RC_ASSERT(same_list({one, other}, {one, one}) == (one == other));
  const bool short_ones = one.size() <= 8 && other.size() <= 8;
  RC_ASSERT(!short_ones || (CodeKey(one) == CodeKey(other)) == (one == other));
}

TEST(Codes, differ_by_any_one_letter) {
  for (std::size_t size = 1; size <= 40; ++size) {
    const std::string plain(size, 'x');
    EXPECT_TRUE(same_code(plain, plain));
    EXPECT_FALSE(same_code(plain, plain + "x"));
    for (std::size_t at = 0; at < size; ++at) {
      auto other = plain;
      other.at(at) = 'y';
      EXPECT_FALSE(same_code(plain, other)) << size << ' ' << at;
    }
  }
}

Bet some_wheel_bet(int id) {
  Bet out;
  out.id = "b" + std::to_string(id);
  out.seat = 1;
  out.kind = *rc::gen::element<std::string>("rojo", "pleno");
  if (out.kind == "pleno") out.on = {std::to_string(*rc::gen::inRange(0, 37))};
  out.stake = *rc::gen::inRange<Units>(1, 100);
  return out;
}

RC_GTEST_PROP(BetList, is_the_vector_it_stands_for, ()) {
  BetList list;
  std::vector<Bet> plain;
  for (int step = 0; step < 40; ++step) {
    const auto what = *rc::gen::inRange(0, 8);
    if (what < 5) {
      const auto bet = some_wheel_bet(step);
      list.next() = bet;
      list.take_next();
      plain.push_back(bet);
    } else if (what == 5) {
      const auto limit = *rc::gen::inRange<Units>(1, 100);
      list.update([&](const Bet& bet) { return bet.stake < limit; });
      std::erase_if(plain, [&](const Bet& bet) { return bet.stake >= limit; });
    } else if (what == 6) {
      list.next() = some_wheel_bet(step);  // looked at and not taken
    } else if (*rc::gen::inRange(0, 4) == 0) {
      list.clear();
      plain.clear();
    }
    const auto all = std::as_const(list).all();
    RC_ASSERT(std::vector<Bet>(all.begin(), all.end()) == plain);
    const BetList copy = list;
    RC_ASSERT(copy == list);
  }
}

TEST(BetHints, that_are_wrong_change_nothing) {
  const auto table = test::open_table("french-roulette");
  const auto& index = table.bet_index();
  const auto count = static_cast<std::uint32_t>(table.rules().bets.size());
  for (const auto& [kind, on] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{{"pleno", {"17"}},
                                                                     {"caballo", {"20", "23"}},
                                                                     {"columna", {"2"}},
                                                                     {"rojo", {}},
                                                                     {"nada", {}}}) {
    Bet bet;
    bet.kind = kind;
    bet.on = on;
    const auto* right = index.find(kind);
    for (std::uint32_t number = 0; number < count + 2; ++number) {
      for (std::uint32_t position = 0; position < 70; ++position) {
        bet.hint = {number, position};
        ASSERT_EQ(index.bet_of(bet), right) << kind;
        if (right == nullptr) continue;
        ASSERT_EQ(right->position_of(bet), right->find(on)) << kind;
      }
    }
  }
}

TEST(BetHints, of_another_table_are_not_followed) {
  const auto here = test::open_table("french-roulette");
  const auto rules = test::catalogue("es-valencia-2003");
  const auto there =
      Table::open(rules, {"french-roulette", {rules->currency}, 25, std::nullopt, json::Value()});
  ASSERT_TRUE(there);
  BetBook book;
  int next = 0;
  for (const auto& [kind, on] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"pasa", {}},
           {"cuadro", {"25", "26", "28", "29"}},
           {"docena", {"3"}},
           {"pleno", {"0"}}}) {
    ASSERT_TRUE(book.place(here, stake("b" + std::to_string(next++), kind, 25, on)));
  }
  for (const auto& bet : std::as_const(book).all()) {
    Bet plain = bet;
    plain.hint = {};
    for (const auto& pocket : there->rules().draw->pockets) {
      EXPECT_EQ(covers(*there, bet, pocket), covers(*there, plain, pocket))
          << bet.kind << ' ' << pocket;
      EXPECT_EQ(covers(*there, bet, pocket), covers(here, plain, pocket))
          << bet.kind << ' ' << pocket;
    }
  }
  EXPECT_TRUE(book.check(*there));
}

Result<Table> table_of(const char* id, const char* game, Units min, json::Object params,
                       Units chip = 1, std::optional<Units> max = std::nullopt) {
  TableConfig config;
  config.game = game;
  config.currency.code = "EUR";
  config.currency.chip = chip;
  config.min = min;
  config.max = max;
  config.params = std::move(params);
  return Table::open(test::catalogue(id), std::move(config));
}

TEST(Warnings, name_each_bet_that_a_table_offers_and_that_nobody_can_make) {
  const auto none = table_of("es-euskadi-2010", "blackjack", 25, {{"acumulada", true}});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->warnings().empty());  // half of 25 is 12
  const auto least = table_of("es-euskadi-2010", "blackjack", 1, {{"acumulada", true}});
  ASSERT_TRUE(least);
  ASSERT_EQ(least->warnings().size(), 1U);
  EXPECT_TRUE(least->warnings().front().starts_with("acumulada cannot be played at this table"))
      << least->warnings().front();
  const auto chips = table_of("es-euskadi-2010", "caribbean-stud", 100, {{"jackpot", true}}, 100);
  ASSERT_TRUE(chips);
  ASSERT_EQ(chips->warnings().size(), 1U);
  EXPECT_TRUE(chips->warnings().front().starts_with("jackpot cannot be played"))
      << chips->warnings().front();
  const auto prizes = table_of("es-valencia-2003", "blackjack", 10, {{"bonus", true}});
  ASSERT_TRUE(prizes);
  ASSERT_EQ(prizes->warnings().size(), 1U);
  EXPECT_TRUE(prizes->warnings().front().starts_with("bonus cannot be played"))
      << prizes->warnings().front();
}

TEST(Warnings, are_none_at_a_plain_table_of_any_game) {
  for (const auto& file : embedded_catalogues()) {
    const auto rules = test::catalogue(file.id);
    for (const auto& game : rules->games) {
      TableConfig config;
      config.game = game.id;
      config.currency.code = rules->currency;
      config.min = 1000;
      if (!game.base.empty()) config.params["base"] = game.base;
      const auto table = Table::open(rules, std::move(config));
      if (!table) continue;  // parameters without default
      for (const auto& warning : table->warnings())
        ADD_FAILURE() << file.id << ' ' << game.id << ": " << warning;
    }
  }
}

TEST(TableLimits, a_stake_of_a_part_is_whole_chips_and_never_beyond_the_most) {
  const auto table = table_of("es-euskadi-2010", "blackjack", 100, {}, 5);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->whole_stake(Fraction(25, 2), 100), 10);
  EXPECT_EQ(table->whole_stake(Fraction(15), 100), 15);
  EXPECT_EQ(table->whole_stake(Fraction(4), 100), 0);
  EXPECT_EQ(table->whole_stake(Fraction(50), Fraction(99, 2)), 45);
}

}  // namespace
}  // namespace talla::games
