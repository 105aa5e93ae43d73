/// \file
/// Reports of `talla-lab assess`, as text for people or one JSON object.
#pragma once

#include <algorithm>
#include <string>

#include "app.hpp"
#include "stats/sp800_90b/conditioning.hpp"
#include "stats/sp800_90b/iid.hpp"
#include "stats/sp800_90b/non_iid.hpp"
#include "stats/sp800_90b/restart.hpp"

namespace talla::lab {

struct IidRun {
  stats::sp800_90b::ChiSquare independence, fit;
  stats::sp800_90b::LongestRepeat repeat;
  stats::sp800_90b::PermutationResult permutations;
  stats::sp800_90b::Estimate symbols, bits;
  std::uint64_t seed = 0;
  std::uint32_t rounds_asked = 0;
  static constexpr std::uint32_t rounds_of_the_standard = 10'000;  // 5.1, step 2
  [[nodiscard]] bool passed() const { return others_passed() && permutations.all_passed; }
  /// Fewer rounds than the standard's may let every statistic pass, but call none a failure.
  [[nodiscard]] bool undecided() const {
    return others_passed() && !permutations.all_passed && rounds_asked < rounds_of_the_standard;
  }
  /// Of a sample of so many bits, the least of both views (3.1.3).
  [[nodiscard]] double min_entropy(unsigned width) const {
    return width == 1 ? symbols.min_entropy
                      : std::min(symbols.min_entropy, bits.min_entropy * width);
  }

 private:
  [[nodiscard]] bool others_passed() const {
    return independence.passed && fit.passed && repeat.passed;
  }
};

void report_assessment(const App& app, const std::string& file,
                       const stats::sp800_90b::Samples& samples,
                       const stats::sp800_90b::Assessment& assessment);
void report_iid(const App& app, const std::string& file, const stats::sp800_90b::Samples& samples,
                const IidRun& run);
void report_restart(const App& app, const std::string& file, double initial,
                    const stats::sp800_90b::RestartAssessment& assessment);
void report_conditioning(const App& app, const stats::sp800_90b::Conditioning& component,
                         const stats::sp800_90b::OutputEntropy& entropy);

}  // namespace talla::lab
