#include "ledger_rows.hpp"

#include <algorithm>

namespace talla::certs {

namespace {

/// Of two texts, the first behind its length: no two pairs give the same bytes.
Digest pair_digest(const HashSuite& hashes, ByteView first, ByteView second) {
  const Bytes length = ByteWriter().u64(first.size()).take();
  return hashes.sha256({length, first, second});
}

}  // namespace

ReplyDigest reply_digest(const HashSuite& hashes, const ReplyKey& id) {
  const Digest key = pair_digest(hashes, as_bytes(id.client), as_bytes(id.key));
  const Digest place = pair_digest(hashes, as_bytes(id.method), as_bytes(id.path));
  ReplyDigest digest{};
  std::copy_n(key.begin(), 16, digest.begin());
  std::copy_n(place.begin(), 8, digest.begin() + 16);
  return digest;
}

GroupDigests group_digests(const HashSuite& hashes, const Group& group) {
  GroupDigests digests;
  digests.reserve(group.replies.size());
  for (const StoredReply& reply : group.replies) digests.push_back(reply_digest(hashes, reply.id));
  return digests;
}

ReplyRange reply_range(const HashSuite& hashes, std::string_view client, std::string_view key) {
  ReplyDigest first = reply_digest(hashes, {std::string(client), {}, {}, std::string(key)});
  ReplyDigest last = first;
  std::fill(first.begin() + 16, first.end(), std::uint8_t{0});
  std::fill(last.begin() + 16, last.end(), std::uint8_t{0xff});
  return {first, last};
}

Bytes encode_seqs(const std::vector<std::uint64_t>& seqs) {
  ByteWriter writer;
  for (const std::uint64_t seq : seqs) writer.u64(seq);
  return writer.take();
}

std::vector<std::uint64_t> decode_seqs(ByteView bytes) {
  std::vector<std::uint64_t> seqs;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) seqs.push_back(load_be64(bytes.data()));
  return seqs;
}

}  // namespace talla::certs
