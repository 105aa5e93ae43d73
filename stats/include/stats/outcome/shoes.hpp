/// \file
/// Tests of shoes: multisets of cards in an order that should be uniformly random; also balls drawn
/// without replacement.
///
/// Tests:   place x card (all places, every place, every card, groups such as ranks and suits),
///          cards drawn at all, pairs of places (correlation of every two, at each distance),
///          neighbours (table, equal ones, successors), rising sequences, the shoe before (matches,
///          same place, kept neighbours, rising in its order), the first cards (poker, permutation,
///          order statistic, gap, coupon collector), duplicates, Kolmogorov-Smirnov over the
///          places.
/// Moments: means and variances are exact for the multiset (moments.hpp); p-values take the
///          chi-square, normal or Poisson limit over the number of shoes.
/// Range:   4 to 1,024 cards, 2 to 255 faces; every shoe has the same number of cards drawn (at
///          least 2).
/// Cost:    constant memory but for 8 bytes a shoe (duplicates of whole shoes); about 10 us a shoe
///          of 416 cards.
/// Threads: one object belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stats/outcome/row.hpp"
#include "stats/result.hpp"

namespace talla::stats::outcome {

/// Faces taken together: ranks, suits. Ranks come with their order, lowest first.
struct Grouping {
  std::string name;                ///< "rank"
  std::vector<std::string> names;  ///< of the groups
  std::vector<std::uint8_t> of;    ///< group of each face
};

/// What a shoe is made of, and how its cards are grouped.
struct ShoeSpec {
  std::vector<std::string> faces;     ///< names, in the order of a new deck
  std::vector<std::uint32_t> copies;  ///< of each face
  std::vector<Grouping> groupings;    ///< the first one is used for poker, gap and coupon collector
  std::size_t drawn = 0;              ///< cards of each shoe that are looked at; 0: all

  /// Different numbers "1" to "n".
  [[nodiscard]] static ShoeSpec balls(std::size_t count, std::size_t drawn);
};

/// The tests of a series of shoes.
class ShoeTests {
 public:
  /// Errors: what is out of range, by name.
  [[nodiscard]] static Result<ShoeTests> create(ShoeSpec spec);
  ShoeTests(ShoeTests&&) noexcept;
  ShoeTests& operator=(ShoeTests&&) noexcept;
  ~ShoeTests();

  /// One shoe: `drawn` faces by place. Errors: another number of cards, or more of a face than the
  ///           shoe has.
  [[nodiscard]] Result<bool> add(std::span<const std::uint8_t> faces);
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] const ShoeSpec& spec() const;
  /// All rows of what was added so far, the table of places and cards first.
  [[nodiscard]] std::vector<Row> rows() const;
  /// How often each face stood at each place: drawn x faces, place after place.
  [[nodiscard]] std::span<const std::uint32_t> place_table() const;

 private:
  struct Impl;
  explicit ShoeTests(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talla::stats::outcome
