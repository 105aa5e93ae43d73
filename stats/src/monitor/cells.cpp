#include "stats/monitor/cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace talla::stats::monitor {
namespace {

constexpr double small = 0x1p-300;     // a factor below it is worked into the row
constexpr double nothing = 0x1p-600;   // a bet below it is lost for good
constexpr double saturated = 0x1p500;  // beyond it nothing more is learned
constexpr std::uint32_t total_every = 1U << 14U;
constexpr std::uint32_t credit_every = 60'000;

/// The four strengths side by side, in whatever registers the machine has.
using Lanes = double __attribute__((vector_size(32)));
static_assert(sizeof(Lanes) == CellTable::strengths * sizeof(double));

inline void get(Lanes& lanes, const std::array<double, CellTable::strengths>& from) {
  std::memcpy(&lanes, from.data(), sizeof(lanes));
}
inline void put(std::array<double, CellTable::strengths>& into, const Lanes& lanes) {
  std::memcpy(into.data(), &lanes, sizeof(lanes));
}
inline double sum(const Lanes& lanes) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace

CellTable::CellTable(const Options& options)
    : rows_count_(options.rows),
      columns_count_(options.columns),
      cells_count_(static_cast<double>(options.rows * options.columns * strengths)),
      rows_(options.rows),
      detector_rows_(options.rows),
      cells_(options.rows * options.columns) {
  for (std::size_t g = 0; g < strengths; ++g) {
    const double kappa =
        options.excess[g] / (static_cast<double>(columns_count_ - 1) + options.excess[g]);
    stay_[g] = 1 - kappa;
    stay_inverse_[g] = 1 / stay_[g];
    gain_[g] = kappa / (1 - kappa);
  }
  begin_epoch();
  restart_detector();
}

void CellTable::begin_epoch() {
  Row fresh;
  fresh.factor.fill(1);
  fresh.sum.fill(static_cast<double>(columns_count_));
  std::fill(rows_.begin(), rows_.end(), fresh);
  for (Cell& cell : cells_) cell.bet.fill(1);
  owed_.clear();
  since_credit_ = 0;
  e_frozen_ = false;
  total_again();
}

void CellTable::restart_detector() {
  DetectorRow fresh;
  fresh.factor.fill(1);
  fresh.inverse.fill(1);
  std::fill(detector_rows_.begin(), detector_rows_.end(), fresh);
  for (Cell& cell : cells_) cell.alert.fill(0);
  detector_frozen_ = false;
  total_again();
}

void CellTable::total_again() {
  since_total_ = 0;
  total_ = 0;
  detector_total_ = 0;
  for (std::size_t r = 0; r < rows_count_; ++r) {
    const DetectorRow& alert = detector_rows_[r];
    for (std::size_t g = 0; g < strengths; ++g) {
      total_ += rows_[r].factor[g] * rows_[r].sum[g];
      detector_total_ +=
          alert.factor[g] * alert.sum[g] + static_cast<double>(columns_count_) * alert.idle[g];
    }
  }
}

/// Works the factor into the entries: the row is worth what it was, its numbers are in the middle
/// of their range again.
template <class State>
void CellTable::rescale(State& state, std::size_t row, Four Cell::*side) {
  Cell* cells = cells_.data() + row * columns_count_;
  state.sum.fill(0);
  for (std::size_t c = 0; c < columns_count_; ++c) {
    Four& entry = cells[c].*side;
    for (std::size_t g = 0; g < strengths; ++g) {
      const double worth = entry[g] * state.factor[g];
      entry[g] = worth < nothing ? 0 : worth;
      state.sum[g] += entry[g];
    }
  }
  state.factor.fill(1);
}

void CellTable::bet(std::size_t row, Cell& cell, double inverse_q) {
  Row& state = rows_[row];
  Lanes entry;
  Lanes all;
  Lanes factor;
  Lanes gain;
  Lanes stay;
  get(entry, cell.bet);
  get(all, state.sum);
  get(factor, state.factor);
  get(gain, gain_);
  get(stay, stay_);
  const Lanes before = factor * all;
  const Lanes grown = entry * gain * inverse_q;
  entry += grown;
  all += grown;
  factor *= stay;
  total_ += sum(factor * all - before);
  put(cell.bet, entry);
  put(state.sum, all);
  put(state.factor, factor);
  if (state.factor[strengths - 1] < small) rescale(state, row, &Cell::bet);
}

/// M <- (M + 1) (1 - kappa) for all cells of the row, x (1 + gain / q) for the one that was hit, M
/// being factor x entry + idle.
void CellTable::detect(std::size_t row, Cell& cell, double inverse_q) {
  DetectorRow& state = detector_rows_[row];
  const auto columns = static_cast<double>(columns_count_);
  Lanes entry;
  Lanes all;
  Lanes factor;
  Lanes inverse;
  Lanes idle;
  Lanes gain;
  Lanes stay;
  Lanes stay_inverse;
  get(entry, cell.alert);
  get(all, state.sum);
  get(factor, state.factor);
  get(inverse, state.inverse);
  get(idle, state.idle);
  get(gain, gain_);
  get(stay, stay_);
  get(stay_inverse, stay_inverse_);
  const Lanes before = factor * all + columns * idle;
  const Lanes grown = gain * inverse_q * (entry + (idle + 1.0) * inverse);
  entry += grown;
  all += grown;
  factor *= stay;
  inverse *= stay_inverse;
  idle = (idle + 1.0) * stay;
  detector_total_ += sum(factor * all + columns * idle - before);
  put(cell.alert, entry);
  put(state.sum, all);
  put(state.factor, factor);
  put(state.inverse, inverse);
  put(state.idle, idle);
  if (state.factor[strengths - 1] < small) {
    rescale(state, row, &Cell::alert);
    state.inverse.fill(1);
  }
}

void CellTable::credit() {
  since_credit_ = 0;
  if (owed_.empty()) return;
  const std::size_t most = *std::max_element(owed_.begin(), owed_.end());
  if (most == 0) return;
  const std::size_t known = std::min<std::size_t>(most + 1, 1024);
  std::vector<Four> back(known);
  back[0].fill(1);
  for (std::size_t i = 1; i < known; ++i) {
    for (std::size_t g = 0; g < strengths; ++g) back[i][g] = back[i - 1][g] * stay_inverse_[g];
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::size_t count = owed_[i];
    if (count == 0) continue;
    Four& entry = cells_[i].bet;
    for (std::size_t g = 0; g < strengths; ++g)
      entry[g] *=
          count < known ? back[count][g] : std::pow(stay_inverse_[g], static_cast<double>(count));
  }
  std::fill(owed_.begin(), owed_.end(), std::uint16_t{0});
  for (std::size_t r = 0; r < rows_count_; ++r) rescale(rows_[r], r, &Cell::bet);
  total_again();
}

/// The row's stakes on columns that cannot come are lost with all others now and given back later.
void CellTable::owe(std::size_t row, const std::uint16_t* gone) {
  if (owed_.empty()) owed_.resize(cells_.size());
  std::uint16_t* owed = owed_.data() + row * columns_count_;
  for (std::size_t c = 0; c < columns_count_; ++c)
    owed[c] = static_cast<std::uint16_t>(owed[c] + gone[c]);
  if (++since_credit_ >= credit_every) credit();
}

void CellTable::observe(std::size_t row, std::size_t column, double inverse_q,
                        const std::uint16_t* gone) {
  if (gone != nullptr && !e_frozen_) owe(row, gone);
  Cell& cell = cells_[row * columns_count_ + column];
  if (!e_frozen_) {
    bet(row, cell, inverse_q);
    e_frozen_ = total_ > saturated;
  }
  if (!detector_frozen_) {
    detect(row, cell, inverse_q);
    detector_frozen_ = detector_total_ > saturated;
  }
  if (++since_total_ >= total_every) total_again();
}

void CellTable::save(StateWriter& out) const {
  for (const Row& row : rows_) {
    out.f64s(row.factor);
    out.f64s(row.sum);
  }
  for (const DetectorRow& row : detector_rows_) {
    out.f64s(row.factor);
    out.f64s(row.inverse);
    out.f64s(row.sum);
    out.f64s(row.idle);
  }
  for (const Cell& cell : cells_) {
    out.f64s(cell.bet);
    out.f64s(cell.alert);
  }
  out.f64(total_);
  out.f64(detector_total_);
  out.u32(since_total_);
  out.u32((e_frozen_ ? 1U : 0U) | (detector_frozen_ ? 2U : 0U));
  out.u32(since_credit_);
  out.u32(owed_.empty() ? 0 : 1);
  for (const std::uint16_t owed : owed_) out.u32(owed);
}

void CellTable::load(StateReader& in) {
  for (Row& row : rows_) {
    in.f64s(row.factor, small);
    in.f64s(row.sum, 0);
  }
  for (DetectorRow& row : detector_rows_) {
    in.f64s(row.factor, small);
    in.f64s(row.inverse, 1);
    in.f64s(row.sum, 0);
    in.f64s(row.idle, 0);
  }
  for (Cell& cell : cells_) {
    in.f64s(cell.bet, 0);
    in.f64s(cell.alert, 0);
  }
  total_ = in.f64(0);
  detector_total_ = in.f64(0);
  since_total_ = in.u32();
  const std::uint32_t frozen = in.u32();
  if (frozen > 3 || since_total_ >= total_every) in.refuse("a table of bets does not fit");
  e_frozen_ = (frozen & 1U) != 0;
  detector_frozen_ = (frozen & 2U) != 0;
  since_credit_ = in.u32();
  const std::uint32_t owing = in.u32();
  if (owing > 1 || since_credit_ >= credit_every) return in.refuse("a table of bets does not fit");
  owed_.resize(owing == 0 ? 0 : cells_.size());
  for (std::uint16_t& owed : owed_) {
    const std::uint32_t count = in.u32();
    if (count > since_credit_) return in.refuse("a table gives back more than was lost");
    owed = static_cast<std::uint16_t>(count);
  }
}

}  // namespace talla::stats::monitor
