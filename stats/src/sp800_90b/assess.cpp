// SP 800-90B, 3.1.3: all estimators on the samples and on their bits, and the least of what they
// say.
#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <thread>

#include "estimate.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr std::size_t bits_least = 6'012;
constexpr std::size_t samples_least = 4'100;
constexpr std::size_t bits_limit = (std::size_t{1} << 31) - 1;

/// What the two tracks share when they run side by side.
class Shared {
 public:
  /// `total`: estimators that will be run.
  Shared(const Options::Progress& progress, std::size_t total)
      : progress_(progress), total_(total) {}
  /// Both tracks have estimators that need far more memory than the samples: one of them at a time.
  template <class Estimator>
  auto alone(Estimator estimator) {
    const std::lock_guard held(large_);
    return estimator();
  }
  void add(Track& track, Estimate estimate) {
    track.estimates.push_back(std::move(estimate));
    const std::lock_guard held(counting_);
    ++done_;
    if (progress_) progress_(done_, total_);
  }

 private:
  const Options::Progress& progress_;
  std::size_t total_;
  std::mutex large_;
  std::mutex counting_;
  std::size_t done_ = 0;  // under counting_
};

constexpr std::size_t bit_estimators = 10, symbol_estimators = 7;

Track bit_track(const Bits& bits, Shared& shared) {
  Track track;
  // First: the other track's large tables come late.
  std::vector<Estimate> repeated = shared.alone([&] { return tuples(bits); });
  shared.add(track, most_common_value(bits));
  shared.add(track, collision(bits));
  shared.add(track, markov(bits));
  shared.add(track, compression(bits));
  for (Estimate& estimate : repeated) shared.add(track, std::move(estimate));
  shared.add(track, multi_mcw(bits));
  shared.add(track, lag(bits));
  shared.add(track, multi_mmc(bits));
  shared.add(track, lz78y(bits));
  return track;
}

Track symbol_track(std::span<const std::uint8_t> symbols, unsigned alphabet, Shared& shared) {
  Track track;
  shared.add(track, most_common_value(symbols, alphabet));
  for (Estimate& estimate : tuples(symbols)) shared.add(track, std::move(estimate));
  shared.add(track, multi_mcw(symbols, alphabet));
  shared.add(track, lag(symbols, alphabet));
  shared.add(track, shared.alone([&] { return multi_mmc(symbols, alphabet); }));
  shared.add(track, shared.alone([&] { return lz78y(symbols, alphabet); }));
  return track;
}

Result<bool> check_length(const Samples& samples, std::size_t bits_count) {
  if (bits_count < bits_least) {
    return refuse(std::to_string(bits_count) + " bits: the estimators need " +
                  std::to_string(bits_least));
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
  if (auto ok = check_length(samples, samples.size() * samples.width()); !ok)
    return tl::unexpected<Error>(ok.error());
  const Options::Progress none;
  Shared shared(none, 0);
  if (samples.width() > 1) return symbol_track(samples.symbols(), samples.alphabet(), shared);
  return bit_track(samples.bits(samples.size()), shared);
}

Result<Assessment> assess(const Samples& samples, const Options& options) {
  const std::size_t bits_count = std::min(options.bits_most, samples.size() * samples.width());
  if (auto ok = check_length(samples, bits_count); !ok) return tl::unexpected<Error>(ok.error());
  Assessment assessment;
  const bool one_bit = samples.width() == 1;
  Shared shared(options.progress,
                bit_estimators + (one_bit || options.conditioned ? 0 : symbol_estimators));
  const auto literal = [&] {
    if (!one_bit) assessment.literal = symbol_track(samples.symbols(), samples.alphabet(), shared);
  };
  const auto bitstring = [&] {
    (one_bit ? assessment.literal : assessment.bitstring) =
        bit_track(samples.bits(options.bits_most), shared);
  };
  if (options.conditioned) {
    assessment.bitstring = bit_track(samples.bits(options.bits_most), shared);
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
