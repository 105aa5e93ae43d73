// Pairs and triples: serial test, serial correlation, and the runs that can be read from
//                    neighbouring pairs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "outcome/stream_parts.hpp"
#include "stats/outcome/distributions.hpp"
#include "stats/outcome/moments.hpp"

namespace talla::stats::outcome {
namespace {

constexpr std::size_t many_distances_most =
    64;  // results; larger alphabets look at neighbours alone
constexpr std::size_t triples_most = 16;
constexpr double pair_cell_least = 0.02;  // rarer results are taken together

/// Good's psi-square of counts in `cells` of expectation n times the product of the shares.
double psi_square(std::span<const std::uint64_t> counts, std::span<const double> shares,
                  std::uint64_t n) {
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto count = static_cast<double>(counts[i]);
    sum += count * count / shares[i];
  }
  return sum / static_cast<double>(n) - static_cast<double>(n);
}

std::vector<double> products(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all;
  for (const double x : a) {
    for (const double y : b) all.push_back(x * y);
  }
  return all;
}

/// Counts of pairs of results as counts of pairs of cells.
std::vector<std::uint64_t> by_cells(const std::vector<std::uint64_t>& table, const Cells& cells) {
  const std::size_t size = cells.classes();
  std::vector<std::uint64_t> joined(cells.size() * cells.size());
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j)
      joined[cells.of(i) * cells.size() + cells.of(j)] += table[i * size + j];
  }
  return joined;
}

/// A row whose statistic is a difference of psi-squares, with the expectation of its rarest cell.
void add_psi_row(std::vector<Row>& rows, Title title, double statistic, double degrees,
                 double rarest, std::uint64_t n) {
  Row row;
  row.test = std::move(title.test);
  row.item = std::move(title.item);
  row.series = std::move(title.series);
  row.n = n;
  row.n_min = static_cast<std::uint64_t>(std::ceil(expected_least / rarest * (1.0 - 1e-9)));
  row.degrees = degrees;
  row.p = std::numeric_limits<double>::quiet_NaN();
  if (n >= row.n_min) {
    row.statistic = statistic;
    row.p = chi_square_two_sided(statistic, degrees);
  }
  rows.push_back(std::move(row));
}

}  // namespace

Serial::Serial(const Alphabet& alphabet, std::string series)
    : alphabet_(alphabet),
      series_(std::move(series)),
      size_(alphabet.probabilities.size()),
      distances_(size_ <= many_distances_most ? past_most : 1),
      pairs_(distances_, Table(size_ * size_)),
      triples_(size_ <= triples_most ? size_ * size_ * size_ : 0) {}

void Serial::add(const Chunk& chunk) {
  for (std::size_t d = 1; d <= distances_; ++d) {
    Table& table = pairs_[d - 1];
    for (std::size_t i = chunk.past < d ? d - chunk.past : 0; i < chunk.count; ++i) {
      const auto* here = chunk.at + i;
      ++table[*(here - d) * size_ + *here];
    }
  }
  if (!triples_.empty()) {
    for (std::size_t i = chunk.past < 2 ? 2 - chunk.past : 0; i < chunk.count; ++i) {
      const auto* here = chunk.at + i;
      ++triples_[(*(here - 2) * size_ + *(here - 1)) * size_ + *here];
    }
  }
  for (std::size_t i = 0; i < chunk.count && first_.size() < past_most; ++i)
    first_.push_back(chunk.at[i]);
  const std::size_t keep = std::min(past_most, chunk.past + chunk.count);
  last_.assign(chunk.at + chunk.count - keep, chunk.at + chunk.count);
}

/// With the pairs over the end: the first result follows the last one.
Serial::Table Serial::closed_pairs(std::size_t distance) const {
  Table table = pairs_[distance - 1];
  for (std::size_t i = 0; i < distance; ++i) {
    ++table[last_[last_.size() - distance + i] * size_ + first_[i]];
  }
  return table;
}

Serial::Table Serial::closed_triples() const {
  Table table = triples_;
  const std::size_t a = last_[last_.size() - 2], b = last_.back();
  ++table[(a * size_ + b) * size_ + first_[0]];
  ++table[(b * size_ + first_[0]) * size_ + first_[1]];
  return table;
}

void Serial::pair_rows(std::vector<Row>& rows, std::span<const std::uint64_t> counts,
                       std::uint64_t n) const {
  const Cells cells = Cells::joined(alphabet_.probabilities,
                                    std::min(pair_cell_least, 1.0 / static_cast<double>(size_)));
  if (cells.size() < 2) return;
  const auto k = static_cast<double>(cells.size());
  const double rarest =
      *std::min_element(cells.probabilities().begin(), cells.probabilities().end());
  const auto pair_shares = products(cells.probabilities(), cells.probabilities());
  std::vector<std::uint64_t> single(cells.size());
  for (std::size_t i = 0; i < size_; ++i) single[cells.of(i)] += counts[i];
  const bool closed = n > 2 * past_most;
  const double one = closed ? psi_square(single, cells.probabilities(), n) : 0.0;
  double pairs = 0.0;
  for (std::size_t d = 1; d <= distances_; ++d) {
    const double two = closed ? psi_square(by_cells(closed_pairs(d), cells), pair_shares, n) : 0.0;
    if (d == 1) {
      pairs = two;
      add_psi_row(rows, {"serial", "overlapping pairs", series_}, two - one, k * k - k,
                  rarest * rarest, n);
    }
    add_psi_row(rows, {"serial", "pairs at distance " + std::to_string(d), series_},
                two - 2.0 * one, (k - 1.0) * (k - 1.0), rarest * rarest, n);
  }
  if (triples_.empty() || cells.size() != size_) return;
  const double three =
      closed ? psi_square(closed_triples(), products(pair_shares, cells.probabilities()), n) : 0.0;
  add_psi_row(rows, {"serial", "overlapping triples", series_}, three - pairs, k * k * k - k * k,
              rarest * rarest * rarest, n);
}

void Serial::run_rows(std::vector<Row>& rows, std::span<const std::uint64_t> counts,
                      std::uint64_t n) const {
  const auto& p = alphabet_.probabilities;
  const Table& table = pairs_[0];
  // The split that is nearest to halves.
  std::size_t split = 1;
  double below = 0.0, nearest = 1.0;
  for (std::size_t i = 0; i + 1 < size_; ++i) {
    below += p[i];
    if (std::abs(below - 0.5) < nearest) {
      nearest = std::abs(below - 0.5);
      split = i + 1;
    }
  }
  std::uint64_t equal = 0, up = 0, changes = 0, low = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (i < split) low += counts[i];
    for (std::size_t j = 0; j < size_; ++j) {
      const std::uint64_t count = table[i * size_ + j];
      if (i == j) equal += count;
      if (i < j) up += count;
      if ((i < split) != (j < split)) changes += count;
    }
  }
  const bool uniform =
      *std::max_element(p.begin(), p.end()) - *std::min_element(p.begin(), p.end()) < 1e-12;
  const Moments equals = equal_neighbours(p, std::max<std::uint64_t>(n, 2));
  add_normal_row(rows, {"runs", "equal neighbours", series_}, static_cast<double>(equal),
                 equals.mean, equals.variance, n, normal_least);
  if (uniform &&
      n >= normal_least) {  // each neighbour is equal with chance 1/k, whatever came before
    rows.back().basis = Basis::exact;
    rows.back().p =
        binomial_two_sided(static_cast<double>(equal), static_cast<double>(n - 1), p[0]);
  }
  const Moments rise = rises(p, std::max<std::uint64_t>(n, 2));
  add_normal_row(rows, {"runs", "rises", series_}, static_cast<double>(up), rise.mean,
                 rise.variance, n, normal_least);
  const auto a = static_cast<double>(low), b = static_cast<double>(n - low);
  const double all = a + b, mean = 1.0 + 2.0 * a * b / std::max(all, 1.0);
  const double variance = all > 1.0 ? (mean - 1.0) * (mean - 2.0) / (all - 1.0) : 0.0;
  const bool both = low > 0 && low < n;
  if (n >= normal_least && !both) return;  // the frequency test says it
  add_normal_row(rows, {"runs", "low and high", series_}, static_cast<double>(changes + 1), mean,
                 variance, n, normal_least);
  rows.back().basis = Basis::exact;
  if (n >= normal_least) rows.back().p = runs_two_sided(changes + 1, low, n - low);
}

void Serial::rows(std::vector<Row>& rows, std::span<const std::uint64_t> counts,
                  std::uint64_t n) const {
  pair_rows(rows, counts, n);
  double mean = 0.0, variance = 0.0;
  for (std::size_t i = 0; i < size_; ++i)
    mean += static_cast<double>(i) * alphabet_.probabilities[i];
  for (std::size_t i = 0; i < size_; ++i) {
    variance += std::pow(static_cast<double>(i) - mean, 2.0) * alphabet_.probabilities[i];
  }
  for (std::size_t d = 1; d <= distances_; ++d) {
    double sum = 0.0;
    if (n >= normal_least) {
      const Table table = closed_pairs(d);
      for (std::size_t i = 0; i < size_; ++i) {
        for (std::size_t j = 0; j < size_; ++j) {
          sum += static_cast<double>(table[i * size_ + j]) * (static_cast<double>(i) - mean) *
                 (static_cast<double>(j) - mean);
        }
      }
    }
    add_normal_row(rows, {"serial correlation", "distance " + std::to_string(d), series_}, sum, 0.0,
                   static_cast<double>(n) * variance * variance, n, normal_least);
  }
  run_rows(rows, counts, n);
}

}  // namespace talla::stats::outcome
