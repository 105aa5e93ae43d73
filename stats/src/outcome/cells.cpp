#include "stats/outcome/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stats/outcome/distributions.hpp"

namespace talla::stats::outcome {
namespace {

constexpr double not_judged = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = 1.0 - 1e-9;  // equal probabilities are equal

/// Joins classes in the given order until each cell has `least`; what is left joins the last.
void join(std::span<const double> probabilities, std::span<const std::size_t> order, double least,
          std::vector<std::size_t>& cell_of, std::vector<double>& cells) {
  cell_of.assign(probabilities.size(), 0);
  double current = 0.0;
  for (const std::size_t klass : order) {
    if (current >= least * rounding) {
      cells.push_back(current);
      current = 0.0;
    }
    cell_of[klass] = cells.size();
    current += probabilities[klass];
  }
  if (cells.empty() || current >= least * rounding) {
    cells.push_back(current);
  } else {
    std::replace(cell_of.begin(), cell_of.end(), cells.size(), cells.size() - 1);
    cells.back() += current;
  }
}

Row row_of(Title title, std::uint64_t outcomes, std::uint64_t outcomes_min) {
  Row row;
  row.test = std::move(title.test);
  row.item = std::move(title.item);
  row.series = std::move(title.series);
  row.n = outcomes;
  row.n_min = outcomes_min;
  row.p = not_judged;
  return row;
}

}  // namespace

Cells Cells::single(std::span<const double> probabilities) {
  return joined(probabilities, 0.0);
}

Cells Cells::joined(std::span<const double> probabilities, double least) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Cells cells;
  if (*std::min_element(probabilities.begin(), probabilities.end()) < least * rounding) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return probabilities[a] < probabilities[b];
    });
    join(probabilities, order, least, cells.cell_of_, cells.probabilities_);
    return cells;
  }
  cells.cell_of_ = order;
  cells.probabilities_.assign(probabilities.begin(), probabilities.end());
  return cells;
}

Cells Cells::neighbours(std::span<const double> probabilities, double least) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Cells cells;
  join(probabilities, order, least, cells.cell_of_, cells.probabilities_);
  return cells;
}

std::uint64_t Cells::observations_min() const {
  const double rarest = *std::min_element(probabilities_.begin(), probabilities_.end());
  return static_cast<std::uint64_t>(std::ceil(expected_least / rarest * rounding));
}

double Cells::chi_square(std::span<const std::uint64_t> counts) const {
  const auto total =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  double sum = 0.0;
  for (std::size_t cell = 0; cell < size(); ++cell) {
    const double expected = total * probabilities_[cell];
    const double off = static_cast<double>(counts[cell]) - expected;
    sum += off * off / expected;
  }
  return sum;
}

void add_chi_square_row(std::vector<Row>& rows, Title title, const Cells& cells,
                        std::span<const std::uint64_t> counts, std::uint64_t outcomes,
                        double outcomes_each) {
  if (cells.size() < 2) return;
  const auto least = static_cast<double>(cells.observations_min());
  Row row = row_of(std::move(title), outcomes,
                   static_cast<std::uint64_t>(std::ceil(least * outcomes_each)));
  row.degrees = static_cast<double>(cells.size() - 1);
  const std::uint64_t seen = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  // Waiting times: how many observations so many outcomes give is a matter of luck.
  if (outcomes >= row.n_min && static_cast<double>(seen) >= 0.8 * least) {
    row.statistic = cells.chi_square(counts);
    row.p = chi_square_two_sided(row.statistic, row.degrees);
  } else if (outcomes >= row.n_min) {
    const double missing = std::ceil((0.8 * least - static_cast<double>(seen)) * outcomes_each);
    row.n_min = outcomes + static_cast<std::uint64_t>(missing);
  }
  rows.push_back(std::move(row));
}

void add_frequency_rows(std::vector<Row>& rows, const Title& title,
                        std::span<const std::string> names, std::span<const double> probabilities,
                        std::span<const std::uint64_t> counts, bool each) {
  const std::uint64_t n = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const Cells cells = Cells::single(probabilities);
  add_chi_square_row(rows, title, cells, counts, n, 1.0);
  if (!each) return;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    Row row = row_of({title.test, names[i], title.series}, n, 1);
    row.basis = Basis::exact;
    row.statistic = static_cast<double>(counts[i]);
    if (n >= row.n_min) {
      row.p = binomial_two_sided(row.statistic, static_cast<double>(n), probabilities[i]);
    }
    rows.push_back(std::move(row));
  }
}

void add_normal_row(std::vector<Row>& rows, Title title, double statistic, double mean,
                    double variance, std::uint64_t outcomes, std::uint64_t outcomes_min) {
  if (!(variance > 0.0)) {
    if (outcomes >= outcomes_min) return;  // a statistic that cannot vary says nothing
    variance = 1.0;
  }
  Row row = row_of(std::move(title), outcomes, outcomes_min);
  if (outcomes >= outcomes_min) {
    row.statistic = (statistic - mean) / std::sqrt(variance);
    row.p = normal_two_sided(row.statistic);
  }
  rows.push_back(std::move(row));
}

}  // namespace talla::stats::outcome
