// Shares of stakes that come to the ends of a law: too often, too seldom, or to none.
#include "stats/monitor/shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/monitor/claim.hpp"

namespace talla::stats::monitor {
namespace {

constexpr double greatest_e = std::numeric_limits<double>::max();

}  // namespace

Shares::Shares(std::string name, std::size_t ends)
    : Process(std::move(name)), fortunes_(ends * bets_of_end), detectors_(ends * bets_of_end) {}

void Shares::play(std::size_t end, double share, double probability) {
  const auto bet = [&](std::size_t number, double factor) {
    const std::size_t at = end * bets_of_end + number;
    if (!frozen_) fortunes_[at] *= factor;
    if (!detector_frozen_) detectors_[at] = (detectors_[at] + 1) * factor;
  };
  const double more = share / probability;
  const double less = (1 - share) / (1 - probability);
  const double odds = (1 - probability) / probability;
  for (std::size_t g = 0; g < strengths; ++g) {
    const double up = excess[g] / (odds + excess[g]);
    bet(g, 1 - up + up * more);
    bet(strengths + g, 1 - lack[g] + lack[g] * less);
  }
}

void Shares::observe(std::span<const double> shares, std::span<const double> probabilities,
                     bool foreign) {
  for (std::size_t end = 0; end < shares.size(); ++end) {
    const double probability = probabilities[end];
    if (probability > 0 && probability < 1) {
      play(end, shares[end], probability);
    } else if (probability <= 0 && shares[end] > 0) {
      foreign = true;  // cards that are all gone came again
    }
  }
  if (!frozen_) {
    ++steps_;
    impossible_ = impossible_ || foreign;
  }
  if (!detector_frozen_) detector_impossible_ = detector_impossible_ || foreign;
}

double Shares::log_e() const {
  if (impossible_) return std::log(greatest_e);
  std::vector<double> logs;
  logs.reserve(fortunes_.size());
  for (const Scaled& fortune : fortunes_) logs.push_back(fortune.log());
  return log_mean_exp(logs.data(), logs.size());
}

double Shares::e() const {
  if (impossible_) return greatest_e;
  double sum = 0;
  for (const Scaled& fortune : fortunes_)
    sum += fortune.value() / static_cast<double>(fortunes_.size());
  return std::min(sum, greatest_e);
}

double Shares::detector() const {
  if (detector_impossible_) return greatest_e;
  double sum = 0;
  for (const double one : detectors_) sum += one / static_cast<double>(detectors_.size());
  return std::min(sum, greatest_e);
}

double Shares::log_detector() const {
  return std::log1p(detector());
}

void Shares::begin_epoch() {
  std::ranges::fill(fortunes_, Scaled());
  steps_ = 0;
  impossible_ = false;
  frozen_ = false;
}

void Shares::restart_detector() {
  std::ranges::fill(detectors_, 0);
  detector_impossible_ = false;
  detector_frozen_ = false;
}

void Shares::save(StateWriter& out) const {
  out.u64(steps_);
  out.u32(impossible_ ? 1 : 0);
  out.u32(detector_impossible_ ? 1 : 0);
  for (const Scaled& fortune : fortunes_) {
    out.f64(fortune.mantissa());
    out.i64(fortune.exponent());
  }
  out.f64s(detectors_);
}

void Shares::load(StateReader& in) {
  steps_ = in.u64();
  const std::uint32_t impossible = in.u32();
  const std::uint32_t detector = in.u32();
  if (impossible > 1 || detector > 1) in.refuse("the shares of payments do not fit");
  impossible_ = impossible == 1;
  detector_impossible_ = detector == 1;
  for (Scaled& fortune : fortunes_) {
    const double mantissa = in.f64(0);
    fortune = Scaled(mantissa, in.i64());
  }
  in.f64s(detectors_, 0);
}

}  // namespace talla::stats::monitor
