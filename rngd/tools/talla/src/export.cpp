// talla log export: records of a range, a table or a day as lines of JSON, each with its proof,
// from a ledger or a backup.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "backup.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/domain.hpp"
#include "log_end.hpp"
#include "times.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::cli {

namespace {

constexpr std::uint64_t records_per_step = 10'000;

struct ExportOptions {
  std::string config;
  std::string backup;
  std::string table;
  std::string day;
  std::string out;
  std::string ended;
  std::string root;
  std::int64_t from = 0;
  std::int64_t to = -1;
};

/// A ledger that is read, with the checkpoint everything is proven at.
struct ExportSource {
  std::unique_ptr<certs::Ledger> ledger;
  std::string origin;
  std::string checkpoint;
  certs::MerkleTree tree;
};

Result<ExportSource> export_from_backup(const App& app, const std::string& folder) {
  const certs::BotanEd25519 verifier;
  TALLA_TRY(const certs::CheckedBackup backup,
            certs::check_backup(folder, verifier, progress_bar(app, "checking")));
  ExportSource source;
  source.origin = backup.manifest.origin;
  source.checkpoint = backup.manifest.checkpoint;
  TALLA_TRY(source.ledger, certs::open_backup(folder, source.origin));
  return source;
}

Result<ExportSource> from_ledger(const std::string& path) {
  TALLA_TRY(const rngd::Config config, rngd::load_config(path));
  ExportSource source;
  source.origin = config.origin;
  const certs::LedgerPlace place = ledger_place(config);
  if (const auto* server = std::get_if<certs::PostgresLedgerOptions>(&place)) {
    TALLA_TRY(auto ledger, certs::open_postgres_ledger(*server));
    source.ledger = std::move(ledger);
  } else {
    TALLA_TRY(source.ledger,
              certs::open_sqlite_ledger(std::get<certs::SqliteLedgerOptions>(place)));
  }
  // A daemon beside us has written more than is durable: what it has signed counts.
  TALLA_TRY(source.checkpoint, read_file(tiles_checkpoint(config)));
  return source;
}

struct Wanted {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::int64_t begin_us = 0;
  std::int64_t end_us = json::integer_max;
  std::string table;
};

Result<Wanted> wanted_of(const ExportOptions& options, std::uint64_t size) {
  Wanted wanted;
  wanted.from = static_cast<std::uint64_t>(options.from);
  wanted.to = options.to < 0 ? size : std::min(size, static_cast<std::uint64_t>(options.to));
  wanted.table = options.table;
  if (!options.table.empty()) {
    TALLA_TRY(const std::uint64_t opened, certs::object_seq("table", options.table));
    if (opened >= size)
      return fail(CliErrc::usage, "--table: no " + options.table + " in this log");
    wanted.from = std::max(wanted.from, opened);
  }
  if (options.day.empty()) return wanted;
  TALLA_TRY(wanted.begin_us, day_of("--day", options.day));
  wanted.end_us = wanted.begin_us + day_us;
  return wanted;
}

/// Objects of one table, as their opening records name it.
class TableObjects {
 public:
  explicit TableObjects(std::string table) : table_(std::move(table)) { objects_.insert(table_); }
  [[nodiscard]] bool takes(const certs::LedgerRecord& stored, const certs::Record& record) {
    if (table_.empty()) return true;
    const json::Value* named = record.body.find("table");
    if (certs::kind_opens(stored.kind) && named != nullptr && named->is_string() &&
        named->string() == table_)
      objects_.insert(stored.object);
    const json::Value* round = record.body.find("round");
    const bool meter = stored.kind == certs::Kind::meter && round != nullptr && round->is_string();
    return objects_.contains(stored.object) || (meter && objects_.contains(round->string()));
  }

 private:
  std::string table_;
  std::set<std::string> objects_;
};

Status write_line(std::ofstream& out, const HashSuite& hashes, const ExportSource& source,
                  const certs::LedgerRecord& stored) {
  certs::TlogProof proof{.index = stored.seq, .path = {}, .checkpoint = source.checkpoint};
  TALLA_TRY(proof.path,
            certs::inclusion_path(
                hashes,
                [&](unsigned level, std::uint64_t index) { return source.tree.node(level, index); },
                stored.seq, source.tree.size()));
  out << certs::format_receipt({.proof = certs::format_proof(proof), .record = stored.bytes})
      << '\n';
  return {};
}

/// The tree that the checkpoint speaks of: a ledger in use has grown since.
Result<std::uint64_t> load_tree(ExportSource& source) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(const certs::SignedCheckpoint note,
            certs::parse_cosigned_checkpoint(source.checkpoint));
  const std::uint64_t size = note.checkpoint.size;
  TALLA_TRY_STATUS(source.ledger->leaves(
      0, size, [&](const Digest& leaf) { source.tree.append(hashes, leaf); }));
  if (note.checkpoint.origin == source.origin && source.tree.root(hashes) == note.checkpoint.root)
    return size;
  return fail(CliErrc::file,
              "the checkpoint of the tiles, or of the end, is not that of these records");
}

Result<std::uint64_t> write_lines(const ExportSource& source, const Wanted& wanted,
                                  std::ofstream& out) {
  const certs::OpensslHashes hashes;
  TableObjects objects(wanted.table);
  const std::uint64_t start = wanted.from;
  std::uint64_t lines = 0;
  for (std::uint64_t from = start; from < wanted.to;) {
    TALLA_TRY(const auto records,
              source.ledger->records(from, std::min(wanted.to, from + records_per_step)));
    if (records.empty()) break;
    for (const certs::LedgerRecord& stored : records) {
      TALLA_TRY(const certs::Record record, certs::parse_record(stored.bytes));
      if (record.time_us >= wanted.end_us) return lines;
      if (!objects.takes(stored, record) || record.time_us < wanted.begin_us) continue;
      TALLA_TRY_STATUS(write_line(out, hashes, source, stored));
      ++lines;
    }
    from += records.size();
  }
  return lines;
}

Status run_export(const App& app, const ExportOptions& options) {
  if (options.config.empty() == options.backup.empty())
    return fail(CliErrc::usage, "give --config CONFIG or --backup FOLDER");
  TALLA_TRY(ExportSource source, options.backup.empty() ? from_ledger(options.config)
                                                        : export_from_backup(app, options.backup));
  if (!options.ended.empty()) {
    TALLA_TRY(const certs::EndedLog end, load_end(options.ended, options.root));
    source.checkpoint = end.statement.checkpoint;
  }
  TALLA_TRY(const std::uint64_t size, load_tree(source));
  TALLA_TRY(const Wanted wanted, wanted_of(options, size));
  const std::string partial = options.out + ".part";
  std::ofstream out(partial, std::ios::binary | std::ios::trunc);
  TALLA_TRY(const std::uint64_t lines, write_lines(source, wanted, out));
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(partial, options.out, error);
  if (!out || error) return fail(CliErrc::file, options.out + ": cannot be written");
  app.say(std::to_string(lines) + " records of " + source.origin +
          ", each with its proof at size " + std::to_string(size) + ": " + options.out);
  app.emit(json::Object{
      {"origin", source.origin}, {"out", options.out}, {"records", lines}, {"size", size}});
  return {};
}

}  // namespace

void add_export(commandline::Command& log, App& app) {
  auto options = std::make_shared<ExportOptions>();
  auto* command = log.add_subcommand(
      "export",
      "records with their proofs, one receipt a line, on the ledger's machine or from a backup");
  command->add_option(
      "--config", options->config,
      "the daemon's rngd.toml; it may run: up to the newest checkpoint of its tiles");
  command->add_option("--backup", options->backup,
                      "a backup, or the predecessor folder of a restored appliance");
  command->add_option("--from", options->from, "first sequence number")->at_least(0);
  command->add_option("--to", options->to, "sequence number behind the last one (default: the end)")
      ->at_least(0);
  command->add_option("--table", options->table,
                      "table-N: it, its rounds, shoes, batches, and its rounds' shared meters");
  command->add_option("--day", options->day, "recorded on that day, UTC: 2026-11-22");
  auto* root =
      command->add_option("--root", options->root, "with --ended: trusted root certificates, PEM");
  command
      ->add_option("--ended", options->ended,
                   "the root's statement about the end of this log: everything is proven at its "
                   "last checkpoint")
      ->needs(root);
  command->add_option("--out", options->out, "file to write")->required();
  command->callback([&app, options] { app.finish(run_export(app, *options)); });
  command->footer(
      "Each line is a receipt (certs/FORMAT.md section 4), all proven at one checkpoint. One line "
      "verifies "
      "by itself:\n"
      "  sed -n 1p records.jsonl | tr -d '\\n' > one.json && talla verify one.json --log-key "
      "log-key.json "
      "--root root.pem");
}

}  // namespace talla::cli
