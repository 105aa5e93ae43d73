// Goal: in a tournament no chip comes or goes, every player has one place, and the prizes are the
// fees, less what is kept, to the last unit (es-euskadi-2010 art. 2 bis 1.b, 1.d).
// Method: the arithmetic of prizes and order on random figures; random tournaments through the
// engine, with reports that try to make chips; states that no play leads to.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "engines/tournament/play.hpp"
#include "engines/tournament/prizes.hpp"
#include "play_support.hpp"

namespace talla::games::tournament {
namespace {

using test::must;
using test::refusal;

Table open_tournament(json::Object params = {}, const std::string& id = "es-euskadi-2010") {
  auto table =
      Table::open(test::catalogue(id),
                  {"tournament", {"EUR"}, 50, std::nullopt, json::Value(std::move(params))});
  TALLA_CHECK(table.has_value());
  return *std::move(table);
}

PlaceBet entry(Seat seat) {
  return {"e" + std::to_string(seat), seat, std::nullopt, "inscripcion", {}, 50};
}
Act says(Seat seat, std::string action, std::optional<Units> amount = std::nullopt) {
  return {seat, std::move(action), std::nullopt, amount, {}, std::nullopt};
}
State entered(const Table& table, Seat seats) {
  State state = test::start(table);
  for (Seat seat = 1; seat <= seats; ++seat) state = must(table, state, entry(seat));
  return state;
}
Units number(const json::Value& object, std::string_view key) {
  const auto* found = object.find(key);
  return found == nullptr ? 0 : found->integer();
}
Units stacks(const State& state) {
  Units out = 0;
  const json::Value value = state.to_json();
  if (const auto* players = value.find("players")) {
    for (const auto& one : players->array()) out += number(one, "stack");
  }
  return out;
}
json::Value seen(const Table& table, const State& state) {
  return table.engine().view(table, state, {});
}

std::unique_ptr<const Figures> some_figures() {
  auto made = std::make_unique<Figures>();
  auto& out = *made;
  const auto places = *rc::gen::inRange<std::size_t>(1, 8);
  std::int64_t left = share_whole;
  for (std::size_t i = 0; i + 1 < places; ++i) {
    out.shares.push_back(*rc::gen::inRange<std::int64_t>(0, left + 1));
    left -= out.shares.back();
  }
  out.shares.push_back(left);
  out.even_remainder = *rc::gen::arbitrary<bool>();
  out.stack_decides = *rc::gen::arbitrary<bool>();
  out.chips_decide = *rc::gen::arbitrary<bool>();
  return made;
}

std::vector<Player> some_players() {
  std::vector<Player> out(*rc::gen::inRange<std::size_t>(2, 12));
  Seat seat = 0;
  for (auto& one : out) {
    one.seat = ++seat;
    if (*rc::gen::inRange(0, 3) == 0) {
      one.stack = *rc::gen::inRange<Units>(1, 4) * 100;
    } else {
      one.out_hand = *rc::gen::inRange<std::uint32_t>(1, 4);
      one.out_stack = *rc::gen::inRange<Units>(1, 4) * 100;
    }
  }
  return out;
}

RC_GTEST_PROP(TournamentPrizes, add_up_to_the_fund_and_every_player_has_one_place, ()) {
  const auto made = some_figures();
  const auto& figures = *made;
  const auto players = some_players();
  const auto fund = *rc::gen::element<Units>(1, 7, 100, 999, 12'345, units_max);
  const auto prizes = place_prizes(figures, fund, players.size());
  RC_ASSERT(prizes.size() == std::min(figures.shares.size(), players.size()));
  const auto won = awards(order_of(figures, players), prizes);
  std::set<Seat> seats;
  Units sum = 0;
  for (const auto& one : won) {
    RC_ASSERT(one.prize >= 0);
    sum += one.prize;
    seats.insert(one.seat);
  }
  RC_ASSERT(sum == fund);
  RC_ASSERT(won.size() == players.size());
  RC_ASSERT(seats.size() == players.size());
}

RC_GTEST_PROP(TournamentOrder, puts_chips_before_none_and_later_hands_before_earlier, ()) {
  const auto made = some_figures();
  const auto& figures = *made;
  const auto players = some_players();
  const auto by_seat = [&](Seat seat) { return players[seat - 1]; };
  const Player* before = nullptr;
  Player kept;
  for (const auto& place : order_of(figures, players)) {
    RC_ASSERT(!place.seats.empty());
    RC_ASSERT(std::is_sorted(place.seats.begin(), place.seats.end()));
    for (const auto seat : place.seats) {
      const auto one = by_seat(seat);
      if (before != nullptr) {
        RC_ASSERT(kept.stack > 0 || one.stack == 0);
        if (kept.stack == 0) RC_ASSERT(kept.out_hand >= one.out_hand);
      }
      // Who shares a place could not be told apart by what decides.
      const auto first = by_seat(place.seats.front());
      RC_ASSERT((one.stack > 0) == (first.stack > 0) && one.out_hand == first.out_hand);
      if (one.stack == 0 && figures.stack_decides) RC_ASSERT(one.out_stack == first.out_stack);
    }
    kept = by_seat(place.seats.back());
    before = &kept;
  }
}

RC_GTEST_PROP(TournamentFund, is_the_fees_and_what_is_added_less_what_is_kept, ()) {
  auto table = open_tournament({{"rebuys_max", 3}, {"rebuy_levels", 9}});
  Figures figures;
  figures.kept = *rc::gen::element(Fraction(), Fraction(1, 10), Fraction(1, 3), Fraction(1, 2));
  figures.kept_of_all = *rc::gen::arbitrary<bool>();
  figures.guaranteed = *rc::gen::inRange<Units>(0, 500);
  BetBook bets;
  const auto count = *rc::gen::inRange(0, 9);
  for (int i = 0; i < count; ++i) {
    const PlaceBet bet{"b" + std::to_string(i),
                       1,
                       std::nullopt,
                       *rc::gen::element<std::string>("inscripcion", "recompra"),
                       {},
                       *rc::gen::inRange<Units>(1, 100)};
    RC_ASSERT(bets.place(table, bet, {.check_minimum = false, .check_limits = false}));
  }
  const auto fund = fund_of(figures, bets);
  RC_ASSERT(fund.fees + fund.added == fund.kept + fund.prizes);
  RC_ASSERT(fund.prizes >= figures.guaranteed);
  RC_ASSERT(fund.added >= 0 && fund.kept >= 0);
  RC_ASSERT(Fraction(fund.kept) <= Fraction(fund.fees) * figures.kept);
}

/// What somebody at the table says: a report, true or not, or the end of the hand.
Event some_word(const Table& table, const State& state, Seat seats) {
  const auto needs = table.engine().needs(table, state);
  const auto seat = *rc::gen::inRange<Seat>(1, seats + 2);
  if (find_need<Decide>(needs) != nullptr && find_need<BetsOpen>(needs) == nullptr) {
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        return says(seat, "sin-fichas");
      case 1:
        return says(seat, "fin-mano");
      default:
        return says(seat, "recuento", *rc::gen::inRange<Units>(1, 100) * 500);
    }
  }
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return PlaceBet{
          "r" + std::to_string(*rc::gen::inRange(0, 1000)), seat, std::nullopt, "recompra", {}, 50};
    case 1:
      return PlaceBet{"a" + std::to_string(*rc::gen::inRange(0, 1000)),
                      seat,
                      std::nullopt,
                      "adicional",
                      {},
                      50};
    case 2:
      return says(seat, "nivel");
    default:
      return CloseBets{};
  }
}

RC_GTEST_PROP(Tournament, keeps_every_chip_and_pays_every_fee_out, ()) {
  const auto table =
      open_tournament({{"rebuys_max", 2},
                       {"rebuy_levels", 2},
                       {"addon_level", 2},
                       {"organisation_share", "7%"},
                       {"same_hand", *rc::gen::element("shared", "stack-at-start")}});
  const auto seats = *rc::gen::inRange<Seat>(2, 6);
  State state = entered(table, seats);
  for (int i = 0; i < 300; ++i) {
    const auto before = seen(table, state);
    const auto event = some_word(table, state, seats);
    auto next = table.engine().apply(table, state, event);
    if (!next) continue;
    state = *std::move(next);
    const auto view = seen(table, state);
    RC_ASSERT(number(view, "loose") >= 0);
    RC_ASSERT(stacks(state) + number(view, "loose") == number(view, "chips"));
    const auto restored = table.engine().restore(table, state.to_json());
    RC_ASSERT(restored.has_value());
    RC_ASSERT(restored->canonical() == state.canonical());
    const auto settled = test::settled(table, state);
    if (settled.empty()) continue;
    Units paid = 0, back = 0;
    for (const auto& one : settled) {
      paid += one.stake;
      back += one.returned;
      RC_ASSERT(one.remainder.is_zero());
    }
    RC_ASSERT(paid == back);
    RC_ASSERT(paid == number(before, "fees"));
    std::size_t placed = 0;
    for (const auto& place : view.find("order")->array()) placed += place.array().size();
    RC_ASSERT(placed == seats);
    return;
  }
}

TEST(Tournament, says_order_prizes_and_blinds_at_any_time) {
  const auto table = open_tournament({{"ante_rate", "1/8"}, {"opening_blind", 25}});
  auto state = entered(table, 3);
  EXPECT_EQ(seen(table, state).find("blinds"), nullptr);
  state = must(table, state, CloseBets{});
  state = must(table, state, says(1, "sin-fichas"));
  EXPECT_EQ(number(seen(table, state), "loose"), 10'000);
  state = must(table, state, says(3, "recuento", 20'000));
  state = must(table, state, says(2, "fin-mano"));
  const auto view = seen(table, state);
  EXPECT_EQ(json::canonical(*view.find("order")), "[[3],[2],[1]]");
  EXPECT_EQ(json::canonical(*view.find("prizes")), "[75,45,30]");
  EXPECT_EQ(json::canonical(*view.find("blinds")), R"({"ante":6,"big":50,"small":25})");
  state = must(table, state, says(2, "nivel"));
  EXPECT_EQ(json::canonical(*seen(table, state).find("blinds")),
            R"({"ante":12,"big":100,"small":50})");
  state = must(table, state, CloseBets{});
  state = must(table, state, says(2, "sin-fichas"));
  state = must(table, state, says(3, "recuento", 30'000));
  state = must(table, state, says(3, "fin-mano"));
  EXPECT_EQ(json::canonical(*seen(table, state).find("order")), "[[3],[2],[1]]");
  EXPECT_EQ(json::canonical(table.engine().carried(table, state)), "{}");
  state = must(table, state, entry(4));
  EXPECT_EQ(state.to_json().find("standing"), nullptr);
}

TEST(Tournament, restores_no_state_with_other_chips_fees_or_places) {
  const auto table = open_tournament({{"rebuys_max", 1}, {"rebuy_levels", 1}});
  auto state = entered(table, 3);
  state = must(table, state, CloseBets{});
  state = must(table, state, says(1, "sin-fichas"));
  const auto text = state.canonical();
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const auto at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << text;
    changed.replace(at, from.size(), to);
    const auto value = json::parse(changed);
    ASSERT_TRUE(value) << changed;
    EXPECT_FALSE(table.engine().restore(table, *value)) << changed;
  };
  ASSERT_TRUE(table.engine().restore(table, *json::parse(text)));
  refused(R"("stack":10000)", R"("stack":20001)");        // more than were sold
  refused(R"("start":10000)", R"("start":9999)");         // a chip is gone
  refused(R"("stake":50)", R"("stake":40)");              // another price
  refused(R"("seat":3,"stack")", R"("seat":1,"stack")");  // a seat twice
  refused(R"("level":1)", R"("level":99)");
  refused(R"("hand":1)", R"("hand":0)");
  refused(R"("id":"e1")", R"("id":"organizacion")");
  refused(R"("playing":true)", R"("round_over":true)");
  refused(R"("seat":3,"stake")", R"("seat":9,"stake")");  // a fee of nobody
  refused(R"("kind":"inscripcion","seat":1)", R"("kind":"recompra","seat":1)");
}

TEST(Tournament, opens_only_with_prizes_that_are_the_whole) {
  const auto whole = open_tournament({{"prizes", "own"}, {"prize_1", 400}, {"prize_2", 600}});
  EXPECT_TRUE(whole.engine().initial(whole));
  const auto less = open_tournament({{"prizes", "own"}, {"prize_1", 400}});
  const auto refused = less.engine().initial(less);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().detail,
            "the prizes of all places are 1000 thousandths together, not 400");
}

TEST(Tournament, is_a_game_of_both_texts_that_speak_of_it) {
  for (const std::string id : {"es-euskadi-2010", "es-aragon-2010"}) {
    const auto* game = test::catalogue(id)->game("tournament");
    ASSERT_NE(game, nullptr) << id;
    EXPECT_EQ(game->family, "tournament");
  }
  EXPECT_EQ(test::catalogue("es-euskadi-2010")->game("tournament")->number, "2 bis");
  EXPECT_EQ(test::load_changed("two = [650, 350]", "two = [650, 340]", "es-euskadi-2010"),
            "catalogue_malformed");
  EXPECT_EQ(test::load_changed("fast = [1, 2, 4, 8", "brisk = [1, 2, 4, 8", "es-euskadi-2010"),
            "catalogue_malformed");
  EXPECT_EQ(test::load_changed("effect = \"void-tournament\"", "effect = \"void-game\"",
                               "es-euskadi-2010"),
            "catalogue_malformed");
}

}  // namespace
}  // namespace talla::games::tournament
