/// \file
/// Bits of the generator's parts for the statistical tests of bits: conditioned blocks of recorded
/// samples, and output of the DRBG from a stated seed.
///
/// Both are made by the functions that the appliance runs, without keys and noise: the same input
/// gives the same bytes everywhere, and nothing may be played with them.
/// Errors: SampleErrc::sample_refused, those of entropy. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "lab_sample/sampler.hpp"

namespace talla::lab {

/// Recorded samples, and what is claimed of them.
struct ConditionWish {
  ByteView samples;                      ///< one a byte, in order
  std::uint32_t assessed_millibits = 0;  ///< of a sample, 1 to 8000
  std::string conditioner = "sha-512";   ///< as the appliance names it; hmac-sha-512 is the other
};
/// What was made, and what it was made of.
struct MadeBits {
  Bytes bytes;
  json::Object about;  ///< how, for a manifest
};
/// A block of 64 bytes of as many samples as have 576 assessed bits, each used once; a rest that is
/// no block is left out and counted.
[[nodiscard]] Result<MadeBits> conditioned_bits(const ConditionWish& wish);

/// Output of the DRBG.
struct DrbgWish {
  std::string kind;         ///< ctr-drbg-aes-256-df, hmac-drbg-sha-512
  std::string seed;         ///< 64 hex digits in small letters
  std::uint64_t bytes = 0;  ///< how many
};
/// Reseeded from the stated seed and a counter after every 2^17 bits, as the appliance is from its
/// blocks: SHA-512 of `talla-lab bits v1`, the seed and the counter in eight bytes.
[[nodiscard]] Result<MadeBits> drbg_bits(const DrbgWish& wish);

}  // namespace talla::lab
