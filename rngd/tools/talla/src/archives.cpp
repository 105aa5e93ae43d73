// talla archive seal: a span of the log's records into one file that verifies by itself, beside the
// running daemon.
#include "archives.hpp"

#include <optional>

#include "backup.hpp"
#include "base/clock.hpp"
#include "certs/archive.hpp"
#include "times.hpp"
#include "verify/botan_hashes.hpp"
#include "witness/anchor_choice.hpp"
#include "witness/cosigned_store.hpp"

namespace talla::cli {

namespace {

struct SealOptions {
  std::string config;
  std::string backup;
  std::string after;
  std::int64_t to = -1;
  std::string until;
  std::string checkpoint;
  std::string file;
};

/// A ledger that is read, what has been signed for it, and who may have signed.
struct ArchiveSource {
  std::unique_ptr<certs::Ledger> ledger;
  std::string origin;
  std::string checkpoint;
  std::vector<certs::LogKey> keys;
};

Result<certs::LogKey> read_statement(const std::string& path) {
  TALLA_TRY(const std::string text, read_file(path));
  TALLA_TRY(const json::Value value, json::parse_canonical(text));
  return certs::LogKey::from_json(value);
}

/// The cosigned checkpoint that covers what is asked for, where witnesses gave one; else the newest
/// of the tiles.
Result<std::string> newest_checkpoint(const rngd::Config& config, const SealOptions& options) {
  if (!config.witnesses.empty()) {
    rngd::CosignedStore store(config.data_folder + "/cosigned.json", config.origin);
    TALLA_TRY_STATUS(store.load());
    const auto last =
        options.to > 0 ? std::optional(static_cast<std::uint64_t>(options.to) - 1) : std::nullopt;
    if (auto found = store.covering(last)) return std::move(found->note);
  }
  return read_file(tiles_checkpoint(config));
}

Result<ArchiveSource> from_config(const SealOptions& options) {
  TALLA_TRY(const rngd::Config config, rngd::load_config(options.config));
  ArchiveSource source;
  source.origin = config.origin;
  TALLA_TRY(source.checkpoint, newest_checkpoint(config, options));
  const certs::LedgerPlace place = ledger_place(config);
  if (const auto* server = std::get_if<certs::PostgresLedgerOptions>(&place)) {
    TALLA_TRY(auto ledger, certs::open_postgres_ledger(*server));
    source.ledger = std::move(ledger);
  } else {
    TALLA_TRY(source.ledger,
              certs::open_sqlite_ledger(std::get<certs::SqliteLedgerOptions>(place)));
  }
  for (const certs::LogKeySource& key : rngd::log_key_sources(config)) {
    auto statement = read_statement(key.statement);  // that of a next key may not be there yet
    if (statement) source.keys.push_back(std::move(*statement));
  }
  return source;
}

Result<ArchiveSource> archive_from_backup(const App& app, const SealOptions& options) {
  const certs::BotanEd25519 verifier;
  TALLA_TRY(
      certs::CheckedBackup backup,
      certs::check_backup(options.backup, verifier, progress_bar(app, "checking the backup")));
  ArchiveSource source;
  source.origin = backup.manifest.origin;
  source.checkpoint = backup.manifest.checkpoint;
  source.keys.push_back(std::move(backup.log_key));
  TALLA_TRY(source.ledger, certs::open_backup(options.backup, source.origin));
  return source;
}

/// What is said of an archive whose days are not over; empty: they are.
std::string said_of_period(std::int64_t until_us) {
  if (until_us <= SystemClock().utc_us()) return {};
  return "the period is not over: records will still come that this archive does not hold; seal it "
         "again, into another file, when it is";
}

Status seal(const App& app, const SealOptions& options) {
  if (options.config.empty() == options.backup.empty())
    return fail(CliErrc::usage, "give --config CONFIG or --backup FOLDER");
  TALLA_TRY(ArchiveSource source,
            options.backup.empty() ? from_config(options) : archive_from_backup(app, options));
  if (!options.checkpoint.empty()) {
    TALLA_TRY(source.checkpoint, read_file(options.checkpoint));
  }
  certs::ArchiveRequest request{.ledger = *source.ledger,
                                .origin = source.origin,
                                .checkpoint = source.checkpoint,
                                .log_keys = source.keys,
                                .previous = options.after,
                                .file = options.file,
                                .progress = progress_bar(app, "sealing")};
  if (options.to >= 0) request.to = static_cast<std::uint64_t>(options.to);
  if (!options.until.empty()) {
    TALLA_TRY(request.until_us, day_of("--until", options.until));
  }
  TALLA_TRY(const certs::ArchiveFacts facts, certs::seal_archive(request, certs::BotanEd25519()));
  const certs::ArchiveHeader& header = facts.header;
  const std::uint64_t size = facts.checkpoint.checkpoint.size;
  app.say("sealed and read again: " + options.file);
  app.say("  " + header.origin + ": records " + std::to_string(header.from) + " to " +
          std::to_string(header.to - 1) + ", of " + time_text(facts.first_us) + " to " +
          time_text(facts.last_us));
  app.say("  proven by the checkpoint of " + std::to_string(size) + " records, " +
          std::to_string(facts.checkpoint.note.signatures.size() - 1) + " cosignatures; " +
          std::to_string(facts.catalogues) + " catalogues; " + std::to_string(facts.bytes) +
          " bytes");
  app.say("  digest " + to_hex(facts.digest));
  const std::string missing = request.until_us ? said_of_period(*request.until_us) : std::string();
  if (!missing.empty()) app.say("  WARNING: " + missing);
  app.emit(json::Object{{"file", options.file},
                        {"origin", header.origin},
                        {"from", header.from},
                        {"to", header.to},
                        {"first_us", facts.first_us},
                        {"last_us", facts.last_us},
                        {"tree_size", size},
                        {"catalogues", facts.catalogues},
                        {"bytes", facts.bytes},
                        {"period_over", missing.empty()},
                        {"digest", to_hex(facts.digest)}});
  return {};
}

}  // namespace

void add_archive_seal(commandline::Command& archive, App& app) {
  auto options = std::make_shared<SealOptions>();
  auto* command = archive.add_subcommand(
      "seal", "records of the log into a new archive, on the ledger's machine or from a backup");
  command->add_option("FILE", options->file, "made; must not exist")->required();
  command->add_option("--config", options->config, "the daemon's rngd.toml; it may run");
  command->add_option("--backup", options->backup,
                      "a backup, or the predecessor folder of a restored appliance");
  command->add_option("--after", options->after,
                      "the archive before: this one begins where it ends (default: with the log)");
  auto* to =
      command
          ->add_option("--to", options->to,
                       "sequence number behind the last record (default: the checkpoint's size)")
          ->at_least(1);
  command
      ->add_option("--until", options->until, "records recorded before that day, UTC: 2026-11-22")
      ->excludes(to);
  command->add_option(
      "--checkpoint", options->checkpoint,
      "signed checkpoint to prove the records by (default: a cosigned one where the appliance has "
      "witnesses, else the newest)");
  command->callback([&app, options] { app.finish(seal(app, *options)); });
  command->footer(
      "No private key is used and no draw waits. Every record stays in the ledger. The digest "
      "names the "
      "archive: keep it\n"
      "apart from the file. The same span by the same checkpoint gives the same bytes.");
}

void add_archive(commandline::Command& root, App& app) {
  auto* archive = root.add_subcommand(
      "archive", "sealed archives: spans of the log in files that still verify years later");
  archive->require_subcommand();
  add_archive_seal(*archive, app);
  add_archive_read(*archive, app);
  archive->footer(
      "One archive after the other holds the whole log:\n"
      "  talla archive seal --config rngd.toml --until 2027-01-01 2026.talla-archive\n"
      "  talla archive seal --config rngd.toml --after 2026.talla-archive --until 2028-01-01 "
      "2027.talla-archive\n"
      "  talla archive verify 2026.talla-archive 2027.talla-archive --root root.pem\n"
      "  talla archive show 2026.talla-archive --object round-431 --bundle r431.talla --root "
      "root.pem");
}

}  // namespace talla::cli
