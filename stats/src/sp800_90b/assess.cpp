// SP 800-90B, 3.1.3: all estimators on the samples and on their bits, and the least of what they say.
#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>

#include "estimate.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr std::size_t bits_least = 6'012;
constexpr std::size_t samples_least = 4'100;
constexpr std::size_t bits_limit = (std::size_t{1} << 31) - 1;

Track bit_track(const Bits& bits) {
  Track track;
  track.estimates = {most_common_value(bits), collision(bits), markov(bits), compression(bits)};
  for (Estimate& estimate : tuples(bits)) track.estimates.push_back(std::move(estimate));
  track.estimates.push_back(multi_mcw(bits));
  track.estimates.push_back(lag(bits));
  track.estimates.push_back(multi_mmc(bits));
  track.estimates.push_back(lz78y(bits));
  return track;
}

Track symbol_track(std::span<const std::uint8_t> symbols, unsigned alphabet) {
  Track track;
  track.estimates.push_back(most_common_value(symbols, alphabet));
  for (Estimate& estimate : tuples(symbols)) track.estimates.push_back(std::move(estimate));
  track.estimates.push_back(multi_mcw(symbols, alphabet));
  track.estimates.push_back(lag(symbols, alphabet));
  track.estimates.push_back(multi_mmc(symbols, alphabet));
  track.estimates.push_back(lz78y(symbols, alphabet));
  return track;
}

Result<bool> check(const Samples& samples, std::size_t bits_count) {
  if (bits_count < bits_least) {
    return refuse(std::to_string(bits_count) + " bits: the estimators need " + std::to_string(bits_least));
  }
  if (samples.size() < samples_least) {
    return refuse(std::to_string(samples.size()) + " samples: the estimators need " +
                  std::to_string(samples_least));
  }
  if (bits_count > bits_limit) return refuse("more than 2,147,483,647 bits");
  return true;
}

}  // namespace

double Track::min_entropy() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Estimate& estimate : estimates) {
    if (!std::isnan(estimate.min_entropy)) least = std::min(least, estimate.min_entropy);
  }
  return least;
}

Result<Track> literal_track(const Samples& samples) {
  if (auto ok = check(samples, samples.size() * samples.width()); !ok)
    return tl::unexpected<Error>(ok.error());
  if (samples.width() > 1) return symbol_track(samples.symbols(), samples.alphabet());
  return bit_track(samples.bits(samples.size()));
}

Result<Assessment> assess(const Samples& samples, const Options& options) {
  const std::size_t bits_count = std::min(options.bits_most, samples.size() * samples.width());
  if (auto ok = check(samples, bits_count); !ok) return tl::unexpected<Error>(ok.error());
  Assessment assessment;
  const bool one_bit = samples.width() == 1;
  const auto literal = [&] {
    if (!one_bit) assessment.literal = symbol_track(samples.symbols(), samples.alphabet());
  };
  const auto bitstring = [&] {
    (one_bit ? assessment.literal : assessment.bitstring) = bit_track(samples.bits(options.bits_most));
  };
  if (options.conditioned) {
    assessment.bitstring = bit_track(samples.bits(options.bits_most));
  } else if (options.two_threads && !one_bit) {
    std::jthread other(literal);
    bitstring();
  } else {
    literal();
    bitstring();
  }
  const double none = std::numeric_limits<double>::quiet_NaN();
  assessment.h_original = assessment.literal ? assessment.literal->min_entropy() : none;
  assessment.h_bitstring = assessment.bitstring ? assessment.bitstring->min_entropy() : none;
  const double per_symbol = assessment.h_bitstring * samples.width();
  assessment.min_entropy = std::isnan(assessment.h_original) ? per_symbol
                           : std::isnan(per_symbol)          ? assessment.h_original
                                                             : std::min(assessment.h_original, per_symbol);
  return assessment;
}

}  // namespace talla::stats::sp800_90b
