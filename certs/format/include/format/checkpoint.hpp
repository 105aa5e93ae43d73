/// \file
/// C2SP signed-note and tlog-checkpoint: text, key id, parsing; signing and verifying through
/// interfaces.
///
/// A checkpoint of ours has one signature line (the log's own, Ed25519) and no extension line: a
/// pure function of origin, size, root and key. `parse_note` reads any signed note, for
/// cosignatures and other people's logs. Errors: FormatErrc::malformed_note, malformed_checkpoint.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"

namespace talla::certs {

/// An Ed25519 signature, and the id of a key in a signed note.
using Signature64 = std::array<std::uint8_t, 64>;
using KeyId = std::array<std::uint8_t, 4>;

/// Whoever holds the log key. Threads: as the implementation says.
class Ed25519Signer {
 public:
  Ed25519Signer() = default;
  Ed25519Signer(const Ed25519Signer&) = delete;
  Ed25519Signer& operator=(const Ed25519Signer&) = delete;
  virtual ~Ed25519Signer() = default;
  /// The public key, and its signature over these bytes.
  [[nodiscard]] virtual Digest public_key() const = 0;
  [[nodiscard]] virtual Result<Signature64> sign(ByteView message) = 0;
};

/// Verifies Ed25519 signatures (RFC 8032), by OpenSSL or Botan.
class Ed25519Verifier {
 public:
  Ed25519Verifier() = default;
  Ed25519Verifier(const Ed25519Verifier&) = delete;
  Ed25519Verifier& operator=(const Ed25519Verifier&) = delete;
  virtual ~Ed25519Verifier() = default;
  /// False for a wrong signature and for an invalid key alike.
  [[nodiscard]] virtual bool verify(const Digest& public_key, ByteView message,
                                    const Signature64& signature) const = 0;
};

/// The head of a log: how many records, and the root of their tree.
struct Checkpoint {
  std::string origin;
  std::uint64_t size = 0;  ///< records
  Digest root{};
  bool operator==(const Checkpoint& other) const = default;
};

/// One signature line of a signed note.
struct NoteSignature {
  std::string name;
  KeyId key_id{};
  Bytes signature;  ///< what follows the key id
};

/// `text` ends with the LF before the empty line; signatures are over exactly it.
struct SignedNote {
  std::string text;
  std::vector<NoteSignature> signatures;
};

/// First 4 bytes of H(name || 0x0A || 0x01 || public key) (signed-note, Ed25519).
[[nodiscard]] KeyId ed25519_key_id(const HashSuite& hashes, std::string_view name,
                                   const Digest& public_key);
/// An origin: 1 to 200 printable ASCII characters without space and '+'.
[[nodiscard]] bool origin_valid(std::string_view origin);

/// The three lines that are signed.
[[nodiscard]] std::string checkpoint_text(const Checkpoint& checkpoint);
/// `— <name> base64(key id || signature) LF`.
[[nodiscard]] std::string signature_line(std::string_view name, const KeyId& key_id,
                                         ByteView signature);
/// The whole note for a signature over `checkpoint_text`.
[[nodiscard]] std::string format_checkpoint(const Checkpoint& checkpoint, const KeyId& key_id,
                                            const Signature64& signature);
/// Signs with the log key; a pure function of its arguments.
[[nodiscard]] Result<std::string> sign_checkpoint(const HashSuite& hashes,
                                                  const Checkpoint& checkpoint,
                                                  Ed25519Signer& signer);

/// Any C2SP signed note: UTF-8, no control characters but LF, at least one signature line; at most
/// 64 KiB.
[[nodiscard]] Result<SignedNote> parse_note(std::string_view note);
/// Body of a checkpoint of anybody: extension lines after the root are allowed and not returned.
[[nodiscard]] Result<Checkpoint> parse_checkpoint_text(std::string_view text);

/// A checkpoint with the log's signature line, as its note says it.
struct SignedCheckpoint {
  Checkpoint checkpoint;
  std::string text;  ///< the signed lines
  KeyId key_id{};
  Signature64 signature{};
  /// With the cosignatures behind the log's own signature; `parse_cosigned_checkpoint` only.
  SignedNote note{};
};
/// Exactly one of ours: three lines, one signature of 64 bytes whose name is the origin.
[[nodiscard]] Result<SignedCheckpoint> parse_checkpoint(std::string_view note);
/// The same with at most 64 signature lines of others, none by the log's name, behind the log's
/// own: cosignatures.
[[nodiscard]] Result<SignedCheckpoint> parse_cosigned_checkpoint(std::string_view note);

}  // namespace talla::certs
