/// \file
/// The statistics of a series of independent results, each with constant memory. `Chunk` is the
/// next part of the series with up to `past_most` results before it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "outcome/birthdays.hpp"
#include "stats/outcome/cells.hpp"
#include "stats/outcome/patterns.hpp"
#include "stats/outcome/stream.hpp"

namespace talla::stats::outcome {

inline constexpr std::size_t past_most = 8;

struct Chunk {
  const std::uint16_t* at;  ///< at[-past] to at[count - 1]
  std::size_t count;
  std::size_t past;
};

/// Pairs at distances 1 to 8, triples of small alphabets; what can be read from these counts.
class Serial {
 public:
  Serial(const Alphabet& alphabet, std::string series);
  void add(const Chunk& chunk);
  void rows(std::vector<Row>& rows, std::span<const std::uint64_t> counts, std::uint64_t n) const;

 private:
  using Table = std::vector<std::uint64_t>;
  [[nodiscard]] Table closed_pairs(std::size_t distance) const;
  [[nodiscard]] Table closed_triples() const;
  void pair_rows(std::vector<Row>& rows, std::span<const std::uint64_t> counts,
                 std::uint64_t n) const;
  void run_rows(std::vector<Row>& rows, std::span<const std::uint64_t> counts,
                std::uint64_t n) const;

  const Alphabet& alphabet_;
  std::string series_;
  std::size_t size_;
  std::size_t distances_;
  std::vector<Table> pairs_;
  Table triples_;
  std::vector<std::uint16_t> first_, last_;  // the first and last past_most results
};

/// Runs up, down and level; lengths of strictly rising and falling runs, the result that ends a run
/// left out (Knuth).
class Runs {
 public:
  Runs(const Alphabet& alphabet, std::string series);
  void add(const Chunk& chunk);
  void rows(std::vector<Row>& rows, std::uint64_t n) const;

 private:
  struct Lengths {
    std::array<std::uint64_t, 8> counts{};
    std::uint32_t length = 0;  // 0: the next result begins a run
    std::uint16_t last = 0;
  };
  template <class Goes>
  void follow(Lengths& lengths, const Chunk& chunk, Goes goes);
  const Alphabet& alphabet_;
  std::string series_;
  std::array<Cells, 1> cells_;
  std::array<double, 2> mean_length_{};
  Lengths up_, down_;
  std::uint64_t going_on_ = 0;
};

/// Waits: gaps between equal results, and for a complete collection.
class Waits {
 public:
  Waits(const Alphabet& alphabet, std::string series);
  void add(const Chunk& chunk);
  void rows(std::vector<Row>& rows, std::uint64_t n) const;

 private:
  struct Gap {
    std::vector<std::uint32_t> cell_of;  // by wait; the last one for all longer ones
    Cells cells;
    std::vector<std::uint64_t> counts;
    std::uint64_t last = 0;  // place of the result before, 0: the beginning
  };
  const Alphabet& alphabet_;
  std::string series_;
  std::vector<Gap> gaps_;
  Cells coupon_cells_;
  std::vector<std::uint64_t> coupon_counts_;
  double coupon_mean_ = 0.0;
  std::vector<std::uint64_t> collected_at_;  // in which collection each face was seen last
  std::uint64_t collection_ = 1;
  std::size_t collected_ = 0;
  std::uint64_t collecting_since_ = 0;
  std::uint64_t place_ = 0;
};

/// Blocks of a few results: poker, permutation, order statistics, duplicates.
class Blocks {
 public:
  Blocks(const Alphabet& alphabet, std::string series);
  void add(const Chunk& chunk);
  void rows(std::vector<Row>& rows, std::uint64_t n) const;

 private:
  const Alphabet& alphabet_;
  std::string series_;
  Cells poker_cells_, order_cells_;
  std::vector<std::uint64_t> poker_counts_, order_counts_;
  std::array<Cells, 3> statistic_cells_;
  std::array<std::vector<std::uint64_t>, 3> statistic_counts_;
  Birthdays birthdays_;
  std::array<std::uint32_t, poker_draws> five_{};
  std::array<std::uint32_t, order_draws> four_{};
  std::size_t in_five_ = 0, in_four_ = 0, in_birthday_ = 0;
  std::uint64_t key_ = 0;
};

/// Frequencies in windows of equal length; windows are joined two by two when there are too many.
class Windows {
 public:
  Windows(const Alphabet& alphabet, std::string series);
  void add(const Chunk& chunk);
  void rows(std::vector<Row>& rows, std::uint64_t n) const;
  [[nodiscard]] std::vector<std::uint64_t> totals() const;
  [[nodiscard]] std::vector<double> p_values() const;

 private:
  static constexpr std::size_t windows_most = 512;
  void close();
  std::string series_;
  std::size_t size_;
  Cells cells_;
  std::uint64_t length_ = 0;
  std::uint64_t in_window_ = 0;
  std::vector<std::vector<std::uint32_t>> closed_;
  std::vector<std::uint32_t> open_;
};

}  // namespace talla::stats::outcome
