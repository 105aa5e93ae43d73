// Neighbouring cards, rising sequences, and what is left of the shoe before.
#include <algorithm>
#include <cmath>
#include <limits>

#include "outcome/shoe_parts.hpp"
#include "stats/outcome/distributions.hpp"

namespace talla::stats::outcome {
namespace {

constexpr std::uint64_t neighbour_shoes_least = 50;

/// Faces in another order, and how often each comes there.
Moments rising_in_order(const ShoeKind& kind, std::span<const std::uint8_t> order) {
  std::vector<std::uint32_t> copies;
  for (const std::uint8_t face : order) copies.push_back(kind.spec.copies[face]);
  return rising_pairs(Multiset(copies));
}

/// Each face's predecessor; `none` for the first.
std::vector<std::uint16_t> predecessors(std::span<const std::uint8_t> order, std::size_t none) {
  std::vector<std::uint16_t> before(none, static_cast<std::uint16_t>(none));
  for (std::size_t i = 1; i < order.size(); ++i) before[order[i]] = order[i - 1];
  return before;
}

}  // namespace

Neighbours::Neighbours(const ShoeKind& kind)
    : kind_(kind),
      ring_(kind.faces * kind.faces),
      kept_from_(kind.faces * kind.faces),
      equal_(1 + kind.spec.groupings.size()) {
  std::vector<std::uint8_t> order(kind.faces);
  for (std::size_t face = 0; face < kind.faces; ++face)
    order[face] = static_cast<std::uint8_t>(face);
  deck_order_ = predecessors(order, kind.faces);
  in_deck_order_ = rising_pairs(kind.cards);
  for (const std::uint32_t copies : kind.spec.copies) {
    same_copies_ = same_copies_ && copies == kind.spec.copies[0];
    single_ = single_ && copies == 1;
  }
}

/// Pairs of a card and a later one of the next face in that order.
std::uint64_t Neighbours::rising(Faces shoe, std::span<const std::uint16_t> before) {
  std::array<std::uint32_t, 256> seen{};
  std::uint64_t pairs = 0;
  for (const std::uint8_t face : shoe) {
    pairs += seen[before[face]];
    ++seen[face];
  }
  return pairs;
}

/// Compares with the shoe before, then takes its place.
void Neighbours::keep(Faces shoe) {
  const std::size_t faces = kind_.faces;
  if (!last_.empty()) {
    std::uint64_t kept = 0, same = 0;
    double expected = 0.0;
    for (std::size_t i = 0; i + 1 < shoe.size(); ++i) {
      kept += kept_from_[shoe[i] * faces + shoe[i + 1]];
      const double copies = kind_.cards.copies(last_[i]);
      expected +=
          copies * (kind_.cards.copies(last_[i + 1]) - (last_[i] == last_[i + 1] ? 1.0 : 0.0));
    }
    for (std::size_t i = 0; i < shoe.size(); ++i)
      same += static_cast<std::uint64_t>(shoe[i] == last_[i]);
    matches_ += same;
    const auto all = static_cast<double>(kind_.all);
    const double off = static_cast<double>(kept) -
                       expected * static_cast<double>(shoe.size() - 1) / (all * (all - 1.0));
    kept_sum_ += off;
    kept_square_ += off * off;
    for (std::size_t i = 0; i + 1 < last_.size(); ++i)
      kept_from_[last_[i] * faces + last_[i + 1]] = 0;
  }
  for (std::size_t i = 0; i + 1 < shoe.size(); ++i) ++kept_from_[shoe[i] * faces + shoe[i + 1]];
  if (kind_.whole()) {
    if (!before_order_.empty()) {
      rising_before_ += rising(shoe, before_order_);
      const Moments moments = same_copies_ ? in_deck_order_ : rising_in_order(kind_, order_);
      rising_before_mean_ += moments.mean;
      rising_before_variance_ += moments.variance;
    }
    order_.clear();
    std::array<bool, 256> seen{};
    for (const std::uint8_t face : shoe) {
      if (!seen[face]) order_.push_back(face);
      seen[face] = true;
    }
    before_order_ = predecessors(order_, faces);
  }
  last_.assign(shoe.begin(), shoe.end());
}

void Neighbours::add(Faces shoe) {
  const std::size_t faces = kind_.faces;
  std::uint64_t equal = 0, successors = 0;
  for (std::size_t i = 0; i + 1 < shoe.size(); ++i) {
    equal += static_cast<std::uint64_t>(shoe[i] == shoe[i + 1]);
    successors += static_cast<std::uint64_t>(shoe[i] + 1 == shoe[i + 1]);
  }
  equal_[0] += equal;
  successors_ += successors;
  for (std::size_t g = 0; g < kind_.spec.groupings.size(); ++g) {
    const auto& of = kind_.spec.groupings[g].of;
    std::uint64_t same = 0;
    for (std::size_t i = 0; i + 1 < shoe.size(); ++i) {
      same += static_cast<std::uint64_t>(of[shoe[i]] == of[shoe[i + 1]]);
    }
    equal_[1 + g] += same;
  }
  if (kind_.whole()) {
    for (std::size_t i = 0; i + 1 < shoe.size(); ++i) ++ring_[shoe[i] * faces + shoe[i + 1]];
    ++ring_[shoe.back() * faces + shoe.front()];
    rising_ += rising(shoe, deck_order_);
  }
  keep(shoe);
}

/// The mean of the table's statistic is exact, so that it is one of chi-square with a factor near
/// 1.
void Neighbours::table_row(std::vector<Row>& rows, std::uint64_t n) const {
  const auto shoes = static_cast<double>(n), faces = static_cast<double>(kind_.faces);
  double statistic = 0.0, mean = 0.0, degrees = (faces - 1.0) * (faces - 1.0), rarest = 1e300;
  double least = 2.0, cells = 0.0;
  std::string which;
  for (std::size_t f = 0; f < kind_.faces; ++f) {
    if (kind_.spec.copies[f] == 1) degrees -= 1.0;  // it never stands beside itself
    for (std::size_t g = 0; g < kind_.faces; ++g) {
      const Moments moments = ring_neighbours(kind_.cards, f, g);
      if (!(moments.mean > 0.0)) continue;
      const double off = static_cast<double>(ring_[f * kind_.faces + g]) - shoes * moments.mean;
      statistic += off * off / (shoes * moments.mean);
      mean += moments.variance / moments.mean;
      cells += 1.0;
      // A far tail is worth its price only where the cell is far off.
      const double z = off / std::sqrt(shoes * moments.variance);
      if (n != 0 && (std::abs(z) > 3.0 || least > 1.0)) {
        const double p = count_two_sided(static_cast<double>(ring_[f * kind_.faces + g]),
                                         shoes * moments.mean, shoes * moments.variance);
        if (p < least) which = kind_.spec.faces[f] + " then " + kind_.spec.faces[g];
        least = std::min(least, p);
      }
      rarest = std::min(rarest, moments.mean);
    }
  }
  Row row;
  row.test = "neighbours";
  row.item = "table of pairs";
  row.n = n;
  row.n_min = static_cast<std::uint64_t>(std::ceil(expected_least / rarest));
  row.degrees = degrees;
  row.p = std::numeric_limits<double>::quiet_NaN();
  if (n >= row.n_min) {
    row.statistic = statistic * degrees / mean;
    row.p = chi_square_two_sided(row.statistic, degrees);
  }
  rows.push_back(row);
  row.item = "most remarkable pair";
  row.degrees = 0.0;
  if (row.judged()) {
    row.item += ", " + which;
    row.statistic = least;
    row.p = least_of(least, cells);
  }
  rows.push_back(std::move(row));
}

void Neighbours::rows(std::vector<Row>& rows, std::uint64_t n) const {
  const auto shoes = static_cast<double>(n);
  if (kind_.whole() && kind_.faces > 2) table_row(rows, n);
  const auto equal_row = [&](const Multiset& cards, std::uint64_t count, const std::string& what) {
    FacePairs pairs;
    for (std::size_t face = 0; face < cards.faces(); ++face) pairs.emplace_back(face, face);
    const Moments moments = neighbours(cards, pairs, kind_.drawn);
    add_normal_row(rows, {"runs", "equal neighbours: " + what, ""}, static_cast<double>(count),
                   shoes * moments.mean, shoes * moments.variance, n, neighbour_shoes_least);
  };
  if (kind_.faces < kind_.all) equal_row(kind_.cards, equal_[0], "card");
  for (std::size_t g = 0; g < kind_.spec.groupings.size(); ++g) {
    const Grouping& grouping = kind_.spec.groupings[g];
    std::vector<std::uint32_t> copies(grouping.names.size());
    for (std::size_t face = 0; face < kind_.faces; ++face)
      copies[grouping.of[face]] += kind_.spec.copies[face];
    equal_row(Multiset(copies), equal_[1 + g], grouping.name);
  }
  FacePairs successors;
  for (std::size_t face = 0; face + 1 < kind_.faces; ++face)
    successors.emplace_back(face, face + 1);
  const Moments following = neighbours(kind_.cards, successors, kind_.drawn);
  add_normal_row(rows, {"neighbours", "successors in a new deck", ""},
                 static_cast<double>(successors_), shoes * following.mean,
                 shoes * following.variance, n, neighbour_shoes_least);
  if (!kind_.whole()) return;
  const Moments rise = rising_pairs(kind_.cards);
  add_normal_row(rows, {"rising sequences", "in the order of a new deck", ""},
                 static_cast<double>(rising_), shoes * rise.mean, shoes * rise.variance, n,
                 neighbour_shoes_least);
}

/// Where no card has a copy the count of each shoe has one law, whatever the shoe before was:
/// nearly that of Poisson.
void Neighbours::kept_row(std::vector<Row>& rows, std::uint64_t n) const {
  const Moments one = kept_pairs(kind_.all, kind_.drawn);
  const double pairs = static_cast<double>(n) - 1.0, mean = pairs * one.mean;
  add_normal_row(rows, {"shoe before", "kept neighbours", ""}, kept_sum_ + mean, mean,
                 pairs * one.variance, n, neighbour_shoes_least);
  Row& row = rows.back();
  if (row.judged()) row.p = count_mid_two_sided(kept_sum_ + mean, mean, pairs * one.variance);
}

void Neighbours::before_rows(std::vector<Row>& rows, std::uint64_t n) const {
  const double pairs = static_cast<double>(n) - 1.0;
  const Moments match = matches(kind_.cards, kind_.drawn);
  add_normal_row(rows, {"shoe before", "same card at the same place", ""},
                 static_cast<double>(matches_), pairs * match.mean, pairs * match.variance, n,
                 neighbour_shoes_least);
  if (!single_) {
    // Given the shoe before, each difference has mean zero: their sum over the root of the sum of
    // squares.
    add_normal_row(rows, {"shoe before", "kept neighbours", ""}, kept_sum_, 0.0, kept_square_, n,
                   neighbour_shoes_least);
  } else {
    kept_row(rows, n);
  }
  if (!kind_.whole()) return;
  add_normal_row(rows, {"rising sequences", "in the order of the shoe before", ""},
                 static_cast<double>(rising_before_), rising_before_mean_, rising_before_variance_,
                 n, neighbour_shoes_least);
}

}  // namespace talla::stats::outcome
