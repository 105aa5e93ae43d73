// Need: the fifteen tests on 100 sequences of 1,000,000 bits in at most 2.0 s on a machine where
// FFTW's transform of 1,000,000 real points in double precision takes 4 ms: the battery costs at
// most five such transforms (stretch: two and a half).
#include <fftw3.h>

#include <random>
#include <vector>

#include "ratio.hpp"
#include "stats/sp800_22/battery.hpp"
#include "stats_lab/fftw_spectrum.hpp"

namespace {

constexpr std::size_t bits_count = 1'000'000;

void sp800_22_battery(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::vector<std::uint8_t> bytes(bits_count / 8);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  const auto bits = talla::stats::Bits::from_bytes(bytes, 0, bits_count);
  auto battery = talla::stats::sp800_22::Battery::create(
      talla::stats::sp800_22::Profile::nist_2_1_2, {}, bits_count);
  talla::stats::FftwSpectrum spectrum(bits_count);
  std::vector<double> p(battery->rows().size());

  double* values = fftw_alloc_real(bits_count);
  fftw_complex* transform = fftw_alloc_complex(bits_count / 2 + 1);
  fftw_plan_s* const plan =
      fftw_plan_dft_r2c_1d(static_cast<int>(bits_count), values, transform, FFTW_MEASURE);
  for (std::size_t i = 0; i < bits_count; ++i) values[i] = bits.bit(i) ? 1.0 : -1.0;

  talla_bench::Goal goal;
  goal.what = "SP 800-22, 1,000,000 bits, against one FFTW transform in double precision";
  goal.ratio_min = 0.2;
  goal.rounds = 9;
  goal.round_ms = 60;
  talla_bench::compare(
      state, goal, [&] { battery->run(bits, spectrum, p); }, [&] { fftw_execute(plan); });
  fftw_destroy_plan(plan);
  fftw_free(values);
  fftw_free(transform);
}
TALLA_GOAL(sp800_22_battery);

}  // namespace

BENCHMARK_MAIN();
