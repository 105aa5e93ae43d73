#include "certs/backup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "base/json.hpp"
#include "certs/bundle_maker.hpp"
#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/prover.hpp"
#include "format/bundle.hpp"
#include "format/cosignature.hpp"
#include "postgres_copy.hpp"
#include "sqlite_open.hpp"
#include "whole_files.hpp"

namespace talla::certs {

namespace {

constexpr std::uint64_t records_per_backup_step = 10'000;
constexpr const char* ledger_file = "/ledger.db";
constexpr const char* key_file = "/log-key.json";
constexpr const char* manifest_file = "/manifest.json";

tl::unexpected<Error> backup_refused(std::string why) {
  return fail(BackupErrc::backup_refused, std::move(why));
}

/// A folder under construction; gone again unless it got its name.
class Partial {
 public:
  explicit Partial(std::string path) : path_(std::move(path)) {}
  ~Partial() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Partial(const Partial&) = delete;
  Partial& operator=(const Partial&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  void named() { path_.clear(); }

 private:
  std::string path_;
};

Status make_partial(const std::string& folder) {
  if (std::filesystem::exists(std::filesystem::symlink_status(folder)))
    return backup_refused(folder + " exists already");
  std::error_code ignored;
  std::filesystem::remove_all(folder + ".part", ignored);  // what an interrupted backup left
  return create_folder(folder + ".part");
}

Status note_catalogue(const Record& record, std::set<Digest>& catalogues) {
  const json::Value* named = record.body.find("catalogue");
  if (named == nullptr || !named->is_string()) return {};
  TALLA_TRY(const Digest digest, digest_from_hex(named->string()));
  if (digest != Digest{}) catalogues.insert(digest);
  return {};
}

Status read_record(const LedgerRecord& stored, std::string_view origin, const HashSuite& hashes,
                   LedgerReading& reading, std::set<Digest>& catalogues) {
  const auto wrong = [&](const std::string& why) {
    return fail(Errc::ledger_damaged, fmt::format("record {}: {}", stored.seq, why));
  };
  const auto record = parse_record(stored.bytes);
  if (!record) return wrong(record.error().text());
  if (record->seq != stored.seq || record->origin != origin)
    return wrong("is not that record of this log");
  if (record->object != stored.object) return wrong("its row says otherwise");
  if (record->time_us < reading.last_us || record->boot < reading.boot)
    return wrong("time or boot go back");
  const Digest leaf = leaf_hash(hashes, as_bytes(stored.bytes));
  if (leaf != stored.leaf) return wrong("does not have its leaf hash");
  reading.last_us = record->time_us;
  reading.boot = record->boot;
  reading.tree.append(hashes, leaf);
  const bool names = stored.kind == Kind::table_open || stored.kind == Kind::meter_open;
  return names ? note_catalogue(*record, catalogues) : Status();
}

/// Pages of leaves are what a restart builds its tree of.
Status compare_leaves(const Ledger& ledger, const LedgerReading& reading) {
  std::uint64_t seq = 0;
  bool same = true;
  TALLA_TRY_STATUS(ledger.leaves(0, reading.tree.size(), [&](const Digest& leaf) {
    const auto own = reading.tree.node(0, seq++);
    same = same && own && *own == leaf;
  }));
  if (same && seq == reading.tree.size()) return {};
  return fail(Errc::ledger_damaged, "a page of leaves is not that of the records");
}

Result<std::map<std::string, std::uint64_t>> count_open(const Ledger& ledger) {
  std::map<std::string, std::uint64_t> counts;
  TALLA_TRY(const auto objects, ledger.open_objects());
  for (const ObjectState& object : objects) ++counts[object.id.substr(0, object.id.find('-'))];
  return counts;
}

Status copy_ledger(const LedgerPlace& place, const std::string& path) {
  if (const auto* server = std::get_if<PostgresLedgerOptions>(&place))
    return copy_postgres_ledger(*server, path);
  return copy_sqlite_ledger(std::get<SqliteLedgerOptions>(place), path);
}

std::string origin_of(const LedgerPlace& place) {
  return std::visit([](const auto& options) { return options.origin; }, place);
}

/// What is written as log-key.json: the statement, or all keys where the key was rotated.
std::string keys_text(const LogKeys& keys) {
  return keys.changes.empty() ? json::canonical(keys.log_key.to_json()) : format_log_keys(keys);
}

Status parse_keys(CheckedBackup& out) {
  TALLA_TRY(const json::Value value, json::parse_canonical(out.log_key_text));
  if (value.find("type") == nullptr) {
    TALLA_TRY(out.log_key, LogKey::from_json(value));
    return {};
  }
  TALLA_TRY(LogKeys keys, parse_log_keys(out.log_key_text));
  if (keys.checkpoint != out.manifest.checkpoint)
    return backup_refused("log-key.json is of another checkpoint than the manifest");
  out.log_key = std::move(keys.log_key);
  out.changes = std::move(keys.changes);
  return {};
}

Result<Receipt> last_receipt(const HashSuite& hashes, const Ledger& ledger,
                             const LedgerReading& reading, const std::string& checkpoint) {
  const std::uint64_t size = reading.tree.size();
  TlogProof proof{.index = size - 1, .path = {}, .checkpoint = checkpoint};
  TALLA_TRY(proof.path, inclusion_path(
                            hashes,
                            [&](unsigned level, std::uint64_t index) {
                              return reading.tree.node(level, index);
                            },
                            size - 1, size));
  TALLA_TRY(LedgerRecord record, ledger.record(size - 1));
  return Receipt{.proof = format_proof(proof), .record = std::move(record.bytes)};
}

/// Records that are durable for sure: all of them when no daemon holds the lock, none that we know
/// of when one does.
Result<std::uint64_t> settled_size(const LedgerPlace& place) {
  const auto* file = std::get_if<SqliteLedgerOptions>(&place);
  if (file == nullptr) return ~std::uint64_t{0};
  SqliteLedgerOptions options = *file;
  options.create = false;
  options.read_only = false;
  const auto opened = open_sqlite_ledger(options);  // settles the write-ahead log
  if (opened) return (*opened)->size();
  if (opened.error().is(Errc::ledger_locked)) return 0;
  return tl::unexpected<Error>(opened.error());
}

/// Has the daemon signed for the first `size` records, and are they these?
Result<bool> vouched(const BackupRequest& request, const Checkpoint& copy) {
  const OpensslHashes hashes;
  const auto note = read_file(request.signed_checkpoint);
  if (!note) return false;
  TALLA_TRY(const SignedCheckpoint theirs, parse_checkpoint(*note));
  if (theirs.checkpoint.size < copy.size) return false;
  SqliteLedgerOptions options = std::get<SqliteLedgerOptions>(request.ledger);
  options.create = false;
  options.read_only = true;
  TALLA_TRY(const auto ledger, open_sqlite_ledger(options));
  TALLA_TRY(const ChosenLogKey key, choose_log_key(*ledger, copy.origin, request.keys));
  // Of the key before: it has just changed, and the daemon's next checkpoint is on its way.
  if (!key.retired.empty() && theirs.checkpoint.size <= key.retired.back().announced + 1)
    return false;
  CompactRange range;
  bool same = false;
  TALLA_TRY_STATUS(ledger->leaves(0, theirs.checkpoint.size, [&](const Digest& leaf) {
    range.append(hashes, leaf);
    if (range.size() == copy.size) same = range.root(hashes) == copy.root;
  }));
  TALLA_TRY(const std::string ours,
            sign_checkpoint(
                hashes, {.origin = copy.origin, .size = range.size(), .root = range.root(hashes)},
                *key.signer));
  if (!same || ours != *note)
    return fail(BackupErrc::backup_refused,
                request.signed_checkpoint + ": is not a checkpoint of this ledger");
  return true;
}

Status wait_until_vouched(const BackupRequest& request, const Checkpoint& copy) {
  constexpr int tries = 200;
  for (int i = 0; i < tries; ++i) {
    TALLA_TRY(const bool done, vouched(request, copy));
    if (done) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return backup_refused(fmt::format("{}: the daemon has not signed for {} records yet",
                                    request.signed_checkpoint, copy.size));
}

}  // namespace

Result<LedgerReading> read_whole_ledger(const Ledger& ledger, std::string_view origin,
                                        const BackupProgress& progress) {
  const OpensslHashes hashes;
  LedgerReading reading;
  std::set<Digest> catalogues;
  for (std::uint64_t from = 0; from < ledger.size();) {
    TALLA_TRY(const auto records,
              ledger.records(from, std::min(ledger.size(), from + records_per_backup_step)));
    if (records.empty())
      return fail(Errc::ledger_damaged, fmt::format("record {} is missing", from));
    for (const LedgerRecord& record : records)
      TALLA_TRY_STATUS(read_record(record, origin, hashes, reading, catalogues));
    from += records.size();
    if (progress) progress(from, ledger.size());
  }
  TALLA_TRY_STATUS(compare_leaves(ledger, reading));
  for (const Digest& digest : catalogues) {
    TALLA_TRY(const auto text, ledger.catalogue(digest));
    if (!text || hashes.sha256({as_bytes(*text)}) != digest)
      return fail(Errc::ledger_damaged,
                  "the catalogue " + to_hex(digest) + " that a record names is not there");
  }
  reading.catalogues.assign(catalogues.begin(), catalogues.end());
  return reading;
}

Result<std::unique_ptr<Ledger>> open_backup(const std::string& folder, const std::string& origin) {
  SqliteLedgerOptions options;
  options.path = folder + ledger_file;
  options.origin = origin;
  options.create = false;
  options.read_only = true;
  return open_sqlite_ledger(options);
}

namespace {

/// Signs for the copy under the key of the log at its size, and keeps who may.
Status sign_copy(const BackupRequest& request, const Ledger& copy, const std::string& folder,
                 BackupManifest& manifest) {
  const OpensslHashes hashes;
  TALLA_TRY(const ChosenLogKey key, choose_log_key(copy, manifest.origin, request.keys));
  Prover prover({hashes, copy, *key.signer}, manifest.origin);
  TALLA_TRY_STATUS(prover.load());
  TALLA_TRY(const LogKeys keys,
            make_log_keys(prover, copy, key.log_key, key.retired, manifest.size));
  manifest.checkpoint = keys.checkpoint;
  const std::string text = keys_text(keys);
  manifest.key_digest = hashes.sha256({as_bytes(text)});
  return create_private_file(folder + key_file, as_bytes(text));
}

}  // namespace

Result<BackupManifest> make_backup(const BackupRequest& request, Clock& clock) {
  const OpensslHashes hashes;
  BackupManifest manifest;
  manifest.origin = origin_of(request.ledger);
  manifest.made_us = clock.utc_us();
  TALLA_TRY_STATUS(make_partial(request.folder));
  Partial partial(request.folder + ".part");
  TALLA_TRY(const std::uint64_t settled, settled_size(request.ledger));
  TALLA_TRY_STATUS(copy_ledger(request.ledger, partial.path() + ledger_file));
  {
    TALLA_TRY(const auto copy, open_backup(partial.path(), manifest.origin));
    if (copy->size() == 0) return backup_refused("the ledger holds no records yet");
    TALLA_TRY(const LedgerReading reading,
              read_whole_ledger(*copy, manifest.origin, request.progress));
    TALLA_TRY(manifest.open, count_open(*copy));
    manifest.size = reading.tree.size();
    manifest.root = reading.tree.root(hashes);
    manifest.boot = reading.boot;
    manifest.last_us = reading.last_us;
    manifest.catalogues = reading.catalogues;
    const Checkpoint head{.origin = manifest.origin, .size = manifest.size, .root = manifest.root};
    if (head.size > settled) TALLA_TRY_STATUS(wait_until_vouched(request, head));
    TALLA_TRY_STATUS(sign_copy(request, *copy, partial.path(), manifest));
  }
  TALLA_TRY(const FileDigest file, digest_of_file(partial.path() + ledger_file));
  manifest.ledger_bytes = file.bytes;
  manifest.ledger_digest = file.sha256;
  TALLA_TRY_STATUS(
      create_private_file(partial.path() + manifest_file, as_bytes(format_manifest(manifest))));
  TALLA_TRY_STATUS(name_folder(partial.path(), request.folder));
  partial.named();
  return manifest;
}

namespace {

Status check_files(const std::string& folder, CheckedBackup& out) {
  const OpensslHashes hashes;
  TALLA_TRY(const std::string text, read_file(folder + manifest_file));
  TALLA_TRY(out.manifest, parse_manifest(text));
  TALLA_TRY(out.log_key_text, read_file(folder + key_file));
  if (hashes.sha256({as_bytes(out.log_key_text)}) != out.manifest.key_digest)
    return backup_refused("log-key.json is not the file of the manifest");
  TALLA_TRY(const FileDigest file, digest_of_file(folder + ledger_file));
  if (file.bytes != out.manifest.ledger_bytes || file.sha256 != out.manifest.ledger_digest)
    return backup_refused(
        "ledger.db is not the file of the manifest: it is damaged, or another one");
  return {};
}

Status check_checkpoint_signature(const CheckedBackup& backup, const Ed25519Verifier& verifier) {
  TALLA_TRY(const LogKeyStatement statement, parse_statement(backup.log_key.statement));
  TALLA_TRY(const SignedCheckpoint note, parse_checkpoint(backup.manifest.checkpoint));
  const Checkpoint wanted{
      .origin = backup.manifest.origin, .size = backup.manifest.size, .root = backup.manifest.root};
  if (statement.origin != backup.manifest.origin || !(note.checkpoint == wanted))
    return backup_refused("the checkpoint is not that of these records");
  const OpensslHashes hashes;
  if (note.key_id != ed25519_key_id(hashes, wanted.origin, statement.public_key) ||
      !verifier.verify(statement.public_key, as_bytes(note.text), note.signature))
    return backup_refused("the checkpoint is not signed by the key of log-key.json");
  return {};
}

Status check_contents(const std::string& folder, CheckedBackup& out,
                      const BackupProgress& progress) {
  const OpensslHashes hashes;
  const BackupManifest& manifest = out.manifest;
  SqliteLedgerOptions options;
  options.path = folder + ledger_file;
  options.origin = manifest.origin;
  options.integrity_check = true;
  TALLA_TRY_STATUS(check_sqlite_ledger(options));
  TALLA_TRY(const auto ledger, open_backup(folder, manifest.origin));
  TALLA_TRY(const LedgerReading reading, read_whole_ledger(*ledger, manifest.origin, progress));
  TALLA_TRY(const auto open, count_open(*ledger));
  if (reading.tree.size() != manifest.size || reading.tree.root(hashes) != manifest.root)
    return backup_refused("the tree of the records is not that of the manifest");
  if (reading.boot != manifest.boot || reading.last_us != manifest.last_us ||
      open != manifest.open || reading.catalogues != manifest.catalogues)
    return backup_refused("the manifest says of the records what they do not say");
  TALLA_TRY(out.last, last_receipt(hashes, *ledger, reading, manifest.checkpoint));
  return {};
}

Status check_all(const std::string& folder, CheckedBackup& out, const Ed25519Verifier& verifier,
                 const BackupProgress& progress) {
  TALLA_TRY_STATUS(check_files(folder, out));
  TALLA_TRY_STATUS(parse_keys(out));
  TALLA_TRY_STATUS(check_checkpoint_signature(out, verifier));
  return check_contents(folder, out, progress);
}

}  // namespace

Result<CheckedBackup> check_backup(const std::string& folder, const Ed25519Verifier& verifier,
                                   const BackupProgress& progress) {
  CheckedBackup out;
  const Status done = check_all(folder, out, verifier, progress);
  if (done) return out;
  const Error& error = done.error();
  return backup_refused(folder + ": " +
                        (error.is(BackupErrc::backup_refused) ? error.detail : error.text()));
}

Status copy_backup(const BackupManifest& manifest, const std::string& from, const std::string& to) {
  TALLA_TRY_STATUS(make_partial(to));
  Partial partial(to + ".part");
  TALLA_TRY(const FileDigest ledger,
            copy_file_durably(from + ledger_file, partial.path() + ledger_file));
  TALLA_TRY(const FileDigest key, copy_file_durably(from + key_file, partial.path() + key_file));
  TALLA_TRY(const FileDigest text,
            copy_file_durably(from + manifest_file, partial.path() + manifest_file));
  const OpensslHashes hashes;
  if (ledger.sha256 != manifest.ledger_digest || key.sha256 != manifest.key_digest ||
      text.sha256 != hashes.sha256({as_bytes(format_manifest(manifest))}))
    return backup_refused(from + ": its files changed while they were copied");
  TALLA_TRY_STATUS(name_folder(partial.path(), to));
  partial.named();
  return {};
}

}  // namespace talla::certs
