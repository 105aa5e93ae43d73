#include "blocks_exact.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace talla::stats::exact {
namespace {

double poisson(double count, double mean) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  return std::exp(count * std::log(mean) - mean - std::lgamma(count + 1.0));
}

/// Weights over (sum, parts) from the least ones that the limits allow, parts side by side in
/// memory.
class Table {
 public:
  Table(std::size_t sums, std::size_t parts) : sums_(sums), parts_(parts), values_(sums * parts) {}
  double* row(std::size_t sum) { return values_.data() + sum * parts_; }
  const double* row(std::size_t sum) const { return values_.data() + sum * parts_; }
  [[nodiscard]] std::size_t sums() const { return sums_; }
  [[nodiscard]] std::size_t parts() const { return parts_; }
  void add(double weight, const Table& other) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += weight * other.values_[i];
  }

 private:
  std::size_t sums_, parts_;
  std::vector<double> values_;
};

/// What a part of six or more adds: `step` = 1 counts it as a part with its six places, 0 only the
/// places beyond six (a geometric law from 0 on, cut where the part would be longer than
/// `longest`).
void one_more(Table& h, std::size_t step, std::size_t longest) {
  Table g(h.sums(), h.parts());
  const double last = longest == 0 ? 0.0 : std::pow(0.5, static_cast<double>(longest) - 4.0);
  for (std::size_t sum = 6 * step; sum < h.sums(); ++sum) {
    double* to = g.row(sum);
    const double* from = h.row(sum - 6 * step);
    for (std::size_t p = step; p < h.parts(); ++p) to[p] = 0.5 * from[p - step];
    if (sum > 6 * step) {
      const double* before = g.row(sum - 1);
      for (std::size_t p = step; p < h.parts(); ++p) to[p] += 0.5 * before[p];
    }
    if (longest != 0 && sum >= 6 * step + longest - 5) {
      const double* gone = h.row(sum - 6 * step - (longest - 5));
      for (std::size_t p = step; p < h.parts(); ++p) to[p] -= last * gone[p - step];
    }
  }
  h = std::move(g);
}

/// Joint law of the number of parts (Poisson of mean `mean`) and their sum, parts being geometric
/// lengths (1 with chance 1/2, 2 with 1/4, ...) whose classes keep the limits. Parts of each class
/// are then independent Poisson variables.
Table compositions(const RunLimits& limits, double mean, std::size_t sums) {
  std::size_t parts = 1;
  for (std::size_t k = 0; k < 6; ++k)
    parts += std::min<std::size_t>(limits.runs[k][1] - limits.runs[k][0], (sums - 1) / (k + 1));
  Table now(sums, parts);
  now.row(0)[0] = 1.0;
  for (std::size_t k = 0; k < 5; ++k) {
    const std::size_t length = k + 1;
    Table next(sums, parts);
    const double class_mean = mean * std::pow(0.5, static_cast<double>(length));
    for (std::size_t a = 0; a <= limits.runs[k][1] - limits.runs[k][0] && a * length < sums; ++a) {
      const double weight = poisson(static_cast<double>(limits.runs[k][0] + a), class_mean);
      for (std::size_t sum = 0; sum + a * length < sums; ++sum) {
        const double* from = now.row(sum);
        if (std::all_of(from, from + parts, [](double v) { return v == 0.0; })) continue;
        double* to = next.row(sum + a * length);
        for (std::size_t p = a; p < parts; ++p) to[p] += weight * from[p - a];
      }
    }
    now = std::move(next);
  }
  // Parts of six and more: Horner over how many there are beyond the least number.
  const double class_mean = mean * std::pow(0.5, 5.0);
  const std::size_t least = limits.runs[5][0];
  Table h(sums, parts);
  for (std::size_t a = std::min<std::size_t>(limits.runs[5][1] - least, (sums - 1) / 6) + 1;
       a-- > 0;) {
    h.add(poisson(static_cast<double>(least + a), class_mean), now);
    if (a > 0) one_more(h, 1, limits.longest);
  }
  for (std::size_t a = 0; a < least; ++a) one_more(h, 0, limits.longest);
  return h;
}

}  // namespace

double runs_kept(std::size_t bits, const RunLimits& limits) {
  const double mean = std::max(1.0, static_cast<double>(bits) / 4.0);
  std::size_t sum_least = 0, parts_least = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    sum_least += (k + 1) * limits.runs[k][0];
    parts_least += limits.runs[k][0];
  }
  if (2 * sum_least > bits) return 0.0;
  Table w = compositions(limits, mean, bits - 2 * sum_least + 1);
  for (std::size_t p = 0; p < w.parts(); ++p) {
    const double scale = poisson(static_cast<double>(parts_least + p), mean);
    for (std::size_t sum = 0; sum < w.sums(); ++sum)
      w.row(sum)[p] = scale > 1e-280 ? w.row(sum)[p] / scale : 0.0;
  }
  double kept = 0.0;
  for (std::size_t i = 0; i < w.sums(); ++i) {
    const std::size_t ones = sum_least + i;
    if (ones < limits.ones_least || ones > limits.ones_most) continue;
    const double *a = w.row(i), *b = w.row(w.sums() - 1 - i);
    for (std::size_t p = 0; p < w.parts(); ++p) {
      kept += 2.0 * a[p] * b[p];
      if (p > 0) kept += a[p] * b[p - 1] + a[p - 1] * b[p];
    }
  }
  return kept;
}

double squares_kept(std::size_t draws, std::uint64_t least, std::uint64_t most) {
  // Deviations e of the counts from c = draws / 16 rounded down: sum of squares = 16 c^2 + 2 c sum
  // e + sum e^2. Counts are Poisson variables given their sum. Rows over sum e hold weights over
  // sum e^2, which is even or odd with it.
  const auto c = static_cast<std::int64_t>(draws / 16);
  const auto sum_all = static_cast<std::int64_t>(draws) - 16 * c;
  const std::int64_t base = 16 * c * c + 2 * c * sum_all;
  const std::int64_t square_most = static_cast<std::int64_t>(most) - base;
  if (square_most < 0) return 0.0;
  const double mean = static_cast<double>(draws) / 16.0;
  const auto root = [](std::int64_t v) {  // rounded down
    auto r = static_cast<std::int64_t>(std::sqrt(static_cast<double>(v)));
    while (r * r > v) --r;
    while ((r + 1) * (r + 1) <= v) ++r;
    return r;
  };
  const std::int64_t reach = root(8 * square_most);
  const auto half = static_cast<std::size_t>(square_most / 2 + 1);
  using Rows = std::vector<std::vector<double>>;
  const auto at = [&](std::int64_t sum) { return static_cast<std::size_t>(sum + reach); };
  Rows now(static_cast<std::size_t>(2 * reach + 1));
  now[at(0)].assign(half, 0.0);
  now[at(0)][0] = 1.0;
  for (int cell = 1; cell <= 8; ++cell) {
    Rows next(now.size());
    for (std::int64_t e = std::max(-c, -root(square_most)); e <= root(square_most); ++e) {
      const double weight = poisson(static_cast<double>(c + e), mean);
      for (std::int64_t sum = -reach; sum <= reach; ++sum) {
        if (now[at(sum)].empty() || std::abs(sum + e) > reach) continue;
        auto& to = next[at(sum + e)];
        if (to.empty()) to.assign(half, 0.0);
        // Places hold (square - parity of the sum) / 2.
        const std::int64_t odd = std::abs(sum) % 2, odd_next = std::abs(sum + e) % 2;
        const auto shift = static_cast<std::size_t>((e * e + odd - odd_next) / 2);
        const auto& from = now[at(sum)];
        for (std::size_t q = 0; q + shift < half; ++q) to[q + shift] += weight * from[q];
      }
    }
    now = std::move(next);
  }
  // Two halves of eight cells: sums must meet, squares stay inside.
  const std::int64_t square_least = static_cast<std::int64_t>(least) - base;
  double kept = 0.0;
  for (std::int64_t sum = -reach; sum <= reach; ++sum) {
    const std::int64_t other = sum_all - sum;
    if (std::abs(other) > reach || now[at(sum)].empty() || now[at(other)].empty()) continue;
    std::vector<double> below(half + 1);
    for (std::size_t q = 0; q < half; ++q) below[q + 1] = below[q] + now[at(other)][q];
    const std::int64_t odd = std::abs(sum) % 2, odd_other = std::abs(other) % 2;
    // How many places q of the other half have a square 2 q + odd_other of at most v.
    const auto places = [&](std::int64_t v) {
      return v < odd_other ? std::size_t{0}
                           : std::min(half, static_cast<std::size_t>((v - odd_other) / 2 + 1));
    };
    for (std::size_t q = 0; q < half; ++q) {
      const std::int64_t square = 2 * static_cast<std::int64_t>(q) + odd;
      kept += now[at(sum)][q] *
              (below[places(square_most - square)] - below[places(square_least - 1 - square)]);
    }
  }
  return kept / poisson(static_cast<double>(draws), static_cast<double>(draws));
}

double no_long_run(std::size_t bits, std::size_t length) {
  // [k]: chance of no such run so far with the last run k long.
  std::vector<double> now(length, 0.0);
  now[1] = 1.0;
  for (std::size_t i = 1; i < bits; ++i) {
    std::vector<double> next(length, 0.0);
    for (std::size_t k = 1; k < length; ++k) {
      next[1] += now[k] / 2.0;
      if (k + 1 < length) next[k + 1] += now[k] / 2.0;
    }
    now = std::move(next);
  }
  double sum = 0.0;
  for (const double p : now) sum += p;
  return sum;
}

}  // namespace talla::stats::exact
