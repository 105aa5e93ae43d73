/// \file
/// The statistics of shoes. Every part sees each shoe once: faces by place, all of them or the
/// first `drawn`.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "outcome/birthdays.hpp"
#include "stats/outcome/cells.hpp"
#include "stats/outcome/moments.hpp"
#include "stats/outcome/patterns.hpp"
#include "stats/outcome/shoes.hpp"

namespace talla::stats::outcome {

using Faces = std::span<const std::uint8_t>;

/// What all parts know of the shoe.
struct ShoeKind {
  explicit ShoeKind(ShoeSpec given);
  ShoeSpec spec;
  Multiset cards;
  std::size_t all = 0;  // cards in the shoe
  std::size_t drawn = 0;
  std::size_t faces = 0;
  Scores scores;  // of the place of the face in the order of the deck
  [[nodiscard]] bool whole() const { return drawn == all; }
};

/// place x card
class Places {
 public:
  explicit Places(const ShoeKind& kind) : kind_(kind), table_(kind.drawn * kind.faces) {}
  void add(Faces shoe);
  void rows(std::vector<Row>& rows, std::uint64_t n) const;
  [[nodiscard]] std::span<const std::uint32_t> table() const { return table_; }
  /// Sum of centred scores at a place.
  [[nodiscard]] double score_sum(std::size_t place) const;

 private:
  void group_rows(std::vector<Row>& rows, const Grouping* grouping, std::uint64_t n) const;
  void place_rows(std::vector<Row>& rows, std::uint64_t n) const;
  void face_rows(std::vector<Row>& rows, std::uint64_t n) const;
  void cell_row(std::vector<Row>& rows, std::uint64_t n) const;
  const ShoeKind& kind_;
  std::vector<std::uint32_t> table_;
};

/// Products of scores for every two places of a shoe, and for each place of two shoes in a row.
class Correlations {
 public:
  explicit Correlations(const ShoeKind& kind);
  void add(Faces shoe);
  void rows(std::vector<Row>& rows, const Places& places, std::uint64_t n) const;
  void before_rows(std::vector<Row>& rows, const Places& places, std::uint64_t n) const;

 private:
  static constexpr std::size_t block = 256;
  void flush(std::vector<std::int64_t>& sums) const;
  const ShoeKind& kind_;
  std::vector<std::int16_t> block_;  // place after place, `block` shoes each
  std::size_t in_block_ = 0;
  std::vector<std::int64_t> sums_;          // i < j: row after row
  std::vector<std::int64_t> before_;        // by place
  std::vector<std::int16_t> first_, last_;  // scores of the first and the last shoe
  bool begun_ = false;
};

/// Neighbouring cards, within a shoe and kept from the shoe before; rising sequences.
class Neighbours {
 public:
  explicit Neighbours(const ShoeKind& kind);
  void add(Faces shoe);
  void rows(std::vector<Row>& rows, std::uint64_t n) const;
  void before_rows(std::vector<Row>& rows, std::uint64_t n) const;

 private:
  void table_row(std::vector<Row>& rows, std::uint64_t n) const;
  void kept_row(std::vector<Row>& rows, std::uint64_t n) const;
  void keep(Faces shoe);
  [[nodiscard]] static std::uint64_t rising(Faces shoe, std::span<const std::uint16_t> before);
  const ShoeKind& kind_;
  std::vector<std::uint64_t> ring_;  // ordered pairs of neighbours, the last card before the first
  std::vector<std::uint16_t> kept_from_;  // the same of the shoe before, without that
  std::vector<std::uint8_t> last_;
  double kept_sum_ = 0.0, kept_square_ = 0.0;
  std::vector<std::uint64_t> equal_;  // faces, then each grouping
  std::uint64_t successors_ = 0, rising_ = 0, rising_before_ = 0, matches_ = 0;
  double rising_before_mean_ = 0.0, rising_before_variance_ = 0.0;
  std::vector<std::uint16_t> deck_order_, before_order_;  // each face's predecessor
  std::vector<std::uint8_t> order_;  // faces as they first came in the shoe before
  Moments in_deck_order_;
  bool same_copies_ = true;
  bool single_ = true;  // one copy of each
};

/// The first cards of each shoe, and whole shoes that come twice.
class FirstCards {
 public:
  explicit FirstCards(const ShoeKind& kind);
  void add(Faces shoe);
  void rows(std::vector<Row>& rows, std::uint64_t n) const;

 private:
  void waits(Faces shoe);
  const ShoeKind& kind_;
  std::vector<std::uint8_t> group_of_;
  std::vector<std::uint32_t> group_copies_;
  std::vector<std::string> group_names_;
  Cells poker_cells_, order_cells_, coupon_cells_;
  std::vector<std::uint64_t> poker_counts_, order_counts_, coupon_counts_;
  std::array<Cells, 3> statistic_cells_;
  std::array<std::vector<std::uint64_t>, 3> statistic_counts_;
  std::vector<Cells> gap_cells_;
  std::vector<std::vector<std::uint64_t>> gap_counts_;
  Birthdays birthdays_;
  double shoe_match_ = 0.0;
  std::vector<std::uint64_t> digests_;
};

}  // namespace talla::stats::outcome
