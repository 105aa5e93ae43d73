/// \file
/// The mix of a shoe: the order in which the committed leaves are dealt.
///
/// FORMAT.md section 7, "Mix". A commitment alone proves nothing about an order: an appliance that
/// may choose it can prepare one that serves the bank. So what is dealt is the committed leaves
/// under a full permutation that follows from a call, made when the root stood in the log. A
/// uniform order stays uniform under any mix; under a number that nobody could foresee any order
/// is.
/// Errors:  FormatErrc::malformed_mix, malformed_body.
/// Threads: pure functions. Secrecy: a mix is public; what it orders is not.
/// Where a shoe has several candidates, the same tape picks one of their roots first.
/// Cost:    one HMAC for four words; 15 for 416 cards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "format/body_shoe.hpp"
#include "format/call.hpp"

namespace talla::certs {

/// Dealt position p is leaf mix[p]: a permutation of 0 to n - 1.
using Mix = std::vector<std::uint16_t>;

/// What a tape gave and what it cost.
struct MixResult {
  Mix mix;
  std::uint32_t picked = 0;          ///< index of the candidate; 0 where there is one root
  std::uint64_t words_used = 0;      ///< 64 bits each, the refused ones too
  std::uint64_t words_rejected = 0;  ///< of them, redrawn
  Digest tape_digest{};
};
/// Of several candidates one index below their number; then Fisher-Yates (`talla-map-v1`) over m
/// leaves in their order: all from the tape with key C, purpose "mix" and the values of the
/// openings as its inputs; the table's own number is bound by C. Nothing the appliance learns or
/// chooses after the call goes in.
[[nodiscard]] Result<MixResult> map_mix(const HashSuite& hashes, const Digest& call,
                                        std::span<const CallOpening> openings,
                                        const MixSpecification& specification);
/// Which candidate that tape picks, without the order.
[[nodiscard]] Result<std::uint32_t> map_pick(const HashSuite& hashes, const CallCore& core,
                                             std::span<const CallOpening> openings);

/// The mix of a root of which `at` cards are dealt as `before` has them: these stay, and the leaves
/// that are left, in ascending order, are dealt on as `order` says.
/// Precondition (checked): `before` has all leaves of the root, or `at` is 0.
[[nodiscard]] Mix mixed_again(const Mix& before, std::uint32_t at, const Mix& order);

/// The mix that a SHOE_MIX stands for, of this core; `before`: that of the root until then, empty
/// for the first. Refuses (malformed_mix) a record whose account of the tape, or pick, is another,
/// and a core of other places than are left. That the root is the shoe's is the caller's to know.
[[nodiscard]] Result<Mix> mix_of(const HashSuite& hashes, const CallCore& core,
                                 const ShoeMixBody& body, const Mix& before = {});

}  // namespace talla::certs
