#include "software/manifest.hpp"

#include <algorithm>
#include <array>

#include "base/json.hpp"

namespace talla::software {
namespace {

constexpr std::size_t text_max = 60'000;
constexpr std::size_t words_max = 128;
constexpr std::size_t path_max = 1'024;
constexpr std::string_view type_name = "talla-software-manifest";
constexpr std::array kinds{FileKind::program, FileKind::library, FileKind::catalogue,
                           FileKind::unit, FileKind::data};

tl::unexpected<Error> malformed(const std::string& what) {
  return fail(Errc::malformed_manifest, "manifest: " + what);
}

bool printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

Status check_words(std::string_view name, std::string_view words) {
  if (!words.empty() && words.size() <= words_max && printable(words)) return {};
  return malformed(std::string(name) + ": 1 to 128 printable ASCII characters");
}

Status check_order(const Manifest& manifest) {
  if (manifest.files.empty()) return malformed("no files");
  for (std::size_t i = 0; i < manifest.files.size(); ++i) {
    const auto& file = manifest.files[i];
    if (!path_valid(file.path)) return malformed("path '" + file.path + "'");
    if (i > 0 && file.path <= manifest.files[i - 1].path)
      return malformed(file.path + ": paths ascend, each once");
  }
  return {};
}

Result<ManifestFile> read_file(const json::Value& value) {
  json::Reader reader(value, "files");
  ManifestFile file;
  TALLA_TRY(file.path, reader.string("path"));
  TALLA_TRY(const auto size, reader.integer("size", 0, json::integer_max));
  TALLA_TRY(const auto digest, reader.string("sha256"));
  TALLA_TRY(const auto name, reader.string("kind"));
  TALLA_TRY_STATUS(reader.finish());
  file.size = static_cast<std::uint64_t>(size);
  TALLA_TRY(file.sha256, digest_from_hex(digest));
  const auto kind = std::ranges::find(kinds, name, kind_name);
  if (kind == kinds.end()) return malformed(file.path + ": kind '" + name + "'");
  file.kind = *kind;
  return file;
}

Result<Manifest> read_manifest(const json::Value& value) {
  json::Reader reader(value, "manifest");
  TALLA_TRY(const auto version, reader.integer("v", 1, 1));
  static_cast<void>(version);
  TALLA_TRY(const auto type, reader.string("type"));
  if (type != type_name) return malformed("type '" + type + "'");
  Manifest manifest;
  TALLA_TRY(manifest.version, reader.string("version"));
  TALLA_TRY(manifest.build, reader.string("build"));
  TALLA_TRY(const auto* files, reader.array("files"));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(check_words("version", manifest.version));
  TALLA_TRY_STATUS(check_words("build", manifest.build));
  for (const auto& one : *files) {
    TALLA_TRY(auto file, read_file(one));
    manifest.files.push_back(std::move(file));
  }
  TALLA_TRY_STATUS(check_order(manifest));
  return manifest;
}

}  // namespace

std::string_view errc_name(Errc errc) {
  switch (errc) {
    case Errc::malformed_manifest:
      return "malformed_manifest";
    case Errc::unsigned_manifest:
      return "unsigned_manifest";
    case Errc::unreadable:
      return "unreadable";
    case Errc::loader_refused:
      return "loader_refused";
    case Errc::mismatch:
      return "software_mismatch";
  }
  return "unknown";
}

std::string_view kind_name(FileKind kind) {
  switch (kind) {
    case FileKind::program:
      return "program";
    case FileKind::library:
      return "library";
    case FileKind::catalogue:
      return "catalogue";
    case FileKind::unit:
      return "unit";
    case FileKind::data:
      return "data";
  }
  return "unknown";
}

const ManifestFile* Manifest::find(std::string_view path) const {
  const auto found = std::ranges::lower_bound(files, path, {}, &ManifestFile::path);
  return found != files.end() && found->path == path ? &*found : nullptr;
}

bool path_valid(std::string_view path) {
  if (path.size() < 2 || path.size() > path_max || path.front() != '/' || !printable(path))
    return false;
  for (std::size_t at = 1; at <= path.size();) {
    const auto end = std::min(path.find('/', at), path.size());
    const auto part = path.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return false;
    at = end + 1;
  }
  return true;
}

Result<std::string> format_manifest(const Manifest& manifest) {
  TALLA_TRY_STATUS(check_words("version", manifest.version));
  TALLA_TRY_STATUS(check_words("build", manifest.build));
  TALLA_TRY_STATUS(check_order(manifest));
  json::Array files;
  for (const auto& file : manifest.files) {
    files.emplace_back(json::Object{{"path", file.path},
                                    {"size", file.size},
                                    {"sha256", to_hex(file.sha256)},
                                    {"kind", kind_name(file.kind)}});
  }
  auto text = json::canonical(json::Object{{"v", 1},
                                           {"type", type_name},
                                           {"version", manifest.version},
                                           {"build", manifest.build},
                                           {"files", std::move(files)}}) +
              "\n";
  if (text.size() > text_max) return malformed("more than 60,000 bytes: too many files");
  return text;
}

Result<Manifest> parse_manifest(std::string_view text) {
  if (text.size() > text_max) return malformed("more than 60,000 bytes");
  if (text.empty() || text.back() != '\n')
    return malformed("one line of canonical JSON and LF is expected");
  const auto value = json::parse_canonical(text.substr(0, text.size() - 1));
  if (!value) return malformed(value.error().text());
  if (!json::is_ascii(*value)) return malformed("printable ASCII is expected");
  auto manifest = read_manifest(*value);
  if (!manifest && !manifest.error().is(Errc::malformed_manifest))
    return malformed(manifest.error().text());
  return manifest;
}

Result<std::string> manifest_text(std::string_view text_or_note) {
  if (parse_manifest(text_or_note)) return std::string(text_or_note);
  const auto note = certs::parse_note(text_or_note);
  if (!note) return malformed("neither a manifest nor a signed note of one");
  TALLA_TRY(const auto manifest, parse_manifest(note->text));
  static_cast<void>(manifest);
  return note->text;
}

Result<SignedManifest> open_manifest(const HashSuite& hashes,
                                     const certs::Ed25519Verifier& verifier, std::string_view note,
                                     const std::vector<certs::VerifierKey>& keys) {
  const auto parsed = certs::parse_note(note);
  if (!parsed && parse_manifest(note))
    return fail(Errc::unsigned_manifest, "manifest: nobody has signed it");
  if (!parsed) return malformed(parsed.error().text());
  if (keys.empty()) return fail(Errc::unsigned_manifest, "manifest: no key to check it with");
  SignedManifest out;
  for (const auto& key : keys) {
    const auto state = certs::check_log_signature(*parsed, key, verifier);
    if (state != certs::Signed::valid) {
      return fail(Errc::unsigned_manifest,
                  "manifest: the signature of " + key.name +
                      (state == certs::Signed::absent ? " is missing" : " does not verify"));
    }
    out.signers.push_back(key.name);
  }
  TALLA_TRY(out.manifest, parse_manifest(parsed->text));
  out.text = parsed->text;
  out.digest = hashes.sha256({as_bytes(out.text)});
  return out;
}

Result<std::string> sign_manifest(const HashSuite& hashes, std::string_view text_or_note,
                                  std::string_view name, certs::Ed25519Signer& signer) {
  if (!certs::origin_valid(name))
    return fail(Errc::unsigned_manifest,
                "name of the signer: 1 to 200 printable characters, no space, no +");
  TALLA_TRY(const auto text, manifest_text(text_or_note));
  const auto key = certs::make_verifier_key(hashes, name, certs::KeyType::log, signer.public_key());
  if (const auto before = certs::parse_note(text_or_note)) {
    const bool there =
        std::ranges::any_of(before->signatures, [&](const certs::NoteSignature& line) {
          return line.name == key.name && line.key_id == key.key_id;
        });
    if (there)
      return fail(Errc::unsigned_manifest, "manifest: " + key.name + " has signed it already");
  }
  TALLA_TRY(const auto signature, signer.sign(as_bytes(text)));
  std::string note(text_or_note);
  if (note == text) note += "\n";
  return note + certs::signature_line(key.name, key.key_id, signature);
}

}  // namespace talla::software
