// Need: odds and simulation look hundreds of millions of seven-card hands up: 300 million a second
// on one core from random card arrays, every hand of a deck counted in half a second, a table built
// before anybody waits for it.
#include <array>
#include <cstdlib>
#include <random>
#include <vector>

#include "engines/poker/hand_table.hpp"
#include "odds/poker/caribbean.hpp"
#include "ratio.hpp"
#include "shuffle/deck.hpp"

namespace {

namespace poker = talla::games::poker;
using poker::Card;
using Seven = std::array<Card, 7>;

poker::Ranker ranker() {
  using enum poker::Category;
  return poker::Ranker::create({.low_to_high = {high_card, pair, two_pair, trio, straight, flush,
                                                full, four, straight_flush, royal_flush}})
      .value();
}

const poker::HandTable<7>& table() {
  static const auto made = std::move(poker::HandTable<7>::create(ranker()).value());
  return *made;
}

/// A million random hands, 7 MB: more than the second-level cache holds, read from front to back.
const std::vector<Seven>& hands() {
  static const auto dealt = [] {
    std::vector<Seven> out(1'000'000);
    auto deck = talla::shuffle::DeckSpec::french(1).cards();
    std::mt19937_64 random(7);
    for (auto& hand : out) {
      for (std::size_t i = 0; i < hand.size(); ++i) {
        std::swap(deck[i],
                  deck[std::uniform_int_distribution<std::size_t>(i, deck.size() - 1)(random)]);
        hand[i] = deck[i];
      }
    }
    return out;
  }();
  return dealt;
}

std::uint64_t look_up_all() {
  const auto& looked_up = table();
  std::uint64_t sum = 0;
  for (const Seven& hand : hands()) sum += looked_up.level(hand);
  return sum;
}

void seven_cards(benchmark::State& state) {
  const auto items = static_cast<double>(hands().size());
  talla_bench::compare_figure(
      state, {.what = "poker: seven random cards looked up / 300 M a second", .ours_items = items},
      300e6, [] { benchmark::DoNotOptimize(look_up_all()); });
}
TALLA_GOAL(seven_cards);

void seven_cards_against_addition(benchmark::State& state) {
  const auto items = static_cast<double>(hands().size());
  talla_bench::compare(
      state,
      {.what = "poker: seven random cards looked up / their seven words only added",
       .ratio_min = 0.45,
       .ours_items = items,
       .peer_items = items},
      [] { benchmark::DoNotOptimize(look_up_all()); },
      [] {
        std::uint64_t sum = 0;
        for (const Seven& hand : hands()) {
          std::uint64_t words = 0;
          for (const Card card : hand) words += poker::words::sum_of[card.code()];
          sum += words >> 51U;
        }
        benchmark::DoNotOptimize(sum);
      });
}
TALLA_GOAL(seven_cards_against_addition);

void seven_cards_against_reading(benchmark::State& state) {
  const auto items = static_cast<double>(hands().size());
  const auto plain = ranker();
  std::size_t at = 0;
  talla_bench::compare(
      state,
      {.what = "poker: seven random cards looked up / read card by card, 21 fives",
       .ratio_min = 200,
       .ours_items = items,
       .peer_items = 64},
      [] { benchmark::DoNotOptimize(look_up_all()); },
      [&] {
        for (int i = 0; i < 64; ++i) {
          benchmark::DoNotOptimize(plain.best(hands()[at]));
          at = at + 1 == hands().size() ? 0 : at + 1;
        }
      });
}
TALLA_GOAL(seven_cards_against_reading);

/// The sum of the levels of all hands that begin with these cards.
template <int Left>
std::uint64_t all_from(const poker::HandTable<7>& looked_up, const std::vector<Card>& deck,
                       std::size_t begin, const poker::CardSum& taken) {
  std::uint64_t sum = 0;
  for (std::size_t i = begin; i + Left <= deck.size(); ++i) {
    const auto cards = taken.with(deck[i]);
    if constexpr (Left == 1) {
      sum += looked_up.level(cards);
    } else {
      sum += all_from<Left - 1>(looked_up, deck, i + 1, cards);
    }
  }
  return sum;
}

void all_hands(benchmark::State& state) {
  const auto deck = talla::shuffle::DeckSpec::french(1).cards();
  talla_bench::compare_figure(
      state, {.what = "poker: all 133,784,560 hands of seven / half a second", .rounds = 5}, 2,
      [&] { benchmark::DoNotOptimize(all_from<7>(table(), deck, 0, {})); });
}
TALLA_GOAL(all_hands);

void tables_built(benchmark::State& state) {
  const auto plain = ranker();
  talla_bench::compare_figure(
      state, {.what = "poker: table of seven cards built / 50 ms", .rounds = 9}, 20, [&] {
        benchmark::DoNotOptimize(poker::HandTable<7>::create(plain).value()->levels_count());
      });
}
TALLA_GOAL(tables_built);

void caribbean_odds(benchmark::State& state) {
  using enum poker::Category;
  const auto plain = ranker();
  const auto players = poker::suit_classes(5);
  const std::array<Card, 5> least{Card::parse("AC").value(), Card::parse("KD").value(),
                                  Card::parse("4H").value(), Card::parse("3S").value(),
                                  Card::parse("2C").value()};
  const poker::CaribbeanLaw law{.bank_plays_from = plain.five(least),
                                .second_bet = {{royal_flush, 100},
                                               {straight_flush, 50},
                                               {four, 20},
                                               {full, 7},
                                               {flush, 5},
                                               {straight, 4},
                                               {trio, 3},
                                               {two_pair, 2},
                                               {pair, 1},
                                               {high_card, 1}}};
  talla_bench::compare_figure(
      state, {.what = "poker: Caribbean stud, best play of 2 x 10^13 deals / 2 s", .rounds = 3},
      0.5, [&] {
        if (poker::caribbean_odds(plain, law, players).value().best.net != -1'041'372'912'372)
          std::abort();
      });
}
TALLA_GOAL(caribbean_odds);

}  // namespace

BENCHMARK_MAIN();
