/// \file
/// Seeds of the DRBG: H_df over a credited block, the operating system's bytes, RDSEED and who we
///                    are.
///
/// A device that lies about everything leaves the operating system's 256 bits (and RDSEED), and the
/// reverse: no single input determines a seed. Only the block is credited; it is used for nothing
/// else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "entropy/effects.hpp"

namespace talla::entropy {

/// What a DRBG is for, first in its personalisation and so in its seeds: the two never share a
/// stream.
inline constexpr std::string_view draws_purpose = "talla/entropy/drbg/v1";
inline constexpr std::string_view outlet_purpose = "talla/entropy/outlet/v1";

struct SeedIdentity {
  std::string appliance_id;
  std::uint64_t boot_counter = 0;
  std::uint64_t instance = 0;
  std::uint64_t incarnation = 0;  ///< How often this generator has made a DRBG.
  std::uint64_t seeds = 0;        ///< How many seeds came before.
  std::string_view purpose = draws_purpose;
};

/// Personalisation string (SP 800-90A 8.7.1): unique per appliance, boot, generator and
/// incarnation.
[[nodiscard]] Bytes personalisation_of(const SeedIdentity& identity);

/// 64 bytes. Errors: source_failed when the operating system or an existing RDSEED does not
/// deliver.
[[nodiscard]] Result<SecretBytes> make_seed(std::span<const std::uint8_t> block,
                                            const SeedIdentity& identity, OsRandom& os,
                                            RdSeed& rdseed);

}  // namespace talla::entropy
