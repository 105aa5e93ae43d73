// SP 800-90B, 6.3.4: compression (after Maurer's universal statistic), on blocks of six bits.
#include <array>
#include <cmath>

#include "estimate.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr unsigned block = 6;
constexpr unsigned symbols_count = 1U << block;
constexpr std::size_t start_count = 1000;  // d: blocks that only fill the dictionary

/// A sum in which small terms are not lost (Kahan).
class Sum {
 public:
  void add(double term) {
    const double corrected = term - lost_;
    const double next = total_ + corrected;
    lost_ = (next - total_) - corrected;
    total_ = next;
  }
  [[nodiscard]] double value() const { return total_; }

 private:
  double total_ = 0.0, lost_ = 0.0;
};

/// log2 of 1, 2, ...: every step of the search for p needs the same ones again.
class Logarithms {
 public:
  double operator()(std::size_t i) {
    while (table_.size() <= i) table_.push_back(std::log2(static_cast<double>(table_.size())));
    return table_[i];
  }

 private:
  std::vector<double> table_{0.0};
};

/// G(z) of step 6, with its inner sums taken together: the term of a distance u <= t counts once
/// for each place t it may end at.
double g(double z, std::size_t blocks_count, Logarithms& log2_of) {
  const auto v = static_cast<double>(blocks_count - start_count);
  Sum inner, tails, before;
  double power = 1.0 - z;  // (1 - z)^(u - 1) for u = 2
  const double step = 1.0 - z;
  for (std::size_t u = 2; u <= blocks_count; ++u) {
    const double term = log2_of(u) * power;
    // u ends inside the tested blocks at places t = max(d + 1, u + 1), ..., k, and exactly at its
    // own place t = u.
    if (u <= start_count) {
      before.add(term);
    } else {
      inner.add(term);
      tails.add(static_cast<double>(blocks_count - u) * term);
    }
    power *= step;
    if (term * static_cast<double>(blocks_count) < 1e-25 * (before.value() + inner.value()) &&
        u > start_count)
      break;
    if (power < 1e-300) break;
  }
  const double first = tails.value() + v * before.value();
  return z * (z * first + inner.value()) / v;
}

double expected(double p, std::size_t blocks_count, Logarithms& log2_of) {
  const double q = (1.0 - p) / (symbols_count - 1.0);
  return g(p, blocks_count, log2_of) + (symbols_count - 1.0) * g(q, blocks_count, log2_of);
}

/// The p for which the expected value is `mean`; 0 when there is none above 1/64.
double solve(double mean, std::size_t blocks_count) {
  Logarithms log2_of;
  double low = 1.0 / symbols_count, high = 1.0;
  if (expected(low, blocks_count, log2_of) <= mean) return 0.0;
  for (;;) {
    const double middle = low + (high - low) / 2.0;
    if (middle <= low || middle >= high) return high;
    if (expected(middle, blocks_count, log2_of) > mean) {
      low = middle;
    } else {
      high = middle;
    }
  }
}

}  // namespace

Estimate compression(const Bits& bits) {
  const std::size_t blocks_count = bits.size() / block;
  if (blocks_count <= start_count)
    return not_estimated("Compression", "needs more than 6,000 bits");
  std::array<std::size_t, symbols_count> last{};
  Logarithms log2_of;
  Sum sum, squares;
  for (std::size_t i = 1; i <= blocks_count; ++i) {
    auto& seen = last[bits.word_at((i - 1) * block) >> (64 - block)];
    if (i > start_count) {
      const double value = log2_of(i - seen);
      sum.add(value);
      squares.add(value * value);
    }
    seen = i;
  }
  const auto v = static_cast<double>(blocks_count - start_count);
  const double mean = sum.value() / v;
  const double sigma = 0.5907 * std::sqrt(squares.value() / (v - 1.0) - mean * mean);
  const double bound = mean - z_alpha * sigma / std::sqrt(v);
  const double found = solve(bound, blocks_count);
  const bool solved = found > 1.0 / symbols_count;
  const double p = solved ? found : 1.0 / symbols_count;
  return {"Compression",
          solved ? -std::log2(p) / block : 1.0,
          {{"X-bar", mean}, {"sigma-hat", sigma}, {"X-bar'", bound}, {"p", p}},
          {}};
}

}  // namespace talla::stats::sp800_90b
