#include "stats/monitor/claim.hpp"

#include <algorithm>
#include <cmath>

namespace talla::stats::monitor {

double log_mean_exp(const double* values, std::size_t count) {
  const double largest = *std::max_element(values, values + count);
  if (!std::isfinite(largest)) return largest;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::exp(values[i] - largest);
  return largest + std::log(sum / static_cast<double>(count));
}

ClaimBet::ClaimBet(std::uint32_t millibits) {
  const double p = std::exp2(-static_cast<double>(millibits) / 1000);
  const double odds = (1 - p) / p;
  for (std::size_t g = 0; g < strengths; ++g) {
    const double kappa = excess[g] / (odds + excess[g]);
    log_hit_[g] = std::log1p(kappa * odds);
    log_miss_[g] = std::log1p(-kappa);
  }
}

void ClaimBet::observe(std::uint64_t hits, std::uint64_t trials) {
  if (!e_frozen_) {
    hits_ += hits;
    trials_ += trials;
  }
  if (detector_frozen_) return;
  for (std::size_t g = 0; g < strengths; ++g) {
    // log(1 + M') of M' = (1 + M) L, without leaving the logarithms.
    const double log_m = log_detectors_[g] + static_cast<double>(hits) * log_hit_[g] +
                         static_cast<double>(trials - hits) * log_miss_[g];
    log_detectors_[g] =
        log_m > 0 ? log_m + std::log1p(std::exp(-log_m)) : std::log1p(std::exp(log_m));
  }
}

double ClaimBet::log_e() const {
  std::array<double, strengths> logs{};
  for (std::size_t g = 0; g < strengths; ++g) {
    logs[g] = static_cast<double>(hits_) * log_hit_[g] +
              static_cast<double>(trials_ - hits_) * log_miss_[g];
  }
  return log_mean_exp(logs.data(), logs.size());
}

double ClaimBet::log_detector() const {
  return log_mean_exp(log_detectors_.data(), log_detectors_.size());
}

void ClaimBet::begin_epoch() {
  hits_ = 0;
  trials_ = 0;
  e_frozen_ = false;
}

void ClaimBet::restart_detector() {
  log_detectors_.fill(0);
  detector_frozen_ = false;
}

void ClaimBet::save(StateWriter& out) const {
  out.u64(hits_);
  out.u64(trials_);
  out.f64s(log_detectors_);
}

void ClaimBet::load(StateReader& in) {
  hits_ = in.u64();
  trials_ = in.u64();
  if (hits_ > trials_ || trials_ > (std::uint64_t{1} << 62U))
    in.refuse("hits do not fit their trials");
  in.f64s(log_detectors_, 0);
}

}  // namespace talla::stats::monitor
