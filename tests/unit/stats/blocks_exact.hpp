/// \file
/// Exact failure rates of the tests on blocks of fair bits, by counting; any block length, so that
/// small ones can be compared with all blocks there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace talla::stats::exact {

struct RunLimits {
  std::array<std::array<std::uint32_t, 2>, 6> runs{};  // as blocks::Limits
  std::size_t longest = 0;                             // runs longer than this fail; 0: none does
  std::size_t ones_least = 0;
  std::size_t ones_most = ~std::size_t{0};
};

/// Chance that a block of `bits` fair bits keeps all these limits. Runs of ones and runs of zeros
/// take turns, so a block is two compositions, of its ones and of its zeros, into equal numbers of
/// parts (or one more); the joint law of the number of parts and their sum under the limits comes
/// from six convolutions, one for each class of lengths.
double runs_kept(std::size_t bits, const RunLimits& limits);

/// Chance that `draws` from 16 equally likely values have a sum of squared counts inside [least,
/// most].
double squares_kept(std::size_t draws, std::uint64_t least, std::uint64_t most);

/// Chance that no run of `length` equal bits or more comes in `bits` fair bits.
double no_long_run(std::size_t bits, std::size_t length);

}  // namespace talla::stats::exact
