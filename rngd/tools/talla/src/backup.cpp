// talla backup: a consistent copy of a ledger in use, checked after it was written; and the check
// of one, anywhere.
#include "backup.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>

#include "times.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/verify.hpp"
#include "witness/anchor_choice.hpp"

namespace talla::cli {

certs::LedgerPlace ledger_place(const rngd::Config& config) {
  if (config.ledger.kind == "postgres") {
    certs::PostgresLedgerOptions options;
    options.connection = config.ledger.connection;
    options.origin = config.origin;
    options.folder = config.data_folder;
    options.create = false;
    options.read_only = true;
    return options;
  }
  certs::SqliteLedgerOptions options;
  options.path = config.data_folder + "/ledger.db";
  options.origin = config.origin;
  options.create = false;
  options.read_only = true;
  return options;
}

std::string tiles_checkpoint(const rngd::Config& config) {
  return (config.tiles_folder.empty() ? config.data_folder + "/tiles" : config.tiles_folder) +
         "/checkpoint";
}

certs::BackupProgress progress_bar(const App& app, const std::string& what) {
  if (app.json || ::isatty(STDERR_FILENO) == 0) return {};
  return [what, last = std::chrono::steady_clock::time_point{}](std::uint64_t done,
                                                                std::uint64_t of) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (done < of && now - last < std::chrono::milliseconds(100)) return;
    last = now;
    std::cerr << "\r" << what << ": " << done << " of " << of << " records"
              << (done < of ? "" : "\n") << std::flush;
  };
}

Result<std::string> trust_backup(const certs::CheckedBackup& backup, const std::string& roots_pem) {
  TALLA_TRY(const certs::Verdict verdict, certs::verify_receipt(certs::format_receipt(backup.last),
                                                                backup.log_key_text, roots_pem));
  return "log key of " + verdict.origin + (verdict.development ? " (development keys)" : "");
}

json::Value manifest_json(const certs::BackupManifest& manifest) {
  auto value = json::parse_canonical(certs::format_manifest(manifest));
  return value ? *value : json::Value();
}

namespace {

struct BackupOptions {
  std::string config;
  std::string folder;
  std::string root;
};

void say_backup(const App& app, const certs::BackupManifest& manifest) {
  app.say("  " + manifest.origin + ": " + std::to_string(manifest.size) +
          " records, the last one of " + time_text(manifest.last_us));
  app.say("  root " + to_hex(manifest.root) + ", " + std::to_string(manifest.catalogues.size()) +
          " catalogues that records name");
  std::string open;
  for (const auto& [name, count] : manifest.open)
    open += (open.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  app.say("  open: " + (open.empty() ? "nothing" : open));
}

Status make_backup(const App& app, const BackupOptions& options) {
  TALLA_TRY(const rngd::Config config, rngd::load_config(options.config));
  SystemClock clock;
  TALLA_TRY(const certs::BackupManifest manifest,
            certs::make_backup({.ledger = ledger_place(config),
                                .keys = rngd::log_key_sources(config),
                                .folder = options.folder,
                                .signed_checkpoint = tiles_checkpoint(config),
                                .progress = progress_bar(app, "reading the copy")},
                               clock));
  app.say("backup made and read again: " + options.folder);
  say_backup(app, manifest);
  app.emit(manifest_json(manifest));
  return {};
}

Status check_backup(const App& app, const BackupOptions& options) {
  const certs::BotanEd25519 verifier;
  TALLA_TRY(const certs::CheckedBackup backup,
            certs::check_backup(options.folder, verifier, progress_bar(app, "checking")));
  std::string trust = "not checked: the certificates of the log key (--root)";
  if (!options.root.empty()) {
    TALLA_TRY(const std::string roots, read_file(options.root));
    TALLA_TRY(const std::string words, trust_backup(backup, roots));
    trust = "checked: " + words;
  }
  app.say("whole and signed: " + options.folder);
  say_backup(app, backup.manifest);
  app.say("  " + trust);
  app.emit(manifest_json(backup.manifest));
  return {};
}

}  // namespace

void add_backup(commandline::Command& root, App& app) {
  auto options = std::make_shared<BackupOptions>();
  auto* backup =
      root.add_subcommand("backup", "a consistent, checked copy of a ledger; its daemon may run");
  backup->require_subcommand();
  auto* made = backup->add_subcommand(
      "make", "copy the ledger of this machine's appliance into a new folder");
  made->add_option("CONFIG", options->config, "the daemon's rngd.toml")->required();
  made->add_option("FOLDER", options->folder, "made; must not exist")->required();
  made->callback([&app, options] { app.finish(make_backup(app, *options)); });
  auto* looked = backup->add_subcommand("check", "read every byte of a backup, on any machine");
  looked->add_option("FOLDER", options->folder, "the backup")->required();
  looked->add_option("--root", options->root, "trusted root certificates of the log key, PEM");
  looked->callback([&app, options] { app.finish(check_backup(app, *options)); });
  backup->footer(
      "A backup is ledger.db (one SQLite file, also of a ledger on PostgreSQL), log-key.json and "
      "manifest.json. No draw\n"
      "waits while it is made. Run it as the daemon's user: it reads the ledger and signs one "
      "checkpoint "
      "with the log key.\n"
      "Keys are not in it, secrets only sealed. A backup is read-only: what to do with it when a "
      "machine is "
      "lost says\n"
      "talla restore --help. Keep it with the checkpoints that witnesses and tables hold: they "
      "show whether "
      "it is the\n"
      "last state.");
}

}  // namespace talla::cli
