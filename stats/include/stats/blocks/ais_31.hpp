/// \file
/// Tests T0 to T8 and procedures A and B of AIS 20/31: W. Killmann, W. Schindler, "A proposal for:
/// Functionality classes for random number generators", version 2.0 (2011), 2.4.4.
///
/// Verdict: a procedure passes when all its elementary tests pass, fails when two or more fail;
///          after exactly one failure it is repeated once on fresh bits and then must show none.
/// Readings: T5 takes the smallest shift among those that deviate most in the first half of a block
///          (the text leaves the choice open). T7 judges each pair of conditional distributions by
///          itself against the quantile of one degree of freedom. T8 takes the distance to the
///          beginning for a word that did not come before.
/// Bits:    the highest bit of a byte first; all tests of a procedure use consecutive bits, none
///          twice.
/// Threads: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/blocks/twenty_thousand.hpp"
#include "stats/figure.hpp"
#include "stats/result.hpp"

namespace talla::stats::blocks {

/// Bytes that T0 takes: 2^16 words of 48 bits.
inline constexpr std::size_t disjointness_bytes = std::size_t{65'536} * 6;
/// T0: two equal ones among 2^16 words of 48 bits; their places, or none. Precondition:
/// disjointness_bytes bytes.
struct EqualWords {
  std::uint32_t first, second;  ///< indices of words, from 0
};
[[nodiscard]] std::optional<EqualWords> disjointness(std::span<const std::uint8_t> bytes);
[[nodiscard]] double disjointness_rate();  ///< exact (birthdays)

/// T5: at the shift of 1 to 5,000 at which the first half of the block deviates most, differing
///     bits of the second half.
struct Autocorrelation {
  std::uint32_t shift = 0;      ///< bits
  std::uint32_t differing = 0;  ///< of 5,000 pairs
  bool failed = false;          ///< not inside (2,326, 2,674)
};
[[nodiscard]] Autocorrelation autocorrelation(Block block);
[[nodiscard]] double
autocorrelation_rate();  ///< exact (binomial: the second half knows nothing of the choice)

/// T7: two samples of 100,000 bits each, of which `ones_a` and `ones_b` are ones; chi-square of
/// homogeneity, 1 degree.
[[nodiscard]] double homogeneity(std::uint32_t ones_a, std::uint32_t ones_b);
inline constexpr double homogeneity_most = 15.13;
[[nodiscard]] double homogeneity_rate();  ///< exact, over both binomial laws

/// Bytes that T8 takes, and the least statistic that passes.
inline constexpr std::size_t coron_words = 2'560 + 256'000;
inline constexpr double coron_least = 7.976;
/// T8: Coron's estimate of the entropy of a byte, from the distances of equal bytes. Precondition:
/// coron_words bytes.
[[nodiscard]] double coron_entropy(std::span<const std::uint8_t> bytes);
[[nodiscard]] double coron_rate();  ///< normal approximation, see the source file; below 1e-25

/// A test procedure of AIS 20/31.
enum class Procedure : std::uint8_t { a, b };

/// How often an elementary test was applied and how often it failed.
struct ElementaryCount {
  std::string_view test;  ///< "T1 monobit"
  std::uint32_t applied = 0;
  std::uint32_t failed = 0;
  double rate = 0;  ///< failure rate of one application on ideal bits
};
struct ElementaryFailure {
  std::string_view test;
  std::string where;     ///< "block 17, runs of 3 ones"
  double value;          ///< the statistic
  std::string accepted;  ///< "502 to 748"
};
/// One run through a procedure.
struct Round {
  std::vector<ElementaryCount> tests;
  std::vector<ElementaryFailure> failures;
  /// Statistics of the tests that are applied a few times (T6 to T8), and the extremes of those on
  /// blocks.
  std::vector<Figure> figures;
  std::uint64_t bits = 0;  ///< used
  [[nodiscard]] std::uint32_t failed() const;
};
struct ProcedureRun {
  Procedure procedure;
  std::vector<Round> rounds;  ///< one, or two after a single failure
  bool passed = false;
};

/// Fills the span with bytes; returns how many came, fewer only at the end.
using ByteSource = std::function<std::size_t(std::span<std::uint8_t>)>;
/// Called now and then with the share that is done, 0 to 1 of one round.
using ShareDone = std::function<void(double)>;
/// Called for each block of 20,000 bits of procedure A.
using BlockSeen = std::function<void(const Counts&)>;

/// Errors: the source ends early; the words say in which round and test, and how many bits there
///         were.
[[nodiscard]] Result<ProcedureRun> run_procedure(Procedure procedure, const ByteSource& source,
                                                 const ShareDone& progress = {},
                                                 const BlockSeen& block_seen = {});

/// Chances for ideal bits, elementary tests taken as independent: of a failure in one round (which
/// a repetition follows or which rejects), and of rejection in the end.
struct ProcedureRates {
  double any_failure, rejection;  ///< 0 to 1
};
[[nodiscard]] ProcedureRates procedure_rates(Procedure procedure);

}  // namespace talla::stats::blocks
