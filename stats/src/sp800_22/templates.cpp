// SP 800-22 Rev. 1a: 2.7 non-overlapping and 2.8 overlapping template matching.
#include <bit>
#include <cmath>
#include <numbers>

#include "plan.hpp"
#include "stats/special.hpp"

namespace talla::stats::sp800_22 {
namespace {

constexpr std::size_t templates_max = 148;  // MAXNUMOFTEMPLATES of the suite

/// True when no proper prefix of the pattern is its suffix: such a pattern cannot overlap itself.
bool aperiodic(std::uint32_t pattern, std::size_t length) {
  for (std::size_t k = 1; k < length; ++k) {
    if (pattern >> k == (pattern & ((1U << (length - k)) - 1))) return false;
  }
  return true;
}

/// P(U = u) by the compound Poisson approximation of 3.8, as the suite computes it.
double poisson_class(int u, double eta) {
  if (u == 0) return std::exp(-eta);
  double sum = 0.0;
  for (int l = 1; l <= u; ++l) {
    sum += std::exp(-eta - u * std::numbers::ln2 + l * std::log(eta) - log_gamma(l + 1.0) +
                    log_gamma(u) - log_gamma(l) - log_gamma(u - l + 1.0));
  }
  return sum;
}

/// Exact probabilities of 0, ..., 4, 5 and more windows of `length` ones in a block: a walk over
/// (open run, found).
std::array<double, 6> exact_classes(std::size_t length) {
  std::vector<std::array<double, 6>> at(length + 1);
  at[0][0] = 1.0;
  for (std::size_t bit = 0; bit < overlapping_block; ++bit) {
    std::vector<std::array<double, 6>> next(length + 1);
    for (std::size_t run = 0; run <= length; ++run) {
      for (std::size_t found = 0; found < 6; ++found) {
        const double half = at[run][found] / 2.0;
        next[0][found] += half;
        const bool hit = run + 1 >= length;
        next[hit ? length : run + 1][hit ? std::min<std::size_t>(found + 1, 5) : found] += half;
      }
    }
    at = std::move(next);
  }
  std::array<double, 6> classes{};
  for (const auto& row : at) {
    for (std::size_t i = 0; i < 6; ++i) classes[i] += row[i];
  }
  return classes;
}

}  // namespace

std::vector<std::uint32_t> aperiodic_templates(std::size_t length) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t pattern = 0; pattern < (1U << length); ++pattern) {
    if (aperiodic(pattern, length)) all.push_back(pattern);
  }
  // Of longer templates the suite takes 148, evenly spread over its list.
  const std::size_t skip = all.size() < templates_max ? 1 : all.size() / templates_max;
  const std::size_t count = std::min(templates_max, all.size() / skip);
  std::vector<std::uint32_t> taken;
  taken.reserve(count);
  for (std::size_t i = 0; i < count; ++i) taken.push_back(all[i * skip]);
  return taken;
}

std::array<double, 6> overlapping_classes(Profile profile, std::size_t length) {
  if (profile == Profile::corrected) return exact_classes(length);
  const double eta = static_cast<double>(overlapping_block - length + 1) /
                     std::ldexp(1.0, static_cast<int>(length)) / 2.0;
  std::array<double, 6> classes{};
  double sum = 0.0;
  for (int u = 0; u < 5; ++u) sum += classes[static_cast<std::size_t>(u)] = poisson_class(u, eta);
  classes[5] = 1.0 - sum;
  return classes;
}

void non_overlapping_template(const Plan& plan, const Windows& windows, const Sink& sink) {
  const auto length = static_cast<int>(plan.parameters.non_overlapping);
  const std::size_t block = plan.bits_count / template_blocks_count;
  if (block < plan.parameters.non_overlapping) return;
  const double mean = (static_cast<double>(block) - length + 1) / std::ldexp(1.0, length);
  const double variance =
      static_cast<double>(block) *
      (std::ldexp(1.0, -length) - (2.0 * length - 1.0) / std::ldexp(1.0, 2 * length));
  sink.figure("lambda", mean);
  sink.figure("variance", variance);
  for (std::size_t i = 0; i < plan.templates.size(); ++i) {
    double chi_square = 0.0;
    for (const auto& counts : windows.block_counts) {
      const double off = static_cast<double>(counts[plan.templates[i]]) - mean;
      chi_square += off * off / variance;
    }
    sink.p[i] = chi_square_tail(chi_square, template_blocks_count);
  }
}

void overlapping_template(const Plan& plan, const Bits& bits, const Sink& sink) {
  const std::size_t length = plan.parameters.overlapping;
  const std::size_t blocks_count = bits.size() / overlapping_block;
  if (blocks_count == 0) return;
  const std::size_t places_count = overlapping_block - length + 1;
  std::array<std::size_t, 6> counts{};
  for (std::size_t i = 0; i < blocks_count; ++i) {
    std::size_t found = 0;
    for (std::size_t at = 0; at < places_count;) {
      // Bit k of `all` stays set when `length` ones begin there; the last length - 1 places of a
      // word are unknown.
      std::uint64_t all = bits.word_at(i * overlapping_block + at);
      const std::size_t known = std::min(64 - length + 1, places_count - at);
      std::size_t width = 1;
      while (width < length) {
        const std::size_t more = std::min(width, length - width);
        all &= all << more;
        width += more;
      }
      found += static_cast<std::size_t>(std::popcount(all >> (64 - known)));
      at += known;
    }
    ++counts[std::min<std::size_t>(found, 5)];
  }
  double chi_square = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double expected = static_cast<double>(blocks_count) * plan.overlapping_classes[i];
    const double off = static_cast<double>(counts[i]) - expected;
    chi_square += off * off / expected;
  }
  sink.figure("blocks", static_cast<double>(blocks_count));
  sink.figure("chi-square", chi_square);
  sink.p[0] = chi_square_tail(chi_square, 5.0);
}

}  // namespace talla::stats::sp800_22
