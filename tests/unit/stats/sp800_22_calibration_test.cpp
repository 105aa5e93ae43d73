// SP 800-22 on good bits: how near to uniform the p-values of each test are, for both profiles.
// Method: 100,000 sequences with TALLA_LONG (mt19937_64, fixed seeds) of 100,000 bits, and of
// 1,000,000 for the tests that the standard wants them for. For each test, all its rows together:
// the share of p-values below 0.01 and the largest distance between their distribution and the
// uniform one. Both must keep a tolerance that follows from how the p-value is approximated
// (stats/docs/sp800-22.md tables tolerances, reasons and measured figures), widened by what so few
// sequences may show by chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "plan.hpp"
#include "stats/special.hpp"
#include "stats_lab/fftw_spectrum.hpp"

namespace sp800_22_test {
namespace {

using namespace talla::stats;
namespace sp = talla::stats::sp800_22;

constexpr std::size_t classes = 1000;

/// Counts of p-values in a thousand classes of [0, 1], for each test.
struct Law {
  std::array<std::vector<std::uint64_t>, sp::tests_count> counts;
  std::array<std::uint64_t, sp::tests_count> total{};
  Law() { counts.fill(std::vector<std::uint64_t>(classes)); }
  void add(sp::Test test, double p) {
    if (std::isnan(p)) return;
    ++counts[static_cast<std::size_t>(test)]
            [std::min(classes - 1, static_cast<std::size_t>(p * classes))];
    ++total[static_cast<std::size_t>(test)];
  }
  void add(const std::vector<sp::Row>& rows, const std::vector<double>& p) {
    for (std::size_t i = 0; i < rows.size(); ++i) add(rows[i].test, p[i]);
  }
  void add(const Law& other) {
    for (std::size_t test = 0; test < sp::tests_count; ++test) {
      for (std::size_t i = 0; i < classes; ++i) counts[test][i] += other.counts[test][i];
      total[test] += other.total[test];
    }
  }
  [[nodiscard]] double share(std::size_t test, std::uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(total[test]);
  }
  [[nodiscard]] double below(std::size_t test, double level) const {
    const auto end = counts[test].begin() + std::lround(level * classes);
    return share(test, std::accumulate(counts[test].begin(), end, std::uint64_t{0}));
  }
  [[nodiscard]] double distance(std::size_t test) const {
    std::uint64_t sum = 0;
    double most = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      sum += counts[test][i];
      most = std::max(most, std::abs(share(test, sum) - static_cast<double>(i + 1) / classes));
    }
    return most;
  }
};

constexpr std::array<sp::Profile, 2> profiles = {sp::Profile::nist_2_1_2, sp::Profile::corrected};
using Laws = std::array<Law, profiles.size()>;
/// Adds the p-values of one sequence under both profiles.
using Judge = std::function<void(const Bits&, Laws&)>;

/// Laws of so many sequences; each thread has a judge of its own.
Laws laws_of(std::size_t sequences, std::size_t bits_count,
             const std::function<Judge()>& make_judge) {
  constexpr std::size_t block =
      50;  // sequences of one seed: the figures do not depend on the number of threads
  Laws all;
  std::mutex lock;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Laws laws;
    const Judge judge = make_judge();
    std::vector<std::uint8_t> bytes(bits_count / 8);
    for (std::size_t number = 0; (number = next++) * block < sequences;) {
      std::mt19937_64 random(20260102 + number);
      for (std::size_t n = 0; n < block; ++n) {
        for (std::size_t i = 0; i < bytes.size(); i += 8) {
          const std::uint64_t word = random();
          std::memcpy(&bytes[i], &word, std::min<std::size_t>(8, bytes.size() - i));
        }
        judge(Bits::from_bytes(bytes, 0, bits_count), laws);
      }
    }
    const std::lock_guard held(lock);
    for (std::size_t k = 0; k < profiles.size(); ++k) all[k].add(laws[k]);
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back(work);
  workers.clear();
  return all;
}

/// The share of p-values below 0.01 and the distance from the uniform law.
struct Shape {
  double share, distance;
};

/// What chi-square makes of `draws` results of the classes `truth` when it expects `used`: p-values
/// of classes that are drawn, not of bits. Known within 0.0013 and 0.004.
Shape shape_of_counts(std::span<const double> truth, std::span<const double> used,
                      std::size_t draws) {
  constexpr int times = 100'000;
  std::mt19937_64 random(22);
  Law law;
  for (int i = 0; i < times; ++i) {
    double chi_square = 0, left = 1;
    auto remaining = static_cast<long>(draws);
    for (std::size_t c = 0; c < truth.size(); ++c) {
      const bool last = c + 1 == truth.size();
      const long count =
          last || remaining == 0
              ? remaining
              : std::binomial_distribution<long>(remaining, std::min(1.0, truth[c] / left))(random);
      const double expected = used[c] * static_cast<double>(draws);
      chi_square += (static_cast<double>(count) - expected) *
                    (static_cast<double>(count) - expected) / expected;
      remaining -= count;
      left -= truth[c];
    }
    law.add(sp::Test::frequency,
            chi_square_tail(chi_square, static_cast<double>(truth.size() - 1)));
  }
  return {law.below(0, 0.01), law.distance(0)};
}

constexpr std::size_t short_bits = 100'000, long_bits = 1'000'000;

/// What theory says of good bits (stats/docs/sp800-22.md has the reasons): |share below 0.01 -
/// 0.01| and distance, at most.
Shape tolerance_of(sp::Profile profile, sp::Test test) {
  const bool nist = profile == sp::Profile::nist_2_1_2;
  const auto of_counts = [](auto truth, auto used, std::size_t draws) {
    const Shape shape = shape_of_counts(truth, used, draws);
    return Shape{std::abs(shape.share - 0.01) + 4 * std::sqrt(0.01 / 100'000),
                 shape.distance + 0.004};
  };
  switch (test) {
    using enum sp::Test;
    case frequency:  // steps of a lattice: half of the largest one is 2 phi(0) / sqrt(n)
    case runs:
    case cumulative_sums:
      return {0.0003, 0.003};
    case block_frequency:  // variance 2 - 2/M of each block's term instead of 2
      return {0.0003, 0.002};
    case longest_run: {
      const auto truth = sp::longest_run_classes(sp::Profile::corrected, short_bits);
      return of_counts(truth, sp::longest_run_classes(profile, short_bits),
                       short_bits / sp::longest_run_table(short_bits).block);
    }
    case rank:
      return of_counts(sp::rank_classes(), sp::rank_classes(), short_bits / 1024);
    case fft:  // steps of 1/35 standard deviations; NIST's is 2.5 % too small
      return nist ? Shape{0.0030, 0.025} : Shape{0.0010, 0.014};
    case overlapping_template:
      return of_counts(sp::overlapping_classes(sp::Profile::corrected, 9),
                       sp::overlapping_classes(profile, 9), long_bits / 1032);
    case universal:  // Maurer's factor is 2.3 % too small for L = 7
      return nist ? Shape{0.0020, 0.012} : Shape{0.0005, 0.003};
    // A few dozen cycles decide at x = -9 and 9; steps of a lattice at -1 and 1.
    case random_excursions_variant:
      return {0.0015, 0.008};
    case linear_complexity:
      return of_counts(sp::complexity_classes(sp::Profile::corrected, 500),
                       sp::complexity_classes(profile, 500), long_bits / 500);
    case non_overlapping_template:  // a template is expected 24 times in a block of 12,500 bits
    // And the rarest class of 500 cycles as seldom: far out a count is skew.
    case random_excursions:
      return {0.0012, 0.004};
    default:  // limits of many equal terms
      return {0.0005, 0.004};
  }
}

/// Rows of one sequence depend on each other: no more than `sequences` independent values are
/// counted on.
void check(const Laws& laws, std::span<const sp::Test> tests, std::size_t sequences) {
  const auto count = static_cast<double>(sequences);
  for (std::size_t k = 0; k < profiles.size(); ++k) {
    for (const sp::Test test : tests) {
      const auto t = static_cast<std::size_t>(test);
      const Shape tolerance = tolerance_of(profiles[k], test);
      const double share = laws[k].below(t, 0.01), distance = laws[k].distance(t);
      const auto name =
          std::string(sp::profile_name(profiles[k])) + " " + std::string(sp::test_name(test));
      EXPECT_LT(std::abs(share - 0.01), tolerance.share + 4.0 * std::sqrt(0.01 / count)) << name;
      EXPECT_LT(distance, tolerance.distance + 2.3 / std::sqrt(count)) << name;
      std::printf(
          "%-36s %9llu p-values, below 0.001: %.5f, 0.01: %.5f, 0.05: %.5f, distance %.4f; "
          "tolerances %.5f, "
          "%.4f\n",
          name.c_str(), static_cast<unsigned long long>(laws[k].total[t]), laws[k].below(t, 0.001),
          share, laws[k].below(t, 0.05), distance, tolerance.share, tolerance.distance);
    }
  }
}

std::size_t sequences_count() {
  return std::getenv("TALLA_LONG") != nullptr ? 100'000 : 150;  // NOLINT(concurrency-mt-unsafe)
}

TEST(Sp80022Calibration, sequences_of_100000_bits) {
  constexpr std::size_t bits_count = short_bits;
  sp::Parameters parameters;
  parameters.serial = 12;  // so that windows are expected often enough (2.11.7, 2.12.7)
  parameters.approximate_entropy = 7;
  const auto make_judge = [&]() -> Judge {
    std::array<std::shared_ptr<sp::Battery>, 2> batteries;
    for (std::size_t k = 0; k < 2; ++k)
      batteries[k] =
          std::make_shared<sp::Battery>(*sp::Battery::create(profiles[k], parameters, bits_count));
    return [batteries, spectrum = std::make_shared<FftwSpectrum>(bits_count)](const Bits& bits,
                                                                              Laws& laws) {
      std::vector<double> p(batteries[0]->rows().size());
      for (std::size_t k = 0; k < 2; ++k) {
        batteries[k]->run(bits, *spectrum, p);
        laws[k].add(batteries[k]->rows(), p);
      }
    };
  };
  using enum sp::Test;
  constexpr std::array tests = {
      frequency, block_frequency,          cumulative_sums,     runs,  longest_run, rank,
      fft,       non_overlapping_template, approximate_entropy, serial};
  check(laws_of(sequences_count(), bits_count, make_judge), tests, sequences_count());
}

// Called one by one: these alone are a fifth of the battery.
TEST(Sp80022Calibration, sequences_of_1000000_bits) {
  constexpr std::size_t bits_count = long_bits;
  std::array<sp::Plan, 2> plans;
  for (std::size_t k = 0; k < 2; ++k) {
    plans[k].profile = profiles[k];
    plans[k].bits_count = bits_count;
    plans[k].overlapping_classes =
        sp::overlapping_classes(profiles[k], plans[k].parameters.overlapping);
    plans[k].complexity_classes =
        sp::complexity_classes(profiles[k], plans[k].parameters.linear_complexity);
    plans[k].log2_of.resize(4096);
    for (std::size_t i = 1; i < 4096; ++i) plans[k].log2_of[i] = std::log2(static_cast<double>(i));
  }
  using enum sp::Test;
  const auto make_judge = [&]() -> Judge {
    return [&](const Bits& bits, Laws& laws) {
      for (std::size_t k = 0; k < 2; ++k) {
        std::array<double, 8 + 18 + 3> p{};
        p.fill(std::numeric_limits<double>::quiet_NaN());
        const std::span all(p);
        sp::excursions(plans[k], bits, {all.first(8)}, {all.subspan(8, 18)});
        sp::overlapping_template(plans[k], bits, {all.subspan(26, 1)});
        sp::universal(plans[k], bits, {all.subspan(27, 1)});
        sp::linear_complexity(plans[k], bits, {all.subspan(28, 1)});
        for (std::size_t i = 0; i < p.size(); ++i)
          laws[k].add(i < 8     ? random_excursions
                      : i < 26  ? random_excursions_variant
                      : i == 26 ? overlapping_template
                      : i == 27 ? universal
                                : linear_complexity,
                      p[i]);
      }
    };
  };
  constexpr std::array tests = {overlapping_template, universal, random_excursions,
                                random_excursions_variant, linear_complexity};
  check(laws_of(sequences_count(), bits_count, make_judge), tests, sequences_count());
}

}  // namespace
}  // namespace sp800_22_test
