/// \file
/// The four tests on a block of 20,000 bits: monobit, poker, runs and long run.
///
/// Sources: FIPS 140-1 (1994), 4.11.1, whose bounds AIS 20/31 (2011) uses as T1 to T4; FIPS 140-2
///          (2001) with change notice 1, 4.9.1. Change notice 2 (2002) took the tests out of FIPS
///          140-2; block tests of appliances still use its bounds.
/// Form:    2,500 bytes, the highest bit of a byte first; a run that the block's end cuts off
///          counts as long as it is.
/// Cost:    about 2 us a block with AVX2. Threads: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace talla::stats::blocks {

/// One block.
inline constexpr std::size_t block_bits = 20'000;
inline constexpr std::size_t block_bytes = block_bits / 8;
using Block = std::span<const std::uint8_t, block_bytes>;

/// What the tests look at, counted once.
struct Counts {
  std::uint32_t ones = 0;  ///< 0 to 20,000
  /// Sum over the 16 values of four bits of (how often it came)^2.
  std::uint32_t nibble_squares = 0;
  /// [bit][length - 1]: runs of that bit and length; the last counts six and more.
  std::array<std::array<std::uint32_t, 6>, 2> runs{};
  bool run_of_26 = false;  ///< a run of 26 bits or more
  bool run_of_34 = false;
  /// Poker statistic X = 16 / 5000 * nibble_squares - 5000: chi-square with 15 degrees of freedom
  /// for ideal bits.
  [[nodiscard]] double poker() const { return 16.0 / 5000.0 * nibble_squares - 5000.0; }
};
[[nodiscard]] Counts count(Block block);

/// Whose limits a block is held to.
enum class Bounds : std::uint8_t {
  fips_140_1,  ///< and AIS 20/31 T1 to T4; an ideal source fails about one block in 250,000
  fips_140_2,  ///< about one block in 1,200
};

/// Accepted values, ends included; a block fails with a run of `long_run` bits or more.
struct Limits {
  std::uint32_t ones_least, ones_most;                      ///< of 20,000 bits
  std::uint32_t nibble_squares_least, nibble_squares_most;  ///< sums as in Counts
  /// [length - 1]: least, most; the last for six and more.
  std::array<std::array<std::uint32_t, 2>, 6> runs;
  unsigned long_run;
};
[[nodiscard]] const Limits& limits(Bounds bounds);

/// Which tests a block failed.
struct Failures {
  bool monobit = false;
  bool poker = false;
  bool runs = false;
  bool long_run = false;
  [[nodiscard]] bool any() const { return monobit || poker || runs || long_run; }
};
[[nodiscard]] Failures judge(const Counts& counts, Bounds bounds);

/// Share of blocks of ideal bits (independent, fair) that fail. The four are exact: monobit by the
/// binomial law, poker by convolution over the 16 cells, runs by counting compositions, long run by
/// recursion. `any` is exact for monobit, runs and long run together; what poker adds to them was
/// measured, which leaves the relative standard error `any_error`.
struct Rates {
  double monobit, poker, runs, long_run, any, any_error;  ///< 0 to 1
};
[[nodiscard]] const Rates& failure_rates(Bounds bounds);

}  // namespace talla::stats::blocks
