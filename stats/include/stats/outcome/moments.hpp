/// \file
/// Exact means and variances of counts over finite alphabets, ties and all.
///
/// Textbook moments of runs up and down hold for continuous values only and reject a fair die;
/// these hold for any probabilities. Those of a shoe hold for any multiset of cards in uniformly
/// random order.
/// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace talla::stats::outcome {

struct Moments {
  double mean = 0.0;      ///< of a count or a sum
  double variance = 0.0;  ///< of the same
};

/// Steps that go on in the direction of the step before (up, down, level) among `n` independent
/// results; one more than the other steps is the number of runs up, down and level. Precondition: n
/// >= 3.
[[nodiscard]] Moments going_on(std::span<const double> probabilities, std::uint64_t n);
/// Neighbours that are equal among `n` independent results. Precondition: n >= 2.
[[nodiscard]] Moments equal_neighbours(std::span<const double> probabilities, std::uint64_t n);
/// Rises, results followed by a larger one. Precondition: n >= 2.
[[nodiscard]] Moments rises(std::span<const double> probabilities, std::uint64_t n);

/// A multiset of cards in random order, by the number of copies of each face.
class Multiset {
 public:
  explicit Multiset(std::span<const std::uint32_t> copies);
  [[nodiscard]] double cards() const { return cards_; }
  [[nodiscard]] std::size_t faces() const { return copies_.size(); }
  [[nodiscard]] double copies(std::size_t face) const { return copies_[face]; }
  /// P(the first cards are exactly these faces).
  [[nodiscard]] double probability(std::initializer_list<std::size_t> faces) const;

 private:
  std::vector<double> copies_;
  double cards_ = 0.0;
};

/// How often one of the ordered pairs of faces stands at two neighbouring places among the first
/// `drawn` cards.
using FacePairs = std::vector<std::pair<std::size_t, std::size_t>>;
[[nodiscard]] Moments neighbours(const Multiset& cards, const FacePairs& pairs, std::size_t drawn);
/// The same in a closed ring of all cards (the last is followed by the first), for one pair.
/// Precondition: three cards.
[[nodiscard]] Moments ring_neighbours(const Multiset& cards, std::size_t first, std::size_t second);
/// Pairs of a card and one of the next face (in the order of the faces) that stand in this order.
/// For n different cards: n less the number of rising sequences.
[[nodiscard]] Moments rising_pairs(const Multiset& cards);
/// Places, of the first `drawn`, at which two independent orders have the same face.
[[nodiscard]] Moments matches(const Multiset& cards, std::size_t drawn);
/// Of `drawn` cards of `all`, no two of them equal: neighbours in this order that were so in an
/// order before. Precondition: 2 <= drawn <= all.
[[nodiscard]] Moments kept_pairs(std::size_t all, std::size_t drawn);

/// Products of scores of faces at different places; scores are taken from their mean.
struct Scores {
  std::vector<double> centred;  ///< by face
  double variance = 0.0;        ///< of one card
  double product = 0.0;         ///< E[x y] of two places
  double squares = 0.0;         ///< E[x^2 y^2]
  double shared = 0.0;          ///< E[x^2 y z]
  double four = 0.0;            ///< E[w x y z]
};
/// Precondition: at least four cards; one score a face.
[[nodiscard]] Scores score_moments(const Multiset& cards, std::span<const double> scores);
/// Sum over i of x(i) x(i + distance) within the first `drawn` cards. Precondition: 1 <= distance <
/// drawn.
[[nodiscard]] Moments at_distance(const Scores& scores, std::size_t drawn, std::size_t distance);

}  // namespace talla::stats::outcome
