// Runs, waits, blocks and windows of a series of independent results.
#include "outcome/stream_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "outcome/fives.hpp"
#include "stats/outcome/distributions.hpp"
#include "stats/outcome/moments.hpp"
#include "stats/special.hpp"

namespace talla::stats::outcome {
namespace {

constexpr double length_cell_least = 0.01;
constexpr double wait_cell_least = 0.08;
constexpr double statistic_cell_least = 0.01;
constexpr std::size_t gaps_most = 128;
constexpr double window_expected = 20.0;  // of the rarest result
constexpr std::size_t windows_least = 10;
constexpr std::array<const char*, 3> order_statistic_names = {"least of 5", "median of 5",
                                                              "greatest of 5"};

/// P(a strictly rising run is 1, 2, ... long); the last entry stands for all longer ones.
std::vector<double> run_lengths(std::span<const double> probabilities) {
  const Urn urn = Urn::with_replacement(probabilities);
  std::vector<double> lengths;
  double at_least = 1.0;
  for (std::size_t length = 1; length < 8; ++length) {
    const double longer = rising_probability(urn, length + 1);
    lengths.push_back(at_least - longer);
    at_least = longer;
  }
  lengths.push_back(at_least);
  return lengths;
}

}  // namespace

Runs::Runs(const Alphabet& alphabet, std::string series)
    : alphabet_(alphabet), series_(std::move(series)) {
  const auto lengths = run_lengths(alphabet.probabilities);
  cells_[0] = Cells::neighbours(lengths, length_cell_least);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    mean_length_[0] += lengths[i] * static_cast<double>(i + 2);  // with the result that ends it
  }
}

template <class Goes>
void Runs::follow(Lengths& lengths, const Chunk& chunk, Goes goes) {
  Lengths now = lengths;
  for (std::size_t i = 0; i < chunk.count; ++i) {
    const std::uint16_t value = chunk.at[i];
    if (now.length == 0) {
      now.length = 1;
    } else if (goes(now.last, value)) {
      ++now.length;
    } else {
      ++now.counts[std::min<std::uint32_t>(now.length, 8) - 1];
      now.length = 0;
    }
    now.last = value;
  }
  lengths = now;
}

void Runs::add(const Chunk& chunk) {
  // 1 up, -1 down, 0 level; without a branch.
  const auto way = [](std::uint16_t a, std::uint16_t b) {
    return static_cast<int>(b > a) - static_cast<int>(b < a);
  };
  follow(up_, chunk, [](std::uint16_t a, std::uint16_t b) { return a < b; });
  follow(down_, chunk, [](std::uint16_t a, std::uint16_t b) { return a > b; });
  for (std::size_t i = chunk.past < 2 ? 2 - chunk.past : 0; i < chunk.count; ++i) {
    const auto* here = chunk.at + i;
    going_on_ +=
        static_cast<std::uint64_t>(way(*(here - 2), *(here - 1)) == way(*(here - 1), *here));
  }
}

void Runs::rows(std::vector<Row>& rows, std::uint64_t n) const {
  const Moments moments = going_on(alphabet_.probabilities, std::max<std::uint64_t>(n, 3));
  add_normal_row(rows, {"runs", "up, down and level", series_}, static_cast<double>(going_on_),
                 moments.mean, moments.variance, n, normal_least);
  const auto lengths_row = [&](const Lengths& lengths, const char* name) {
    std::vector<std::uint64_t> counts(cells_[0].size());
    for (std::size_t i = 0; i < lengths.counts.size(); ++i)
      counts[cells_[0].of(i)] += lengths.counts[i];
    add_chi_square_row(rows, {"runs", name, series_}, cells_[0], counts, n, mean_length_[0]);
  };
  lengths_row(up_, "lengths of rising ones");
  lengths_row(down_, "lengths of falling ones");
}

Waits::Waits(const Alphabet& alphabet, std::string series)
    : alphabet_(alphabet), series_(std::move(series)) {
  const auto& p = alphabet.probabilities;
  if (p.size() <= gaps_most) {
    for (const double probability : p) {
      const auto waits = wait_probabilities(probability);
      Gap gap;
      gap.cells = Cells::neighbours(waits, wait_cell_least);
      for (std::size_t t = 0; t < waits.size(); ++t)
        gap.cell_of.push_back(static_cast<std::uint32_t>(gap.cells.of(t)));
      gap.counts.resize(gap.cells.size());
      gaps_.push_back(std::move(gap));
    }
  }
  const auto coupons = coupon_probabilities(Urn::with_replacement(p));
  if (coupons.empty()) return;
  coupon_cells_ = Cells::neighbours(coupons, wait_cell_least);
  coupon_counts_.resize(coupon_cells_.size());
  collected_at_.resize(p.size());
  for (std::size_t t = 0; t < coupons.size(); ++t)
    coupon_mean_ += coupons[t] * static_cast<double>(t);
}

void Waits::add(const Chunk& chunk) {
  if (!gaps_.empty()) {
    for (std::size_t i = 0; i < chunk.count; ++i) {
      Gap& gap = gaps_[chunk.at[i]];
      const std::uint64_t here = place_ + i + 1;
      ++gap.counts[gap.cell_of[std::min<std::uint64_t>(here - gap.last, gap.cell_of.size() - 1)]];
      gap.last = here;
    }
  }
  if (!coupon_counts_.empty()) {
    for (std::size_t i = 0; i < chunk.count; ++i) {
      std::uint64_t& seen = collected_at_[chunk.at[i]];
      if (seen == collection_) continue;
      seen = collection_;
      if (++collected_ < collected_at_.size()) continue;
      const std::uint64_t wait = place_ + i + 1 - collecting_since_;
      ++coupon_counts_[coupon_cells_.of(
          std::min<std::uint64_t>(wait, coupon_cells_.classes() - 1))];
      ++collection_;
      collected_ = 0;
      collecting_since_ = place_ + i + 1;
    }
  }
  place_ += chunk.count;
}

void Waits::rows(std::vector<Row>& rows, std::uint64_t n) const {
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    add_chi_square_row(rows, {"gap", alphabet_.names[i], series_}, gaps_[i].cells, gaps_[i].counts,
                       n, 1.0 / alphabet_.probabilities[i]);
  }
  if (!coupon_counts_.empty()) {
    add_chi_square_row(rows, {"coupon collector", "", series_}, coupon_cells_, coupon_counts_, n,
                       coupon_mean_);
  }
}

Blocks::Blocks(const Alphabet& alphabet, std::string series)
    : alphabet_(alphabet),
      series_(std::move(series)),
      birthdays_(Urn::with_replacement(alphabet.probabilities), 40) {
  const Urn urn = Urn::with_replacement(alphabet.probabilities);
  poker_cells_ = Cells::joined(poker_probabilities(urn), poker_cell_least);
  order_cells_ = Cells::joined(order_probabilities(urn), order_cell_least);
  poker_counts_.resize(poker_cells_.size());
  order_counts_.resize(order_cells_.size());
  for (std::size_t s = 0; s < statistic_ranks.size(); ++s) {
    statistic_cells_[s] = Cells::neighbours(
        order_statistic_probabilities(urn, poker_draws, statistic_ranks[s]), statistic_cell_least);
    statistic_counts_[s].resize(statistic_cells_[s].size());
  }
}

void Blocks::add(const Chunk& chunk) {
  for (std::size_t i = 0; i < chunk.count; ++i) {
    five_[in_five_] = chunk.at[i];
    if (++in_five_ < poker_draws) continue;
    in_five_ = 0;
    ++poker_counts_[poker_cells_.of(poker_class(five_))];
    auto sorted = five_;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t s = 0; s < statistic_ranks.size(); ++s) {
      ++statistic_counts_[s][statistic_cells_[s].of(sorted[statistic_ranks[s] - 1])];
    }
  }
  for (std::size_t i = 0; i < chunk.count; ++i) {
    four_[in_four_] = chunk.at[i];
    if (++in_four_ < order_draws) continue;
    in_four_ = 0;
    ++order_counts_[order_cells_.of(order_class(four_))];
  }
  if (birthdays_.draws() == 0) return;
  for (std::size_t i = 0; i < chunk.count; ++i) {
    key_ = key_ * alphabet_.probabilities.size() + chunk.at[i];
    if (++in_birthday_ < birthdays_.draws()) continue;
    birthdays_.add(key_);
    in_birthday_ = 0;
    key_ = 0;
  }
}

void Blocks::rows(std::vector<Row>& rows, std::uint64_t n) const {
  add_chi_square_row(rows, {"poker", "", series_}, poker_cells_, poker_counts_, n, poker_draws);
  add_chi_square_row(rows, {"permutation", "", series_}, order_cells_, order_counts_, n,
                     order_draws);
  for (std::size_t s = 0; s < statistic_ranks.size(); ++s) {
    add_chi_square_row(rows, {"order statistic", order_statistic_names[s], series_},
                       statistic_cells_[s], statistic_counts_[s], n, poker_draws);
  }
  birthdays_.row(rows, {"duplicates", std::to_string(birthdays_.draws()) + " in a row", series_}, n,
                 static_cast<double>(birthdays_.draws()));
}

Windows::Windows(const Alphabet& alphabet, std::string series)
    : series_(std::move(series)),
      size_(alphabet.probabilities.size()),
      cells_(
          Cells::joined(alphabet.probabilities, std::min(0.01, 1.0 / static_cast<double>(size_)))),
      open_(size_) {
  const double rarest =
      *std::min_element(cells_.probabilities().begin(), cells_.probabilities().end());
  length_ = static_cast<std::uint64_t>(std::ceil(window_expected / rarest * (1.0 - 1e-9)));
}

void Windows::close() {
  closed_.push_back(open_);
  std::fill(open_.begin(), open_.end(), 0U);
  in_window_ = 0;
  if (closed_.size() < windows_most) return;
  for (std::size_t i = 0; i < windows_most / 2; ++i) {
    for (std::size_t k = 0; k < size_; ++k)
      closed_[i][k] = closed_[2 * i][k] + closed_[2 * i + 1][k];
  }
  closed_.resize(windows_most / 2);
  length_ *= 2;
}

void Windows::add(const Chunk& chunk) {
  for (std::size_t i = 0; i < chunk.count;) {
    const std::size_t until =
        static_cast<std::size_t>(std::min<std::uint64_t>(chunk.count, i + length_ - in_window_));
    in_window_ += until - i;
    for (; i < until; ++i) ++open_[chunk.at[i]];
    if (in_window_ == length_) close();
  }
}

std::vector<std::uint64_t> Windows::totals() const {
  std::vector<std::uint64_t> totals(open_.begin(), open_.end());
  for (const auto& window : closed_) {
    for (std::size_t k = 0; k < size_; ++k) totals[k] += window[k];
  }
  return totals;
}

std::vector<double> Windows::p_values() const {
  std::vector<double> values;
  for (const auto& window : closed_) {
    std::vector<std::uint64_t> counts(cells_.size());
    for (std::size_t k = 0; k < size_; ++k) counts[cells_.of(k)] += window[k];
    values.push_back(cells_.size() < 2 ? 1.0
                                       : chi_square_tail(cells_.chi_square(counts),
                                                         static_cast<double>(cells_.size() - 1)));
  }
  return values;
}

void Windows::rows(std::vector<Row>& rows, std::uint64_t n) const {
  if (cells_.size() < 2) return;
  Row row;
  row.test = "Kolmogorov-Smirnov";
  row.item = std::to_string(closed_.size()) + " windows of " + std::to_string(length_);
  row.series = series_;
  row.n = n;
  row.n_min = windows_least * length_;
  row.p = std::numeric_limits<double>::quiet_NaN();
  if (closed_.size() >= windows_least) {
    const KolmogorovSmirnov test = kolmogorov_smirnov(p_values());
    row.statistic = test.distance;
    row.p = test.p;
  }
  rows.push_back(std::move(row));
}

}  // namespace talla::stats::outcome
