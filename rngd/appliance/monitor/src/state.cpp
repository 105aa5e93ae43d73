// The monitors' state: the file, the ledger's list of monitors and their epochs, and what happens
// when they do not fit.
#include "stats/monitor/state.hpp"

#include <fstream>
#include <sstream>

#include "certs/files.hpp"
#include "format/body_machine.hpp"
#include "monitor/monitors.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;

Result<std::optional<std::string>> read_state(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::optional<std::string>();
  std::ostringstream all;
  all << file.rdbuf();
  return std::optional<std::string>(all.str());
}

}  // namespace

void Monitors::send_registry() {
  auto text = boards_.registry();
  if (text == progress_.registry) return;
  progress_.registry = text;
  // The file first: a list in the ledger that is ahead of the state would refuse it after a crash.
  if (const auto saved = save(); !saved)
    effects_.say("monitor_state_not_stored", saved.error().text());
  core::MonitorReport report;
  report.registry = std::move(text);
  const std::scoped_lock lock(shared_.mutex);
  shared_.reports.push_back(std::move(report));
}

Status Monitors::restore() {
  if (!options_.quality_file.empty()) {
    const auto past = read_state(options_.quality_file);
    const auto loaded =
        past && *past ? quality_.load(**past, options_.origin) : stats::Result<bool>(true);
    if (!loaded) {  // it is learnt anew; no bound rests on it
      ++counts_.states_refused;
      effects_.say("quality_state_refused", options_.quality_file + ": " + loaded.error().detail +
                                                "; the past is learnt anew");
    }
  }
  if (!options_.curves_folder.empty()) {
    for (const auto& refused : curves_.keep_in(options_.curves_folder, options_.origin))
      effects_.say("curves_refused", refused + "; that time is a gap");
  }
  TALLA_TRY(const auto text, effects_.ledger.document(certs::documents::monitors()));
  const std::string registry = text.value_or("");
  TALLA_TRY(const auto bytes, read_state(options_.state_file));
  if (!bytes && registry.empty()) {  // the first start: from here on
    progress_.position = effects_.ledger.size();
    return {};
  }
  const auto loaded =
      bytes ? load(*bytes, registry) : stats::Result<bool>(stats::refuse("it is missing"));
  if (!loaded) start_over(loaded.error().detail, registry);
  return {};
}

stats::Result<bool> Monitors::load(const std::string& bytes, const std::string& registry) {
  const auto fields = mon::unframe_state(bytes);
  if (!fields) return tl::unexpected(fields.error());
  mon::StateReader in(*fields);
  if (in.text() != options_.origin && in.good()) in.refuse("it belongs to another log");
  progress_.position = in.u64();
  if (progress_.position > effects_.ledger.size()) in.refuse("it is ahead of the log");
  boards_.load(in);
  const std::uint32_t pending = in.u32();
  for (std::uint32_t i = 0; i < pending && in.good(); ++i) {
    Pending one;
    const std::uint32_t monitor_class = in.u32();
    if (monitor_class >= monitor_classes.size()) in.refuse("an alarm does not fit");
    one.monitor_class = static_cast<MonitorClass>(monitor_class % monitor_classes.size());
    one.finding.monitor = in.text();
    one.finding.detector = in.u32() == 1;
    one.finding.epoch = in.u32();
    one.finding.since_us = in.i64();
    one.finding.steps = in.u64();
    pending_.push_back(std::move(one));
  }
  if (in.more()) {  // a state of before payments were watched ends here
    boards_.payments().load(in);
    payments_->load(in);
  }
  auto finished = in.finish();
  if (!finished) return finished;
  if (boards_.behind(registry))
    return stats::refuse("it is older than the ledger's list of monitors");
  return true;
}

/// Nothing of the old state is used; every monitor the ledger knows keeps its place and begins its
/// next epoch, here and now.
void Monitors::start_over(const std::string& reason, const std::string& registry) {
  boards_.clear();
  reader_ = std::make_unique<OutcomeReader>(effects_.ledger, boards_.outcomes());
  payments_ = std::make_unique<PaymentReader>(effects_.ledger, boards_.payments());
  pending_.clear();
  progress_.position = effects_.ledger.size();
  const std::size_t count = boards_.begin_again(registry, effects_.clock.utc_us());
  ++counts_.states_refused;
  effects_.say("monitor_state_refused", options_.state_file + ": " + reason + "; " +
                                            std::to_string(count) + " monitors begin a new epoch");
  core::MonitorReport report;
  report.kind = certs::Kind::selftest;
  report.body =
      certs::SelftestBody{.test = "monitor-state", .failed = true, .count = count}.to_json();
  const std::scoped_lock lock(shared_.mutex);
  shared_.reports.push_back(std::move(report));
}

Status Monitors::save() {
  mon::StateWriter out;
  out.text(options_.origin);
  out.u64(progress_.position);
  std::vector<Finding> noise_found = boards_.save(out);
  std::vector<Pending> pending = pending_;
  for (Finding& finding : noise_found) pending.push_back({MonitorClass::noise, std::move(finding)});
  out.u32(static_cast<std::uint32_t>(pending.size()));
  for (const Pending& one : pending) {
    out.u32(static_cast<std::uint32_t>(one.monitor_class));
    out.text(one.finding.monitor);
    out.u32(one.finding.detector ? 1 : 0);
    out.u32(one.finding.epoch);
    out.i64(one.finding.since_us);
    out.u64(one.finding.steps);
  }
  boards_.payments().save(out);
  payments_->save(out);
  progress_.saved_ns = effects_.clock.monotonic_ns();
  progress_.changed = false;
  progress_.urgent = false;
  auto stored = certs::replace_file(options_.state_file, mon::frame_state(out.fields()));
  if (stored && !options_.quality_file.empty())
    stored = certs::replace_file(options_.quality_file, quality_.save(options_.origin));
  if (!stored) ++counts_.saves_failed;
  return stored;
}

}  // namespace talla::rngd
