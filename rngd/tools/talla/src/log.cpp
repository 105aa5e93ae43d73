// talla log: checkpoints and records of an appliance; and, on its own machine while it is stopped,
// the tile files.
#include "certs/log.hpp"

#include <memory>

#include "backup.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/postgres_ledger.hpp"
#include "certs/sqlite_ledger.hpp"
#include "certs/tile_writer.hpp"
#include "config/config.hpp"
#include "format/bundle.hpp"
#include "format/cosignature.hpp"
#include "format/key_change.hpp"
#include "format/log_key.hpp"
#include "history.hpp"
#include "log_end.hpp"
#include "log_tail.hpp"
#include "steps.hpp"
#include "witness/anchor_choice.hpp"

namespace talla::cli {

namespace {

struct LogOptions {
  std::int64_t seq = 0;
  std::int64_t to = 0;
  std::string out;
  std::string config;
};

Status print_checkpoint(const App& app, Session& session) {
  TALLA_TRY(const std::string note, session.get_text("/v1/checkpoint"));
  app.say(note.substr(0, note.size() - (note.ends_with('\n') ? 1 : 0)));
  json::Value out;
  out["checkpoint"] = note;
  app.emit(out);
  return {};
}

Status print_record(const App& app, const LogOptions& options, Session& session) {
  TALLA_TRY(const std::string receipt,
            session.get_text("/v1/receipts/" + std::to_string(options.seq)));
  TALLA_TRY(const json::Value parsed, json::parse_canonical(receipt));
  TALLA_TRY(const std::string record, text_at(parsed, {"record"}));
  app.say(record);
  app.emit(parsed);
  if (options.out.empty()) return {};
  TALLA_TRY_STATUS(write_file(options.out, receipt));
  app.say("receipt written: " + options.out);
  return {};
}

/// The proof is written as it came: it proves itself to who has both checkpoints.
Status print_consistency(const App& app, const LogOptions& options, Session& session) {
  const std::string to = options.to == 0 ? "" : "&to=" + std::to_string(options.to);
  TALLA_TRY(const std::string text,
            session.get_text("/v1/consistency?from=" + std::to_string(options.seq) + to));
  TALLA_TRY(const json::Value parsed, json::parse_canonical(text));
  app.say(text);
  app.emit(parsed);
  if (options.out.empty()) return {};
  TALLA_TRY_STATUS(write_file(options.out, text));
  app.say("proof written: " + options.out);
  return {};
}

/// The evidence of a record, whatever claim it is: a card, a draw, a settlement.
Status print_bundle(const App& app, const LogOptions& options, Session& session) {
  const std::string seq = std::to_string(options.seq);
  TALLA_TRY(const std::string text, session.get_text("/v1/bundles/" + seq));
  TALLA_TRY(const auto cosigners, cosigners_of(text));
  const std::string file = options.out.empty() ? "record-" + seq + ".talla" : options.out;
  TALLA_TRY_STATUS(write_file(file, text));
  app.say("evidence of record " + seq + " written: " + file);
  json::Array names;
  std::string words;
  for (const std::string& name : cosigners) {
    words += (words.empty() ? "" : ", ") + name;
    names.emplace_back(name);
  }
  app.say(
      words.empty()
          ? "no witness has signed a checkpoint that covers it: a second history of the log is "
            "not excluded. Where the appliance has witnesses, fetch it again in a minute: talla "
            "log bundle " +
                seq
          : "cosigned by " + words);
  app.say("next: talla verify " + file);
  app.emit(json::Object{{"file", file}, {"cosigners", std::move(names)}});
  return {};
}

/// For reading, after a look at all of it.
Result<std::unique_ptr<certs::Ledger>> open_to_read(const rngd::Config& config) {
  if (config.ledger.kind == "postgres") {
    certs::PostgresLedgerOptions options;
    options.connection = config.ledger.connection;
    options.origin = config.origin;
    options.folder = config.data_folder;
    options.read_only = true;
    TALLA_TRY_STATUS(certs::check_postgres_ledger(options));
    TALLA_TRY(auto ledger, certs::open_postgres_ledger(options));
    return std::unique_ptr<certs::Ledger>(std::move(ledger));
  }
  certs::SqliteLedgerOptions options;
  options.path = config.data_folder + "/ledger.db";
  options.origin = config.origin;
  options.create = false;
  options.read_only = true;
  options.integrity_check = true;
  return certs::open_sqlite_ledger(options);
}

/// The verifier key of the log, for witnesses and policy files.
Status print_log_key(const App& app, const LogOptions& options) {
  TALLA_TRY(const std::string text, read_file(options.config));
  TALLA_TRY(const json::Value value, json::parse_canonical(text));
  TALLA_TRY(const certs::LogKey log_key, certs::LogKey::from_json(value));
  TALLA_TRY(const certs::LogKeyStatement statement, certs::parse_statement(log_key.statement));
  const std::string key = certs::format_verifier_key(certs::make_verifier_key(
      certs::OpensslHashes(), statement.origin, certs::KeyType::log, statement.public_key));
  app.say(key);
  app.emit(json::Object{{"key", key}, {"origin", statement.origin}});
  return {};
}

/// All keys of the log, for `talla verify --log-key` and for client.toml of a new client.
Status print_keys(const App& app, const LogOptions& options, Session& session) {
  TALLA_TRY(const std::string keys, session.log_keys());
  TALLA_TRY(const certs::LogKeys parsed, certs::parse_log_keys(keys));
  std::vector<const certs::LogKey*> all;
  for (const certs::KeyChange& change : parsed.changes) all.push_back(&change.log_key);
  all.push_back(&parsed.log_key);
  for (const certs::LogKey* one : all) {
    TALLA_TRY(const certs::LogKeyStatement statement, certs::parse_statement(one->statement));
    app.say(certs::format_verifier_key(certs::make_verifier_key(
        certs::OpensslHashes(), statement.origin, certs::KeyType::log, statement.public_key)));
  }
  TALLA_TRY(const json::Value value, json::parse_canonical(keys));
  app.emit(value);
  if (options.out.empty()) return {};
  TALLA_TRY_STATUS(write_file(options.out, keys));
  app.say("all keys of the log written: " + options.out);
  return {};
}

Status rebuild(const App& app, const LogOptions& options) {
  TALLA_TRY(const rngd::Config config, rngd::load_config(options.config));
  const certs::OpensslHashes hashes;
  SystemClock clock;
  TALLA_TRY(const auto ledger, open_to_read(config));
  TALLA_TRY(const certs::ChosenLogKey key,
            certs::choose_log_key(*ledger, config.origin, rngd::log_key_sources(config)));
  certs::Log::Options log_options;
  log_options.origin = config.origin;
  log_options.recheck_all = true;
  TALLA_TRY(const auto log, certs::Log::open({.hashes = hashes,
                                              .ledger = *ledger,
                                              .signer = *key.signer,
                                              .clock = clock,
                                              .anchor = nullptr},
                                             log_options));
  const bool published = !config.tiles_folder.empty();
  TALLA_TRY(certs::TileWriter tiles,
            certs::TileWriter::open(
                *log, published ? config.tiles_folder : config.data_folder + "/tiles", published));
  TALLA_TRY_STATUS(tiles.rebuild());
  app.say("every record checked, every tile written again: " + std::to_string(log->size()) +
          " records of " + config.origin);
  json::Value out;
  out["size"] = log->size();
  app.emit(out);
  return {};
}

}  // namespace

void add_log(commandline::Command& root, App& app) {
  auto options = std::make_shared<LogOptions>();
  auto* command =
      root.add_subcommand("log", "checkpoint, records and tiles of the transparency log");
  command->require_subcommand();
  auto* checkpoint = command->add_subcommand("checkpoint", "the latest signed checkpoint");
  checkpoint->callback([&app] {
    with_session(app, [&](Session& session) { return print_checkpoint(app, session); });
  });
  auto* record = command->add_subcommand("record", "one record with its proof");
  record->add_option("SEQ", options->seq, "sequence number")->required()->at_least(0);
  record->add_option("--out", options->out, "file for the receipt");
  record->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_record(app, *options, session); });
  });
  auto* consistency = command->add_subcommand(
      "consistency", "the proof that a later log has an earlier one as its beginning");
  consistency->add_option("FROM", options->seq, "records of the earlier checkpoint")
      ->required()
      ->at_least(1);
  consistency->add_option("--to", options->to, "records of the later one (default: all)")
      ->at_least(2);
  consistency->add_option("--out", options->out, "file for the proof");
  consistency->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_consistency(app, *options, session); });
  });
  auto* bundle = command->add_subcommand(
      "bundle", "the evidence of a record: a card, a draw or a settlement, for talla verify");
  bundle->add_option("SEQ", options->seq, "its sequence number (talla log tail, talla log rounds)")
      ->required()
      ->at_least(0);
  bundle->add_option("--out", options->out, "file, .talla (default: record-SEQ.talla here)");
  bundle->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_bundle(app, *options, session); });
  });
  add_log_tail(*command, app);
  add_log_history(*command, app);
  add_export(*command, app);
  add_log_end(*command, app);
  auto* key = command->add_subcommand(
      "key", "the log's verifier key (C2SP signed-note), for witnesses and policies");
  key->add_option("STATEMENT", options->config, "the log key statement, log-key.json")->required();
  key->callback([&app, options] { app.finish(print_log_key(app, *options)); });
  auto* keys = command->add_subcommand("keys",
                                       "every key that has signed the log, the first one first, "
                                       "each announced in it by the one before");
  keys->add_option("--out", options->out, "file for all keys with their announcements");
  keys->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_keys(app, *options, session); });
  });
  auto* again = command->add_subcommand("rebuild",
                                        "check every record of the ledger and write every tile "
                                        "file again; the daemon must be stopped");
  again->add_option("CONFIG", options->config, "the daemon's rngd.toml")->required();
  again->callback([&app, options] { app.finish(rebuild(app, *options)); });
}

}  // namespace talla::cli
