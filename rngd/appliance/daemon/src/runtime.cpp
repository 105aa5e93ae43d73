#include "runtime.hpp"

#include <utility>

#include "act_journal.hpp"
#include "certification.hpp"
#include "certs/anchor.hpp"
#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/keys.hpp"
#include "certs/known_answers.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "certs/succession.hpp"
#include "config/certified_settings.hpp"
#include "config/enrolment.hpp"
#include "copy_watch.hpp"
#include "core/effects.hpp"
#include "core/openapi.hpp"
#include "core/service.hpp"
#include "device_readings.hpp"
#include "entropy/library_random.hpp"
#include "gateway.hpp"
#include "ledger_open.hpp"
#include "ledger_watch.hpp"
#include "listeners.hpp"
#include "log.hpp"
#include "log_end.hpp"
#include "monitor/monitors.hpp"
#include "outlets.hpp"
#include "predecessor.hpp"
#include "software_setup.hpp"
#include "source_keeper.hpp"
#include "sources.hpp"
#include "start_settings.hpp"
#include "web/links.hpp"
#include "witness/anchor_choice.hpp"

namespace talla::rngd {

/// In the order of construction; destroyed in reverse.
struct Runtime::Parts {
  SystemClock clock;
  certs::OpensslHashes hashes;
  entropy::SystemOsRandom os;
  entropy::CpuRdSeed rdseed;
  std::shared_ptr<certs::Ed25519Signer> signer;
  std::vector<certs::RetiredKey> retired;
  std::unique_ptr<certs::Sealer> sealer;
  std::string sealing;
  certs::LogKey log_key;
  std::optional<certs::EndedLog> ended;  // what the root said of this log; none: it goes on
  OpenLedger ledger;
  std::unique_ptr<certs::Anchor> anchor;
  std::unique_ptr<certs::OuterAnchor> device_anchor;  // null: neither TPM nor HSM
  std::unique_ptr<WitnessKeeper>
      witnesses;  // null: none are configured; its thread ends before the log
  std::unique_ptr<certs::Log> log;
  std::unique_ptr<Predecessor> predecessor;  // null: the log follows no other
  std::unique_ptr<certs::TileWriter> tiles;
  std::unique_ptr<Monitors> monitors;  // null: switched off
  bool certified = false;
  std::unique_ptr<DevicePages> devices;
  std::unique_ptr<SourceKeeper>
      keeper;  // after the generator: its thread's rngd-sources end with it
  std::unique_ptr<core::GeneratorSupply> supply;
  std::unique_ptr<entropy::LibraryRandom>
      library_random;                       // before those who draw through OpenSSL: they end first
  entropy::Generator* generator = nullptr;  // of the supply
  std::unique_ptr<CopyWatch> copies;        // null: the kernel's news cannot be had
  std::unique_ptr<Outlets> outlets;         // null: nothing goes out to others
  std::unique_ptr<SoftwareWatch> software;  // before the service, whose hook it is
  std::unique_ptr<CertificationKeeper> certification;  // the same; null: none is configured
  std::unique_ptr<core::Service> service;
  std::unique_ptr<ActJournal> acts;
  std::unique_ptr<LedgerWatch> ledger_watch;
  web::OddsPages odds{hashes};
  std::optional<web::Links> links;  // none: no public listener
  std::unique_ptr<Gateway> gateway;
  ListenerTraffic traffic;
  std::optional<Listeners> listeners;
};

/// The steps of a start; each leaves its part in place or says why not.
class RuntimeStart {
 public:
  using Parts = Runtime::Parts;
  RuntimeStart(Parts& parts, const Config& config) : parts_(parts), config_(config) {}

  /// Before everything else: what runs here, as its maker and a laboratory have signed it.
  Status software() {
    TALLA_TRY(parts_.software, open_software(config_, parts_.hashes, parts_.clock));
    return {};
  }

  Status keys() {
    TALLA_TRY(certs::OpenedKeys keys, certs::open_keys(key_sources(config_)));
    parts_.signer = std::move(keys.signer);
    parts_.sealer = std::move(keys.sealer);
    parts_.sealing = std::move(keys.sealing);
    TALLA_TRY(parts_.log_key, certs::load_log_key(config_.keys.log_statement, config_.origin,
                                                  parts_.signer->public_key()));
    TALLA_TRY(const SecretBytes api_key, certs::read_private_file(config_.api.key));
    static_cast<void>(api_key);
    if (config_.public_listener.enabled && !config_.public_listener.key.empty()) {
      TALLA_TRY(const SecretBytes public_key,
                certs::read_private_file(config_.public_listener.key));
      static_cast<void>(public_key);
    }
    return refuse_development(config_, parts_.log_key, parts_.sealing);
  }

  /// Of the two keys that are configured the one that the log's newest announcement names.
  Status choose_log_key() {
    auto sources = log_key_sources(config_);
    sources.front().signer = parts_.signer;
    TALLA_TRY(certs::ChosenLogKey chosen,
              certs::choose_log_key(*parts_.ledger.ledger, config_.origin, sources));
    parts_.signer = std::move(chosen.signer);
    parts_.log_key = std::move(chosen.log_key);
    parts_.retired = std::move(chosen.retired);
    return refuse_development(config_, parts_.log_key, parts_.sealing);
  }

  Status log() {
    TALLA_TRY_STATUS(certs::create_folder(config_.data_folder));
    TALLA_TRY(parts_.ended, load_log_end(config_));
    if (!parts_.ended) TALLA_TRY_STATUS(certs::refuse_retired(config_.data_folder, config_.origin));
    TALLA_TRY(parts_.ledger, open_ledger(config_));
    TALLA_TRY_STATUS(choose_log_key());
    if (!parts_
             .ended) {  // of a log that has ended the root says which history counts, and no anchor
      parts_.anchor = std::make_unique<certs::FileAnchor>(config_.data_folder + "/anchor.json");
      TALLA_TRY_STATUS(outer_anchor());
    }
    certs::Log::Options log_options;
    log_options.origin = config_.origin;
    const bool witnessed = config_.anchor.kind == "witness";
    certs::OuterAnchor* outer = parts_.device_anchor.get();
    if (witnessed && !parts_.ended) outer = parts_.witnesses.get();
    TALLA_TRY(parts_.log, certs::Log::open({.hashes = parts_.hashes,
                                            .ledger = *parts_.ledger.ledger,
                                            .signer = *parts_.signer,
                                            .clock = parts_.clock,
                                            .anchor = parts_.anchor.get(),
                                            .outer = outer},
                                           log_options));
    if (parts_.ended) TALLA_TRY_STATUS(ended());
    if (parts_.witnesses && !witnessed) {
      TALLA_TRY(const std::uint64_t boot,
                parts_.witnesses->compare(parts_.log->prover(),
                                          {.origin = config_.origin, .adopt = false}));
      static_cast<void>(boot);
    }
    if (!parts_.ended && config_.anchor.kind == "local" && config_.profile == Profile::production) {
      rngd::log(Level::warning, "anchor_local",
                {{"meaning", "who can restore the whole disk can take up an older ledger"}});
    }
    TALLA_TRY_STATUS(predecessor());
    const bool published = !config_.tiles_folder.empty();
    TALLA_TRY(certs::TileWriter tiles,
              certs::TileWriter::open(
                  *parts_.log, published ? config_.tiles_folder : config_.data_folder + "/tiles",
                  published));
    parts_.tiles = std::make_unique<certs::TileWriter>(std::move(tiles));
    rngd::log(Level::info, "ledger_open",
              {{"origin", config_.origin},
               {"records", std::to_string(parts_.log->size())},
               {"boot", std::to_string(parts_.log->boot())}});
    return {};
  }

  Status ended() {
    TALLA_TRY_STATUS(check_log_end(*parts_.ended, *parts_.log));
    const auto& statement = parts_.ended->statement;
    rngd::log(Level::warning, "log_ended",
              {{"records", std::to_string(parts_.ended->last.size)},
               {"reason", std::string(certs::end_reason_name(statement.reason))},
               {"successor", statement.successor ? statement.successor->origin : "none"},
               {"meaning", "read-only: nothing is added to this log any more"}});
    return {};
  }

  Status predecessor() {
    TALLA_TRY(parts_.predecessor, Predecessor::open(config_, parts_.hashes, *parts_.ledger.ledger));
    if (!parts_.predecessor) return {};
    rngd::log(Level::notice, "predecessor",
              {{"origin", parts_.predecessor->manifest().origin},
               {"records", std::to_string(parts_.predecessor->manifest().size)},
               {"replies", parts_.predecessor->proves() ? "given again"
                                                        : "refused, its log key is not here"}});
    return {};
  }

  /// The anchor outside the disk, and the witnesses, which may be it.
  Status outer_anchor() {
    const auto say = [](const std::string& event, const std::string& detail) {
      rngd::log(event == "second_history" ? Level::error : Level::warning, event,
                {{"detail", detail}});
    };
    TALLA_TRY(parts_.witnesses, make_witnesses(config_, say));
    TALLA_TRY(parts_.device_anchor, make_device_anchor(config_));
    return {};
  }

  /// A log that has ended draws nothing: what it holds is read without the device too.
  Status generator() {
    Config::Source source = config_.source;
    if (parts_.ended) source = {.kind = "system", .devices = {}, .user = {}, .socket = {}};
    if (!parts_.ended) TALLA_TRY_STATUS(check_assessments(config_));
    TALLA_TRY(ChosenSources chosen,
              choose_sources(source, source_program(), parts_.os, parts_.rdseed));
    if (!parts_.ended) {
      TALLA_TRY_STATUS(refuse_uncertified(config_, chosen));
      TALLA_TRY_STATUS(monitors(chosen));
    }
    parts_.certified = chosen.certified;
    rngd::log(
        chosen.certified ? Level::notice : Level::warning, "source",
        {{"model", chosen.description},
         {"certified", chosen.certified ? "yes" : "no"},
         {"meaning", chosen.certified ? "SP 800-90C RBG3(XOR)"
                     : chosen.raw ? "uncertified source, RBG3(XOR) by a figure without a document"
                                  : "uncertified source, not an SP 800-90C RBG"}});
    entropy::GeneratorOptions options;
    options.appliance_id = config_.origin;
    options.boot_counter = parts_.log->boot();
    options.allow_uncertified =
        parts_.ended || (config_.profile == Profile::development && config_.source.kind != "usb");
    options.outlet_blocks = Outlets::blocks_wanted(config_);
    options.further_known_answers = [] { return certs::check_known_answers(); };
    TALLA_TRY(auto generator,
              entropy::Generator::create(
                  options, std::move(chosen.slots),
                  {.clock = parts_.clock, .os = parts_.os, .rdseed = parts_.rdseed}));
    parts_.generator = generator.get();
    TALLA_TRY(parts_.supply, core::GeneratorSupply::create(std::move(generator)));
    // The first seed may wait for the pool; no later one holds up who draws.
    const auto bits = [generator = parts_.generator,
                       wait_ms = 30'000U](std::size_t count) mutable -> Result<SecretBytes> {
      TALLA_TRY(entropy::FullEntropy drawn,
                generator->full_entropy(count, std::exchange(wait_ms, 0U)));
      return std::move(drawn.bytes);
    };
    TALLA_TRY(parts_.library_random, entropy::LibraryRandom::install(bits, config_.origin));
    watch_for_copies();
    parts_.devices = std::make_unique<DevicePages>(chosen.usb);
    if (chosen.usb.empty()) return {};
    parts_.keeper = std::make_unique<SourceKeeper>(std::move(chosen.usb));
    parts_.keeper->keep(*parts_.supply, [monitors = parts_.monitors.get()](
                                            std::unique_ptr<entropy::NoiseSource> stream) {
      return monitors == nullptr ? std::move(stream) : monitors->watch_again(std::move(stream));
    });
    return {};
  }

  /// A copy of this machine has all that the original has. What OpenSSL draws goes apart at once,
  /// and draws only after two persons and new seeds.
  void watch_for_copies() {
    const bool marked = has_generation_id();
    auto watch = CopyWatch::open([this_parts = &parts_] {
      rngd::log(Level::error, "machine_copied",
                {{"meaning", "resumed from a snapshot, or a copy: the generator is latched"}});
      this_parts->supply->latch(entropy::LatchReason::machine_copied);
      SecretBytes own(entropy::LibraryRandom::seed_bytes);
      if (this_parts->os.fill(own)) this_parts->library_random->stir(own);
    });
    if (!watch)
      rngd::log(Level::warning, "copies_unwatched", {{"reason", watch.error().text()}});
    else
      parts_.copies = std::move(*watch);
    rngd::log(Level::info, "machine_generation",
              {{"id", marked ? "yes" : "no"},
               {"watched", marked && parts_.copies ? "as far as this kernel announces it" : "no"},
               {"meaning", marked ? "a snapshot that is resumed latches the generator"
                                  : "no virtual machine, or one whose snapshots go unnoticed"}});
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
                                .ledger = *parts_.ledger.ledger,
                                .say = [](const std::string& event, const std::string& detail) {
                                  rngd::log(Level::warning, event, {{"detail", detail}});
                                }}));
    for (entropy::SourceSlot& slot : chosen.slots)
      slot.source = parts_.monitors->watch(std::move(slot.source));
    return {};
  }

  Status service(const std::string& config_text) {
    TALLA_TRY(const std::string enrolment, certs::read_file(config_.api.enrolment));
    TALLA_TRY(const auto clients, parse_enrolment(enrolment, config_.api.enrolment));
    TALLA_TRY_STATUS(
        parts_.software->check_running());  // everything is loaded, nothing is committed yet
    core::Settings settings = settings_of(config_, clients);
    settings.enrolment_digest = parts_.hashes.sha256({as_bytes(enrolment)});
    settings.sealing = parts_.sealing;
    if (parts_.ended)
      settings.ended = core::LogEnded{
          .reason = std::string(certs::end_reason_name(parts_.ended->statement.reason)),
          .size = parts_.ended->last.size};
    TALLA_TRY(settings.software_digest, program_digest(parts_.hashes));
    const auto records = parts_.log->size();
    settings.config_digest = parts_.hashes.sha256({as_bytes(config_text)});
    settings.settings_digest = certs::settings_digest(parts_.hashes, certified_settings(config_));
    TALLA_TRY_STATUS(certification());
    TALLA_TRY(parts_.service,
              core::Service::create(
                  std::move(settings),
                  {.clock = parts_.clock,
                   .hashes = parts_.hashes,
                   .log = *parts_.log,
                   .sealer = *parts_.sealer,
                   .supply = *parts_.supply,
                   .log_key = parts_.log_key,
                   .tiles = parts_.tiles.get(),
                   .monitors = parts_.monitors.get(),
                   .cosigned = cosigned(),
                   .device = [devices = parts_.devices.get()](
                                 std::size_t source) { return devices->status(source); },
                   .software = parts_.software.get(),
                   .retired_keys = parts_.retired,
                   .next_log_key = next_log_key(),
                   .certification = parts_.certification.get()}));
    parts_.service->start();
    parts_.acts = std::make_unique<ActJournal>(*parts_.service);
    parts_.acts->start(records, parts_.clock.utc_us());
    parts_.software->start([](const std::vector<software::Finding>& findings) {
      for (const auto& one : findings)
        rngd::log(Level::error, "software_mismatch", {{"path", one.path}, {"what", one.what}});
    });
    if (parts_.witnesses)
      parts_.witnesses->start([service = parts_.service.get()] { service->fail_now(); });
    parts_.ledger_watch = std::make_unique<LedgerWatch>(
        parts_.ledger.check,
        [service = parts_.service.get()](const Error&) { service->fail_now(); });
    if (parts_.monitors) parts_.monitors->start(*parts_.supply);
    return {};
  }

  Status certification() {
    if (config_.certification.folder.empty() || parts_.ended) return {};
    std::vector<certs::LogKey> keys{parts_.log_key};
    for (const certs::RetiredKey& retired : parts_.retired) keys.push_back(retired.log_key);
    TALLA_TRY(parts_.certification, CertificationKeeper::open(config_, parts_.hashes, keys));
    return {};
  }

  [[nodiscard]] std::function<Result<core::NextLogKey>()> next_log_key() const {
    if (config_.keys.next_log_key.empty()) return {};
    return [config = config_] { return open_next(config); };
  }

  [[nodiscard]] core::CosignedSource cosigned() const {
    if (parts_.ended) {  // everything is proven at the last checkpoint that counts
      return [end = &*parts_.ended](
                 std::optional<std::uint64_t> seq) -> std::optional<core::CosignedCheckpoint> {
        if (seq && *seq >= end->last.size) return std::nullopt;
        return core::CosignedCheckpoint{.size = end->last.size, .note = end->statement.checkpoint};
      };
    }
    if (!parts_.witnesses) return {};
    return [keeper = parts_.witnesses.get()](
               std::optional<std::uint64_t> seq) -> std::optional<core::CosignedCheckpoint> {
      auto found = keeper->covering(seq);
      if (!found) return std::nullopt;
      return core::CosignedCheckpoint{.size = found->size, .note = std::move(found->note)};
    };
  }

  Status outlets() {
    if (parts_.ended) return {};
    TALLA_TRY(parts_.outlets,
              Outlets::create(config_, parts_.certified, *parts_.generator, parts_.clock));
    return {};
  }

  Status listeners() {
    GatewayOptions options;
    options.openapi = core::openapi_document();
    options.entropy_metrics = [this_supply = parts_.supply.get()] {
      return this_supply->metrics();
    };
    options.add_metrics = [monitors = parts_.monitors.get(), witnesses = parts_.witnesses.get(),
                           device = parts_.device_anchor.get(), outlets = parts_.outlets.get(),
                           devices = parts_.devices.get(), traffic = &parts_.traffic,
                           software = parts_.software.get()](core::MetricsSnapshot& all) {
      software->add_metrics(all.counters, all.gauges);
      devices->add_metrics(all.counters, all.gauges);
      traffic->add_metrics(all);
      if (monitors != nullptr) monitors->add_metrics(all.counters, all.gauges);
      if (outlets != nullptr) outlets->add_metrics(all.counters, all.gauges);
      if (witnesses != nullptr) witnesses->add_metrics(all.counters, all.gauges);
      if (device != nullptr)
        all.counters["talla_anchor_failures_total"] += static_cast<double>(device->failures());
    };
    options.uncertified_source = !parts_.certified;
    options.odds = &parts_.odds;
    options.clock = &parts_.clock;
    if (const Predecessor* before = parts_.predecessor.get(); before != nullptr) {
      options.earlier = [before](const core::Request& request) { return before->reply(request); };
      options.earlier_lost = [before](const core::Request& request) {
        return before->lost_reply(request);
      };
    }
    if (config_.public_listener.enabled) {
      TALLA_TRY(parts_.links,
                web::Links::open(parts_.hashes, config_.data_folder + "/public-links.key"));
      options.links = &*parts_.links;
      TALLA_TRY(options.roots, certs::read_file(config_.api.client_roots));
    }
    parts_.gateway = std::make_unique<Gateway>(*parts_.service, std::move(options));
    TALLA_TRY(parts_.listeners, Listeners::open(config_, *parts_.gateway, parts_.traffic));
    return {};
  }

 private:
  Parts& parts_;
  const Config& config_;
};

Runtime::Runtime(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Runtime::~Runtime() {
  stop();
}

Result<std::unique_ptr<Runtime>> Runtime::create(const Config& config,
                                                 const std::string& config_text) {
  std::unique_ptr<Runtime> runtime(new Runtime(std::make_unique<Parts>()));
  RuntimeStart start(*runtime->parts_, config);
  TALLA_TRY_STATUS(start.software());
  TALLA_TRY_STATUS(start.keys());
  TALLA_TRY_STATUS(start.log());
  TALLA_TRY_STATUS(start.generator());
  TALLA_TRY_STATUS(start.service(config_text));
  TALLA_TRY_STATUS(start.outlets());
  TALLA_TRY_STATUS(start.listeners());
  runtime->parts_->service->serving();
  return runtime;
}

bool Runtime::failed() const {
  return parts_->service->failed();
}

bool Runtime::fenced() const {
  return parts_->ledger.server != nullptr && parts_->ledger.server->fenced();
}

std::uint64_t Runtime::turns() const {
  return parts_->service->turns();
}

core::Readiness Runtime::readiness() const {
  return parts_->service->ready();
}

Status Runtime::renew_tls() {
  return parts_->listeners->renew_tls();
}

Status Runtime::renew_certification() {
  return parts_->certification ? parts_->certification->reload() : Status();
}

void Runtime::stop() {
  if (parts_->outlets) parts_->outlets->stop();
  if (parts_->ledger_watch) parts_->ledger_watch->stop();
  if (parts_->software) parts_->software->stop();  // hands waiting challenges over
  if (parts_->service) parts_->service->stop();
  if (parts_->acts) parts_->acts->stop();
  if (parts_->witnesses) parts_->witnesses->stop();
  if (parts_->keeper) parts_->keeper->release();
  if (parts_->monitors) parts_->monitors->stop();
  if (parts_->listeners) parts_->listeners->stop();
}

}  // namespace talla::rngd
