/// \file
/// The mix of a shoe: the order in which the committed leaves are dealt.
///
/// FORMAT.md section 7, "Mix". A commitment alone proves nothing about an order: an appliance that
/// may choose it can prepare one that serves the bank. So what is dealt is the committed leaves
/// under a full permutation that follows from a number of the table, sent when the root stood in
/// the log. A uniform order stays uniform under any mix; under a number that nobody could foresee
/// any order is.
/// Errors:  FormatErrc::malformed_mix, malformed_body.
/// Threads: pure functions. Secrecy: a mix is public; what it orders is not.
/// Cost:    one HMAC for four words; 15 for 416 cards.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "format/body_shoe.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// Dealt position p is leaf mix[p]: a permutation of 0 to n - 1.
using Mix = std::vector<std::uint16_t>;

/// All that a mix follows from: what stood in the log before, and the table's number.
struct MixInputs {
  std::string_view origin;  ///< of the log
  std::string_view shoe_id;
  Digest root;              ///< of the leaves that are mixed
  std::uint32_t cards = 0;  ///< n, 1 to 1,024
  ByteView nonce;           ///< the table's number, 16 to 64 bytes
};
/// What a tape gave and what it cost.
struct MixResult {
  Mix mix;
  std::uint64_t words_used = 0;      ///< 64 bits each, the refused ones too
  std::uint64_t words_rejected = 0;  ///< of them, redrawn
  Digest tape_digest{};
};
/// Fisher-Yates (`talla-map-v1`) over the n leaves in their order, from the tape with key
/// H(D("mix") || field(origin) || field(shoe id) || root || u32 n), purpose "mix" and the nonce as
/// its one input. Nothing the appliance learns or chooses after the nonce goes in.
[[nodiscard]] Result<MixResult> map_mix(const HashSuite& hashes, const MixInputs& inputs);

/// The mix that a SHOE_MIX stands for, of a root of so many cards. Refuses (malformed_mix) a record
/// whose account of the tape is another. That the root is the shoe's is the caller's to know.
[[nodiscard]] Result<Mix> mix_of(const HashSuite& hashes, const Record& record,
                                 const ShoeMixBody& body, std::uint32_t cards);

}  // namespace talla::certs
