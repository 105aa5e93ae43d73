// What the generator and the monitors report becomes records.
#include "generator_records.hpp"

#include <algorithm>

#include "core/monitor_hook.hpp"
#include "entropy/health.hpp"
#include "format/body_machine.hpp"

namespace talla::core {
namespace {

using certs::Kind;

/// Objects named by one HEALTH record: with the longest ids it stays below half of what a record
/// may hold.
constexpr std::size_t health_objects_max = 1000;
/// What one reseed takes of a credited source (SP 800-90C: one conditioner block of 576 assessed
/// bits).
constexpr std::uint64_t reseed_millibits = 576'000;

bool overlaps(const SampleWindow& window, std::int64_t from_ns, std::int64_t to_ns) {
  return window.to_ns != 0 && window.from_ns <= to_ns && window.to_ns >= from_ns;
}

}  // namespace

void GeneratorRecords::on_turn() {
  const auto ended = appliance_.effects.supply.take_reset();
  record_events();
  record_reports();
  if (ended) latch_.reset_ended(*ended);
}

void GeneratorRecords::on_ended_turn() {
  static_cast<void>(appliance_.effects.supply.take_events());
  if (appliance_.effects.monitors != nullptr)
    static_cast<void>(appliance_.effects.monitors->take_reports());
}

void GeneratorRecords::record_events() {
  for (const auto& event : appliance_.effects.supply.take_events()) {
    if (!record_event(event)) appliance_.lose_event();
  }
}

void GeneratorRecords::record_reports() {
  if (appliance_.effects.monitors == nullptr) return;
  for (const auto& report : appliance_.effects.monitors->take_reports()) {
    if (report.latch) {
      monitor_latched_ = true;
      appliance_.effects.supply.latch(entropy::LatchReason::health_permanent);
    }
    if (!record_report(report)) appliance_.lose_event();
  }
}

std::string GeneratorRecords::cause() const {
  return monitor_latched_ ? "the alarm of a monitor stands until the next start" : "";
}

/// An alarm of a monitor names no objects: it speaks about months, and is never a reason to shuffle
/// again.
Status GeneratorRecords::record_report(const MonitorReport& report) {
  auto tx = appliance_.begin();
  if (report.kind != Kind::unknown) {
    TALLA_TRY_STATUS(tx.add({report.kind, {}, {}, report.body}));
  }
  if (!report.registry.empty())
    tx.group().documents.push_back({certs::documents::monitors(), report.registry});
  tx.keep();
  return {};
}

std::vector<std::string> GeneratorRecords::overlapping(std::int64_t from_ns,
                                                       std::int64_t to_ns) const {
  std::vector<std::string> ids;
  for (const auto& [seq, shoe] : appliance_.world().shoes) {
    if (shoe.live() && overlaps(shoe.samples, from_ns, to_ns)) ids.emplace_back(shoe.id);
  }
  for (const auto& [seq, batch] : appliance_.world().batches) {
    if (!batch.progress.closed && overlaps(batch.samples, from_ns, to_ns))
      ids.emplace_back(batch.id);
  }
  return ids;
}

/// One HEALTH, or several when the objects do not fit into one: all of them in the same group.
Status GeneratorRecords::record_alarm(const entropy::Event& event,
                                      const entropy::Evidence& evidence) {
  const auto good_us = event.utc_us - (event.monotonic_ns - event.suspect_from_ns) / 1000;
  const bool known = event.source < evidence.sources.size();
  const auto ids = overlapping(event.suspect_from_ns, event.monotonic_ns);
  auto tx = appliance_.begin();
  auto next = ids.begin();
  std::uint64_t dropped = event.dropped_samples;
  do {
    certs::HealthBody body{
        .source = known ? evidence.sources[event.source].model : std::string("unknown"),
        .test = std::string(entropy::health_test_name(event.test)),
        .level = std::min<std::uint32_t>(event.level, 2),
        .dropped = std::exchange(dropped, 0),
        .last_good_us = std::max<std::int64_t>(good_us, 0),
        .alarm_us = std::max<std::int64_t>(event.utc_us, 0),
        .overlapping = {}};
    for (; next != ids.end() && body.overlapping.size() < health_objects_max; ++next)
      body.overlapping.push_back(*next);
    Addition addition;
    addition.kind = Kind::health;
    addition.body = body.to_json();
    TALLA_TRY_STATUS(tx.add(std::move(addition)));
  } while (next != ids.end());
  tx.keep();
  return {};
}

Status GeneratorRecords::record_event(const entropy::Event& event) {
  using entropy::EventKind;
  Addition addition;
  const auto evidence = appliance_.effects.supply.evidence();
  if (event.kind == EventKind::health && event.level >= 1) return record_alarm(event, evidence);
  if (event.kind == EventKind::reseed) {
    addition.kind = Kind::reseed;
    const bool startup = event.reseed_counter <= 1 || latch_.resetting();
    addition.body =
        certs::ReseedBody{
            .counter = event.reseed_counter,
            .cause = startup ? certs::ReseedCause::startup : certs::ReseedCause::timer,
            .assessed_millibits = evidence.uncertified ? 0 : reseed_millibits}
            .to_json();
  } else if (event.kind == EventKind::self_test) {
    addition.kind = Kind::selftest;
    addition.body =
        certs::SelftestBody{.test = "generator-known-answers", .failed = !event.passed, .count = 1}
            .to_json();
  } else if (event.kind == EventKind::source || event.kind == EventKind::health) {
    // A device that is back, taken or refused; a start-up test passed.
    const bool back = event.kind == EventKind::source;
    const std::string model =
        event.source < evidence.sources.size() ? evidence.sources[event.source].model : "unknown";
    addition.kind = Kind::selftest;
    addition.body = certs::SelftestBody{.test = (back ? "source-back:" : "startup:") + model,
                                        .failed = back && !event.passed,
                                        .count = back ? 1 : entropy::startup_samples}
                        .to_json();
  } else if (event.kind == EventKind::state && event.state == entropy::State::latched) {
    if (latch_.take_order()) {  // its ACCESS is there, and no test has failed
      latch_.stand();
      return {};
    }
    addition.kind = Kind::selftest;
    addition.body =
        certs::SelftestBody{
            .test = "generator-" + std::string(entropy::latch_reason_name(event.reason)),
            .failed = true,
            .count = 1}
            .to_json();
  } else {
    return {};
  }
  auto tx = appliance_.begin();
  TALLA_TRY_STATUS(tx.add(std::move(addition)));
  if (event.kind == EventKind::state) latch_.stand();
  tx.keep();
  return {};
}

}  // namespace talla::core
