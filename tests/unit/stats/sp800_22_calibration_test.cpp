// SP 800-22 on good bits: how near to uniform the p-values of each test are, for both profiles.
// Method: sequences of 1,000,000 bits (mt19937_64, fixed seed); for each test, all its rows together, the share of
// p-values below 0.01 and the largest distance between their distribution and the uniform one. Both must keep a
// tolerance, widened by what so few sequences may show by chance; stats/README.md tables tolerances and measured
// figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "stats/sp800_22/battery.hpp"
#include "stats_lab/fftw_spectrum.hpp"

namespace {

using namespace talla::stats;
namespace sp = talla::stats::sp800_22;

constexpr std::size_t bits_count = 1'000'000;
constexpr std::size_t classes = 1000;

/// Counts of p-values in a thousand classes of [0, 1], for each test.
struct Law {
  std::array<std::vector<double>, sp::tests_count> counts;
  std::array<double, sp::tests_count> total{};
  Law() { counts.fill(std::vector<double>(classes)); }
  void add(const std::vector<sp::Row>& rows, const std::vector<double>& p) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (std::isnan(p[i])) continue;
      const auto test = static_cast<std::size_t>(rows[i].test);
      ++counts[test][std::min(classes - 1, static_cast<std::size_t>(p[i] * classes))];
      ++total[test];
    }
  }
  [[nodiscard]] double below(std::size_t test, double level) const {
    double sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::lround(level * classes)); ++i)
      sum += counts[test][i];
    return sum / total[test];
  }
  [[nodiscard]] double distance(std::size_t test) const {
    double sum = 0, most = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      sum += counts[test][i] / total[test];
      most = std::max(most, std::abs(sum - static_cast<double>(i + 1) / classes));
    }
    return most;
  }
};

/// What good bits may show beyond chance: |share below 0.01 - 0.01| and the distance from the uniform law.
struct Tolerance {
  double share, distance;
};
/// NIST's variance of the spectral test and its law of overlapping templates are known to be off (stats/README.md).
Tolerance tolerance_of(sp::Profile profile, sp::Test test) {
  const bool nist = profile == sp::Profile::nist_2_1_2;
  if (test == sp::Test::fft) return nist ? Tolerance{0.004, 0.015} : Tolerance{0.001, 0.006};
  if (test == sp::Test::overlapping_template) return nist ? Tolerance{0.004, 0.025} : Tolerance{0.001, 0.01};
  return {0.001, 0.005};
}

TEST(Sp80022Calibration, PValuesOfGoodBitsKeepTheirTabledDistanceFromUniform) {
  const bool full = std::getenv("TALLA_LONG") != nullptr;
  const std::size_t sequences = full ? 100'000 : 150;
  const std::array<sp::Profile, 2> profiles = {sp::Profile::nist_2_1_2, sp::Profile::corrected};
  std::array<Law, 2> laws;
  std::vector<sp::Battery> batteries;
  for (const sp::Profile profile : profiles) {
    auto battery = sp::Battery::create(profile, {}, bits_count);
    ASSERT_TRUE(battery.has_value());
    batteries.push_back(std::move(*battery));
  }
  FftwSpectrum spectrum(bits_count);
  std::mt19937_64 random(20260102);
  std::vector<std::uint8_t> bytes(bits_count / 8);
  for (std::size_t n = 0; n < sequences; ++n) {
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      const std::uint64_t word = random();
      std::memcpy(&bytes[i], &word, 8);
    }
    const Bits bits = Bits::from_bytes(bytes, 0, bits_count);
    for (std::size_t k = 0; k < profiles.size(); ++k) {
      std::vector<double> p(batteries[k].rows().size());
      batteries[k].run(bits, spectrum, p);
      laws[k].add(batteries[k].rows(), p);
    }
  }
  // Rows of one sequence depend on each other: no more than `sequences` independent values are counted on.
  const auto count = static_cast<double>(sequences);
  for (std::size_t k = 0; k < profiles.size(); ++k) {
    for (std::size_t test = 0; test < sp::tests_count; ++test) {
      const Tolerance tolerance = tolerance_of(profiles[k], static_cast<sp::Test>(test));
      const double share = laws[k].below(test, 0.01), distance = laws[k].distance(test);
      const auto name = std::string(sp::profile_name(profiles[k])) + " " +
                        std::string(sp::test_name(static_cast<sp::Test>(test)));
      EXPECT_LT(std::abs(share - 0.01), tolerance.share + 4.0 * std::sqrt(0.01 / count)) << name;
      EXPECT_LT(distance, tolerance.distance + 2.3 / std::sqrt(count)) << name;
      RecordProperty(name, std::to_string(share) + " " + std::to_string(distance));
    }
  }
}

}  // namespace
