/// \file
/// A shoe's order for one machine: what is encrypted, bound to what, and how the machine says what
/// it saw (FORMAT.md section 7, "Release to a machine").
///
/// Bytes: ephemeral P-256 public key (65, uncompressed) || part 0 || part 1 ... Each part is
/// AES-256-GCM || tag (16) under a key of its own: HKDF-SHA-256(ECDH x coordinate, salt "", info of
/// the part); the info is the additional data too; the nonce is 12 zero bytes. Part 0 holds the
/// report key and, but for form targets, everything else; in form targets part i + 1 holds the card
/// of dealt position i.
/// Secrecy: the report key and the codes of seen cards are secret until the shoe's key K is opened.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "format/body_release.hpp"

namespace talla::certs {

/// Bytes of the key under which a machine reports cards, and of the code of one.
inline constexpr std::size_t report_key_bytes = 32;
inline constexpr std::size_t seen_code_bytes = 16;

/// Which order for whom.
struct ReleaseContext {
  std::string_view origin;
  std::string_view shoe;        ///< shoe id
  std::uint32_t recommits = 0;  ///< SHOE_RECOMMITs before the root
  Digest root{};
  std::string_view machine;  ///< enrolled id
  Digest key{};              ///< SPKI digest of its key
  ReleaseForm form = ReleaseForm::order;
};

/// D("shoe-release") || field(origin) || field(shoe id) || u32 recommits || root || field(machine)
/// || key || field(form)
/// || ephemeral || u32 part.
[[nodiscard]] Bytes release_info(const ReleaseContext& context, ByteView ephemeral,
                                 std::uint32_t part);

/// What of the whole is given first: the ephemeral key and part 0.
[[nodiscard]] ByteView release_head(ReleaseForm form, ByteView whole);
/// Form targets: the part of one dealt position. Precondition (checked): it is within the whole.
[[nodiscard]] ByteView release_target(ByteView whole, std::uint32_t position);

/// HMAC(K, D("shuffle-report") || field(shoe id)).
[[nodiscard]] Digest report_key(const HashSuite& hashes, std::span<const std::uint8_t, 32> shoe_key,
                                std::string_view shoe_id);

/// Says which card lies at a place to those alone who have the report key.
using SeenCode = std::array<std::uint8_t, seen_code_bytes>;
class SeenCodes {
 public:
  SeenCodes(const HashSuite& hashes, const Digest& report_key, std::string_view shoe_id);
  /// First 16 bytes of HMAC(report key, D("shuffle-seen") || field(shoe id) || u32 place || u8
  /// card).
  [[nodiscard]] SeenCode of(std::uint32_t place, std::uint8_t card) const;

 private:
  std::unique_ptr<HmacKey> key_;
  Bytes prefix_;
};
/// Of which release a machine reports.
struct ReportTerms {
  std::string_view origin;
  std::string_view table;
  std::string_view shoe;  ///< shoe id
  Digest head{};          ///< chain_head of the table with the SHOE_RELEASE
};
/// What a machine signs: D("report") || canonical {head, object, origin, report, table}; `report`
/// is the body without key and signature.
[[nodiscard]] Bytes report_statement(const ReportTerms& terms, const ShuffleReportBody& body);

/// H(D("shuffle-seen-list") || field(code) for each place); a card that was not recognised is an
/// empty field.
[[nodiscard]] Digest seen_digest(const HashSuite& hashes,
                                 std::span<const std::optional<SeenCode>> codes);

}  // namespace talla::certs
