/// \file
/// The ten estimators of NIST SP 800-90B (2018), section 6.3, with their intermediate values.
///
/// Digits:  equal to NIST's program (SP800-90B_EntropyAssessment 1.1.7) within 1e-9 relative, its
///          readings of the text included: the longest run of a predictor is not ended by a step
///          without a prediction.
/// Cost:    about 1.5 CPU seconds for 1,000,000 samples of eight bits, at most 110 MB.
/// Threads: pure functions; `assess` starts one thread more when asked to.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stats/figure.hpp"
#include "stats/sp800_90b/samples.hpp"

namespace talla::stats::sp800_90b {

/// One estimator on one string of symbols.
struct Estimate {
  std::string name;  ///< "Most Common Value", "Collision", ...
  /// Bits per symbol; NaN: the data do not allow this estimate (`note` says why).
  double min_entropy = 0.0;
  std::vector<Figure> figures;  ///< intermediate values, named as in 6.3
  std::string note;
};

/// All estimators that apply to one string.
struct Track {
  std::vector<Estimate> estimates;
  /// The least of them.
  [[nodiscard]] double min_entropy() const;
};

/// How the estimators run.
struct Options {
  /// 3.1.5.2: output of a non-vetted conditioning component, only the bit string counts.
  bool conditioned = false;
  std::size_t bits_most = std::numeric_limits<std::size_t>::max();  ///< of the bit string
  bool two_threads = false;
  /// Estimators done and in all; called on either thread, one call at a time.
  using Progress = std::function<void(std::size_t done, std::size_t total)>;
  Progress progress;
};

/// What the estimators found; min-entropy in bits.
struct Assessment {
  std::optional<Track> literal;    ///< symbols as given; for one-bit symbols all ten
  std::optional<Track> bitstring;  ///< symbols wider than one bit, as bits
  double h_original = 0.0;         ///< per symbol; NaN when not assessed
  double h_bitstring = 0.0;        ///< per bit; NaN when not assessed
  double min_entropy = 0.0;        ///< per symbol: min(h_original, width * h_bitstring), 3.1.3
};

/// Errors: fewer than 6,012 bits or 4,100 samples (the least that every estimator can use).
[[nodiscard]] Result<Assessment> assess(const Samples& samples, const Options& options);

/// The estimates on the symbols as given alone: all ten for one-bit symbols, else the seven that
/// know wider ones. What the restart tests use (3.1.4.2). Errors: as `assess`.
[[nodiscard]] Result<Track> literal_track(const Samples& samples);

/// The estimators one by one, 6.3.1 to 6.3.10. Symbols are below `alphabet`.
[[nodiscard]] Estimate most_common_value(const Bits& bits);
[[nodiscard]] Estimate most_common_value(std::span<const std::uint8_t> symbols, unsigned alphabet);
[[nodiscard]] Estimate collision(const Bits& bits);
[[nodiscard]] Estimate markov(const Bits& bits);
[[nodiscard]] Estimate compression(const Bits& bits);
/// t-tuple and longest repeated substring together: they read the same order of suffixes.
[[nodiscard]] std::vector<Estimate> tuples(const Bits& bits);
[[nodiscard]] std::vector<Estimate> tuples(std::span<const std::uint8_t> symbols);
[[nodiscard]] Estimate multi_mcw(const Bits& bits);
[[nodiscard]] Estimate multi_mcw(std::span<const std::uint8_t> symbols, unsigned alphabet);
[[nodiscard]] Estimate lag(const Bits& bits);
[[nodiscard]] Estimate lag(std::span<const std::uint8_t> symbols, unsigned alphabet);
[[nodiscard]] Estimate multi_mmc(const Bits& bits);
[[nodiscard]] Estimate multi_mmc(std::span<const std::uint8_t> symbols, unsigned alphabet);
[[nodiscard]] Estimate lz78y(const Bits& bits);
[[nodiscard]] Estimate lz78y(std::span<const std::uint8_t> symbols, unsigned alphabet);

}  // namespace talla::stats::sp800_90b
