#include "stats/sp800_22/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/holm.hpp"
#include "stats/special.hpp"

namespace talla::stats::sp800_22 {
namespace {

constexpr double alpha = 0.01;             // 4.2.1
constexpr double uniformity_min = 0.0001;  // 4.2.2

/// What NIST's program reads back of a p-value it printed with six decimals.
double printed(double p) {
  return static_cast<double>(static_cast<float>(std::round(p * 1e6) / 1e6));
}

RowSummary summarise_row(Profile profile, std::span<const double> p_values) {
  RowSummary row;
  for (const double exact : p_values) {
    if (std::isnan(exact)) continue;
    const double p = profile == Profile::nist_2_1_2 ? printed(exact) : exact;
    ++row.sequences_count;
    row.passed_count += static_cast<std::size_t>(!(p < alpha));
    ++row.tenths[static_cast<std::size_t>(std::clamp(std::floor(p * 10.0), 0.0, 9.0))];
  }
  const auto count = static_cast<double>(row.sequences_count);
  const double expected = profile == Profile::nist_2_1_2 ? std::floor(count / 10.0) : count / 10.0;
  row.uniformity = std::numeric_limits<double>::quiet_NaN();
  if (row.sequences_count >= 10) {
    double chi_square = 0.0;
    for (const std::size_t found : row.tenths) {
      const double off = static_cast<double>(found) - expected;
      chi_square += off * off / expected;
    }
    row.uniformity = chi_square_tail(chi_square, 9.0);
    row.uniformity_in_limits = !(row.uniformity < uniformity_min);
  }
  if (row.sequences_count == 0) return row;
  row.tail = binomial_below(static_cast<double>(row.passed_count), count, 1.0 - alpha);
  const double margin = 3.0 * std::sqrt((1.0 - alpha) * alpha / count);
  const double low = std::floor((1.0 - alpha - margin) * count),
               high = std::floor((1.0 - alpha + margin) * count);
  const auto passed = static_cast<double>(row.passed_count);
  row.proportion_in_limits = passed >= low && passed <= high;
  return row;
}

}  // namespace

Summary summarise(Profile profile, std::span<const double> p_values, std::size_t sequences_count,
                  double family_error) {
  Summary summary;
  std::vector<double> judged;
  for (std::size_t first = 0; first + sequences_count <= p_values.size();
       first += sequences_count) {
    const auto row_values = p_values.subspan(first, sequences_count);
    const RowSummary row = summarise_row(profile, row_values);
    summary.rows_outside +=
        static_cast<std::size_t>(!row.proportion_in_limits || !row.uniformity_in_limits);
    if (sequences_count == 1) {
      if (!std::isnan(row_values[0])) judged.push_back(row_values[0]);
    } else if (row.sequences_count != 0) {
      judged.push_back(row.tail);
      if (!std::isnan(row.uniformity)) judged.push_back(row.uniformity);
    }
    summary.rows.push_back(row);
  }
  summary.smallest_adjusted = holm_smallest(judged);
  summary.consistent = summary.smallest_adjusted >= family_error;
  return summary;
}

}  // namespace talla::stats::sp800_22
