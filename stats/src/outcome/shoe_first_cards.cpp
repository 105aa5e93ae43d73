// The first cards of each shoe against exact probabilities without replacement; shoes and
// beginnings that come twice.
#include <algorithm>
#include <cmath>
#include <limits>

#include "outcome/fives.hpp"
#include "outcome/shoe_parts.hpp"
#include "stats/outcome/distributions.hpp"

namespace talla::stats::outcome {
namespace {

constexpr double first_cell_least = 0.05;
constexpr std::array<const char*, 3> first_statistic_names = {
    "least of the first 5", "median of the first 5", "greatest of the first 5"};
constexpr double digest_match = 0x1p-64;
constexpr std::size_t match_draws_most =
    12;  // beyond it a match is rarer than any number of shoes can show

/// Waits of more than `drawn` cards are one class.
std::vector<double> within(std::vector<double> waits, std::size_t drawn) {
  if (waits.size() <= drawn + 1) return waits;
  double later = 0.0;
  for (std::size_t t = drawn + 1; t < waits.size(); ++t) later += waits[t];
  waits.resize(drawn + 1);
  waits.push_back(later);
  return waits;
}

std::uint64_t digest_of(Faces shoe) {
  std::uint64_t digest = 0x243f6a8885a308d3U;
  for (const std::uint8_t face : shoe) {
    digest = (digest ^ face) * 0x9e3779b97f4a7c15U;
    digest ^= digest >> 32;
  }
  return digest;
}

}  // namespace

FirstCards::FirstCards(const ShoeKind& kind)
    : kind_(kind),
      birthdays_(Urn::without_replacement(kind.spec.copies), std::min<std::size_t>(kind.drawn, 7)) {
  if (!kind.spec.groupings.empty()) {
    const Grouping& grouping = kind.spec.groupings[0];
    group_of_ = grouping.of;
    group_names_ = grouping.names;
    group_copies_.resize(grouping.names.size());
    for (std::size_t face = 0; face < kind.faces; ++face)
      group_copies_[grouping.of[face]] += kind.spec.copies[face];
  } else {
    group_copies_ = kind.spec.copies;
    group_names_ = kind.spec.faces;
    for (std::size_t face = 0; face < kind.faces; ++face)
      group_of_.push_back(static_cast<std::uint8_t>(face));
  }
  const Urn urn = Urn::without_replacement(group_copies_);
  if (kind.drawn >= poker_draws) {
    poker_cells_ = Cells::joined(poker_probabilities(urn), poker_cell_least);
    poker_counts_.resize(poker_cells_.size());
    for (std::size_t s = 0; s < statistic_ranks.size(); ++s) {
      statistic_cells_[s] = Cells::neighbours(
          order_statistic_probabilities(urn, poker_draws, statistic_ranks[s]), first_cell_least);
      statistic_counts_[s].resize(statistic_cells_[s].size());
    }
  }
  if (kind.drawn >= order_draws) {
    order_cells_ = Cells::joined(order_probabilities(urn), order_cell_least);
    order_counts_.resize(order_cells_.size());
  }
  coupon_cells_ =
      Cells::neighbours(within(coupon_probabilities(urn), kind.drawn), first_cell_least);
  coupon_counts_.resize(coupon_cells_.size());
  for (const std::uint32_t copies : group_copies_) {
    gap_cells_.push_back(Cells::neighbours(
        within(wait_probabilities(copies, static_cast<std::uint32_t>(kind.all)), kind.drawn),
        first_cell_least));
    gap_counts_.emplace_back(gap_cells_.back().size());
  }
  shoe_match_ = digest_match;
  const std::size_t draws = std::min(kind.drawn, match_draws_most);
  shoe_match_ += match_probability(Urn::without_replacement(kind.spec.copies), draws);
}

void FirstCards::waits(Faces shoe) {
  std::array<bool, 256> seen{};
  std::size_t groups = 0;
  std::size_t place = 0;
  for (const std::uint8_t face : shoe) {
    ++place;
    const std::uint8_t group = group_of_[face];
    if (seen[group]) continue;
    seen[group] = true;
    ++gap_counts_[group][gap_cells_[group].of(place)];
    if (++groups == group_copies_.size()) break;
  }
  const bool complete = groups == group_copies_.size();
  ++coupon_counts_[coupon_cells_.of(complete ? place : coupon_cells_.classes() - 1)];
  for (std::size_t group = 0; !complete && group < group_copies_.size(); ++group) {
    if (!seen[group]) ++gap_counts_[group][gap_cells_[group].of(gap_cells_[group].classes() - 1)];
  }
}

void FirstCards::add(Faces shoe) {
  waits(shoe);
  if (kind_.drawn >= poker_draws) {
    std::array<std::uint32_t, poker_draws> five{};
    for (std::size_t i = 0; i < poker_draws; ++i) five[i] = group_of_[shoe[i]];
    ++poker_counts_[poker_cells_.of(poker_class(five))];
    std::sort(five.begin(), five.end());
    for (std::size_t s = 0; s < statistic_ranks.size(); ++s) {
      ++statistic_counts_[s][statistic_cells_[s].of(five[statistic_ranks[s] - 1])];
    }
  }
  if (kind_.drawn >= order_draws) {
    ++order_counts_[order_cells_.of(order_class(
        {group_of_[shoe[0]], group_of_[shoe[1]], group_of_[shoe[2]], group_of_[shoe[3]]}))];
  }
  if (birthdays_.draws() != 0) {
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < birthdays_.draws(); ++i) key = key << 8 | shoe[i];
    birthdays_.add(key);
  }
  digests_.push_back(digest_of(shoe));
}

void FirstCards::rows(std::vector<Row>& rows, std::uint64_t n) const {
  const std::string of = kind_.spec.groupings.empty() ? "" : kind_.spec.groupings[0].name + ", ";
  if (kind_.drawn >= poker_draws) {
    add_chi_square_row(rows, {"poker", of + "first 5", ""}, poker_cells_, poker_counts_, n, 1.0);
  }
  if (kind_.drawn >= order_draws) {
    add_chi_square_row(rows, {"permutation", of + "first 4", ""}, order_cells_, order_counts_, n,
                       1.0);
  }
  if (kind_.drawn >= poker_draws) {
    for (std::size_t s = 0; s < statistic_ranks.size(); ++s) {
      add_chi_square_row(rows, {"order statistic", of + first_statistic_names[s], ""},
                         statistic_cells_[s], statistic_counts_[s], n, 1.0);
    }
  }
  for (std::size_t group = 0; group < gap_cells_.size(); ++group) {
    add_chi_square_row(rows, {"gap", "first " + group_names_[group], ""}, gap_cells_[group],
                       gap_counts_[group], n, 1.0);
  }
  add_chi_square_row(rows, {"coupon collector", of + "until all are out", ""}, coupon_cells_,
                     coupon_counts_, n, 1.0);
  birthdays_.row(rows, {"duplicates", "first " + std::to_string(birthdays_.draws()) + " cards", ""},
                 n, 1.0);
  std::vector<std::uint64_t> sorted = digests_;
  std::sort(sorted.begin(), sorted.end());
  double pairs = 0.0, run = 0.0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    run = sorted[i] == sorted[i - 1] ? run + 1.0 : 0.0;
    pairs += run;
  }
  Row row;
  row.test = "duplicates";
  row.item = "whole shoes";
  row.n = n;
  row.n_min = 2;
  row.statistic = pairs;
  const auto shoes = static_cast<double>(n);
  row.p = n < row.n_min ? std::numeric_limits<double>::quiet_NaN()
                        : poisson_two_sided(pairs, shoes * (shoes - 1.0) / 2.0 * shoe_match_);
  rows.push_back(std::move(row));
}

}  // namespace talla::stats::outcome
