// SP 800-90B: every figure that NIST's program prints for the reference files, within 1e-9 relative.
// Method: the printed reports are read line by line and compared; a sample file that is not there is made by the vectors' script or skipped.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "sp800_90b_files.hpp"
#include "stats/sp800_90b/non_iid.hpp"

namespace sp800_90b_test {
namespace {

using namespace talla::stats;
namespace sp = talla::stats::sp800_90b;

/// The sample file of that name, from the vectors or made by their script; empty when there is neither.
std::vector<std::uint8_t> samples_named(const std::string& name) {
  if (auto bytes = bytes_of(folder + "samples/" + name + ".bin"); !bytes.empty()) return bytes;
  static const std::string made = [] {
    std::string path = testing::TempDir() + "talla-90b-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) return std::string();
    const std::string command = "python3 '" + folder + "generate.py' '" + path + "' >/dev/null 2>&1";
    return std::system(command.c_str()) == 0 ? path : std::string();
  }();
  struct Remove {
    ~Remove() { std::filesystem::remove_all(made); }
  };
  static const Remove at_exit;
  return made.empty() ? std::vector<std::uint8_t>() : bytes_of(made + "/" + name + ".bin");
}

/// "Bitstring Collision Estimate: v = 3199626" -> {"Bitstring Collision: v", 3199626}; also the last lines "H_original = ...".
std::map<std::string, double> printed_estimates(const std::string& path) {
  std::map<std::string, double> values;
  std::ifstream file(path);
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

std::map<std::string, double> assessed(const std::vector<std::uint8_t>& bytes, const sp::Options& options) {
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

TEST_P(Reference, EveryPrintedFigureWithinOneInABillion) {
  const std::string name = GetParam().substr(0, GetParam().find('.'));
  const auto bytes = samples_named(name);
  if (bytes.empty()) GTEST_SKIP() << "no samples " << name << " below " << folder;
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

std::vector<std::string> reports() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "expected/non_iid", error)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}
INSTANTIATE_TEST_SUITE_P(Sp80090b, Reference, testing::ValuesIn(reports()), [](const auto& report) {
  std::string name = report.param.substr(0, report.param.find(".txt"));
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Reference);

}  // namespace
}  // namespace sp800_90b_test
