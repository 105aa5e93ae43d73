// Processes over symbols: cells of one or two tables that come too often.
#include <algorithm>
#include <array>
#include <cmath>

#include "stats/monitor/streams.hpp"

namespace talla::stats::monitor {

Frequency::Frequency(std::string name, const std::vector<double>& probabilities)
    : Process(std::move(name)),
      mixture_(probabilities),
      cells_({.rows = 1, .columns = probabilities.size(), .excess = CellTable::fine}) {
  for (const double p : probabilities) inverse_.push_back(1 / p);
}

void Frequency::observe(std::size_t symbol) {
  mixture_.observe(symbol);
  cells_.observe(0, symbol, inverse_[symbol]);
  if (!frozen_) ++steps_;
}

double Frequency::log_e() const {
  const std::array<double, 2> logs = {mixture_.log_e(), std::log(cells_.e())};
  return log_mean_exp(logs.data(), logs.size());
}

double Frequency::log_detector() const {
  return std::log1p(cells_.detector());
}

void Frequency::begin_epoch() {
  mixture_.begin_epoch();
  cells_.begin_epoch();
  steps_ = 0;
  frozen_ = false;
}

void Frequency::freeze_e(bool frozen) {
  frozen_ = frozen;
  mixture_.freeze(frozen);
  cells_.freeze_e(frozen);
}

void Frequency::save(StateWriter& out) const {
  out.u64(steps_);
  mixture_.save(out);
  cells_.save(out);
}

void Frequency::load(StateReader& in) {
  steps_ = in.u64();
  mixture_.load(in);
  cells_.load(in);
}

Tables::Tables(std::string name, const std::vector<CellTable::Options>& tables)
    : Process(std::move(name)) {
  for (const auto& options : tables) tables_.emplace_back(options);
}

void Tables::credit_every(std::uint32_t rounds) {
  if (++rounds_ < rounds) return;
  rounds_ = 0;
  for (CellTable& table : tables_) table.credit();
}

double Tables::e() const {
  double sum = 0;
  for (const CellTable& table : tables_) sum += table.e();
  return sum / static_cast<double>(tables_.size());
}

double Tables::log_e() const {
  return std::log(e());
}

double Tables::detector() const {
  double sum = 0;
  for (const CellTable& table : tables_) sum += table.detector();
  return sum / static_cast<double>(tables_.size());
}

double Tables::log_detector() const {
  return std::log1p(detector());
}

void Tables::begin_epoch() {
  for (CellTable& table : tables_) table.begin_epoch();
  steps_ = 0;
  rounds_ = 0;
  frozen_ = false;
}

void Tables::restart_detector() {
  for (CellTable& table : tables_) table.restart_detector();
}

void Tables::freeze_e(bool frozen) {
  frozen_ = frozen;
  for (CellTable& table : tables_) table.freeze_e(frozen);
}

void Tables::freeze_detector(bool frozen) {
  for (CellTable& table : tables_) table.freeze_detector(frozen);
}

void Tables::save(StateWriter& out) const {
  out.u64(steps_);
  out.u32(rounds_);
  for (const CellTable& table : tables_) table.save(out);
}

void Tables::load(StateReader& in) {
  steps_ = in.u64();
  rounds_ = in.u32();
  for (CellTable& table : tables_) table.load(in);
}

}  // namespace talla::stats::monitor
