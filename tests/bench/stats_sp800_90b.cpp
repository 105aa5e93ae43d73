// Need: the ten estimators of SP 800-90B on 1,000,000 samples of eight bits in at most 2.0 s of CPU
// on a machine where FFTW's transform of 1,000,000 real points in double precision takes 4 ms: 500
// such transforms. NIST's program takes 12.5 to 13.6 s there, and 55 s for the six kinds of its
// reference files that have a million samples; goal: a sixth of it. Both sides in CPU time of the
// process, in turns.
#include <fftw3.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <vector>

#include "ratio.hpp"
#include "stats/sp800_90b/non_iid.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;
namespace sp = talla::stats::sp800_90b;

double cpu_seconds() {
  timespec now{};
  static_cast<void>(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now));
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// One transform of 1,000,000 real points.
class Transform {
 public:
  Transform() {
    for (int i = 0; i < points; ++i) values_[i] = i % 3 - 1.0;
  }
  ~Transform() {
    fftw_destroy_plan(plan_);
    fftw_free(values_);
    fftw_free(spectrum_);
  }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;
  [[nodiscard]] double seconds() const {
    constexpr int times = 50;
    const double begin = cpu_seconds();
    for (int i = 0; i < times; ++i) fftw_execute(plan_);
    return (cpu_seconds() - begin) / times;
  }

 private:
  static constexpr int points = 1'000'000;
  double* values_ = fftw_alloc_real(points);
  fftw_complex* spectrum_ = fftw_alloc_complex(points / 2 + 1);
  fftw_plan plan_ = fftw_plan_dft_r2c_1d(points, values_, spectrum_, FFTW_MEASURE);
};

/// Assesses all of them; `transforms`: what they may cost together.
void against_transforms(benchmark::State& state, const char* what, const std::vector<Bytes>& files,
                        double transforms, int rounds) {
  const Transform transform;
  std::vector<double> ours, peers, ratios;
  for ([[maybe_unused]] auto run : state) {
    for (int round = 0; round < rounds; ++round) {
      double allowed = transforms * transform.seconds(), spent = 0.0;
      for (const Bytes& bytes : files) {
        const auto samples = *sp::Samples::create(bytes, 0);
        const double begin = cpu_seconds();
        benchmark::DoNotOptimize(sp::assess(samples, {}));
        spent += cpu_seconds() - begin;
      }
      allowed = (allowed + transforms * transform.seconds()) / 2.0;
      ours.push_back(1.0 / spent);
      peers.push_back(1.0 / allowed);
      ratios.push_back(allowed / spent);
    }
  }
  talla_bench::Goal goal;
  goal.what = what;
  talla_bench::report(state, goal, talla_bench::median(ours), talla_bench::median(peers),
                      talla_bench::median(ratios));
}

template <class Sample>
Bytes made(Sample sample) {
  std::mt19937_64 random(1);
  Bytes bytes(1'000'000);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(sample(random));
  return bytes;
}
Bytes uniform(int bits) {
  return made([bits](auto& random) { return random() >> (64 - bits); });
}

void sp800_90b_assessment(benchmark::State& state) {
  against_transforms(state, "SP 800-90B non-IID, 1,000,000 bytes, against 500 transforms (2.0 s)",
                     {uniform(8)}, 500, 3);
}
TALLA_GOAL(sp800_90b_assessment);

/// Fair and biased bits, four and eight bits, a normal law, bytes whose bits are biased: as NIST's
/// files of a million samples.
void sp800_90b_kinds_of_reference_files(benchmark::State& state) {
  std::bernoulli_distribution rare(0.012), often(0.9);
  std::normal_distribution<double> normal(128.0, 4.0);
  const Bytes biased_bytes = made([&](auto& random) {
    unsigned byte = 0;
    for (int i = 0; i < 8; ++i) byte = byte << 1U | static_cast<unsigned>(often(random));
    return byte;
  });
  against_transforms(
      state, "SP 800-90B non-IID, six kinds of a million samples, against a sixth of NIST's time",
      {uniform(1), made([&](auto& random) { return rare(random); }), uniform(4), uniform(8),
       made([&](auto& random) { return std::clamp(normal(random), 0.0, 255.0); }), biased_bytes},
      55.1 / 6 / 0.004, 1);
}
TALLA_GOAL(sp800_90b_kinds_of_reference_files);

}  // namespace

BENCHMARK_MAIN();
