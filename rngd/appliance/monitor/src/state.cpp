// The monitors' state: the file, the ledger's list of monitors and their epochs, and what happens
// when they do not fit.
#include "stats/monitor/state.hpp"

#include <fstream>
#include <sstream>

#include "certs/files.hpp"
#include "monitor/monitors.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;

struct Registered {
  std::string monitor;
  std::uint32_t process = 1;
  std::uint32_t detector = 1;
};

json::Array registered_json(const std::vector<mon::BoardRow>& rows) {
  json::Array all;
  for (const auto& row : rows) {
    all.emplace_back(json::Array{row.monitor, row.process.epoch, row.detector.epoch});
  }
  return all;
}

/// The monitors of one class as the ledger knows them; what cannot be read is nobody.
std::vector<Registered> registered_of(const std::string& registry, MonitorClass monitor_class) {
  std::vector<Registered> all;
  const auto value = json::parse(registry);
  const auto* list = value ? value->find(class_name(monitor_class)) : nullptr;
  if (list == nullptr || !list->is_array()) return all;
  for (const auto& one : list->array()) {
    const bool fits = one.is_array() && one.array().size() == 3 && one.array()[0].is_string() &&
                      one.array()[1].is_integer() && one.array()[2].is_integer();
    if (!fits) continue;
    all.push_back({one.array()[0].string(), static_cast<std::uint32_t>(one.array()[1].integer()),
                   static_cast<std::uint32_t>(one.array()[2].integer())});
  }
  return all;
}

std::string key_of(const std::string& monitor) {
  return monitor.substr(0, monitor.rfind('/'));
}

/// True when some monitor of the list is not on the board or in a later epoch than there.
bool behind(const std::vector<mon::BoardRow>& rows, const std::vector<Registered>& registered) {
  for (const auto& one : registered) {
    bool found = false;
    for (const auto& row : rows) {
      if (row.monitor != one.monitor) continue;
      found = row.process.epoch >= one.process && row.detector.epoch >= one.detector;
    }
    if (!found) return true;
  }
  return false;
}

Result<std::optional<std::string>> read_state(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::optional<std::string>();
  std::ostringstream all;
  all << file.rdbuf();
  return std::optional<std::string>(all.str());
}

}  // namespace

std::string Monitors::registry_text() const {
  json::Object all;
  all["outcomes"] = registered_json(outcomes_->rows());
  all["bits"] = registered_json(bits_->rows());
  const std::scoped_lock lock(noise_mutex_);
  all["noise"] = registered_json(noise_->rows());
  return json::canonical(json::Value(std::move(all)));
}

void Monitors::send_registry() {
  auto text = registry_text();
  if (text == registry_) return;
  registry_ = text;
  // The file first: a list in the ledger that is ahead of the state would refuse it after a crash.
  if (const auto saved = save(); !saved)
    effects_.say("monitor_state_not_stored", saved.error().text());
  core::MonitorReport report;
  report.registry = std::move(text);
  const std::scoped_lock lock(shared_mutex_);
  reports_.push_back(std::move(report));
}

Status Monitors::restore() {
  TALLA_TRY(const auto text, effects_.ledger.document(certs::documents::monitors()));
  const std::string registry = text.value_or("");
  TALLA_TRY(const auto bytes, read_state(options_.state_file));
  if (!bytes && registry.empty()) {  // the first start: from here on
    position_ = effects_.ledger.size();
    return {};
  }
  const auto loaded =
      bytes ? load(*bytes, registry) : stats::Result<bool>(stats::refuse("it is missing"));
  if (!loaded) start_over(loaded.error().detail, registry);
  return {};
}

/// A past that cannot be read is learnt anew; no bound rests on it.
void Monitors::restore_quality() {
  if (options_.quality_file.empty()) return;
  const auto bytes = read_state(options_.quality_file);
  if (!bytes || !*bytes) return;
  const auto loaded = quality_.load(**bytes, options_.origin);
  if (loaded) return;
  ++states_refused_;
  effects_.say("quality_state_refused",
               options_.quality_file + ": " + loaded.error().detail + "; the past is learnt anew");
}

stats::Result<bool> Monitors::load(const std::string& bytes, const std::string& registry) {
  const auto fields = mon::unframe_state(bytes);
  if (!fields) return tl::unexpected(fields.error());
  mon::StateReader in(*fields);
  if (in.text() != options_.origin && in.good()) in.refuse("it belongs to another log");
  position_ = in.u64();
  if (position_ > effects_.ledger.size()) in.refuse("it is ahead of the log");
  outcomes_->load(in);
  bits_->load(in);
  noise_->load(in);
  const std::uint32_t pending = in.u32();
  for (std::uint32_t i = 0; i < pending && in.good(); ++i) {
    Pending one;
    const std::uint32_t monitor_class = in.u32();
    if (monitor_class >= monitor_classes) in.refuse("an alarm does not fit");
    one.monitor_class = static_cast<MonitorClass>(monitor_class % monitor_classes);
    one.finding.monitor = in.text();
    one.finding.detector = in.u32() == 1;
    one.finding.epoch = in.u32();
    one.finding.since_us = in.i64();
    one.finding.steps = in.u64();
    pending_.push_back(std::move(one));
  }
  auto finished = in.finish();
  if (!finished) return finished;
  if (behind(outcomes_->rows(), registered_of(registry, MonitorClass::outcomes)) ||
      behind(bits_->rows(), registered_of(registry, MonitorClass::bits)) ||
      behind(noise_->rows(), registered_of(registry, MonitorClass::noise))) {
    return stats::refuse("it is older than the ledger's list of monitors");
  }
  return true;
}

/// Nothing of the old state is used; every monitor the ledger knows keeps its place and begins its
/// next epoch, here and now.
void Monitors::start_over(const std::string& reason, const std::string& registry) {
  make_boards();
  pending_.clear();
  position_ = effects_.ledger.size();
  const auto now_us = effects_.clock.utc_us();
  std::size_t count = 0;
  for (const auto monitor_class :
       {MonitorClass::noise, MonitorClass::bits, MonitorClass::outcomes}) {
    Board& board = monitor_class == MonitorClass::noise  ? *noise_
                   : monitor_class == MonitorClass::bits ? *bits_
                                                         : *outcomes_;
    for (const auto& one : registered_of(registry, monitor_class)) {
      if (board.group(key_of(one.monitor), now_us) == nullptr) continue;
      board.raise_epochs(one.monitor, one.process, one.detector);
      ++count;
    }
    board.begin_epochs(now_us);
  }
  ++states_refused_;
  effects_.say("monitor_state_refused", options_.state_file + ": " + reason + "; " +
                                            std::to_string(count) + " monitors begin a new epoch");
  core::MonitorReport report;
  report.kind = certs::Kind::selftest;
  report.body = json::Object{{"test", "monitor-state"}, {"result", "fail"}, {"count", count}};
  const std::scoped_lock lock(shared_mutex_);
  reports_.push_back(std::move(report));
}

Status Monitors::save() {
  mon::StateWriter out;
  out.text(options_.origin);
  out.u64(position_);
  outcomes_->save(out);
  bits_->save(out);
  std::vector<Finding> noise_found;
  {
    const std::scoped_lock lock(noise_mutex_);
    noise_->save(out);
    noise_found = noise_found_;
  }
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
  saved_ns_ = effects_.clock.monotonic_ns();
  changed_ = false;
  urgent_ = false;
  auto stored = certs::replace_file(options_.state_file, mon::frame_state(out.fields()));
  if (stored && !options_.quality_file.empty())
    stored = certs::replace_file(options_.quality_file, quality_.save(options_.origin));
  if (!stored) ++saves_failed_;
  return stored;
}

}  // namespace talla::rngd
