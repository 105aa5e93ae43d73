/// \file
/// What the tests of a battery share: constants worked out once, and the working set of one
/// sequence.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "stats/sp800_22/battery.hpp"

namespace talla::stats::sp800_22 {

inline constexpr std::size_t template_blocks_count = 8;  // N of 2.7.2
inline constexpr std::size_t overlapping_block = 1032;   // M of 2.8.2

struct Battery::Plan {
  Profile profile = Profile::nist_2_1_2;
  Parameters parameters;
  std::size_t bits_count = 0;
  std::vector<Row> rows;
  std::array<std::size_t, tests_count + 1>
      first_row{};  // rows of test t: [first_row[t], first_row[t + 1])

  std::vector<std::uint32_t> templates;         // aperiodic, in the order of the suite's files
  std::vector<double> longest_run_classes;      // probabilities
  std::array<double, 6> overlapping_classes{};  // 0 to 4, 5 and more
  std::array<double, 7> complexity_classes{};   // T <= -2.5 ... T > 2.5
  std::array<double, 3> rank_classes{};         // 32, 31, below
  std::vector<double> log2_of;                  // of small distances, universal test

  [[nodiscard]] bool nist() const { return profile == Profile::nist_2_1_2; }
};
using Plan = Battery::Plan;

/// Where a test puts its p-values (all NaN before) and, if asked, its figures.
struct Sink {
  std::span<double> p;
  std::vector<Figure>* figures = nullptr;
  void figure(const char* name, double value) const {
    if (figures != nullptr) figures->push_back({name, value});
  }
};

/// How often each window of `width` bits begins in the sequence, which is closed to a ring; and,
/// for the template test, how often each window of its length begins and ends inside each of the
/// eight blocks.
struct Windows {
  unsigned width = 0;
  std::vector<std::uint32_t> counts;  // 2^width
  std::array<std::vector<std::uint32_t>, template_blocks_count>
      block_counts;  // 2^non_overlapping each
};
[[nodiscard]] Windows count_windows(const Plan& plan, const Bits& bits);
/// Counts of windows of `width` bits, from those of longer ones. Precondition: width <=
/// windows.width.
[[nodiscard]] std::vector<std::uint32_t> narrowed(const Windows& windows, unsigned width);

void frequency(const Bits& bits, const Sink& sink);
void block_frequency(const Plan& plan, const Bits& bits, const Sink& sink);
void runs(const Bits& bits, const Sink& sink);
void cumulative_sums(const Plan& plan, const Bits& bits, const Sink& sink);
void longest_run(const Plan& plan, const Bits& bits, const Sink& sink);
void rank(const Plan& plan, const Bits& bits, const Sink& sink);
void fft(const Plan& plan, const Bits& bits, Spectrum& spectrum, const Sink& sink);
void non_overlapping_template(const Plan& plan, const Windows& windows, const Sink& sink);
void overlapping_template(const Plan& plan, const Bits& bits, const Sink& sink);
void universal(const Plan& plan, const Bits& bits, const Sink& sink);
void approximate_entropy(const Plan& plan, const Windows& windows, const Sink& sink);
void serial(const Plan& plan, const Windows& windows, const Sink& sink);
/// Both excursion tests: they walk the same path.
void excursions(const Plan& plan, const Bits& bits, const Sink& eight_states, const Sink& variant);
void linear_complexity(const Plan& plan, const Bits& bits, const Sink& sink);

/// Which lengths of runs the longest-run test tells apart (2.4.2, 2.4.4).
struct LongestRunTable {
  std::size_t block = 0;  // M, bits
  int shortest = 0;       // runs up to this length are the first class
  std::size_t classes = 0;
};
[[nodiscard]] LongestRunTable longest_run_table(std::size_t bits_count);

// Class probabilities of a plan.
[[nodiscard]] std::vector<std::uint32_t> aperiodic_templates(std::size_t length);
[[nodiscard]] std::vector<double> longest_run_classes(Profile profile, std::size_t bits_count);
[[nodiscard]] std::array<double, 6> overlapping_classes(Profile profile, std::size_t length);
[[nodiscard]] std::array<double, 7> complexity_classes(Profile profile, std::size_t block);
[[nodiscard]] std::array<double, 3> rank_classes();
/// Class of a linear complexity (2.10.4): 0 for T <= -2.5 to 6 for T > 2.5.
[[nodiscard]] std::size_t complexity_class(std::size_t complexity, std::size_t block);

/// Linear complexities of the blocks of `block` bits, one after another (Berlekamp-Massey).
[[nodiscard]] std::vector<std::uint32_t> linear_complexities(const Bits& bits, std::size_t block);

}  // namespace talla::stats::sp800_22
