/// \file
/// Online block tests: bytes come in pieces of any size, each full block of 20,000 bits is judged,
/// failures are counted and compared with how many an ideal source would have.
///
/// A good source must fail now and then: FIPS 140-2 bounds about one block in 1,250. No single
/// failure says anything; too many do, and too few do as well, which is why counts are judged
/// two-sided.
/// Sets:    `fips_140_1` and `fips_140_2`: monobit, poker, runs, long run, and the continuous test
///          (140-1 4.11.2, 140-2 4.9.2) on words of 32 bits. As the standards say, the first word
///          is only kept for comparison: blocks begin behind it. `ais_31`: T1 to T5 of AIS 20/31
///          (2011) on every block.
/// Memory:  constant. Cost: 3 us a block; T5 about 0.3 ms. Threads: one object belongs to one
///          thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/blocks/twenty_thousand.hpp"

namespace talla::stats::blocks {

enum class Set : std::uint8_t { fips_140_1, fips_140_2, ais_31 };

/// A test of one block.
enum class Test : std::uint8_t { monobit, poker, runs, long_run, continuous, autocorrelation };
inline constexpr std::size_t tests_count = 6;
/// "monobit", "long run".
[[nodiscard]] std::string_view test_name(Test test);
/// Those of the set, in the order of its standard.
[[nodiscard]] std::span<const Test> tests_of(Set set);
/// Share of blocks of ideal bits that fail the test (exact). Precondition: the set has it.
[[nodiscard]] double failure_rate(Set set, Test test);
/// Share that fail any of the set's tests.
[[nodiscard]] double failure_rate_any(Set set);

/// Counted failures.
struct Tally {
  std::uint64_t blocks = 0;                           ///< that were tested
  std::uint64_t failed_blocks = 0;                    ///< that failed any test
  std::array<std::uint64_t, tests_count> failures{};  ///< [Test]
};

/// The tests of a set over a stream of bytes.
class BlockSeries {
 public:
  explicit BlockSeries(Set set) : set_(set) {}
  /// What one block was; `failed` by Test.
  struct Judged {
    std::uint64_t index = 0;  ///< from 0
    Counts counts;
    std::array<bool, tests_count> failed{};
  };
  /// Called for each block inside `add`.
  std::function<void(const Judged&)> on_block;

  /// Judges each block that these bytes complete.
  void add(std::span<const std::uint8_t> bytes);
  [[nodiscard]] Set set() const { return set_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  /// Bytes that wait for their block to become full.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

 private:
  void judge_block(Block block);
  Set set_;
  Tally tally_;
  bool has_last_ =
      false;  // last_ is known; without a continuous test it stays false and nothing is skipped
  std::uint32_t last_ = 0;
  std::size_t first_count_ = 0;  // bytes of the first word that came
  std::size_t waiting_ = 0;
  std::array<std::uint8_t, block_bytes> pending_{};
};

/// Is this number of failures what an ideal source would show?
struct FailureCount {
  std::uint64_t failed = 0;  ///< blocks
  double rate = 0;           ///< of one block
  double expected = 0;       ///< rate * blocks
  double p = 1;  ///< two-sided, exact binomial: min(1, 2 min(P(X <= failed), P(X >= failed)))
  std::uint64_t least = 0, most = 0;  ///< numbers that this row alone would not call inconsistent
};
struct SeriesVerdict {
  std::vector<FailureCount> rows;  ///< of tests_of(set) in order, then all tests together
  double smallest_adjusted = 1;    ///< least p-value after Holm's correction
  bool consistent = true;          ///< smallest_adjusted >= family_error
};
/// Precondition: family_error in (0, 1). The chance that ideal bits are called inconsistent is at
///               most family_error.
[[nodiscard]] SeriesVerdict judge_tally(Set set, const Tally& tally, double family_error);

}  // namespace talla::stats::blocks
