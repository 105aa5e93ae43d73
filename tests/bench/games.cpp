// Need: a simulator of the house's own rules, through the one driver: a million wheel or dice
// rounds with ten bets a second, two million coups of punto y banca; the bare rules of a coup
// twenty million times a second, all coups of eight decks counted in a millisecond, all catalogues
// loaded and checked in fifty.
#include <cstdlib>

#include "engines/baccarat/census.hpp"
#include "engines/baccarat/state.hpp"
#include "games_rounds.hpp"
#include "ratio.hpp"
#include "support/openssl_hashes.hpp"

namespace {

using talla_bench::Goal;
using talla_bench::Rounds;
namespace baccarat = talla::games::baccarat;

void rounds_against_figure(benchmark::State& state, std::string game,
                           const std::vector<talla::games::PlaceBet>& stakes, const Goal& goal,
                           double figure) {
  const auto table = talla_bench::open_table("es-1977", std::move(game));
  Rounds rounds(table, stakes);
  talla_bench::compare_figure(state, goal, figure,
                              [&rounds] { benchmark::DoNotOptimize(rounds.play()); });
}

void roulette_rounds(benchmark::State& state) {
  rounds_against_figure(
      state, "french-roulette", talla_bench::ten_roulette_bets(),
      {.what = "French roulette rounds, ten bets, through the driver / 1 M a second"}, 1e6);
}
TALLA_GOAL(roulette_rounds);

void craps_rounds(benchmark::State& state) {
  rounds_against_figure(state, "craps", talla_bench::ten_craps_bets(),
                        {.what = "craps throws, ten bets, through the driver / 1 M a second"}, 1e6);
}
TALLA_GOAL(craps_rounds);

void punto_banco_coups(benchmark::State& state) {
  rounds_against_figure(
      state, "punto-banco", talla_bench::two_punto_banco_bets(),
      {.what = "punto y banca coups, two bets, through the driver / 2 M a second"}, 2e6);
}
TALLA_GOAL(punto_banco_coups);

/// What it brings that events change a state in place which nobody else keeps (engines.md).
void states_in_place(benchmark::State& state, std::string game,
                     const std::vector<talla::games::PlaceBet>& stakes, const Goal& goal) {
  const auto table = talla_bench::open_table("es-1977", std::move(game));
  Rounds in_place(table, stakes);
  Rounds copied(table, stakes, Rounds::States::copied);
  talla_bench::compare(
      state, goal, [&in_place] { benchmark::DoNotOptimize(in_place.play()); },
      [&copied] { benchmark::DoNotOptimize(copied.play()); });
}

void roulette_in_place(benchmark::State& state) {
  states_in_place(state, "french-roulette", talla_bench::ten_roulette_bets(),
                  {.what = "French roulette, states in place / a copy an event", .ratio_min = 2});
}
TALLA_GOAL(roulette_in_place);

void craps_in_place(benchmark::State& state) {
  states_in_place(state, "craps", talla_bench::ten_craps_bets(),
                  {.what = "craps, states in place / a copy an event", .ratio_min = 2});
}
TALLA_GOAL(craps_in_place);

void punto_banco_in_place(benchmark::State& state) {
  states_in_place(state, "punto-banco", talla_bench::two_punto_banco_bets(),
                  {.what = "punto y banca, states in place / a copy an event", .ratio_min = 1.5});
}
TALLA_GOAL(punto_banco_in_place);

void punto_banco_rules(benchmark::State& state) {
  const auto table = talla_bench::open_table("es-1977", "punto-banco");
  const auto& figures = table.prepared<baccarat::Prepared>().figures;
  std::vector<talla::games::Card> cards;
  std::uint32_t next = 1;
  for (int i = 0; i < 4096 + 6; ++i) {
    next = next * 1664525U + 1013904223U;
    cards.push_back(
        talla::games::Card::from_code(static_cast<std::uint8_t>((next >> 16U) * 52U >> 16U))
            .value());
  }
  std::size_t at = 0;
  talla_bench::compare_figure(
      state, {.what = "punto y banca coups, bare rule functions / 20 M a second", .ours_items = 64},
      20e6, [&] {
        for (int i = 0; i < 64; ++i) {
          at = (at + 5) & 4095U;
          benchmark::DoNotOptimize(baccarat::play_coup(
              figures, std::span<const talla::games::Card, 6>(cards.data() + at, 6)));
        }
      });
}
TALLA_GOAL(punto_banco_rules);

void punto_banco_census(benchmark::State& state) {
  const auto table = talla_bench::open_table("es-1977", "punto-banco");
  const auto& figures = table.prepared<baccarat::Prepared>().figures;
  const auto values = baccarat::values_of_decks(figures, 8);
  if (baccarat::count_coups(figures, values).draws() != 4'998'398'275'503'360U) std::abort();
  talla_bench::compare_figure(
      state, {.what = "all coups of eight decks counted exactly / 1 ms"}, 1e3,
      [&] { benchmark::DoNotOptimize(baccarat::count_coups(figures, values)); });
}
TALLA_GOAL(punto_banco_census);

void catalogues_loaded(benchmark::State& state) {
  const talla::test::OpenSslHashes hash;
  talla_bench::compare_figure(
      state, {.what = "all catalogues loaded and checked / 50 ms", .round_ms = 100}, 20, [&] {
        for (const auto& file : talla::games::embedded_catalogues()) {
          auto loaded = talla::games::load_embedded(file.id, hash);
          if (!loaded) std::abort();
          benchmark::DoNotOptimize(loaded);
        }
      });
}
TALLA_GOAL(catalogues_loaded);

}  // namespace

BENCHMARK_MAIN();
