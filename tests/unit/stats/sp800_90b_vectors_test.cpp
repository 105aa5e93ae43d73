// SP 800-90B: every figure that NIST's program prints for the reference files, within 1e-9
// relative.
// Method: the printed reports are read line by line and compared; samples that are not
//   NIST's are made by the vectors' script.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "sp800_90b_files.hpp"
#include "stats/sp800_90b/non_iid.hpp"

namespace sp800_90b_test {
namespace {

using namespace talla::stats;
namespace sp = talla::stats::sp800_90b;

/// Samples that are NIST's are kept; the script of the vectors makes the others anew, the same each
/// time.
constexpr std::array<const char*, 3> made_by_the_script{"biased_4bit", "keystream_aes256ctr_8bit",
                                                        "markov_1bit"};

class MadeSamples {
 public:
  MadeSamples() {
    if (mkdtemp(folder_.data()) == nullptr)
      throw std::runtime_error("no folder for samples: " + folder_);
    const std::string script = (talla::test::vectors_folder() / folder / "generate.py").string();
    // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c): one thread
    if (std::system(("python3 '" + script + "' '" + folder_ + "' >/dev/null").c_str()) != 0)
      throw std::runtime_error("makes no samples: " + script);
  }
  MadeSamples(const MadeSamples&) = delete;
  MadeSamples& operator=(const MadeSamples&) = delete;
  ~MadeSamples() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::vector<std::uint8_t> read(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name + ".bin", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::string folder_ = testing::TempDir() + "talla-90b-XXXXXX";
};

std::vector<std::uint8_t> samples_named(const std::string& name) {
  if (std::find(made_by_the_script.begin(), made_by_the_script.end(), name) ==
      made_by_the_script.end())
    return vector_bytes(folder + "samples/" + name + ".bin");
  static const MadeSamples made;
  return made.read(name);
}

/// "Bitstring Collision Estimate: v = 3199626" -> {"Bitstring Collision: v", 3199626}; also the
/// last lines "H_original = ...".
std::map<std::string, double> printed_estimates(const std::string& path) {
  std::map<std::string, double> values;
  std::istringstream file(vector_text(path));
  for (std::string line; std::getline(file, line);) {
    const auto equals = line.rfind(" = ");
    if (line.starts_with("Assessed min entropy: ")) values["assessed"] = std::stod(line.substr(22));
    if (equals == std::string::npos) continue;
    std::string name = line.substr(0, equals);
    if (const auto at = name.find(" Estimate: "); at != std::string::npos)
      name = name.substr(0, at) + ": " + name.substr(at + 11);
    values[name] = std::stod(line.substr(equals + 3));
  }
  return values;
}

void put(std::map<std::string, double>& values, const std::string& scope, const sp::Track& track) {
  for (const auto& estimate : track.estimates) {
    values[scope + estimate.name + ": min entropy"] = estimate.min_entropy;
    for (const auto& figure : estimate.figures)
      values[scope + estimate.name + ": " + figure.name] = figure.value;
  }
}

std::map<std::string, double> assessed(const std::vector<std::uint8_t>& bytes,
                                       const sp::Options& options) {
  std::map<std::string, double> values;
  auto samples = sp::Samples::create(bytes, 0);
  if (!samples) return values;
  auto assessment = sp::assess(*samples, options);
  if (!assessment) return values;
  if (assessment->literal) put(values, "Literal ", *assessment->literal);
  if (assessment->bitstring) put(values, "Bitstring ", *assessment->bitstring);
  values["H_original"] = assessment->h_original;
  values["H_bitstring"] = assessment->h_bitstring;
  values["H_bitstring Per Symbol"] = assessment->h_bitstring * samples->width();
  values["assessed"] = assessment->min_entropy;
  return values;
}

class Reference : public testing::TestWithParam<std::string> {};

TEST_P(Reference, every_printed_figure_within_one_in_a_billion) {
  const std::string name = GetParam().substr(0, GetParam().find('.'));
  const auto bytes = samples_named(name);
  ASSERT_FALSE(bytes.empty()) << name;
  sp::Options options;
  options.conditioned = GetParam().find("_c_") != std::string::npos;
  options.two_threads = true;
  if (GetParam().find("_t_") != std::string::npos) options.bits_most = 1'000'000;
  const auto expected = printed_estimates(folder + "expected/non_iid/" + GetParam());
  const auto found = assessed(bytes, options);
  ASSERT_GT(expected.size(), 20U);
  std::size_t compared = 0;
  for (const auto& [figure, value] : expected) {
    if (!found.contains(figure)) {
      // What is printed beside the estimates: sizes, and h' of conditioned data under another name.
      EXPECT_TRUE(figure.find("Estimate") == std::string::npos) << figure;
      continue;
    }
    ++compared;
    // The collision estimate of the program itself differs by 1.5e-12 between two of its builds.
    EXPECT_NEAR(found.at(figure), value, 1e-9 * std::max(std::fabs(value), 1e-9)) << figure;
  }
  EXPECT_GT(compared, options.conditioned ? 40U : 50U);
}

const std::vector<std::string> reports{
    "biased-random-bits.non_iid_i_a_vv.txt",
    "biased-random-bytes.non_iid_i_a_vv.txt",
    "biased_4bit.non_iid_i_a_vv.txt",
    "keystream_aes256ctr_8bit.non_iid_c_a_vv.txt",
    "keystream_aes256ctr_8bit.non_iid_i_a_vv.txt",
    "keystream_aes256ctr_8bit.non_iid_i_t_vv.txt",
    "markov_1bit.non_iid_i_a_vv.txt",
    "normal.non_iid_i_a_vv.txt",
    "rand1_short.non_iid_i_a_vv.txt",
    "rand4_short.non_iid_i_a_vv.txt",
    "rand8_short.non_iid_i_a_vv.txt",
    "ringOsc-nist.non_iid_i_a_vv.txt",
    "truerand_1bit.non_iid_i_a_vv.txt",
    "truerand_4bit.non_iid_i_a_vv.txt",
    "truerand_8bit.non_iid_c_a_vv.txt",
    "truerand_8bit.non_iid_i_a_vv.txt",
    "truerand_8bit.non_iid_i_t_vv.txt",
};
INSTANTIATE_TEST_SUITE_P(Sp80090b, Reference, testing::ValuesIn(reports), [](const auto& report) {
  std::string name = report.param.substr(0, report.param.find(".txt"));
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST(Sp80090bReports, all_that_are_kept_are_compared) {
  std::set<std::string> kept;
  for (const auto& entry : std::filesystem::directory_iterator(talla::test::vectors_folder() /
                                                               folder / "expected/non_iid"))
    kept.insert(entry.path().filename().string());
  EXPECT_EQ(kept, std::set<std::string>(reports.begin(), reports.end()));
}

}  // namespace
}  // namespace sp800_90b_test
