/// \file
/// Exact probabilities of what a few results in a row look like, drawn with replacement (wheel,
/// dice) or without (a shoe).
///
/// Sources: D. Knuth, TAOCP vol. 2, 3.3.2 (poker, permutation, coupon collector, maximum of t),
///          with equal results allowed.
/// Precision: sums of positive terms, relative error below 1e-12.
/// Threads:   pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace talla::stats::outcome {

/// Where results come from: probabilities that stay, or copies that are used up.
class Urn {
 public:
  /// Probabilities above 0 that sum to 1.
  [[nodiscard]] static Urn with_replacement(std::span<const double> probabilities);
  /// How many copies of each face there are, each at least 1.
  [[nodiscard]] static Urn without_replacement(std::span<const std::uint32_t> copies);

  [[nodiscard]] std::size_t faces() const { return weights_.size(); }
  /// Weight of drawing one face `count` times: a power or a falling factorial; divided by `all(t)`
  /// for t draws.
  [[nodiscard]] double weight(std::size_t face, std::size_t count) const {
    return of(weights_[face], count);
  }
  [[nodiscard]] double all(std::size_t draws) const { return of(total_, draws); }
  /// The same weight for a set of faces whose single weights (probabilities or copies) sum to
  /// `sum`.
  [[nodiscard]] double of(double sum, std::size_t count) const;
  [[nodiscard]] double single(std::size_t face) const { return weights_[face]; }
  [[nodiscard]] double total() const { return total_; }
  [[nodiscard]] bool replaced() const { return replaced_; }

 private:
  std::vector<double> weights_;
  double total_ = 1.0;
  bool replaced_ = true;
};

/// Poker: five results by which of them are equal, from all different to five of a kind. The class
/// of five results is the place of their number of equal pairs in `poker_pairs`.
inline constexpr std::size_t poker_draws = 5;
inline constexpr std::array<std::size_t, 7> poker_pairs = {0, 1, 2, 3, 4, 6, 10};
[[nodiscard]] std::array<double, 7> poker_probabilities(const Urn& urn);

/// Permutation: four results by their order, equal ones allowed: 75 classes.
inline constexpr std::size_t order_draws = 4;
inline constexpr std::size_t order_classes = 75;
[[nodiscard]] std::size_t order_class(const std::array<std::uint32_t, order_draws>& values);
[[nodiscard]] std::array<double, order_classes> order_probabilities(const Urn& urn);

/// Order statistic: probability that the `rank`-th smallest (from 1) of `draws` results is each
///                  face.
[[nodiscard]] std::vector<double> order_statistic_probabilities(const Urn& urn, std::size_t draws,
                                                                std::size_t rank);

/// Probability that two independent series of `draws` results are equal, place by place.
[[nodiscard]] double match_probability(const Urn& urn, std::size_t draws);
/// Probability that `draws` results rise strictly.
[[nodiscard]] double rising_probability(const Urn& urn, std::size_t draws);

/// Coupon collector: probability that exactly t results are needed for all faces, t = 0, 1, ...;
/// the last entry stands for all longer waits. With replacement at most 16 faces unless all are
/// equally likely; empty where it cannot be said.
[[nodiscard]] std::vector<double> coupon_probabilities(const Urn& urn);
/// Wait for the next result of probability `probability`: t = 0 impossible, 1, 2, ..., the last
/// entry all longer ones.
[[nodiscard]] std::vector<double> wait_probabilities(double probability);
/// Wait for the first of `copies` among `all` cards drawn without replacement.
[[nodiscard]] std::vector<double> wait_probabilities(std::uint32_t copies, std::uint32_t all);

}  // namespace talla::stats::outcome
