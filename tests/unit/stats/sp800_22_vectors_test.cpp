// SP 800-22: the p-values of NIST's own program on pi, e, sqrt 2 and sqrt 3 (1,000,000 bits each).
// Method: all 188 p-values of each constant, to the six decimals that the program prints and
//         closer.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "stats/sp800_22/battery.hpp"
#include "stats_lab/fftw_spectrum.hpp"
#include "support/vectors.hpp"

namespace sp800_22_test {
namespace {

using namespace talla::stats;
using talla::test::vector_bytes;
using talla::test::vector_text;
namespace sp = talla::stats::sp800_22;

const std::string folder = "sp800-22/";

/// constant -> p-values in the order of the file.
std::map<std::string, std::vector<double>> expected_values() {
  std::map<std::string, std::vector<double>> all;
  std::istringstream file(vector_text(folder + "p_values.csv"));
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    all[line.substr(0, line.find(','))].push_back(std::stod(line.substr(line.rfind(',') + 1)));
  }
  return all;
}

TEST(Sp80022Vectors, all_p_values_of_the_four_constants_equal_nists_to_six_decimals) {
  const auto expected = expected_values();
  ASSERT_EQ(expected.size(), 4U);
  auto battery = sp::Battery::create(sp::Profile::nist_2_1_2, {}, 1'000'000);
  ASSERT_TRUE(battery.has_value());
  FftwSpectrum spectrum(1'000'000);
  for (const auto& [name, values] : expected) {
    const auto bytes = vector_bytes(folder + name + ".1000000.bin");
    ASSERT_EQ(bytes.size(), 125'000U) << name;
    const Bits bits = Bits::from_bytes(bytes, 0, 1'000'000);
    std::vector<double> p(battery->rows().size());
    battery->run(bits, spectrum, p);
    ASSERT_EQ(p.size(), values.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto& row = battery->rows()[i];
      EXPECT_NEAR(p[i], values[i], 1e-9)
          << name << " " << sp::test_name(row.test) << " " << row.item;
      EXPECT_EQ(std::llround(p[i] * 1e6), std::llround(values[i] * 1e6))
          << name << " " << sp::test_name(row.test);
    }
  }
}

}  // namespace
}  // namespace sp800_22_test
