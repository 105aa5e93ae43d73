// talla log: checkpoints and records of an appliance; and, on its own machine while it is stopped, the tile files.
#include "certs/log.hpp"

#include <memory>

#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "certs/tile_writer.hpp"
#include "config/config.hpp"
#include "history.hpp"
#include "steps.hpp"

namespace talla::cli {

namespace {

struct Options {
  std::int64_t seq = 0;
  std::int64_t after = -1;
  int limit = 100;
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

Status print_record(const App& app, const Options& options, Session& session) {
  TALLA_TRY(const std::string receipt, session.get_text("/v1/receipts/" + std::to_string(options.seq)));
  TALLA_TRY(const json::Value parsed, json::parse_canonical(receipt));
  TALLA_TRY(const std::string record, text_at(parsed, {"record"}));
  app.say(record);
  app.emit(parsed);
  if (options.out.empty()) return {};
  TALLA_TRY_STATUS(write_file(options.out, receipt));
  app.say("receipt written: " + options.out);
  return {};
}

Status print_events(const App& app, const Options& options, Session& session) {
  TALLA_TRY(const json::Value reply, session.get("/v1/events?after=" + std::to_string(options.after) +
                                                 "&limit=" + std::to_string(options.limit)));
  const json::Value* events = reply.find("events");
  if (events == nullptr || !events->is_array())
    return fail(CliErrc::appliance_refused, "the reply has no events");
  for (const json::Value& event : events->array()) {
    TALLA_TRY(const std::string record, text_at(event, {"record"}));
    app.say(record);
    app.emit(event);
  }
  return {};
}

Status rebuild(const App& app, const Options& options) {
  TALLA_TRY(const rngd::Config config, rngd::load_config(options.config));
  const certs::OpensslHashes hashes;
  SystemClock clock;
  TALLA_TRY(const auto signer, certs::load_log_signer(config.keys.log_key));
  certs::SqliteLedgerOptions ledger_options;
  ledger_options.path = config.data_folder + "/ledger.db";
  ledger_options.origin = config.origin;
  ledger_options.create = false;
  ledger_options.read_only = true;
  ledger_options.integrity_check = true;
  TALLA_TRY(const auto ledger, certs::open_sqlite_ledger(ledger_options));
  certs::Log::Options log_options;
  log_options.origin = config.origin;
  log_options.recheck_all = true;
  TALLA_TRY(const auto log,
            certs::Log::open(
                {.hashes = hashes, .ledger = *ledger, .signer = *signer, .clock = clock, .anchor = nullptr},
                log_options));
  TALLA_TRY(certs::TileWriter tiles, certs::TileWriter::open(*log, config.data_folder + "/tiles"));
  TALLA_TRY_STATUS(tiles.rebuild());
  app.say("every record checked, every tile written again: " + std::to_string(log->size()) + " records of " +
          config.origin);
  json::Value out;
  out["size"] = log->size();
  app.emit(out);
  return {};
}

}  // namespace

void add_log(CLI::App& root, App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("log", "checkpoint, records and tiles of the transparency log");
  command->require_subcommand(1);
  CLI::App* checkpoint = command->add_subcommand("checkpoint", "the latest signed checkpoint");
  checkpoint->callback(
      [&app] { with_session(app, [&](Session& session) { return print_checkpoint(app, session); }); });
  CLI::App* record = command->add_subcommand("record", "one record with its proof");
  record->add_option("SEQ", options->seq, "sequence number")->required()->check(CLI::NonNegativeNumber);
  record->add_option("--out", options->out, "file for the receipt");
  record->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_record(app, *options, session); });
  });
  CLI::App* tail = command->add_subcommand("tail", "records this client may see");
  tail->add_option("--after", options->after, "only those after this sequence number")->capture_default_str();
  tail->add_option("--limit", options->limit, "at most so many")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  tail->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_events(app, *options, session); });
  });
  add_log_history(*command, app);
  CLI::App* again = command->add_subcommand(
      "rebuild",
      "check every record of the ledger and write every tile file again; the daemon must be stopped");
  again->add_option("CONFIG", options->config, "the daemon's rngd.toml")->required();
  again->callback([&app, options] {
    const Status done = rebuild(app, *options);
    if (!done) app.refuse(done.error());
  });
}

}  // namespace talla::cli
