/// \file
/// C2SP signed-note verifier keys and C2SP tlog-cosignature (Ed25519, `cosignature/v1`).
///
/// Key types: 0x01 (a log's Ed25519 key) and 0x04 (a witness's timestamped Ed25519 key). ML-DSA-44
///            (0x06) and ECDSA (0x02) are refused by name: neither library of the house has them on
///            this system.
/// Units:     times are POSIX seconds, 1 to 2^63 - 1.
/// Errors:    FormatErrc::malformed_key, malformed_cosignature. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "format/checkpoint.hpp"

namespace talla::certs {

enum class KeyType : std::uint8_t { log = 0x01, witness = 0x04 };

/// A public key as C2SP signed-note writes it, of a log or a witness.
struct VerifierKey {
  std::string name;  ///< of a log: its origin
  KeyId key_id{};
  KeyType type = KeyType::log;
  Digest public_key{};
  bool operator==(const VerifierKey&) const = default;
};

/// With the key id that signed-note and tlog-cosignature give: H(name || 0x0A || type || public
/// key), first 4 bytes.
[[nodiscard]] VerifierKey make_verifier_key(const HashSuite& hashes, std::string_view name,
                                            KeyType type, const Digest& public_key);
/// `<name>+<hex key id>+<base64(type || public key)>`; the key id must be the one above.
[[nodiscard]] Result<VerifierKey> parse_verifier_key(const HashSuite& hashes,
                                                     std::string_view text);
[[nodiscard]] std::string format_verifier_key(const VerifierKey& key);

/// A witness's signature and the time it names, seconds since 1970.
struct Cosignature {
  std::uint64_t time_s = 0;
  Signature64 signature{};
};
/// What follows the key id in a witness's signature line: u64 time, 64 bytes.
[[nodiscard]] Result<Cosignature> parse_cosignature(ByteView bytes);
/// What a witness signs: two lines, then the whole text of the checkpoint.
[[nodiscard]] std::string cosignature_message(std::uint64_t time_s,
                                              std::string_view checkpoint_text);
/// One signature line of `key`, whose private half `signer` holds.
[[nodiscard]] Result<std::string> cosign(std::string_view checkpoint_text, const VerifierKey& key,
                                         std::uint64_t time_s, Ed25519Signer& signer);

/// Whether a note bears the signature that is looked for.
enum class Signed : std::uint8_t { absent, valid, wrong };
/// The log's own signature (type 0x01) on a note: `wrong` as soon as one line of this name and key
/// id does not verify.
[[nodiscard]] Signed check_log_signature(const SignedNote& note, const VerifierKey& key,
                                         const Ed25519Verifier& verifier);
struct CheckedCosignature {
  Signed state = Signed::absent;
  std::uint64_t time_s = 0;  ///< the newest of the valid ones
};
/// The same of a witness (type 0x04).
[[nodiscard]] CheckedCosignature check_cosignature(const SignedNote& note, const VerifierKey& key,
                                                   const Ed25519Verifier& verifier);

}  // namespace talla::certs
