/// \file
/// A backup of a ledger: one folder with a consistent copy, the statement of the log's key and a
/// manifest.
///
/// Files:      ledger.db (one SQLite file, whatever database the ledger is in), log-key.json
///             (FORMAT.md section 5: the statement, or all keys of a log whose key was rotated),
///             manifest.json (canonical JSON, below). The folder appears under its name when all of
///             it is on disk and was read again.
/// Made of a:  ledger in use; no draw waits for it. The copy is what one moment had: whole groups,
///             nothing of a later one.
/// Secrecy:    secrets are there as the ledger has them: sealed. The keys that open them are not in
///             a backup.
/// Read-only:  the copy says that it is a backup, and `open_sqlite_ledger` never opens it for
///             writing: a log that went on from an older state would give numbers twice (PROTOCOL
///             section 2). Service goes on as a new log: predecessor.hpp.
/// Errors:     BackupErrc::backup_refused (exists already, damaged, incomplete), those of the
///             ledger and the signer.
/// Threads:    no shared state. Memory: 64 bytes a record while it is read.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.hpp"
#include "certs/key_history.hpp"
#include "certs/ledger.hpp"
#include "certs/postgres_ledger.hpp"
#include "certs/sqlite_ledger.hpp"
#include "format/checkpoint.hpp"
#include "format/key_change.hpp"
#include "format/log_key.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"

namespace talla::certs {

/// 676 of the module's numbers; the others stand in errc.hpp.
enum class BackupErrc : std::uint16_t {
  /// Damaged, incomplete, of another log, or something is in its place already.
  backup_refused = 676
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(BackupErrc errc);

/// What a backup holds, signed by the log's key.
struct BackupManifest {
  std::string origin;
  std::uint64_t size = 0;    ///< records
  Digest root{};             ///< of all of them, computed from their bytes
  std::uint64_t boot = 0;    ///< of the last record
  std::int64_t last_us = 0;  ///< recorded time of the last record
  std::int64_t made_us = 0;  ///< when the backup was made
  std::string checkpoint;    ///< signed note over exactly `size` records
  std::uint64_t ledger_bytes = 0;
  Digest ledger_digest{};  ///< SHA-256 of ledger.db
  Digest key_digest{};     ///< SHA-256 of log-key.json
  /// Every one that a record names, ascending; all of them are in ledger.db.
  std::vector<Digest> catalogues;
  std::map<std::string, std::uint64_t> open;  ///< open objects by class: `table`, `shoe`, ...
};
/// Canonical JSON of `v` 1 and `type` `talla-backup`.
[[nodiscard]] std::string format_manifest(const BackupManifest& manifest);
[[nodiscard]] Result<BackupManifest> parse_manifest(std::string_view text);

/// Where the ledger is. Opened for reading only: its daemon may run.
using LedgerPlace = std::variant<SqliteLedgerOptions, PostgresLedgerOptions>;
/// Called now and then with records read and records in all.
using BackupProgress = std::function<void(std::uint64_t done, std::uint64_t of)>;

/// What a backup is made of, and where it goes.
struct BackupRequest {
  LedgerPlace ledger;
  std::vector<LogKeySource> keys;   ///< configured: the one that signs the log now is taken
  std::string folder;               ///< made; must not exist
  std::string signed_checkpoint{};  ///< path of the file `checkpoint` of the tiles
  BackupProgress progress{};
};
/// A daemon beside us writes groups before they are durable; numbers that a crash takes back are
/// given again. So nothing is signed but what was settled under the ledger's lock (no daemon runs),
/// or what a checkpoint of the daemon's own covers (`signed_checkpoint`, waited for some seconds).
/// On a server what is seen is durable. Copies, reads the copy again record by record, signs the
/// checkpoint over it, and only then gives the folder its name.
[[nodiscard]] Result<BackupManifest> make_backup(const BackupRequest& request, Clock& clock);

/// What a whole reading of a ledger gives. Everything is computed from the bytes of the records.
struct LedgerReading {
  MerkleTree tree;
  std::uint64_t boot = 0;
  std::int64_t last_us = 0;
  std::vector<Digest> catalogues;  ///< ascending
};
/// Refuses (ledger_damaged) what is not the next record of this log, has another leaf hash, goes
/// back in time, or names a catalogue that the ledger does not hold.
[[nodiscard]] Result<LedgerReading> read_whole_ledger(const Ledger& ledger, std::string_view origin,
                                                      const BackupProgress& progress = {});

/// A backup whose every byte was looked at.
struct CheckedBackup {
  BackupManifest manifest;
  LogKey log_key;                  ///< of the key that signed the checkpoint
  std::vector<KeyChange> changes;  ///< from the log's first key to it
  std::string log_key_text;
  /// The last record, proven at the checkpoint: a verifier with a trusted root checks chain and
  /// signature by it.
  Receipt last;
};
/// Digests of the files, every page of the database, every record, tree, checkpoint and its
/// signature by the key of log-key.json. The certificates of that key are not looked at:
/// `verify_receipt(last, log_key_text, roots)` does. Errors: backup_refused.
[[nodiscard]] Result<CheckedBackup> check_backup(const std::string& folder,
                                                 const Ed25519Verifier& verifier,
                                                 const BackupProgress& progress = {});
/// Opens the ledger of a checked backup, for reading only.
[[nodiscard]] Result<std::unique_ptr<Ledger>> open_backup(const std::string& folder,
                                                          const std::string& origin);
/// Copies the three files, each synced, and gives the new folder its name last; digests are
/// compared with the manifest's.
/// Errors: backup_refused (`to` exists, or the bytes that arrive are others).
[[nodiscard]] Status copy_backup(const BackupManifest& manifest, const std::string& from,
                                 const std::string& to);

}  // namespace talla::certs
