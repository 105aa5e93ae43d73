#include "format/shoe_format.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "base/secret.hpp"
#include "format/bounds.hpp"
#include "format/domain.hpp"
#include "format/errc.hpp"
#include "shuffle/tape.hpp"

namespace talla::certs {
namespace {

using Word = std::array<std::uint8_t, 4>;
Word be32(std::uint32_t value) {
  constexpr std::uint32_t byte = 0xFF;
  return {static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>((value >> 16) & byte),
          static_cast<std::uint8_t>((value >> 8) & byte), static_cast<std::uint8_t>(value & byte)};
}

Bytes prefix(std::string_view domain, std::string_view shoe_id) {
  return ByteWriter().raw(domain).field(shoe_id).take();
}

}  // namespace

ShoeKey::ShoeKey(const HashSuite& hashes, std::span<const std::uint8_t, 32> key,
                 std::string_view shoe_id)
    : key_(hashes.hmac_key(key)),
      salt_prefix_(prefix(domain::shoe_salt, shoe_id)),
      tape_prefix_(prefix(domain::shoe_tape, shoe_id)) {
  TALLA_CHECK(!shoe_id.empty());
  TALLA_CHECK(shoe_id.size() <= shoe_id_bytes_max);
}

Digest ShoeKey::salt(std::uint32_t leaf) const {
  const Word index = be32(leaf);
  return key_->mac({salt_prefix_, index});
}

Digest ShoeKey::tape_mac(ByteView tape) const {
  return key_->mac({tape_prefix_, tape});
}

Digest shoe_leaf_hash(const HashSuite& hashes, const ShoeLeaf& leaf, const Digest& salt) {
  constexpr std::uint8_t leaf_prefix = 0x00;
  const auto id_bytes = be32(static_cast<std::uint32_t>(leaf.shoe_id.size()));
  const Word cards = be32(leaf.cards);
  const Word index = be32(leaf.leaf);
  return hashes.sha256({ByteView(&leaf_prefix, 1), as_bytes(domain::shoe_leaf), id_bytes,
                        as_bytes(leaf.shoe_id), cards, index, ByteView(&leaf.card, 1), salt});
}

MerkleTree shoe_tree(const HashSuite& hashes, const ShoeKey& key, std::string_view shoe_id,
                     ByteView order) {
  // 0x00, domain, field(shoe id), u32 n, then per leaf u32 i, card byte, salt: one buffer, its tail
  // rewritten.
  std::array<std::uint8_t, 128> buffer{};
  const auto cards = static_cast<std::uint32_t>(order.size());
  Bytes head = ByteWriter().u8(0).raw(domain::shoe_leaf).field(shoe_id).u32(cards).take();
  constexpr std::size_t tail_bytes = 4 + 1 + 32;
  TALLA_CHECK(head.size() + tail_bytes <= buffer.size());
  std::copy(head.begin(), head.end(), buffer.begin());
  std::uint8_t* tail = buffer.data() + head.size();
  std::vector<Digest> leaves(order.size());
  for (std::uint32_t i = 0; i < cards; ++i) {
    const Word index = be32(i);
    const Digest salt = key.salt(i);
    std::copy(index.begin(), index.end(), tail);
    tail[4] = order[i];
    std::copy(salt.begin(), salt.end(), tail + 5);
    leaves[i] = hashes.sha256({ByteView(buffer.data(), head.size() + tail_bytes)});
  }
  wipe(buffer.data(), buffer.size());
  return {hashes, std::move(leaves)};
}

Digest cut_commitment(const HashSuite& hashes, std::string_view shoe_id,
                      std::span<const std::uint8_t, 32> secret) {
  const Bytes head = prefix(domain::cut_secret, shoe_id);
  return hashes.sha256({head, secret});
}

Result<CutResult> map_cut(const HashSuite& hashes, const CutInputs& inputs) {
  if (!nonce_bytes.holds_count(inputs.nonce.size())) {
    return fail(FormatErrc::malformed_cut,
                "cut: the nonce has " + bounds_text(nonce_bytes) + " bytes");
  }
  if (inputs.cut_min > inputs.cut_max || inputs.cut_max == UINT32_MAX) {
    return fail(FormatErrc::malformed_cut, "cut: the bounds are reversed");
  }
  auto tape = shuffle::Tape::from_hmac(
      hashes, inputs.secret, "cut",
      {as_bytes(inputs.shoe_id), inputs.root, inputs.nonce, as_bytes(inputs.client)});
  CutResult result;
  TALLA_TRY(result.offset, shuffle::draw_cut(tape, {.min = inputs.cut_min, .max = inputs.cut_max},
                                             inputs.cut_max + 1));
  result.words_used = tape.words_used();
  result.words_rejected = tape.words_rejected();
  result.tape_digest = tape.consumed_digest(hashes);
  return result;
}

}  // namespace talla::certs
