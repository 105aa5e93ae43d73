/// \file
/// The conditioner: assessed samples of all sources into one block of 512 bits, with explicit
///                  accounts.
///
/// Standards: SP 800-90B 3.1.5.1 (vetted conditioning: SHA-512 of FIPS 180-4, HMAC-SHA-512 of FIPS
///   198-1; output-entropy formula of 3.1.5.1.2); full entropy by h_in >= n_out + 64 (SP 800-90C,
///   NIST IR 8427): 576 bits into 512.
/// Input:    each credited source has a call of its own, those whose independence is certified have
///   one together, and what is not credited goes with the call of the largest credit. Of each call:
///   domain string, then for every source a 32-bit length and its samples, one byte each (none of a
///   source that is not in it): concatenated, never XORed.
/// Output:   the XOR of the calls. One of them has full entropy by itself; the others cannot take
///   it away, for their inputs are others.
/// Credit:   that of the largest call alone; integers, millibits.
/// Errors:   bad_settings (too little credit: nothing is made), crypto_failed.
/// Threads:  stateless. Secrecy: input and output are secret; buffers inside are wiped.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/secret.hpp"
#include "entropy/generator_types.hpp"

namespace talla::entropy {

/// One block of the conditioner.
inline constexpr std::size_t block_bytes = 64;
inline constexpr std::uint64_t block_bits = 512;
/// 512 + 64 bits, in millibits.
inline constexpr std::uint64_t block_credit_needed_millibits = (block_bits + 64) * 1000;

/// The credit rule: the largest call; independent sources share one, every other source has its
///                  own.
class CreditSum {
 public:
  void add(std::uint64_t millibits, bool independent) {
    if (independent) {
      independent_ += millibits;
    } else if (millibits > largest_other_) {
      largest_other_ = millibits;
    }
  }
  [[nodiscard]] std::uint64_t millibits() const { return std::max(independent_, largest_other_); }

 private:
  std::uint64_t independent_ = 0;
  std::uint64_t largest_other_ = 0;
};

/// What one source puts into a block.
struct Contribution {
  std::span<const std::uint8_t> samples;
  std::uint32_t assessed_millibits_per_sample = 0;
  bool credited = false;
  bool independent = false;
};

/// Assessed entropy of a block of these, in millibits: of the largest call.
[[nodiscard]] std::uint64_t credit_millibits(std::span<const Contribution> contributions);

/// One block; refused below 576 credited bits.
[[nodiscard]] Result<SecretBytes> condition(ConditionerKind kind,
                                            std::span<const Contribution> contributions);

/// The known answer of a conditioner (FIPS 180-4 "abc", RFC 4231 case 2).
[[nodiscard]] Status conditioner_self_test(ConditionerKind kind);

/// The output entropy of a vetted conditioner, SP 800-90B 3.1.5.1.2.
struct OutputEntropy {
  long double bits = 0;          ///< h_out; for evidence and display, the accounts never use it.
  long double deficit_bits = 0;  ///< min(n_out, nw) - h_out, computed without cancellation.
};
/// All sizes in bits; n_in, n_out, nw in [1, 2^20], 0 < h_in <= n_in.
[[nodiscard]] OutputEntropy vetted_output_entropy(std::uint32_t n_in, std::uint32_t n_out,
                                                  std::uint32_t nw, long double h_in);

/// H_df: Hash_df of SP 800-90A 10.3.1 with SHA-512, to `out_bytes` (1 to 255 * 64) bytes.
[[nodiscard]] Result<SecretBytes> hash_df_sha512(std::span<const std::uint8_t> input,
                                                 std::size_t out_bytes);

}  // namespace talla::entropy
