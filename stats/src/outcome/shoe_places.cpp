// Place x card: every place alone, every card alone, the whole table, and the same for groups of
//               cards.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "outcome/shoe_parts.hpp"
#include "stats/outcome/distributions.hpp"
#include "stats/special.hpp"

namespace talla::stats::outcome {
namespace {

constexpr std::size_t places_least = 10;  // for Kolmogorov-Smirnov

Row table_row(Title title, std::uint64_t n, std::uint64_t n_min, double statistic, double degrees) {
  Row row;
  row.test = std::move(title.test);
  row.item = std::move(title.item);
  row.n = n;
  row.n_min = n_min;
  row.degrees = degrees;
  row.p = std::numeric_limits<double>::quiet_NaN();
  if (n >= n_min) {
    row.statistic = statistic;
    row.p = chi_square_two_sided(statistic, degrees);
  }
  return row;
}

std::uint64_t shoes_for(double rarest) {
  return static_cast<std::uint64_t>(std::ceil(expected_least / rarest * (1.0 - 1e-9)));
}

}  // namespace

void Places::add(Faces shoe) {
  std::uint32_t* row = table_.data();
  for (const std::uint8_t face : shoe) {
    ++row[face];
    row += kind_.faces;
  }
}

double Places::score_sum(std::size_t place) const {
  double sum = 0.0;
  for (std::size_t face = 0; face < kind_.faces; ++face) {
    sum += static_cast<double>(table_[place * kind_.faces + face]) * kind_.scores.centred[face];
  }
  return sum;
}

/// Two places of one shoe hold different cards: the covariance of the table is that of independent
/// rows, centred over the places and widened by all / (all - 1). What is left in the sums over the
/// places shows which cards were drawn at all.
void Places::group_rows(std::vector<Row>& rows, const Grouping* grouping, std::uint64_t n) const {
  const std::size_t groups = grouping != nullptr ? grouping->names.size() : kind_.faces;
  std::vector<double> share(groups), total(groups), counts(kind_.drawn * groups);
  const auto all = static_cast<double>(kind_.all), drawn = static_cast<double>(kind_.drawn);
  for (std::size_t face = 0; face < kind_.faces; ++face) {
    const std::size_t group = grouping != nullptr ? grouping->of[face] : face;
    share[group] += kind_.cards.copies(face) / all;
    for (std::size_t place = 0; place < kind_.drawn; ++place) {
      const double count = table_[place * kind_.faces + face];
      counts[place * groups + group] += count;
      total[group] += count;
    }
  }
  const auto shoes = static_cast<double>(n);
  double table = 0.0, drawn_at_all = 0.0;
  for (std::size_t group = 0; group < groups; ++group) {
    const double expected = shoes * share[group];
    for (std::size_t place = 0; place < kind_.drawn; ++place) {
      const double off = counts[place * groups + group] - total[group] / drawn;
      table += off * off / expected;
    }
    const double off = total[group] - expected * drawn;
    drawn_at_all += off * off / (expected * drawn);
  }
  const double rarest = *std::min_element(share.begin(), share.end());
  const auto freedom = static_cast<double>(groups - 1);
  const std::string what = grouping != nullptr ? grouping->name : "card";
  rows.push_back(table_row({"place x " + what, "all places", ""}, n, shoes_for(rarest),
                           table * (all - 1.0) / all, freedom * (drawn - 1.0)));
  if (kind_.whole()) return;
  rows.push_back(table_row({what + " drawn", "", ""}, n, shoes_for(rarest * drawn),
                           drawn_at_all * (all - 1.0) / (all - drawn), freedom));
}

void Places::place_rows(std::vector<Row>& rows, std::uint64_t n) const {
  const auto shoes = static_cast<double>(n), all = static_cast<double>(kind_.all);
  double rarest = 1.0;
  for (std::size_t face = 0; face < kind_.faces; ++face)
    rarest = std::min(rarest, kind_.cards.copies(face) / all);
  std::vector<double> tails;
  for (std::size_t place = 0; place < kind_.drawn; ++place) {
    double sum = 0.0;
    for (std::size_t face = 0; face < kind_.faces; ++face) {
      const double expected = shoes * kind_.cards.copies(face) / all;
      const double off = table_[place * kind_.faces + face] - expected;
      sum += off * off / expected;
    }
    const auto degrees = static_cast<double>(kind_.faces - 1);
    rows.push_back(table_row({"place x card", "place " + std::to_string(place + 1), ""}, n,
                             shoes_for(rarest), sum, degrees));
    if (rows.back().judged()) tails.push_back(chi_square_tail(sum, degrees));
  }
  if (kind_.drawn < places_least) return;
  // Of so many places the test sees what the limit law of each one's chi-square is off by, which
  // falls with 1 / expected.
  const auto least = std::max(expected_least, std::sqrt(static_cast<double>(kind_.drawn)));
  Row row = table_row({"Kolmogorov-Smirnov", std::to_string(kind_.drawn) + " places", ""}, n,
                      static_cast<std::uint64_t>(std::ceil(least / rarest)), 0.0, 1.0);
  row.degrees = 0.0;
  if (row.judged()) {
    const auto test = kolmogorov_smirnov(tails);
    row.statistic = test.distance;
    row.p = test.p;
  }
  rows.push_back(std::move(row));
}

void Places::face_rows(std::vector<Row>& rows, std::uint64_t n) const {
  const auto shoes = static_cast<double>(n), all = static_cast<double>(kind_.all);
  const auto drawn = static_cast<double>(kind_.drawn);
  for (std::size_t face = 0; face < kind_.faces; ++face) {
    const double share = kind_.cards.copies(face) / all;
    double total = 0.0, sum = 0.0;
    for (std::size_t place = 0; place < kind_.drawn; ++place)
      total += table_[place * kind_.faces + face];
    for (std::size_t place = 0; place < kind_.drawn; ++place) {
      const double off = table_[place * kind_.faces + face] - total / drawn;
      sum += off * off;
    }
    const double statistic = sum / (shoes * share * (1.0 - share)) * (all - 1.0) / all;
    rows.push_back(table_row({"place x card", "card " + kind_.spec.faces[face], ""}, n,
                             shoes_for(share), statistic, drawn - 1.0));
  }
}

/// The one cell that is furthest off, by its exact binomial, against the number of cells.
void Places::cell_row(std::vector<Row>& rows, std::uint64_t n) const {
  const auto shoes = static_cast<double>(n), all = static_cast<double>(kind_.all);
  double least = 2.0, rarest = 1.0;
  std::string which;
  for (std::size_t face = 0; face < kind_.faces; ++face) {
    const double share = kind_.cards.copies(face) / all;
    rarest = std::min(rarest, share);
    for (std::size_t place = 0; place < kind_.drawn && n != 0; ++place) {
      const double count = table_[place * kind_.faces + face];
      const double z = (count - shoes * share) / std::sqrt(shoes * share * (1.0 - share));
      if (std::abs(z) < 3.0 && least <= 1.0)
        continue;  // a far tail is worth its price only where the cell is far off
      const double p = binomial_two_sided(count, shoes, share);
      if (p < least) which = kind_.spec.faces[face] + " at place " + std::to_string(place + 1);
      least = std::min(least, p);
    }
  }
  Row row =
      table_row({"place x card", "most remarkable cell", ""}, n, shoes_for(rarest), least, 1.0);
  row.degrees = 0.0;
  if (row.judged()) {
    row.item += ", " + which;
    row.p = least_of(least, static_cast<double>(kind_.faces) * static_cast<double>(kind_.drawn));
  }
  rows.push_back(std::move(row));
}

void Places::rows(std::vector<Row>& rows, std::uint64_t n) const {
  group_rows(rows, nullptr, n);
  for (const Grouping& grouping : kind_.spec.groupings) group_rows(rows, &grouping, n);
  place_rows(rows, n);
  face_rows(rows, n);
  cell_row(rows, n);
}

}  // namespace talla::stats::outcome
