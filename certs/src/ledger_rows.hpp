/// \file
/// Values that every ledger keeps alike in its rows, whatever database has them. Private to certs.
#pragma once

#include <array>

#include "base/hash.hpp"
#include "certs/ledger.hpp"

namespace talla::certs {

/// A state as a row: live until it is closed and nothing is pending.
[[nodiscard]] constexpr bool object_live(const ObjectState& state) {
  return !state.closed || state.pending > 0;
}

/// Keys come in any order. An index over short digests of them keeps the pages few that a group
/// touches.
/// 16 bytes of client and key, 8 of method and path.
using ReplyDigest = std::array<std::uint8_t, 24>;
[[nodiscard]] ReplyDigest reply_digest(const HashSuite& hashes, const ReplyKey& id);
/// Of a group's replies, in their order.
using GroupDigests = std::vector<ReplyDigest>;
[[nodiscard]] GroupDigests group_digests(const HashSuite& hashes, const Group& group);
/// All replies of a client's key lie between these two, ends included.
struct ReplyRange {
  ReplyDigest first, last;
};
[[nodiscard]] ReplyRange reply_range(const HashSuite& hashes, std::string_view client,
                                     std::string_view key);

/// The most that one call of LedgerReader::records gives.
inline constexpr std::uint64_t records_per_call_max = 100'000;
/// At the end of a ledger that is opened: none of these records may be missing.
inline constexpr std::uint64_t tail_records = 1000;

/// Leaves of a row of leaf_pages: those of the records [256 page, 256 page + 256), for whoever
/// wants all of them at once.
inline constexpr std::uint64_t leaves_of_page = 256;

/// Sequence numbers as u64 each.
[[nodiscard]] Bytes encode_seqs(const std::vector<std::uint64_t>& seqs);
[[nodiscard]] std::vector<std::uint64_t> decode_seqs(ByteView bytes);

}  // namespace talla::certs
