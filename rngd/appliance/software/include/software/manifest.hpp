/// \file
/// The signed manifest: which files make up the software of an appliance, with size and SHA-256
///                      (certs/FORMAT.md section 12).
///
/// Text:    one line of canonical JSON and LF; at most 60,000 bytes, so that the signed note stays
///          below 64 KiB.
/// Signed:  C2SP signed-note, Ed25519 (type 0x01) lines behind the text; several persons may sign
///          the same text.
/// Digest:  SHA-256 of the text with its LF: the identity of the software, in SOFTWARE records and
///          at the start.
/// Errors:  Errc::malformed_manifest, unsigned_manifest. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/cosignature.hpp"
#include "software/errc.hpp"

namespace talla::software {

enum class FileKind : std::uint8_t {
  program,    ///< "program": rngd, rngd-source, talla
  library,    ///< "library": shared libraries that they load
  catalogue,  ///< "catalogue": the rules; the daemon's own copies must be among them
  unit,       ///< "unit": systemd's units and drop-ins
  data,       ///< "data": anything else that is part of what was approved
};
/// The manifest's word for it.
[[nodiscard]] std::string_view kind_name(FileKind kind);

/// One file as its maker made it.
struct ManifestFile {
  std::string path;  ///< absolute, without links; printable ASCII
  std::uint64_t size = 0;
  Digest sha256{};
  FileKind kind = FileKind::data;
  bool operator==(const ManifestFile&) const = default;
};

/// All files of one version of the software.
struct Manifest {
  std::string version;  ///< of the product
  /// Which build of it: the GNU build id of rngd, a commit, a laboratory's number.
  std::string build;
  std::vector<ManifestFile> files;  ///< ascending by path, each once; at least one
  bool operator==(const Manifest&) const = default;
  /// Null: not listed.
  [[nodiscard]] const ManifestFile* find(std::string_view path) const;
};

/// Absolute, printable ASCII, without empty, `.` or `..` parts, at most 1,024 bytes.
[[nodiscard]] bool path_valid(std::string_view path);
/// The text. Errors: malformed_manifest (a path, version or build that may not stand there, too
/// long).
[[nodiscard]] Result<std::string> format_manifest(const Manifest& manifest);
[[nodiscard]] Result<Manifest> parse_manifest(std::string_view text);

/// A manifest whose signatures were verified.
struct SignedManifest {
  Manifest manifest;
  Digest digest{};
  std::string text;
  std::vector<std::string> signers;  ///< names of the keys that were asked for, in their order
};
/// `note` must carry a good signature of every key; lines of other keys are not looked at.
[[nodiscard]] Result<SignedManifest> open_manifest(const HashSuite& hashes,
                                                   const certs::Ed25519Verifier& verifier,
                                                   std::string_view note,
                                                   const std::vector<certs::VerifierKey>& keys);
/// The note with one more signature; `text_or_note` is a manifest's text or a note of one.
[[nodiscard]] Result<std::string> sign_manifest(const HashSuite& hashes,
                                                std::string_view text_or_note,
                                                std::string_view name,
                                                certs::Ed25519Signer& signer);
/// Text or note: the manifest's text alone.
[[nodiscard]] Result<std::string> manifest_text(std::string_view text_or_note);

}  // namespace talla::software
