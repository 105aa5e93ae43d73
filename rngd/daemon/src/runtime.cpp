#include "runtime.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "certs/anchor.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "config/enrolment.hpp"
#include "core/effects.hpp"
#include "core/service.hpp"
#include "gateway.hpp"
#include "http/server.hpp"
#include "ledger_watch.hpp"
#include "log.hpp"
#include "monitor/monitors.hpp"
#include "openapi.hpp"
#include "outlets.hpp"
#include "source_keeper.hpp"
#include "sources.hpp"

namespace talla::rngd {

std::string_view errc_name(RuntimeErrc errc) {
  switch (errc) {
    case RuntimeErrc::production_refused:
      return "production_refused";
    case RuntimeErrc::program_unreadable:
      return "program_unreadable";
  }
  return "unknown";
}

/// In the order of construction; destroyed in reverse.
struct Runtime::Parts {
  SystemClock clock;
  certs::OpensslHashes hashes;
  entropy::SystemOsRandom os;
  entropy::CpuRdSeed rdseed;
  std::unique_ptr<certs::Ed25519Signer> signer;
  std::unique_ptr<certs::Sealer> sealer;
  certs::LogKey log_key;
  certs::SqliteLedgerOptions ledger_options;
  std::unique_ptr<certs::Ledger> ledger;
  std::unique_ptr<certs::Anchor> anchor;
  std::unique_ptr<certs::Log> log;
  std::unique_ptr<certs::TileWriter> tiles;
  std::unique_ptr<Monitors> monitors;  // null: switched off
  bool certified = false;
  std::unique_ptr<SourceKeeper> keeper;  // after the generator: its thread's rngd-sources end with it
  std::unique_ptr<core::GeneratorSupply> supply;
  entropy::Generator* generator = nullptr;  // of the supply
  std::unique_ptr<Outlets> outlets;         // null: nothing goes out to others
  std::unique_ptr<core::Service> service;
  std::unique_ptr<LedgerWatch> ledger_watch;
  std::unique_ptr<Gateway> gateway;
  std::unique_ptr<http::Server> api;
  std::unique_ptr<http::Server> health;
};

namespace {

std::string program_path() {
  std::array<char, PATH_MAX> resolved{};
  return ::realpath("/proc/self/exe", resolved.data()) == nullptr ? std::string()
                                                                  : std::string(resolved.data());
}

Result<Digest> program_digest(const HashSuite& hashes) {
  std::FILE* file = std::fopen("/proc/self/exe", "rb");
  if (file == nullptr) return fail(RuntimeErrc::program_unreadable, "/proc/self/exe cannot be read");
  Bytes content;
  std::array<std::uint8_t, 65536> block{};
  for (std::size_t size = 0; (size = std::fread(block.data(), 1, block.size(), file)) > 0;) {
    content.insert(content.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
  }
  static_cast<void>(std::fclose(file));
  return hashes.sha256({content});
}

/// Production takes no development key or certificate (PROTOCOL section 8).
Status refuse_development(const Config& config, const certs::LogKey& log_key) {
  if (config.profile != Profile::production) return {};
  TALLA_TRY(const certs::LogKeyStatement statement, certs::parse_statement(log_key.statement));
  if (statement.development) {
    return fail(RuntimeErrc::production_refused, config.keys.log_statement + ": development key");
  }
  for (const std::string& file : {config.api.certificate, config.api.client_roots}) {
    TALLA_TRY(const certs::CertificateView view, certs::view_certificate(file));
    if (view.development) return fail(RuntimeErrc::production_refused, file + ": development certificate");
  }
  return fail(RuntimeErrc::production_refused,
              config.keys.sealing_key + ": a sealing key file is for development");
}

core::Settings settings_of(const Config& config, const std::vector<EnrolledClient>& clients) {
  core::Settings settings;
  settings.profile = config.profile == Profile::production ? "production" : "development";
  settings.version = TALLA_VERSION;
  settings.batch_secrets_max = config.limits.batch_count_max;
  settings.batch_secrets_default =
      std::min<std::uint32_t>(settings.batch_secrets_default, config.limits.batch_count_max);
  settings.batch_lifetime_us = std::int64_t{config.limits.batch_lifetime_seconds} * 1'000'000;
  settings.client_rate_per_s = config.limits.requests_per_second;
  settings.client_burst = config.limits.burst;
  settings.disk_reserve_bytes = std::uint64_t{config.limits.disk_reserve_mib} << 20;
  settings.clock_step_us_max = std::int64_t{config.limits.clock_step_max_seconds} * 1'000'000;
  settings.act_lifetime_us = std::int64_t{config.limits.second_person_seconds} * 1'000'000;
  for (const EnrolledClient& client : clients)
    settings.clients.push_back({.id = client.id, .spki = client.spki, .roles = client.roles});
  return settings;
}

MonitorOptions monitor_options(const Config& config) {
  const auto severity = [](const std::string& name) {
    return name == "latch" ? Severity::latch : Severity::record;
  };
  MonitorOptions options;
  options.alpha = config.monitors.alpha;
  options.run_length = static_cast<double>(config.monitors.run_length);
  options.bits_per_second = config.monitors.bits_per_second;
  options.noise = severity(config.monitors.noise);
  options.bits = severity(config.monitors.bits);
  options.outcomes = severity(config.monitors.outcomes);
  options.detectors = severity(config.monitors.detectors);
  options.quality = severity(config.monitors.quality);
  options.state_file = config.data_folder + "/monitors.state";
  options.origin = config.origin;
  return options;
}

}  // namespace

/// The steps of a start; each leaves its part in place or says why not.
class RuntimeStart {
 public:
  using Parts = Runtime::Parts;
  RuntimeStart(Parts& parts, const Config& config) : parts_(parts), config_(config) {}

  Status keys() {
    TALLA_TRY(parts_.signer, certs::load_log_signer(config_.keys.log_key));
    TALLA_TRY(parts_.log_key,
              certs::load_log_key(config_.keys.log_statement, config_.origin, parts_.signer->public_key()));
    TALLA_TRY(certs::Sealer sealer, certs::Sealer::load(config_.keys.sealing_key));
    parts_.sealer = std::make_unique<certs::Sealer>(std::move(sealer));
    TALLA_TRY(const SecretBytes api_key, certs::read_private_file(config_.api.key));
    static_cast<void>(api_key);
    return refuse_development(config_, parts_.log_key);
  }

  Status log() {
    TALLA_TRY_STATUS(certs::create_folder(config_.data_folder));
    certs::SqliteLedgerOptions options;
    options.path = config_.data_folder + "/ledger.db";
    options.origin = config_.origin;
    TALLA_TRY(parts_.ledger, certs::open_sqlite_ledger(options));
    parts_.ledger_options = options;
    parts_.anchor = std::make_unique<certs::FileAnchor>(config_.data_folder + "/anchor.json");
    certs::Log::Options log_options;
    log_options.origin = config_.origin;
    TALLA_TRY(parts_.log, certs::Log::open({.hashes = parts_.hashes,
                                            .ledger = *parts_.ledger,
                                            .signer = *parts_.signer,
                                            .clock = parts_.clock,
                                            .anchor = parts_.anchor.get()},
                                           log_options));
    TALLA_TRY(certs::TileWriter tiles, certs::TileWriter::open(*parts_.log, config_.data_folder + "/tiles"));
    parts_.tiles = std::make_unique<certs::TileWriter>(std::move(tiles));
    rngd::log(Level::info, "ledger_open",
              {{"origin", config_.origin},
               {"records", std::to_string(parts_.log->size())},
               {"boot", std::to_string(parts_.log->boot())}});
    return {};
  }

  Status generator() {
    const std::string program = program_path();
    const std::string source = program.substr(0, program.rfind('/') + 1) + "rngd-source";
    TALLA_TRY(ChosenSources chosen, choose_sources(config_.source, source, parts_.os, parts_.rdseed));
    TALLA_TRY_STATUS(monitors(chosen));
    parts_.certified = chosen.certified;
    rngd::log(chosen.certified ? Level::notice : Level::warning, "source",
              {{"model", chosen.description},
               {"certified", chosen.certified ? "yes" : "no"},
               {"meaning",
                chosen.certified ? "SP 800-90C RBG3(XOR)" : "uncertified source, not an SP 800-90C RBG"}});
    entropy::GeneratorOptions options;
    options.appliance_id = config_.origin;
    options.boot_counter = parts_.log->boot();
    options.allow_uncertified = config_.source.kind != "usb";
    options.outlet_blocks = Outlets::blocks_wanted(config_);
    TALLA_TRY(auto generator,
              entropy::Generator::create(options, std::move(chosen.slots),
                                         {.clock = parts_.clock, .os = parts_.os, .rdseed = parts_.rdseed}));
    parts_.generator = generator.get();
    TALLA_TRY(parts_.supply, core::GeneratorSupply::create(std::move(generator)));
    if (chosen.usb.empty()) return {};
    parts_.keeper = std::make_unique<SourceKeeper>(std::move(chosen.usb));
    parts_.keeper->keep(
        *parts_.supply, [monitors = parts_.monitors.get()](std::unique_ptr<entropy::NoiseSource> stream) {
          return monitors == nullptr ? std::move(stream) : monitors->watch_again(std::move(stream));
        });
    return {};
  }

  /// Before the generator's first read, so that the monitors see every sample.
  Status monitors(ChosenSources& chosen) {
    if (!config_.monitors.enabled) {
      rngd::log(Level::warning, "monitors_off");
      return {};
    }
    TALLA_TRY(parts_.monitors,
              Monitors::create(monitor_options(config_),
                               {.clock = parts_.clock,
                                .ledger = *parts_.ledger,
                                .say = [](const std::string& event, const std::string& detail) {
                                  rngd::log(Level::warning, event, {{"detail", detail}});
                                }}));
    for (entropy::SourceSlot& slot : chosen.slots)
      slot.source = parts_.monitors->watch(std::move(slot.source));
    return {};
  }

  Status service(const std::string& config_text) {
    TALLA_TRY(clients_, load_enrolment(config_.api.enrolment));
    core::Settings settings = settings_of(config_, clients_);
    TALLA_TRY(settings.software_digest, program_digest(parts_.hashes));
    settings.config_digest = parts_.hashes.sha256({as_bytes(config_text)});
    TALLA_TRY(parts_.service,
              core::Service::create(std::move(settings), {.clock = parts_.clock,
                                                          .hashes = parts_.hashes,
                                                          .log = *parts_.log,
                                                          .sealer = *parts_.sealer,
                                                          .supply = *parts_.supply,
                                                          .log_key = parts_.log_key,
                                                          .tiles = parts_.tiles.get(),
                                                          .monitors = parts_.monitors.get()}));
    parts_.service->start();
    parts_.ledger_watch = std::make_unique<LedgerWatch>(
        parts_.ledger_options, [service = parts_.service.get()](const Error&) { service->fail_now(); });
    if (parts_.monitors) parts_.monitors->start(*parts_.supply);
    return {};
  }

  Status outlets() {
    TALLA_TRY(parts_.outlets, Outlets::create(config_, parts_.certified, *parts_.generator, parts_.clock));
    return {};
  }

  Status listeners() {
    GatewayOptions options;
    options.clients = clients_;
    options.openapi = std::string(openapi_document());
    options.entropy_metrics = [this_supply = parts_.supply.get()] { return this_supply->metrics(); };
    options.add_metrics = [monitors = parts_.monitors.get(),
                           outlets = parts_.outlets.get()](core::MetricsSnapshot& all) {
      if (monitors != nullptr) monitors->add_metrics(all.counters, all.gauges);
      if (outlets != nullptr) outlets->add_metrics(all.counters, all.gauges);
    };
    options.uncertified_source = !parts_.certified;
    parts_.gateway = std::make_unique<Gateway>(*parts_.service, std::move(options));
    Gateway* gateway = parts_.gateway.get();
    http::ServerOptions api;
    api.address = config_.api.address;
    api.port = config_.api.port;
    api.files = {
        .certificate = config_.api.certificate, .key = config_.api.key, .trusted = config_.api.client_roots};
    api.threads = config_.api.threads;
    api.connections_max = config_.limits.connections;
    TALLA_TRY(parts_.api, http::Server::create(api, [gateway](http::Request request, http::Respond respond) {
                gateway->handle_api(std::move(request), std::move(respond));
              }));
    rngd::log(Level::info, "api_listening",
              {{"address", api.address}, {"port", std::to_string(parts_.api->port())}});
    // Last: a page that says ready means that the API listens.
    if (config_.health.enabled) {
      http::ServerOptions health;
      health.address = config_.health.address;
      health.port = config_.health.port;
      health.tls = false;
      health.connections_max = 64;
      TALLA_TRY(parts_.health, http::Server::create(health, [gateway](const http::Request& request,
                                                                      const http::Respond& respond) {
                  gateway->handle_health(request, respond);
                }));
      rngd::log(Level::info, "health_listening", {{"port", std::to_string(parts_.health->port())}});
    }
    return {};
  }

 private:
  Parts& parts_;
  const Config& config_;
  std::vector<EnrolledClient> clients_;
};

Runtime::Runtime(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Runtime::~Runtime() {
  stop();
}

Result<std::unique_ptr<Runtime>> Runtime::create(const Config& config, const std::string& config_text) {
  std::unique_ptr<Runtime> runtime(new Runtime(std::make_unique<Parts>()));
  RuntimeStart start(*runtime->parts_, config);
  TALLA_TRY_STATUS(start.keys());
  TALLA_TRY_STATUS(start.log());
  TALLA_TRY_STATUS(start.generator());
  TALLA_TRY_STATUS(start.service(config_text));
  TALLA_TRY_STATUS(start.outlets());
  TALLA_TRY_STATUS(start.listeners());
  return runtime;
}

bool Runtime::failed() const {
  return parts_->service->failed();
}

std::uint64_t Runtime::turns() const {
  return parts_->service->turns();
}

core::Readiness Runtime::readiness() const {
  return parts_->service->ready();
}

void Runtime::stop() {
  if (parts_->outlets) parts_->outlets->stop();
  if (parts_->ledger_watch) parts_->ledger_watch->stop();
  if (parts_->service) parts_->service->stop();
  if (parts_->keeper) parts_->keeper->release();
  if (parts_->monitors) parts_->monitors->stop();
  if (parts_->api) parts_->api->stop();
  if (parts_->health) parts_->health->stop();
}

}  // namespace talla::rngd
