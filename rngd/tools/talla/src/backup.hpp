/// \file
/// What backup, restore, archive and export share: which ledger a configuration means, and a bar on
/// the terminal.
#pragma once

#include <memory>
#include <string>

#include "app.hpp"
#include "certs/backup.hpp"
#include "config/config.hpp"

namespace talla::cli {

/// For reading beside a daemon that may run.
[[nodiscard]] certs::LedgerPlace ledger_place(const rngd::Config& config);
/// The file that holds the newest checkpoint the daemon has signed and made durable.
[[nodiscard]] std::string tiles_checkpoint(const rngd::Config& config);
/// A bar on standard error; nothing when that is no terminal, or with --json.
[[nodiscard]] certs::BackupProgress progress_bar(const App& app, const std::string& what);
/// Verifies the certificates of a backup's log key by its last record. Words of what was found.
[[nodiscard]] Result<std::string> trust_backup(const certs::CheckedBackup& backup,
                                               const std::string& roots_pem);
[[nodiscard]] json::Value manifest_json(const certs::BackupManifest& manifest);
/// Below `talla`.
void add_backup(commandline::Command& root, App& app);
void add_restore(commandline::Command& root, App& app);
/// Below `talla log`.
void add_export(commandline::Command& log, App& app);

}  // namespace talla::cli
