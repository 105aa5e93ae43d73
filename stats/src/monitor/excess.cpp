// Gains beyond a bound on what the best play may expect.
#include "stats/monitor/excess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/monitor/claim.hpp"

namespace talla::stats::monitor {
namespace {

constexpr double most_e = std::numeric_limits<double>::max();

}  // namespace

void Excess::observe(const Gains& beyond, bool foreign) {
  for (std::size_t view = 0; view < views; ++view) {
    const double gain = std::clamp(beyond.at(view), -least, greatest) / least;
    for (std::size_t i = 0; i < strengths.size(); ++i) {
      const std::size_t bet = view * strengths.size() + i;
      const double factor = std::max(0.0, 1 + strengths.at(i) * gain);
      if (!frozen_) fortunes_.at(bet) *= factor;
      if (!detector_frozen_)
        detectors_.at(bet) = std::min((detectors_.at(bet) + 1) * factor, most_e);
    }
  }
  if (!frozen_) {
    ++steps_;
    impossible_ = impossible_ || foreign;
  }
  if (!detector_frozen_) detector_impossible_ = detector_impossible_ || foreign;
}

double Excess::log_e() const {
  if (impossible_) return std::log(most_e);
  std::array<double, bets> logs{};
  std::ranges::transform(fortunes_, logs.begin(), [](const Scaled& one) { return one.log(); });
  return log_mean_exp(logs.data(), logs.size());
}

double Excess::e() const {
  if (impossible_) return most_e;
  double sum = 0;
  for (const Scaled& one : fortunes_) sum += one.value() / static_cast<double>(bets);
  return std::min(sum, most_e);
}

double Excess::detector() const {
  if (detector_impossible_) return most_e;
  double sum = 0;
  for (const double one : detectors_) sum += one / static_cast<double>(bets);
  return std::min(sum, most_e);
}

double Excess::log_detector() const {
  return std::log1p(detector());
}

void Excess::begin_epoch() {
  fortunes_.fill(Scaled());
  steps_ = 0;
  impossible_ = false;
  frozen_ = false;
}

void Excess::restart_detector() {
  detectors_.fill(0);
  detector_impossible_ = false;
  detector_frozen_ = false;
}

void Excess::save(StateWriter& out) const {
  out.u64(steps_);
  out.u32(impossible_ ? 1 : 0);
  out.u32(detector_impossible_ ? 1 : 0);
  for (const Scaled& one : fortunes_) {
    out.f64(one.mantissa());
    out.i64(one.exponent());
  }
  out.f64s(detectors_);
}

void Excess::load(StateReader& in) {
  steps_ = in.u64();
  const std::uint32_t impossible = in.u32();
  const std::uint32_t detector = in.u32();
  if (impossible > 1 || detector > 1) in.refuse("the gains of payments do not fit");
  impossible_ = impossible == 1;
  detector_impossible_ = detector == 1;
  for (Scaled& one : fortunes_) {
    const double mantissa = in.f64(0);
    one = Scaled(mantissa, in.i64());
  }
  in.f64s(detectors_, 0);
}

}  // namespace talla::stats::monitor
