/// \file
/// Hashes of a sealed shoe: salts, leaves, commitments and the cut. The way from dealt position to
/// leaf is that of the mapping (shuffle/shoe.hpp).
///
/// FORMAT.md section 7. Secrecy: K, r, salts and leaf hashes' inputs are secret until opened;
/// nothing here keeps them. Cost: one HMAC and one hash per leaf on stack buffers; no allocation
/// per leaf.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "format/merkle.hpp"
#include "shuffle/shoe.hpp"

namespace talla::certs {

/// A shoe id is at most this long (`shoe-` and 20 digits).
inline constexpr std::size_t shoe_id_bytes_max = 32;

/// All that K keys in one shoe. Precondition (checked): shoe_id has 1 to 32 bytes.
class ShoeKey {
 public:
  ShoeKey(const HashSuite& hashes, std::span<const std::uint8_t, 32> key, std::string_view shoe_id);
  /// salt_i = HMAC(K, D("shoe-salt") || field(shoe id) || u32 i).
  [[nodiscard]] Digest salt(std::uint32_t leaf) const;
  /// HMAC(K, D("shoe-tape") || field(shoe id) || tape).
  [[nodiscard]] Digest tape_mac(ByteView tape) const;

 private:
  std::unique_ptr<HmacKey> key_;
  Bytes salt_prefix_;
  Bytes tape_prefix_;
};

/// Which leaf of which shoe.
struct ShoeLeaf {
  std::string_view shoe_id;
  std::uint32_t cards;  ///< n
  std::uint32_t leaf;   ///< i, below n
  std::uint8_t card;    ///< card byte
};
/// H(0x00 || D("shoe-leaf") || field(shoe id) || u32 n || u32 i || u8 card || salt).
[[nodiscard]] Digest shoe_leaf_hash(const HashSuite& hashes, const ShoeLeaf& leaf,
                                    const Digest& salt);

/// Tree over a whole order (card byte of leaf i at order[i]).
[[nodiscard]] MerkleTree shoe_tree(const HashSuite& hashes, const ShoeKey& key,
                                   std::string_view shoe_id, ByteView order);

/// H(D("cut-secret") || field(shoe id) || r).
[[nodiscard]] Digest cut_commitment(const HashSuite& hashes, std::string_view shoe_id,
                                    std::span<const std::uint8_t, 32> secret);

struct CutInputs {
  std::span<const std::uint8_t, 32> secret;  ///< r
  std::string_view shoe_id;
  Digest root;
  ByteView nonce;           ///< 16 to 64 bytes
  std::string_view client;  ///< client id, empty when the appliance cuts by itself
  std::uint32_t cut_min;
  std::uint32_t cut_max;
};
/// What a tape gave and what it cost.
struct CutResult {
  std::uint32_t offset = 0;
  std::uint64_t words_used = 0;
  std::uint64_t words_rejected = 0;
  Digest tape_digest{};
};
/// Errors: FormatErrc::malformed_cut (bounds, nonce length).
[[nodiscard]] Result<CutResult> map_cut(const HashSuite& hashes, const CutInputs& inputs);

using shuffle::leaf_of_position;

}  // namespace talla::certs
