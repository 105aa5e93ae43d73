#include <algorithm>
#include <array>
#include <cstdlib>

#include "core.hpp"
#include "entropy/health.hpp"
#include "people.hpp"

namespace talla::core {
namespace {

using certs::Kind;

/// Document of the ledger: the digest of the configuration that served last. One that ends in a failed start is none.
constexpr const char* config_document = "config";
constexpr std::int64_t tiles_interval_ns = 1'000'000'000;
/// Objects named by one HEALTH record: with the longest ids it stays below half of what a record may hold.
constexpr std::size_t health_objects_max = 1000;
/// What one reseed takes of a credited source (SP 800-90C: one conditioner block of 576 assessed bits).
constexpr std::int64_t reseed_millibits = 576'000;
/// Of one key: its certificate is shown as refused once an hour, of so many keys, with so many waiting for their record.
constexpr std::int64_t refused_interval_ns = 3'600'000'000'000;
constexpr std::size_t refused_known_max = 1024;
constexpr std::size_t refused_waiting_max = 64;

bool overlaps(const SampleWindow& window, std::int64_t from_ns, std::int64_t to_ns) {
  return window.to_ns != 0 && window.from_ns <= to_ns && window.to_ns >= from_ns;
}

}  // namespace

Status Service::Core::add_start_records() {
  const bool genesis = effects_.log.size() == 0;
  Transaction tx(tx_effects(), world_, {});
  const auto add = [&](Kind kind, json::Object body) -> Status {
    TALLA_TRY(const auto seq, tx.add({kind, {}, {}, std::move(body)}));
    static_cast<void>(seq);
    return {};
  };
  TALLA_TRY_STATUS(add(Kind::power, {{"event", "start"}, {"clean", genesis || clean_before_}}));
  TALLA_TRY_STATUS(add_latch_record(tx));
  TALLA_TRY_STATUS(add_software_record(tx));
  TALLA_TRY_STATUS(add_config_record(tx));
  if (genesis) {
    TALLA_TRY_STATUS(add(Kind::key, {{"purpose", "log"}, {"log_key", effects_.log_key.to_json()}}));
  }
  TALLA_TRY_STATUS(add_client_records(tx));
  keep_approvals(tx);
  tx.keep();
  return {};
}

Result<std::vector<std::uint64_t>> Service::Core::approved_change(Transaction& tx, ActKind kind,
                                                                  const Digest& digest,
                                                                  const std::string& what) const {
  if (const auto approval = find_approval(tx.world(), kind, digest)) return std::vector{approval->seq};
  // Without an officer and an inspector there is nobody to ask: an appliance that is just being set up.
  if (settings_.profile == "production" && can_approve(tx.world().clients()))
    return fail(Errc::not_approved,
                what + " has changed since the last start, and no two persons have approved " +
                    to_hex(digest) + " (talla act ask " + std::string(act_name(kind)) + ")");
  return std::vector<std::uint64_t>{};
}

Status Service::Core::add_config_record(Transaction& tx) {
  const auto hex = to_hex(settings_.config_digest);
  TALLA_TRY(const auto before, effects_.log.ledger().draft(config_document));
  std::vector<std::uint64_t> cites;
  if (before && !before->empty() && *before != hex) {
    TALLA_TRY(cites,
              approved_change(tx, ActKind::config_change, settings_.config_digest, "the configuration"));
  }
  json::Object body{{"digest", hex}, {"profile", settings_.profile}};
  json::Array limits;
  for (const std::string& limit : certs::rollback_limits(settings_.rollback_protection))
    limits.emplace_back(limit);
  body["rollback_limits"] = std::move(limits);
  TALLA_TRY(const auto seq, tx.add({Kind::config, {}, std::move(cites), std::move(body)}));
  static_cast<void>(seq);
  config_known_ = before && *before == hex;
  return {};
}

void Service::Core::keep_config() {
  if (!serving_ || config_known_) return;
  effects_.log.group().drafts.push_back({config_document, to_hex(settings_.config_digest)});
  config_known_ = true;
}

Status Service::Core::add_client_records(Transaction& tx) {
  TALLA_TRY(const auto text, effects_.log.ledger().draft(enrolment_file_document));
  // A ledger from before two persons could enrol: its list is that of its file.
  std::vector<EnrolledClient> before = tx.world().clients();
  const bool known = text && !text->empty();
  if (known) {
    TALLA_TRY(before, enrolment_from(*text));
  }
  if (known && before == settings_.clients) return {};
  std::vector<std::uint64_t> cites;
  if (known) {
    TALLA_TRY(cites, approved_change(tx, ActKind::enrolment_change, settings_.enrolment_digest,
                                     "the list of clients"));
  }
  return take_enrolment_file(tx, before, settings_.clients, cites);
}

void Service::Core::note_refused(RefusedCertificate refused) {
  count("talla_certificates_refused_total");
  const std::scoped_lock lock(mutex_);
  if (refused_.size() < refused_waiting_max) refused_.push_back(std::move(refused));
}

void Service::Core::record_refused() {
  std::deque<RefusedCertificate> waiting;
  {
    const std::scoped_lock lock(mutex_);
    waiting.swap(refused_);
  }
  const auto now = effects_.clock.monotonic_ns();
  std::erase_if(refused_ns_, [now](const auto& item) { return now - item.second >= refused_interval_ns; });
  for (const auto& one : waiting) {
    if (refused_ns_.size() >= refused_known_max || !refused_ns_.emplace(one.spki + one.reason, now).second)
      continue;
    Transaction tx(tx_effects(), world_, {});
    const json::Object body{
        {"what", one.reason}, {"result", "refused"}, {"object", one.spki}, {"by", json::Array{one.id}}};
    if (tx.add({Kind::access, {}, {}, body})) tx.keep();
  }
}

/// An event that cannot be recorded may have been an alarm over a commitment: nothing goes on without it.
void Service::Core::record_events() {
  for (const auto& event : effects_.supply.take_events()) {
    if (record_event(event)) continue;
    count("talla_event_records_lost_total");
    effects_.supply.latch(entropy::LatchReason::other);
    failed_ = true;
  }
  record_monitor_reports();
}

/// An alarm of a monitor names no objects: it speaks about months, and is never a reason to shuffle again.
Status Service::Core::record_report(const MonitorReport& report) {
  Transaction tx(tx_effects(), world_, {});
  if (report.kind != Kind::unknown) {
    TALLA_TRY(const auto seq, tx.add({report.kind, {}, {}, report.body}));
    static_cast<void>(seq);
  }
  if (!report.registry.empty()) tx.group().drafts.push_back({MonitorHook::registry_name, report.registry});
  tx.keep();
  return {};
}

void Service::Core::record_monitor_reports() {
  if (effects_.monitors == nullptr) return;
  for (const auto& report : effects_.monitors->take_reports()) {
    if (report.latch) {
      monitor_latched_ = true;
      effects_.supply.latch(entropy::LatchReason::health_permanent);
    }
    if (record_report(report)) continue;
    count("talla_event_records_lost_total");
    effects_.supply.latch(entropy::LatchReason::other);
    failed_ = true;
  }
}

std::vector<std::string> Service::Core::overlapping(std::int64_t from_ns, std::int64_t to_ns) const {
  std::vector<std::string> ids;
  for (const auto& [seq, shoe] : world_.shoes) {
    if (shoe.live() && overlaps(shoe.samples, from_ns, to_ns)) ids.emplace_back(shoe.id);
  }
  for (const auto& [seq, batch] : world_.batches) {
    if (!batch.closed && overlaps(batch.samples, from_ns, to_ns)) ids.emplace_back(batch.id);
  }
  return ids;
}

/// One HEALTH, or several when the objects do not fit into one: all of them in the same group.
Status Service::Core::record_alarm(const entropy::Event& event, const entropy::Evidence& evidence) {
  const auto good_us = event.utc_us - (event.monotonic_ns - event.suspect_from_ns) / 1000;
  const bool known = event.source < evidence.sources.size();
  const auto ids = overlapping(event.suspect_from_ns, event.monotonic_ns);
  Transaction tx(tx_effects(), world_, {});
  auto next = ids.begin();
  std::uint64_t dropped = event.dropped_samples;
  do {
    json::Array part;
    for (; next != ids.end() && part.size() < health_objects_max; ++next) part.emplace_back(*next);
    Addition addition;
    addition.kind = Kind::health;
    addition.body =
        json::Object{{"source", known ? evidence.sources[event.source].model : std::string("unknown")},
                     {"test", entropy::health_test_name(event.test)},
                     {"level", std::min<std::uint32_t>(event.level, 2)},
                     {"dropped", std::exchange(dropped, 0)},
                     {"last_good_us", std::max<std::int64_t>(good_us, 0)},
                     {"alarm_us", std::max<std::int64_t>(event.utc_us, 0)},
                     {"overlapping", std::move(part)}};
    TALLA_TRY(const auto seq, tx.add(std::move(addition)));
    static_cast<void>(seq);
  } while (next != ids.end());
  tx.keep();
  return {};
}

Status Service::Core::record_event(const entropy::Event& event) {
  using entropy::EventKind;
  Addition addition;
  const auto evidence = effects_.supply.evidence();
  if (event.kind == EventKind::health && event.level >= 1) return record_alarm(event, evidence);
  if (event.kind == EventKind::reseed) {
    addition.kind = Kind::reseed;
    addition.body = json::Object{{"counter", event.reseed_counter},
                                 {"cause", event.reseed_counter <= 1 || reset_runs_ ? "startup" : "timer"},
                                 {"assessed_millibits", evidence.uncertified ? 0 : reseed_millibits}};
  } else if (event.kind == EventKind::self_test) {
    addition.kind = Kind::selftest;
    addition.body = json::Object{
        {"test", "generator-known-answers"}, {"result", event.passed ? "pass" : "fail"}, {"count", 1}};
  } else if (event.kind == EventKind::source || event.kind == EventKind::health) {
    // A device that is back, taken or refused; a start-up test passed.
    const bool back = event.kind == EventKind::source;
    const std::string model =
        event.source < evidence.sources.size() ? evidence.sources[event.source].model : "unknown";
    addition.kind = Kind::selftest;
    addition.body = json::Object{{"test", (back ? "source-back:" : "startup:") + model},
                                 {"result", !back || event.passed ? "pass" : "fail"},
                                 {"count", back ? 1 : static_cast<std::int64_t>(entropy::startup_samples)}};
  } else if (event.kind == EventKind::state && event.state == entropy::State::latched) {
    addition.kind = Kind::selftest;
    addition.body =
        json::Object{{"test", "generator-" + std::string(entropy::latch_reason_name(event.reason))},
                     {"result", "fail"},
                     {"count", 1}};
  } else {
    return {};
  }
  Transaction tx(tx_effects(), world_, {});
  TALLA_TRY(const auto seq, tx.add(std::move(addition)));
  static_cast<void>(seq);
  if (event.kind == EventKind::state) {
    latch_stands_ = true;  // a restart finds it in the log (latch_of_log)
  }
  tx.keep();
  return {};
}

void Service::Core::watch_clock() {
  const auto offset = effects_.clock.utc_us() - effects_.clock.monotonic_ns() / 1000;
  if (clock_offset_us_ != 0 && std::abs(offset - clock_offset_us_) > settings_.clock_step_us_max &&
      !clock_stepped_) {
    clock_stepped_ = true;
    effects_.supply.latch(entropy::LatchReason::clock_step);
  }
  clock_offset_us_ = offset;
}

Status Service::Core::commitments_allowed() const {
  if (clock_stepped_) return fail(Errc::clock_stepped, "the wall clock stepped beyond its bound");
  if (disk_low_) return fail(Errc::disk_reserve, "free disk space is below the reserve");
  if (anchor_lost_) return fail(Errc::anchor_lost, "the rollback anchor has not been written for too long");
  if (software_bad_)
    return fail(Errc::software_mismatch,
                "the software is not what its manifest says; /v1/software names what");
  if (software_held_)
    return fail(Errc::software_mismatch, "the software changed, and this start did not take it: " +
                                             software_held_->path + " " + software_held_->what);
  if (latch_stands_) return fail(Errc::entropy_latched, "the generator is latched");
  return {};
}

/// Written at most every interval. One that stays behind for long protects nothing that is new.
void Service::Core::watch_anchor() {
  const auto now = effects_.clock.monotonic_ns();
  const auto lag = effects_.log.anchor_lag();
  const auto anchored = effects_.log.size() - lag;
  if (lag == 0 || anchored != anchor_seen_) {
    anchor_good_ns_ = now;
    anchor_seen_ = anchored;
  }
  anchor_lost_ = settings_.anchor_lost_us > 0 && now - anchor_good_ns_ >= settings_.anchor_lost_us * 1000;
  if (lag == 0 || now - anchored_ns_ < settings_.anchor_interval_us * 1000) return;
  if (!effects_.log.post_anchor()) count("talla_anchor_failures_total");
  anchored_ns_ = now;
}

/// Low until a sixteenth more than the reserve is free: what is written at the border ends nothing.
void Service::Core::watch_disk() {
  const auto free = effects_.log.ledger().disk_free_bytes();
  if (!free) return;
  const auto reserve = settings_.disk_reserve_bytes;
  disk_low_ = *free < reserve || (disk_low_ && *free - reserve < reserve / 16);
}

/// What stops new commitments stands in the log, and its end too.
void Service::Core::tell(Condition& condition, bool stands) {
  if (condition.told == stands || failed_) return;
  Transaction tx(tx_effects(), world_, {});
  if (!tx.add({certs::Kind::selftest,
               {},
               {},
               json::Object{{"test", condition.name}, {"result", stands ? "fail" : "pass"}, {"count", 1}}}))
    return;  // again in the next turn
  tx.keep();
  condition.told = stands;
}

/// One thread at a time.
void Service::Core::write_tiles() {
  if (!effects_.tiles->update()) count("talla_tile_failures_total");
}

void Service::Core::keep_house() {
  const auto now = effects_.clock.monotonic_ns();
  if (!settings_.ended) {
    watch_disk();
    watch_anchor();
    tell(disk_told_, disk_low_);
    tell(anchor_told_, anchor_lost_);
  }
  if (effects_.tiles != nullptr && now - tiles_ns_ >= tiles_interval_ns) {
    if (tiles_aside_) {
      tiles_aside_->ask();
    } else {
      write_tiles();
    }
    tiles_ns_ = now;
  }
  const std::scoped_lock lock(metrics_mutex_);
  gauges_["talla_log_size"] = static_cast<double>(effects_.log.size());
  gauges_["talla_anchor_lag_records"] = static_cast<double>(effects_.log.anchor_lag());
  gauges_["talla_tables_open"] = static_cast<double>(world_.tables.size());
  gauges_["talla_shoes_live"] = static_cast<double>(world_.shoes.size());
  gauges_["talla_rounds_open"] = static_cast<double>(world_.rounds.size());
  gauges_["talla_batches_open"] = static_cast<double>(world_.batches.size());
  std::erase_if(gauges_, [](const auto& gauge) { return gauge.first.starts_with("talla_meter_value{"); });
  for (const auto& [seq, meter] : world_.meters)
    gauges_["talla_meter_value{meter=\"" + meter.id + "\"}"] = static_cast<double>(meter.value);
  gauges_["talla_meters_open"] = static_cast<double>(world_.meters.size());
  gauges_["talla_acts_open"] = static_cast<double>(Overlay(world_).open_acts().size());
  gauges_["talla_latched"] = latch_stands_ || effects_.supply.latched() ? 1.0 : 0.0;
  gauges_["talla_disk_below_reserve"] = disk_low_ ? 1.0 : 0.0;
  gauges_["talla_anchor_lost"] = anchor_lost_ ? 1.0 : 0.0;
  gauges_["talla_log_ended"] = settings_.ended ? 1.0 : 0.0;
  gauges_["talla_software_not_approved"] = software_held_ ? 1.0 : 0.0;
}

Readiness Service::Core::ready() const {
  Readiness state;
  const auto add = [&](Errc errc) { state.reasons.emplace_back(errc_name(errc)); };
  if (failed_) add(Errc::ledger_failed);
  if (settings_.ended) {
    add(Errc::log_ended);
    return state;
  }
  if (clock_stepped_) add(Errc::clock_stepped);
  if (disk_low_) add(Errc::disk_reserve);
  if (anchor_lost_) add(Errc::anchor_lost);
  if (software_bad_ || software_held_) add(Errc::software_mismatch);
  if (latch_stands_ || effects_.supply.latched()) {
    add(Errc::entropy_latched);
  } else if (effects_.supply.ready_bits() == 0) {
    add(Errc::entropy_not_ready);
  }
  state.ready = state.reasons.empty();
  return state;
}

/// There before they count: whoever watches their rise must have seen 0.
constexpr std::array counters_from_the_start{
    "talla_anchor_failures_total",    "talla_draw_failures_total",  "talla_draws_total",
    "talla_event_records_lost_total", "talla_groups_total",         "talla_records_total",
    "talla_requests_total",           "talla_seals_unusable_total", "talla_tile_failures_total",
};

MetricsSnapshot Service::Core::metrics() const {
  MetricsSnapshot snapshot;
  {
    const std::scoped_lock lock(metrics_mutex_);
    snapshot.counters = counters_;
    snapshot.gauges = gauges_;
  }
  for (const char* name : counters_from_the_start) snapshot.counters.try_emplace(name, 0.0);
  snapshot.gauges["talla_ready"] = ready().ready ? 1.0 : 0.0;
  snapshot.gauges["talla_failed"] = failed_ ? 1.0 : 0.0;
  return snapshot;
}

}  // namespace talla::core
