#include "stats/outcome/moments.hpp"

#include <algorithm>
#include <cmath>

namespace talla::stats::outcome {
namespace {

/// Sum of f(p_i) with the probability of all smaller and of all larger faces.
template <class Term>
double over_faces(std::span<const double> probabilities, Term term) {
  double sum = 0.0, below = 0.0, above = 0.0;
  for (const double p : probabilities) above += p;
  for (const double p : probabilities) {
    above -= p;
    sum += term(p, below, std::max(0.0, above));
    below += p;
  }
  return sum;
}

/// P(`draws` results rise strictly).
double rising(std::span<const double> probabilities, std::size_t draws) {
  std::vector<double> sums(draws + 1);
  sums[0] = 1.0;
  for (const double p : probabilities) {
    for (std::size_t i = draws; i > 0; --i) sums[i] += sums[i - 1] * p;
  }
  return sums[draws];
}

double power_sum(std::span<const double> probabilities, double exponent) {
  double sum = 0.0;
  for (const double p : probabilities) sum += std::pow(p, exponent);
  return sum;
}

/// Mean and variance of a sum of `terms` indicators, dependent on the next and, with `two`, the one
/// after.
Moments of_indicators(double terms, double one, double next, double two) {
  Moments moments;
  moments.mean = terms * one;
  moments.variance = terms * one * (1.0 - one) +
                     2.0 * std::max(0.0, terms - 1.0) * (next - one * one) +
                     2.0 * std::max(0.0, terms - 2.0) * (two - one * one);
  return moments;
}

}  // namespace

Moments going_on(std::span<const double> probabilities, std::uint64_t n) {
  const double one = 2.0 * rising(probabilities, 3) + power_sum(probabilities, 3.0);
  const double next = 2.0 * rising(probabilities, 4) + power_sum(probabilities, 4.0);
  // Both triples meet in one result: given it, they are independent. Up: two smaller ones in order
  // below it.
  std::vector<double> up, down;
  double first = 0.0, second = 0.0;
  for (const double p : probabilities) {
    up.push_back(second);
    second += first * p;
    first += p;
  }
  first = second = 0.0;
  for (std::size_t i = probabilities.size(); i-- > 0;) {
    down.push_back(second);
    second += first * probabilities[i];
    first += probabilities[i];
  }
  std::reverse(down.begin(), down.end());
  double two = 0.0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double p = probabilities[i], arrive = up[i] + p * p + down[i];
    two += p * arrive * arrive;
  }
  return of_indicators(static_cast<double>(n) - 2.0, one, next, two);
}

Moments equal_neighbours(std::span<const double> probabilities, std::uint64_t n) {
  const double one = power_sum(probabilities, 2.0);
  return of_indicators(static_cast<double>(n) - 1.0, one, power_sum(probabilities, 3.0), one * one);
}

Moments rises(std::span<const double> probabilities, std::uint64_t n) {
  const double one =
      over_faces(probabilities, [](double p, double below, double) { return p * below; });
  return of_indicators(static_cast<double>(n) - 1.0, one, rising(probabilities, 3), one * one);
}

Multiset::Multiset(std::span<const std::uint32_t> copies) : copies_(copies.begin(), copies.end()) {
  for (const double count : copies_) cards_ += count;
}

double Multiset::probability(std::initializer_list<std::size_t> faces) const {
  double value = 1.0, drawn = 0.0;
  for (const auto* face = faces.begin(); face != faces.end(); ++face) {
    const auto before = static_cast<double>(std::count(faces.begin(), face, *face));
    value *= (copies_[*face] - before) / (cards_ - drawn);
    drawn += 1.0;
  }
  return value;
}

Moments neighbours(const Multiset& cards, const FacePairs& pairs, std::size_t drawn) {
  const double places = static_cast<double>(drawn) - 1.0;
  const double touching = 2.0 * std::max(0.0, places - 1.0);
  const double apart = std::max(0.0, places * (places - 1.0) - touching);
  double one = 0.0, joined = 0.0, separate = 0.0;
  for (const auto& [a, b] : pairs) {
    one += cards.probability({a, b});
    for (const auto& [c, d] : pairs) {
      if (b == c && touching > 0.0) joined += cards.probability({a, b, d});
      if (apart > 0.0) separate += cards.probability({a, b, c, d});
    }
  }
  Moments moments;
  moments.mean = places * one;
  moments.variance =
      moments.mean + touching * joined + apart * separate - moments.mean * moments.mean;
  return moments;
}

Moments ring_neighbours(const Multiset& cards, std::size_t first, std::size_t second) {
  const double n = cards.cards();
  Moments moments;
  moments.mean = n * cards.probability({first, second});
  moments.variance = moments.mean - moments.mean * moments.mean;
  if (first == second) moments.variance += 2.0 * n * cards.probability({first, first, first});
  if (n > 3.0)
    moments.variance += n * (n - 3.0) * cards.probability({first, second, first, second});
  return moments;
}

Moments rising_pairs(const Multiset& cards) {
  Moments moments;
  for (std::size_t face = 0; face + 1 < cards.faces(); ++face) {
    const double a = cards.copies(face), b = cards.copies(face + 1);
    moments.mean += a * b / 2.0;
    moments.variance += a * b * (a + b + 1.0) / 12.0;
    if (face + 2 < cards.faces()) moments.variance -= a * b * cards.copies(face + 2) / 6.0;
  }
  return moments;
}

Moments matches(const Multiset& cards, std::size_t drawn) {
  double one = 0.0, two = 0.0;
  for (std::size_t f = 0; f < cards.faces(); ++f) {
    one += cards.probability({f}) * cards.probability({f});
    if (drawn < 2) continue;
    for (std::size_t g = 0; g < cards.faces(); ++g) two += std::pow(cards.probability({f, g}), 2.0);
  }
  const auto places = static_cast<double>(drawn);
  Moments moments;
  moments.mean = places * one;
  moments.variance = moments.mean + places * (places - 1.0) * two - moments.mean * moments.mean;
  return moments;
}

Moments kept_pairs(std::size_t all, std::size_t drawn) {
  const auto n = static_cast<double>(all), m = static_cast<double>(drawn);
  Moments moments;
  moments.mean = (m - 1.0) * (m - 1.0) / (n * (n - 1.0));
  // Two pairs of the order before: with a card in common they are three cards in a row, without one
  // two blocks of two.
  double both = drawn < 3 ? 0.0 : 2.0 * (m - 2.0) * (m - 2.0) / (n * (n - 1.0) * (n - 2.0));
  if (drawn > 3)
    both += std::pow((m - 2.0) * (m - 3.0), 2.0) / (n * (n - 1.0) * (n - 2.0) * (n - 3.0));
  moments.variance = both + moments.mean - moments.mean * moments.mean;
  return moments;
}

Scores score_moments(const Multiset& cards, std::span<const double> scores) {
  Scores result;
  const double n = cards.cards();
  double mean = 0.0;
  for (std::size_t face = 0; face < cards.faces(); ++face)
    mean += scores[face] * cards.copies(face) / n;
  double p2 = 0.0, p4 = 0.0;  // the first power sum is zero, the third comes with it only
  for (std::size_t face = 0; face < cards.faces(); ++face) {
    const double x = scores[face] - mean;
    result.centred.push_back(x);
    p2 += cards.copies(face) * x * x;
    p4 += cards.copies(face) * x * x * x * x;
  }
  result.variance = p2 / n;
  result.product = -p2 / (n * (n - 1.0));
  result.squares = (p2 * p2 - p4) / (n * (n - 1.0));
  result.shared = (2.0 * p4 - p2 * p2) / (n * (n - 1.0) * (n - 2.0));
  result.four = (3.0 * p2 * p2 - 6.0 * p4) / (n * (n - 1.0) * (n - 2.0) * (n - 3.0));
  return result;
}

Moments at_distance(const Scores& scores, std::size_t drawn, std::size_t distance) {
  const auto n = static_cast<double>(drawn), d = static_cast<double>(distance);
  const double terms = n - d, touching = 2.0 * std::max(0.0, n - 2.0 * d);
  Moments moments;
  moments.mean = terms * scores.product;
  moments.variance = terms * scores.squares + touching * scores.shared +
                     (terms * (terms - 1.0) - touching) * scores.four - moments.mean * moments.mean;
  return moments;
}

}  // namespace talla::stats::outcome
