/// \file
/// Bets on single cells of a table: one symbol too frequent in one row, mixed over all cells and
/// four strengths.
///
/// A row is what is known before (nothing, the previous outcome, the position in the shoe), a
/// column what comes. The bet on cell (r, c) with weight kappa plays only when row r is due and
/// multiplies by 1 - kappa, and if c comes by 1 - kappa + kappa / q, q being the exact probability
/// of c given everything before: a test martingale whatever the q are, also without replacement.
/// The e-value is the mean over cells and strengths, the detector the mean of their
/// Shiryaev-Roberts statistics in row time (a row's detector takes steps only when the row is due,
/// so its run length counted in all steps is longer still).
/// Cost:    constant for an observation: a cell that is not hit moves with its row's factor alone.
/// Memory:  64 bytes a cell. Numeric: sums of positive numbers; rows are rescaled long before
/// anything under- or overflows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/monitor/state.hpp"

namespace talla::stats::monitor {

class CellTable {
 public:
  static constexpr std::size_t strengths = 4;
  /// Excess of a cell's probability over the null's that each strength is best at (0.1: one tenth
  /// more often).
  using Excess = std::array<double, strengths>;
  /// For tables with one row, where small biases show in time, and for tables with many cells.
  static constexpr Excess fine = {0.04, 0.12, 0.5, 4};
  static constexpr Excess coarse = {0.25, 1, 4, 16};

  struct Options {
    std::size_t rows = 1;     ///< From 1.
    std::size_t columns = 2;  ///< From 2.
    Excess excess = fine;
  };
  explicit CellTable(const Options& options);

  /// `inverse_q` is 1 / q of the column that came, given everything before; from 1 to 2^20. `gone`,
  /// when not null, has a 1 for each column that could not come any more (q = 0) and 0 for the
  /// others: the stakes on these are given back by `credit`.
  void observe(std::size_t row, std::size_t column, double inverse_q,
               const std::uint16_t* gone = nullptr);
  /// Gives the stakes on impossible columns back, at the latest after 60,000 observations with
  /// `gone`. Until then the e-value is too small, never too large; behind it the process is an
  /// exact martingale. Detectors get nothing back.
  void credit();
  /// Asks the memory for a cell that is observed soon; changes nothing.
  void fetch(std::size_t row, std::size_t column) const {
    __builtin_prefetch(&cells_[row * columns_count_ + column], 1);
  }
  [[nodiscard]] double e() const { return total_ / cells_count_; }
  [[nodiscard]] double detector() const { return detector_total_ / cells_count_; }
  void begin_epoch();
  void restart_detector();
  void freeze_e(bool frozen) { e_frozen_ = frozen; }
  void freeze_detector(bool frozen) { detector_frozen_ = frozen; }
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  using Four = std::array<double, strengths>;
  /// Cells of a row share their misses: a bet is worth factor x its entry.
  struct Row {
    Four factor{};  ///< (1 - kappa)^steps since the last rescaling.
    Four sum{};     ///< Of the entries.
  };
  struct DetectorRow {
    Four factor{};
    Four inverse{};  ///< 1 / factor.
    Four sum{};
    Four idle{};  ///< The detector of a cell that never was hit: the part all cells have.
  };
  struct alignas(64) Cell {
    Four bet{};
    Four alert{};
  };
  void bet(std::size_t row, Cell& cell, double inverse_q);
  void detect(std::size_t row, Cell& cell, double inverse_q);
  template <class State>
  void rescale(State& state, std::size_t row, Four Cell::*side);
  void total_again();
  void owe(std::size_t row, const std::uint16_t* gone);

  std::size_t rows_count_;
  std::size_t columns_count_;
  double cells_count_;  // rows x columns x strengths
  Four stay_{};         // 1 - kappa
  Four stay_inverse_{};
  Four gain_{};  // kappa / (1 - kappa)
  std::vector<Row> rows_;
  std::vector<DetectorRow> detector_rows_;
  std::vector<Cell> cells_;          // [row][column]
  std::vector<std::uint16_t> owed_;  // [row][column]: stakes to give back; empty until the first
  std::uint32_t since_credit_ = 0;
  double total_ = 0;
  double detector_total_ = 0;
  std::uint32_t since_total_ = 0;
  bool e_frozen_ = false;
  bool detector_frozen_ = false;
};

}  // namespace talla::stats::monitor
