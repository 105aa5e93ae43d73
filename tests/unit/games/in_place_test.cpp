// Goal: an engine that changes states in place says the same as the pure reducer, and leaves them
//       alone when it refuses; every state that it reaches comes back from its own JSON.
// Method: random events, good and bad, of every kind through `advance` on an unshared state, on a
// shared one and through `apply`; the canonical bytes of all three agree after every event.
// `forced` is compared with `needs` on the way. Parameters and minimum are often the least or the
// largest that a table may have.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "games/refusal.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

using test::open_table;

PlaceBet some_bet(const Table& table) {
  const auto& all = table.rules().bets;
  const auto& rule = all.at(*rc::gen::inRange<std::size_t>(0, all.size()));
  PlaceBet out;
  out.id = "b" + std::to_string(*rc::gen::inRange(0, 6));
  out.seat = *rc::gen::inRange<Seat>(0, 3);
  out.kind = rule.id;
  out.stake = table.min() * *rc::gen::element<Units>(0, 1, 2, 1000000);
  if (rule.on == OnForm::none) return out;
  if (rule.on == OnForm::numbers) {
    const auto count = static_cast<int>(rule.covers.find("count")->integer());
    for (int i = 1; i <= count; ++i) out.on.push_back(std::to_string(i + *rc::gen::inRange(0, 2)));
    return out;  // now and then with a number twice
  }
  const auto all_positions = positions(rule, table.params());
  const auto at = *rc::gen::inRange<std::size_t>(0, all_positions.size());
  if (rule.on == OnForm::set) out.on = all_positions.at(at);
  if (rule.on == OnForm::index) out.on = {std::to_string(at)};
  if (rule.on == OnForm::pair) out.on = {std::to_string(at + 1), "1"};
  return out;
}

Card some_card(const Table& table) {
  if (table.rules().shoe && table.rules().shoe->deck.starts_with("balls"))
    return Card::ball(*rc::gen::inRange(1, 91));
  return Card::of(*rc::gen::inRange(1, 14),
                  *rc::gen::element(shuffle::Suit::hearts, shuffle::Suit::clubs));
}

DrawResult some_draw(const Table& table) {
  const auto& draw = table.rules().draw;
  if (!draw) return {DrawKind::wheel, {"0"}};
  if (draw->kind == DrawKind::dice) {
    return {DrawKind::dice,
            {std::to_string(*rc::gen::inRange(0, 7)), std::to_string(*rc::gen::inRange(1, 7))}};
  }
  if (*rc::gen::inRange(0, 3) == 0) return {draw->kind, {"0"}};
  return {draw->kind, {std::to_string(*rc::gen::inRange(0, 40))}};
}

Event some_act(const Table& table) {
  const auto& actions = table.rules().actions;
  if (actions.empty()) return Act{1, "nothing", {}, {}, {}, {}};
  Act out;
  out.seat = *rc::gen::inRange<Seat>(1, 3);
  out.action = actions.at(*rc::gen::inRange<std::size_t>(0, actions.size())).id;
  out.bet = "b" + std::to_string(*rc::gen::inRange(0, 6));
  return out;
}

/// Mostly what is due, so that rounds get on; sometimes anything at all.
Event some_event(const Table& table, const State& state) {
  const auto now = table.engine().needs(table, state);
  const bool wild = *rc::gen::inRange(0, 5) == 0;
  if (!wild) {
    if (const auto* deal = find_need<Deal>(now)) {
      const auto& place = deal->cards.front();
      return CardDealt{
          place.place, place.face,
          place.face == Face::open ? std::optional<Card>(some_card(table)) : std::nullopt};
    }
    if (const auto* shoe = find_need<ShoeNeed>(now))
      return ShoeOpened{shoe->cards_count, *rc::gen::inRange(0, 2) == 0};
    if (find_need<Draw>(now) != nullptr && find_need<BetsOpen>(now) == nullptr)
      return some_draw(table);
  }
  switch (*rc::gen::inRange(0, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return some_bet(table);
    case 5:
      return WithdrawBet{"b" + std::to_string(*rc::gen::inRange(0, 6)),
                         *rc::gen::element<Units>(1, 25, 50)};
    case 6:
    case 7:
      return CloseBets{};
    case 8:
      return some_draw(table);
    case 9:
      return some_act(table);
    case 10:
      return CardDealt{*rc::gen::element<std::string>("punto-1", "punto-3", "basket", "negro-1"),
                       Face::open, some_card(table)};
    case 11:
      return StopCard{};
    case 12:
      return *rc::gen::inRange(0, 2) == 0 ? Event(ShoeClosed{}) : Event(VoidDraw{});
    case 13:
      return TimeOut{*rc::gen::inRange<Seat>(1, 3)};
    case 14:
      return *rc::gen::inRange(0, 8) == 0
                 ? Event(*rc::gen::element(LastRound{}, LastRound{3, false}, LastRound{1, true}))
                 : Event(Misdeal{"none", {}});
    default:
      return WithdrawBet{"b" + std::to_string(*rc::gen::inRange(0, 6)), {}};
  }
}

void check_forced(const Table& table, const State& state) {
  const auto listed = forced_in(table.engine().needs(table, state));
  const auto said = table.engine().forced(table, state);
  if (said.kind == Forced::Kind::draw) {
    RC_ASSERT(listed.kind == Forced::Kind::other);
    const auto now = table.engine().needs(table, state);
    RC_ASSERT(find_need<Draw>(now) != nullptr);
    RC_ASSERT(*find_need<Draw>(now) == *said.draw);
    return;
  }
  RC_ASSERT(listed.kind == said.kind);
  if (said.kind == Forced::Kind::card) RC_ASSERT(listed.place() == said.place());
}

void check_comes_back(const Table& table, const State& state) {
  const auto back = table.engine().restore(table, state.to_json());
  if (!back) RC_FAIL(table.rules().id + ": " + back.error().text() + "\n" + state.canonical());
  RC_ASSERT(back->canonical() == state.canonical());
}

void play_three_ways(const Table& table) {
  State pure = test::start(table);
  check_comes_back(table, pure);
  State owned = test::start(table);
  State shared = test::start(table);
  for (int i = 0; i < 60; ++i) {
    const Event event = some_event(table, pure);
    const State witness = shared;
    const std::string before = shared.canonical();
    const auto next = table.engine().apply(table, pure, event);
    const auto in_place = table.engine().advance(table, owned, event);
    const auto copied = table.engine().advance(table, shared, event);
    RC_ASSERT(next.has_value() == in_place.has_value());
    RC_ASSERT(next.has_value() == copied.has_value());
    if (next) pure = *next;
    if (!next) RC_ASSERT(next.error().text() == in_place.error().text());
    RC_ASSERT(owned.canonical() == pure.canonical());
    RC_ASSERT(shared.canonical() == pure.canonical());
    RC_ASSERT(witness.canonical() == before);
    RC_ASSERT(table.engine().settled(owned) == table.engine().settlements(pure));
    check_forced(table, owned);
    check_comes_back(table, pure);
  }
}

/// Defaults; games on a borrowed base say so.
json::Value params_of(const GameRules& game) {
  json::Value params;
  if (!game.base.empty()) params["base"] = game.base;
  return params;
}

/// A value that this parameter may have, where it has bounds one of them.
json::Value bound_of(const ParameterRule& rule) {
  if (!rule.allowed.empty())
    return rule.allowed.at(*rc::gen::inRange<std::size_t>(0, rule.allowed.size()));
  if (rule.type == ParameterType::boolean) return *rc::gen::inRange(0, 2) == 1;
  const bool low = *rc::gen::inRange(0, 2) == 0;
  if (rule.type == ParameterType::fraction) {
    const auto& bound = low ? rule.min : rule.max;
    return bound ? json::Value(bound->text()) : rule.fallback.value_or("1");
  }
  if (low) return rule.min ? rule.min->ceil() : Units{1};
  return rule.max ? rule.max->floor() : Units{1'000'000};
}

json::Value some_params(const GameRules& game) {
  auto params = params_of(game);
  const int kept = *rc::gen::inRange(0, 4);  // 0: all as the text says
  for (const auto& rule : game.parameters) {
    if (kept > 0 && rule.id != "base" && *rc::gen::inRange(0, 4) < kept)
      params[rule.id] = bound_of(rule);
  }
  return params;
}

RC_GTEST_PROP(InPlace, every_game_of_every_catalogue_agrees_with_the_pure_reducer, ()) {
  const auto& files = embedded_catalogues();
  const auto& file = files.at(*rc::gen::inRange<std::size_t>(0, files.size()));
  const auto rules = test::catalogue(file.id);
  const auto& game = rules->games.at(*rc::gen::inRange<std::size_t>(0, rules->games.size()));
  const Units min = *rc::gen::element<Units>(1, 25, 25, units_max / 1'000'000);
  auto table =
      Table::open(rules, {game.id, {rules->currency}, min, std::nullopt, some_params(game)});
  if (!table)  // values that exclude each other, or one that the table must give
    table = Table::open(rules, {game.id, {rules->currency}, min, std::nullopt, params_of(game)});
  if (!table || !table->engine().initial(*table)) return;
  play_three_ways(*table);
}

TEST(InPlace, a_sale_of_bingo_whose_prizes_nobody_could_be_paid_comes_back_too) {
  const auto most = units_max / 1'000'000;
  json::Value params;
  params["prize_basis"] = "card-price";
  params["line_prize"] = "1000000";
  params["bingo_prize"] = "0";
  const auto table = open_table("bingo", params, most);
  EXPECT_EQ(table.warnings(), std::vector<std::string>());
  test::expect_round_trip(table, test::start(table));
  params["bingo_prize"] = "1000000";
  const auto beyond = open_table("bingo", params, most);
  ASSERT_EQ(beyond.warnings().size(), 1U) << "no card can be sold";
  EXPECT_EQ(refusal_text({}, beyond.warnings().front(), "es"),
            "carton no puede jugarse en esta mesa: con un solo cartón los premios no podrían "
            "pagarse");
  const auto sale = test::must(beyond, test::start(beyond), ShoeOpened{90, false});
  test::expect_round_trip(beyond, test::start(beyond));
  test::expect_round_trip(beyond, sale);
  EXPECT_EQ(test::refusal(beyond, sale,
                          test::stake("b", "carton", most,
                                      {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11",
                                       "12", "13", "14", "15"})),
            "amount_invalid");
}

/// Positions are found by hash; the definition is canonical_position and covered.
TEST(BetIndex, every_position_of_every_bet_is_found_as_the_slow_way_finds_it) {
  std::size_t seen = 0;
  for (const auto& file : embedded_catalogues()) {
    const auto rules = test::catalogue(file.id);
    for (const auto& game : rules->games) {
      const auto table =
          Table::open(rules, {game.id, {rules->currency}, 25, std::nullopt, params_of(game)});
      if (!table) continue;
      for (const auto& rule : game.bets) {
        if (rule.on == OnForm::none) continue;
        const auto all = positions(rule, table->params());
        for (std::size_t i = 0; i < all.size(); ++i) {
          std::vector<std::string> on = {std::to_string(i + 1)};
          if (rule.on == OnForm::pair) on.emplace_back(i == 0 ? "2" : "1");
          if (rule.on == OnForm::set) on.assign(all[i].rbegin(), all[i].rend());
          const auto spelt = canonical_position(rule, table->params(), on);
          ASSERT_TRUE(spelt) << rule.id;
          Bet bet;
          bet.kind = rule.id;
          bet.on = *spelt;
          for (const auto& code : covered(rule, table->params(), bet)) {
            ASSERT_TRUE(covers(*table, bet, code)) << rule.id << " " << code;
          }
          ASSERT_FALSE(covers(*table, bet, "no-such-code-anywhere"));
          ++seen;
        }
      }
    }
  }
  EXPECT_GT(seen, 150U);
}

}  // namespace
}  // namespace talla::games
