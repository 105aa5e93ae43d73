// The manifest of a backup as canonical JSON, written and read.
#include "base/json.hpp"
#include "certs/backup.hpp"

namespace talla::certs {

std::string_view errc_name(BackupErrc errc) {
  return errc == BackupErrc::backup_refused ? "backup_refused" : "unknown";
}

std::string format_manifest(const BackupManifest& manifest) {
  json::Array catalogues;
  for (const Digest& digest : manifest.catalogues) catalogues.emplace_back(to_hex(digest));
  json::Object open;
  for (const auto& [name, count] : manifest.open) open[name] = count;
  json::Value value;
  value["v"] = 1;
  value["type"] = "talla-backup";
  value["origin"] = manifest.origin;
  value["size"] = manifest.size;
  value["root"] = to_hex(manifest.root);
  value["boot"] = manifest.boot;
  value["last"] = manifest.last_us;
  value["made"] = manifest.made_us;
  value["checkpoint"] = manifest.checkpoint;
  value["ledger"] =
      json::Object{{"bytes", manifest.ledger_bytes}, {"sha256", to_hex(manifest.ledger_digest)}};
  value["log_key"] = json::Object{{"sha256", to_hex(manifest.key_digest)}};
  value["catalogues"] = std::move(catalogues);
  value["open"] = std::move(open);
  return json::canonical(value);
}

namespace {

Result<std::uint64_t> count(json::Reader& in, std::string_view key) {
  TALLA_TRY(const std::int64_t value, in.integer(key, 0, json::integer_max));
  return static_cast<std::uint64_t>(value);
}

Result<Digest> digest(json::Reader& in, std::string_view key) {
  TALLA_TRY(const std::string text, in.string(key));
  return digest_from_hex(text);
}

Status read_files(json::Reader& in, BackupManifest& manifest) {
  TALLA_TRY(const json::Value* ledger, in.object("ledger"));
  json::Reader of_ledger(*ledger, "manifest.ledger");
  TALLA_TRY(manifest.ledger_bytes, count(of_ledger, "bytes"));
  TALLA_TRY(manifest.ledger_digest, digest(of_ledger, "sha256"));
  TALLA_TRY_STATUS(of_ledger.finish());
  TALLA_TRY(const json::Value* key, in.object("log_key"));
  json::Reader of_key(*key, "manifest.log_key");
  TALLA_TRY(manifest.key_digest, digest(of_key, "sha256"));
  return of_key.finish();
}

Status read_lists(json::Reader& in, BackupManifest& manifest) {
  TALLA_TRY(const json::Array* catalogues, in.array("catalogues"));
  for (const json::Value& one : *catalogues) {
    if (!one.is_string())
      return fail(BackupErrc::backup_refused, "manifest.catalogues: a digest is expected");
    TALLA_TRY(const Digest of_one, digest_from_hex(one.string()));
    manifest.catalogues.push_back(of_one);
  }
  TALLA_TRY(const json::Value* open, in.object("open"));
  for (const auto& [name, number] : open->object()) {
    if (!number.is_integer() || number.integer() < 0)
      return fail(BackupErrc::backup_refused, "manifest.open: a count is expected");
    manifest.open[name] = static_cast<std::uint64_t>(number.integer());
  }
  return {};
}

Result<BackupManifest> read_manifest(std::string_view text) {
  TALLA_TRY(const json::Value value, json::parse_canonical(text));
  json::Reader in(value, "manifest");
  TALLA_TRY(const std::int64_t version, in.integer("v", 1, 1));
  static_cast<void>(version);
  TALLA_TRY(const std::string type, in.string("type"));
  if (type != "talla-backup")
    return fail(BackupErrc::backup_refused, "manifest.type: talla-backup is expected");
  BackupManifest manifest;
  TALLA_TRY(manifest.origin, in.string("origin"));
  TALLA_TRY(manifest.size, count(in, "size"));
  TALLA_TRY(manifest.root, digest(in, "root"));
  TALLA_TRY(manifest.boot, count(in, "boot"));
  TALLA_TRY(manifest.last_us, in.integer("last", 0, json::integer_max));
  TALLA_TRY(manifest.made_us, in.integer("made", 0, json::integer_max));
  TALLA_TRY(manifest.checkpoint, in.string("checkpoint"));
  TALLA_TRY_STATUS(read_files(in, manifest));
  TALLA_TRY_STATUS(read_lists(in, manifest));
  TALLA_TRY_STATUS(in.finish());
  return manifest;
}

}  // namespace

Result<BackupManifest> parse_manifest(std::string_view text) {
  auto manifest = read_manifest(text);
  if (manifest) return manifest;
  return fail(BackupErrc::backup_refused, "manifest.json: " + manifest.error().detail);
}

}  // namespace talla::certs
