#include "stats/monitor/dirichlet.hpp"

#include "stats/monitor/claim.hpp"

namespace talla::stats::monitor {

Dirichlet::Dirichlet(std::vector<double> probabilities)
    : probabilities_(std::move(probabilities)), counts_(probabilities_.size()) {
  for (const double p : probabilities_) inverse_.push_back(1 / p);
  for (std::size_t g = 0; g < strengths; ++g)
    mass_[g] = prior_counts[g] * static_cast<double>(probabilities_.size());
}

void Dirichlet::observe(std::size_t symbol) {
  if (frozen_) return;
  const auto count = static_cast<double>(counts_[symbol]);
  const auto total = static_cast<double>(total_);
  const double p = probabilities_[symbol];
  for (std::size_t g = 0; g < strengths; ++g)
    ratios_[g] *= (count + mass_[g] * p) / (total + mass_[g]) * inverse_[symbol];
  ++counts_[symbol];
  ++total_;
}

double Dirichlet::e() const {
  double sum = 0;
  for (const Scaled& ratio : ratios_) sum += ratio.value() / strengths;
  return sum;
}

double Dirichlet::log_e() const {
  std::array<double, strengths> logs{};
  for (std::size_t g = 0; g < strengths; ++g) logs[g] = ratios_[g].log();
  return log_mean_exp(logs.data(), logs.size());
}

void Dirichlet::begin_epoch() {
  counts_.assign(counts_.size(), 0);
  total_ = 0;
  ratios_.fill(Scaled());
  frozen_ = false;
}

void Dirichlet::save(StateWriter& out) const {
  out.u64s(counts_);
  for (const Scaled& ratio : ratios_) {
    out.f64(ratio.mantissa());
    out.i64(ratio.exponent());
  }
  out.u32(frozen_ ? 1 : 0);
}

void Dirichlet::load(StateReader& in) {
  in.u64s(counts_);
  total_ = 0;
  for (const std::uint64_t count : counts_) {
    if (count > (std::uint64_t{1} << 53U)) in.refuse("a count is out of its range");
    total_ += count;
  }
  for (Scaled& ratio : ratios_) {
    const double mantissa = in.f64(0);
    ratio = Scaled(mantissa, in.i64());
  }
  const std::uint32_t frozen = in.u32();
  if (frozen > 1) in.refuse("a mixture does not fit");
  frozen_ = frozen == 1;
}

}  // namespace talla::stats::monitor
