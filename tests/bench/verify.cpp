// Need: one evidence bundle is verified in under 2 ms (500 per second), whatever its claim.
// Method: bundles made in memory; ratio of bundles per second to 500, X.509 chain and all signatures included each
// time; a catalogue is read once in a process.
#include "verify/verify.hpp"

#include <functional>

#include "base/check.hpp"
#include "ratio.hpp"
#include "scenes.hpp"

namespace {

using namespace talla::certs;
constexpr double bundles_per_second_min = 500;

void judge(benchmark::State& state, const std::string& what, const std::function<Bundle(test::Pki&)>& make) {
  test::Pki pki;
  const std::string text = format_bundle(make(pki));
  TALLA_CHECK(verify_bundle(text, pki.roots_pem()).has_value());
  talla_bench::compare_figure(state, {.what = what + ", bundles/s against 500 (2 ms each)"},
                              bundles_per_second_min,
                              [&] { benchmark::DoNotOptimize(verify_bundle(text, pki.roots_pem())); });
  state.counters["ms"] = 1000.0 / state.counters["ours"];
}

void verify_shoe(benchmark::State& state) {
  judge(state, "verify a closed 8-deck shoe", [](test::Pki& pki) { return test::shoe_scene(pki).closed; });
}
void verify_draw(benchmark::State& state) {
  judge(state, "verify a draw", [](test::Pki& pki) { return test::draw_scene(pki).drawn; });
}
void verify_spin(benchmark::State& state) {
  judge(state, "verify a settled spin", [](test::Pki& pki) { return test::spin_scene(pki); });
}
void verify_coup(benchmark::State& state) {
  judge(state, "verify a settled coup", [](test::Pki& pki) { return test::coup_scene(pki); });
}
TALLA_GOAL(verify_shoe);
TALLA_GOAL(verify_draw);
TALLA_GOAL(verify_spin);
TALLA_GOAL(verify_coup);

}  // namespace

BENCHMARK_MAIN();
