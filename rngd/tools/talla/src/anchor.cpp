// talla anchor: on the appliance's own machine while it is stopped, what the rollback anchors say,
// and taking up a new one.
#include <memory>

#include "app.hpp"
#include "certs/log.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/postgres_ledger.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "witness/anchor_choice.hpp"

namespace talla::cli {

namespace {

struct AnchorOptions {
  std::string config;
  bool adopt = false;
};

/// A ledger on disk is taken as the daemon takes it, so that none runs beside; one on a server is
/// only read.
Result<std::unique_ptr<certs::Ledger>> open_ledger(const rngd::Config& config) {
  if (config.ledger.kind == "postgres") {
    certs::PostgresLedgerOptions options;
    options.connection = config.ledger.connection;
    options.origin = config.origin;
    options.folder = config.data_folder;
    options.read_only = true;
    TALLA_TRY(auto ledger, certs::open_postgres_ledger(options));
    return std::unique_ptr<certs::Ledger>(std::move(ledger));
  }
  certs::SqliteLedgerOptions options;
  options.path = config.data_folder + "/ledger.db";
  options.origin = config.origin;
  options.create = false;
  return certs::open_sqlite_ledger(options);
}

/// Opens the log as the daemon would: it is compared with every anchor, then they are written.
Status check_anchor(const App& app, const AnchorOptions& options) {
  TALLA_TRY(const rngd::Config config, rngd::load_config(options.config));
  const certs::OpensslHashes hashes;
  SystemClock clock;
  TALLA_TRY(const auto witnesses, rngd::make_witnesses(config, [&app](const std::string& event,
                                                                      const std::string& detail) {
              app.say(event + ": " + detail);
            }));
  TALLA_TRY(const auto device, rngd::make_device_anchor(config));
  TALLA_TRY(const auto ledger, open_ledger(config));
  TALLA_TRY(const certs::ChosenLogKey key,
            certs::choose_log_key(*ledger, config.origin, rngd::log_key_sources(config)));
  certs::FileAnchor local(config.data_folder + "/anchor.json");
  certs::OuterAnchor* outer = device.get();
  if (config.anchor.kind == "witness") outer = witnesses.get();
  certs::Log::Options log_options;
  log_options.origin = config.origin;
  log_options.adopt_anchor = options.adopt;
  TALLA_TRY(const auto log, certs::Log::open({.hashes = hashes,
                                              .ledger = *ledger,
                                              .signer = *key.signer,
                                              .clock = clock,
                                              .anchor = &local,
                                              .outer = outer},
                                             log_options));
  app.say("the ledger of " + config.origin + " holds " + std::to_string(log->size()) +
          " records, and every anchor agrees: " +
          (outer == nullptr ? "local" : std::string(outer->kind())));
  app.emit(json::Object{{"kind", outer == nullptr ? "local" : std::string(outer->kind())},
                        {"origin", config.origin},
                        {"size", log->size()}});
  return {};
}

}  // namespace

void add_anchor(commandline::Command& root, App& app) {
  auto options = std::make_shared<AnchorOptions>();
  auto* anchor = root.add_subcommand(
      "anchor", "rollback anchors of an appliance, on its own machine; the daemon must be stopped");
  anchor->require_subcommand();
  auto* look = anchor->add_subcommand(
      "check", "compare the ledger with its anchors, as a start does, and write them");
  look->add_option("CONFIG", options->config, "the daemon's rngd.toml")->required();
  look->callback([&app, options] {
    options->adopt = false;
    app.finish(check_anchor(app, *options));
  });
  auto* adopt = anchor->add_subcommand("adopt",
                                       "make the anchors that know nothing of this ledger: a new "
                                       "TPM, HSM or witness, or one that was lost");
  adopt->add_option("CONFIG", options->config, "the daemon's rngd.toml")->required();
  adopt->callback([&app, options] {
    options->adopt = true;
    app.finish(check_anchor(app, *options));
  });
  anchor->footer(
      "An anchor that knows this ledger is never overruled: a ledger behind it, or with another "
      "history, is "
      "refused by both.\n"
      "Adopt with inspector and second person present: nothing else shows that the ledger is not "
      "an older "
      "copy.");
}

}  // namespace talla::cli
