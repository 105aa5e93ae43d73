#include "monitor/monitors.hpp"

#include <algorithm>
#include <array>

#include "format/body_machine.hpp"
#include "noise_tap.hpp"

namespace talla::rngd {
namespace {

constexpr auto pause = std::chrono::milliseconds(100);
constexpr std::size_t page_records = 500;
constexpr std::size_t pass_records = 4000;
/// Sacrificed at once; a request of this size leaves most of a full pool alone.
constexpr std::size_t bits_bytes = 512;

std::string test_name(const Boards::Finding& finding) {
  return (finding.detector ? "e-detector:" : "e-process:") + finding.monitor + ":" +
         std::to_string(finding.epoch);
}

std::string source_name(MonitorClass monitor_class) {
  return "monitor:" + std::string(class_name(monitor_class));
}

}  // namespace

Monitors::Monitors(MonitorOptions options, Effects effects)
    : options_(std::move(options)),
      effects_(std::move(effects)),
      boards_({.alpha = options_.alpha, .run_length = options_.run_length}),
      reader_(std::make_unique<OutcomeReader>(effects_.ledger, boards_.outcomes())),
      payments_(std::make_unique<PaymentReader>(effects_.ledger, boards_.payments())) {}

Monitors::~Monitors() {
  repeated_.stop();
}

Result<std::unique_ptr<Monitors>> Monitors::create(MonitorOptions options, Effects effects) {
  std::unique_ptr<Monitors> monitors(new Monitors(std::move(options), std::move(effects)));
  TALLA_TRY_STATUS(monitors->restore());
  // What the log holds behind the stored state may be reported in it already: reports wait until
  // its end was read.
  monitors->progress_.quiet = true;
  for (bool more = true; more;) {
    TALLA_TRY(more, monitors->follow(pass_records));
  }
  monitors->progress_.quiet = false;
  for (const Pending& pending : monitors->pending_) monitors->report(pending);
  const auto ended = monitors->boards_.end_alarms(monitors->effects_.clock.utc_us());
  if (ended > 0)
    monitors->effects_.say("monitor_epochs_begun", std::to_string(ended) + " after alarms");
  // A full disk stops no start: the ledger gets the list of epochs, and the next save tries again.
  monitors->send_registry();
  monitors->publish();
  return monitors;
}

std::unique_ptr<entropy::NoiseSource> Monitors::watch_again(
    std::unique_ptr<entropy::NoiseSource> source) {
  return std::make_unique<NoiseTap>(std::move(source), *this);
}

std::unique_ptr<entropy::NoiseSource> Monitors::watch(
    std::unique_ptr<entropy::NoiseSource> source) {
  auto tap = std::make_unique<NoiseTap>(std::move(source), *this);
  quality_.add(tap->key(), tap->description(), effects_.clock.utc_us());
  if (!boards_.add_noise(tap->key(), effects_.clock.utc_us()))
    effects_.say("monitor_source_not_watched", tap->key());
  send_registry();
  publish();
  return tap;
}

void Monitors::observe_noise(const std::string& key, std::span<const std::uint8_t> samples) {
  quality_.observe(key, samples);
  boards_.see_noise(key, samples);
}

Result<bool> Monitors::follow(std::size_t records_max) {
  const auto now_us = effects_.clock.utc_us();
  std::vector<Finding> found;
  std::vector<Finding> paid;
  for (std::size_t done = 0; done < records_max;) {
    TALLA_TRY(const auto page,
              effects_.ledger.records(progress_.position, progress_.position + page_records));
    for (const auto& record : page) {
      reader_->read(record, now_us, found);
      payments_->read(record, now_us, paid);
      if (record.kind == certs::Kind::health) confirm(record);
      progress_.position = record.seq + 1;
    }
    progress_.changed = progress_.changed || !page.empty();
    raise(MonitorClass::outcomes, found);
    raise(MonitorClass::payments, paid);
    done += page.size();
    if (page.size() < page_records) return false;
  }
  return true;
}

void Monitors::confirm(const certs::LedgerRecord& record) {
  if (pending_.empty()) return;
  const auto parsed = certs::parse_record(record.bytes);
  if (!parsed) return;
  const auto* source = parsed->body.find("source");
  const auto* test = parsed->body.find("test");
  if (source == nullptr || test == nullptr) return;
  std::erase_if(pending_, [&](const Pending& one) {
    return source->string() == source_name(one.monitor_class) &&
           test->string() == test_name(one.finding);
  });
}

void Monitors::raise(MonitorClass monitor_class, std::vector<Finding>& found) {
  for (Finding& finding : std::exchange(found, {})) {
    progress_.urgent = true;
    pending_.push_back({monitor_class, std::move(finding)});
    if (!progress_.quiet) report(pending_.back());
  }
}

void Monitors::report(const Pending& pending) {
  const Finding& finding = pending.finding;
  const std::array by_class{options_.noise, options_.bits, options_.outcomes, options_.outcomes};
  const Severity severity = finding.detector
                                ? options_.detectors
                                : by_class.at(static_cast<std::size_t>(pending.monitor_class));
  add_report(source_name(pending.monitor_class), test_name(finding), severity, finding.since_us,
             std::to_string(finding.steps) +
                 (pending.monitor_class == MonitorClass::payments ? " rounds" : " steps"));
}

void Monitors::add_report(const std::string& source, const std::string& test, Severity severity,
                          std::int64_t since_us, const std::string& seen) {
  core::MonitorReport out;
  out.kind = certs::Kind::health;
  out.latch = severity == Severity::latch;
  certs::HealthBody body;
  body.source = source;
  body.test = test;
  body.level = out.latch ? 2 : 1;
  body.last_good_us = std::max<std::int64_t>(since_us, 0);
  body.alarm_us = std::max<std::int64_t>(effects_.clock.utc_us(), 0);
  out.body = body.to_json();
  effects_.say("monitor_alarm",
               test + " after " + seen + ", " + (out.latch ? "latches" : "recorded"));
  const std::scoped_lock lock(shared_.mutex);
  shared_.reports.push_back(std::move(out));
}

void Monitors::report_quality() {
  for (const QualityWatch::Event& event : quality_.take_events()) {
    const std::string seen = std::to_string(event.what.samples) + " samples";
    progress_.urgent = true;  // a crash must not have it recorded twice
    if (event.what.raised) {
      add_report("monitor:quality", event.test_name(), options_.quality, event.since_us, seen);
    } else {
      effects_.say("monitor_alarm_ended", event.test_name() + " after " + seen);
    }
  }
}

void Monitors::collect_noise() {
  auto news = boards_.take_noise();
  progress_.changed = progress_.changed || news.changed;
  raise(MonitorClass::noise, news.found);
}

/// Takes bits only from a pool that is nearly full: draws come first.
void Monitors::sacrifice(core::EntropySupply& supply) {
  if (options_.bits_per_second == 0) return;
  const auto now_ns = effects_.clock.monotonic_ns();
  const auto interval_ns =
      std::int64_t{8'000'000'000} * std::int64_t{bits_bytes} / options_.bits_per_second;
  if (progress_.bits_taken_ns != 0 && now_ns - progress_.bits_taken_ns < interval_ns) return;
  const auto metrics = supply.metrics();
  if (metrics.pool_blocks * 4 < metrics.pool_blocks_max * 3) return;
  const auto bits = supply.full_entropy(bits_bytes);
  if (!bits) return;
  progress_.bits_taken_ns = now_ns;
  auto found = boards_.see_bits(bits->bytes, effects_.clock.utc_us());
  counts_.bits_sacrificed += 8 * bits_bytes;
  raise(MonitorClass::bits, found);
  progress_.changed = true;
}

void Monitors::step(core::EntropySupply* supply) {
  for (bool more = true; more;) {
    auto followed = follow(pass_records);
    if (!followed) {
      effects_.say("monitor_ledger_unreadable", followed.error().text());
      break;
    }
    more = *followed;
  }
  if (supply != nullptr) sacrifice(*supply);
  collect_noise();
  report_quality();
  send_registry();
  publish();
  const auto now_ns = effects_.clock.monotonic_ns();
  if (const auto saved = curves_.save(now_ns, options_.save_interval_ns); !saved) {
    ++counts_.saves_failed;
    effects_.say("monitor_state_not_stored", saved.error().text());
  }
  const bool due = progress_.changed && now_ns - progress_.saved_ns >= options_.save_interval_ns;
  if (!due && !progress_.urgent) return;
  if (const auto saved = save(); !saved)
    effects_.say("monitor_state_not_stored", saved.error().text());
}

void Monitors::start(core::EntropySupply& supply) {
  repeated_.start(pause, [this, &supply] { step(&supply); });
}

void Monitors::stop() {
  if (!repeated_.stop()) return;
  options_.save_interval_ns = 0;  // all is due
  step(nullptr);
  if (const auto saved = save(); !saved)
    effects_.say("monitor_state_not_stored", saved.error().text());
}

std::vector<core::MonitorReport> Monitors::take_reports() {
  const std::scoped_lock lock(shared_.mutex);
  return std::exchange(shared_.reports, {});
}

}  // namespace talla::rngd
