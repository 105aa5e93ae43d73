/// \file
/// An appliance's log over SQLite with keys, tiles and backups.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "certs/approval.hpp"
#include "certs/backup.hpp"
#include "certs/batch.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/succession.hpp"
#include "certs/tile_writer.hpp"
#include "fixture.hpp"
#include "format/openings.hpp"
#include "taken.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs::testing {

/// A log whose key has a statement.
struct Live {
  Live(const Folder& folder, std::unique_ptr<Ed25519Signer> key)
      : signer(std::move(key)),
        anchor(folder / "anchor.json"),
        ledger(must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = origin}))),
        log(must(Log::open({.hashes = hashes,
                            .ledger = *ledger,
                            .signer = *signer,
                            .clock = clock,
                            .anchor = &anchor},
                           {.origin = origin}))) {}
  OpensslHashes hashes;
  std::unique_ptr<Ed25519Signer> signer;
  ManualClock clock;
  FileAnchor anchor;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Log> log;

  void add(int count) {
    for (int i = 0; i < count; ++i) must(log->append(access_draft("status")));
    must(log->commit());
  }
};

/// An appliance with a development key set, so that the statement of its log key is real.
struct Backed {
  Backed() {
    must(init_development_keys(
        {.folder = folder / "keys", .origin = origin, .server_names = {}, .now_us = start_us}));
    signer = must(load_log_signer(folder / "keys/log.key"));
    appliance.emplace(folder, must(load_log_signer(folder / "keys/log.key")));
    tiles.emplace(must(TileWriter::open(*appliance->log, folder / "tiles")));
  }
  Result<BackupManifest> make(const std::string& name) {
    return make_backup(
        {.ledger = SqliteLedgerOptions{.path = folder / "ledger.db", .origin = origin},
         .keys = {{.key = folder / "keys/log.key", .statement = folder / "keys/log-key.json"}},
         .folder = folder / name,
         .signed_checkpoint = folder / "tiles/checkpoint"},
        clock);
  }
  Result<CheckedBackup> check(const std::string& name) {
    return check_backup(folder / name, BotanEd25519());
  }

  Folder folder;
  ManualClock clock;
  std::unique_ptr<Ed25519Signer> signer;  ///< of the statement
  std::optional<Live> appliance;
  std::optional<TileWriter> tiles;

  /// As the daemon does: the checkpoint appears when what it covers is durable.
  void add(int count) {
    appliance->add(count);
    must(tiles->update());
  }
  void commit() {
    must(appliance->log->commit());
    must(tiles->update());
  }
};

inline void put_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

}  // namespace talla::certs::testing
