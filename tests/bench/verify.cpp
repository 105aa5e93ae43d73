// Need: one evidence bundle is verified in under 2 ms (500 per second), whatever its claim; a log
// of 10^6 records, as an archive, in 3 s on one core.
// Method: bundles made in memory; ratio of bundles per second to 500, X.509 chain and all
// signatures included each time; a catalogue is read once in a process.
#include "verify/verify.hpp"

#include <algorithm>
#include <functional>

#include "base/check.hpp"
#include "memory_source.hpp"
#include "ratio.hpp"
#include "scenes.hpp"
#include "verify/archive.hpp"

namespace {

using namespace talla::certs;
constexpr double bundles_per_second_min = 500;

void judge(benchmark::State& state, const std::string& what,
           const std::function<Bundle(test::Pki&)>& make) {
  test::Pki pki;
  const std::string text = format_bundle(make(pki));
  TALLA_CHECK(verify_bundle(text, pki.roots_pem()).has_value());
  talla_bench::compare_figure(
      state, {.what = what + ", bundles/s against 500 (2 ms each)"}, bundles_per_second_min,
      [&] { benchmark::DoNotOptimize(verify_bundle(text, pki.roots_pem())); });
  state.counters["ms"] = 1000.0 / state.counters["ours"];
}

void verify_shoe(benchmark::State& state) {
  judge(state, "verify a closed 8-deck shoe",
        [](test::Pki& pki) { return test::shoe_scene(pki).closed; });
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

/// A log of draws in one archive, against 10^6 records in 3 s.
void verify_log(benchmark::State& state, const char* what, double ratio_min, bool contents) {
  constexpr std::uint32_t batches = 40;
  constexpr double records = batches * (2 + 2 * 256) + 1;
  constexpr double log_records = 1e6;
  constexpr double log_seconds_max = 3;
  test::Pki pki;
  const std::string archive = test::draws_archive(pki, batches);
  const auto verify = [&] {
    test::MemorySource source(archive);
    return ArchiveVerifier(pki.roots_pem(), {}).verify(source, {.contents = contents});
  };
  const auto judged = verify();
  TALLA_CHECK(judged && judged->facts.header.to == static_cast<std::uint64_t>(records));
  talla_bench::compare_figure(state, {.what = what, .ratio_min = ratio_min, .ours_items = records},
                              log_records / log_seconds_max,
                              [&] { benchmark::DoNotOptimize(verify()); });
  state.counters["bytes_per_record"] = static_cast<double>(archive.size()) / records;
}
void verify_log_tree(benchmark::State& state) {
  verify_log(state, "verify a log, tree and signatures, records/s against 10^6 in 3 s", 1, false);
}
/// No goal: what it costs to read each record besides.
void verify_log_contents(benchmark::State& state) {
  verify_log(state, "verify a log and the content of every record, records/s against 10^6 in 3 s",
             0, true);
}
TALLA_GOAL(verify_shoe);
TALLA_GOAL(verify_draw);
TALLA_GOAL(verify_spin);
TALLA_GOAL(verify_coup);
TALLA_GOAL(verify_log_tree);
TALLA_GOAL(verify_log_contents);

}  // namespace

BENCHMARK_MAIN();
