/// \file
/// The fifteen tests of NIST SP 800-22 Rev. 1a over one sequence of bits.
///
/// Profiles: `nist_2_1_2` gives the p-values of NIST's program STS 2.1.2 (same six printed
///           decimals), its roundings of constants and its known slips included; `corrected`
///           replaces what is known to be wrong (stats/docs/sp800-22.md lists every difference with
///           its source).
/// Cost:     about 9 ms for 1,000,000 bits, without the transform 5 ms; about 1 MB.
/// Threads:  a Battery is immutable; `run` may be called from several threads, each with its own
///           Spectrum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/bits.hpp"
#include "stats/figure.hpp"
#include "stats/result.hpp"

namespace talla::stats::sp800_22 {

enum class Profile : std::uint8_t { nist_2_1_2, corrected };
/// Its name on command lines, and back.
[[nodiscard]] std::string_view profile_name(Profile profile);
[[nodiscard]] Result<Profile> profile_from(std::string_view name);

/// In the order of NIST's summary.
enum class Test : std::uint8_t {
  frequency,
  block_frequency,
  cumulative_sums,
  runs,
  longest_run,
  rank,
  fft,
  non_overlapping_template,
  overlapping_template,
  universal,
  approximate_entropy,
  random_excursions,
  random_excursions_variant,
  serial,
  linear_complexity,
};
inline constexpr std::size_t tests_count = 15;
/// NIST's name of the test, "BlockFrequency".
[[nodiscard]] std::string_view test_name(Test test);

/// Block lengths in bits; the defaults are NIST's.
struct Parameters {
  std::size_t block_frequency = 128;     ///< M, 1 to 2^20
  std::size_t non_overlapping = 9;       ///< m, 2 to 16
  std::size_t overlapping = 9;           ///< m, 2 to 63 and below 1,000
  std::size_t approximate_entropy = 10;  ///< m, 1 to 15
  std::size_t serial = 16;               ///< m, 2 to 16
  std::size_t linear_complexity = 500;   ///< M, 4 to 5,000
};

/// One p-value of a sequence: its test, and which of several ("forward", "000000001", "x = -4", ""
/// if it is the only one).
struct Row {
  Test test;
  std::string item;
};

/// Squared magnitudes of the discrete Fourier transform of the sequence with 1 for a one and -1 for
/// a zero.
class Spectrum {
 public:
  Spectrum() = default;
  Spectrum(const Spectrum&) = delete;
  Spectrum& operator=(const Spectrum&) = delete;
  virtual ~Spectrum() = default;
  /// How many of the first floor(n / 2) values (frequency 0 included) have a magnitude below
  /// `bound`, exactly as arithmetic in double precision would count them.
  [[nodiscard]] virtual std::size_t count_below(const Bits& bits, double bound) = 0;
};

/// The fifteen tests, ready for sequences of one length.
class Battery {
 public:
  /// Errors: a parameter out of range, fewer than 100 bits or more than 2^31 - 1.
  [[nodiscard]] static Result<Battery> create(Profile profile, const Parameters& parameters,
                                              std::size_t bits_count);
  Battery(Battery&&) noexcept;
  Battery& operator=(Battery&&) noexcept;
  ~Battery();

  /// What it was made with.
  [[nodiscard]] Profile profile() const;
  [[nodiscard]] const Parameters& parameters() const;
  [[nodiscard]] std::size_t bits_count() const;
  /// What `run` fills, in this order (188 with the default parameters).
  [[nodiscard]] const std::vector<Row>& rows() const;

  /// Writes a p-value for each row; NaN where the test cannot be applied to this sequence (too
  /// short, where Rank of nist_2_1_2 gives 0 as NIST's program does; too few cycles).
  /// Preconditions: bits.size() == bits_count(), p_values.size() == rows().size().
  void run(const Bits& bits, Spectrum& spectrum, std::span<double> p_values) const;
  /// The same with the figures that led to each row's p-value (the first row of a test carries
  /// those of the test).
  [[nodiscard]] std::vector<std::vector<Figure>> explain(const Bits& bits, Spectrum& spectrum,
                                                         std::span<double> p_values) const;

  struct Plan;

 private:
  explicit Battery(std::unique_ptr<const Plan> plan);
  std::unique_ptr<const Plan> plan_;
};

}  // namespace talla::stats::sp800_22
