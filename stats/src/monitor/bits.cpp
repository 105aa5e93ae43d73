// Processes over bits: the share of ones, and predictors right too often.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "stats/monitor/streams.hpp"
#include "stats/special.hpp"

namespace talla::stats::monitor {
namespace {

constexpr std::array<double, 4> prior_counts = {0.5, 100, 1e4, 1e6};
/// Shares of ones the detector bets on: (1 + excess) / 2.
constexpr std::array<double, 6> excesses = {0.002, -0.002, 0.02, -0.02, 0.2, -0.2};
constexpr double largest = std::numeric_limits<double>::max();

/// log of the Beta(a, a) mixture's probability of one order with these counts, against 2^-n.
double log_mixture(double ones, double zeros, double a) {
  return log_gamma(ones + a) + log_gamma(zeros + a) - log_gamma(ones + zeros + 2 * a) -
         2 * log_gamma(a) + log_gamma(2 * a) + (ones + zeros) * std::numbers::ln2;
}

}  // namespace

void Ones::observe(std::uint64_t ones, std::uint64_t bits) {
  if (!frozen_) {
    ones_ += ones;
    bits_ += bits;
    value();
  }
  if (detector_frozen_) return;
  for (std::size_t g = 0; g < excesses.size(); ++g) {
    const double log_m = log_detectors_[g] + static_cast<double>(ones) * std::log1p(excesses[g]) +
                         static_cast<double>(bits - ones) * std::log1p(-excesses[g]);
    log_detectors_[g] =
        log_m > 0 ? log_m + std::log1p(std::exp(-log_m)) : std::log1p(std::exp(log_m));
  }
}

void Ones::value() {
  std::array<double, prior_counts.size()> logs{};
  for (std::size_t g = 0; g < logs.size(); ++g) {
    logs[g] = log_mixture(static_cast<double>(ones_), static_cast<double>(bits_ - ones_),
                          prior_counts[g]);
  }
  log_e_ = log_mean_exp(logs.data(), logs.size());
}

double Ones::e() const {
  return std::min(std::exp(log_e_), largest);
}

double Ones::log_detector() const {
  return log_mean_exp(log_detectors_.data(), log_detectors_.size());
}

double Ones::detector() const {
  return std::min(std::expm1(log_detector()), largest);
}

void Ones::begin_epoch() {
  ones_ = 0;
  bits_ = 0;
  log_e_ = 0;
  frozen_ = false;
}

void Ones::save(StateWriter& out) const {
  out.u64(ones_);
  out.u64(bits_);
  out.f64s(log_detectors_);
}

void Ones::load(StateReader& in) {
  ones_ = in.u64();
  bits_ = in.u64();
  in.f64s(log_detectors_, 0);
  if (ones_ > bits_ || bits_ > (std::uint64_t{1} << 53U))
    return in.refuse("ones do not fit their bits");
  value();
}

Prediction::Prediction(std::string name, std::uint32_t millibits)
    : Process(std::move(name)), bets_(Predictors::count, ClaimBet(millibits)) {}

void Prediction::observe(const Predictors::Scores& scores, std::uint64_t samples) {
  for (std::size_t i = 0; i < bets_.size(); ++i) bets_[i].observe(scores[i].hits, scores[i].trials);
  if (!frozen_) samples_ += samples;
  value();
}

void Prediction::value() {
  std::array<double, Predictors::count> logs{};
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = bets_[i].log_e();
  log_e_ = log_mean_exp(logs.data(), logs.size());
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = bets_[i].log_detector();
  log_detector_ = log_mean_exp(logs.data(), logs.size());
}

double Prediction::e() const {
  return std::min(std::exp(log_e_), largest);
}

double Prediction::detector() const {
  return std::min(std::expm1(log_detector_), largest);
}

void Prediction::begin_epoch() {
  for (ClaimBet& bet : bets_) bet.begin_epoch();
  samples_ = 0;
  frozen_ = false;
  value();
}

void Prediction::restart_detector() {
  for (ClaimBet& bet : bets_) bet.restart_detector();
  value();
}

void Prediction::freeze_e(bool frozen) {
  frozen_ = frozen;
  for (ClaimBet& bet : bets_) bet.freeze_e(frozen);
}

void Prediction::freeze_detector(bool frozen) {
  for (ClaimBet& bet : bets_) bet.freeze_detector(frozen);
}

void Prediction::save(StateWriter& out) const {
  out.u64(samples_);
  for (const ClaimBet& bet : bets_) bet.save(out);
}

void Prediction::load(StateReader& in) {
  samples_ = in.u64();
  for (ClaimBet& bet : bets_) bet.load(in);
  value();
}

}  // namespace talla::stats::monitor
