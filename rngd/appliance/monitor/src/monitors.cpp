#include "monitor/monitors.hpp"

#include <algorithm>
#include <charconv>

#include "noise_tap.hpp"
#include "stats/monitor/streams.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;

constexpr auto pause = std::chrono::milliseconds(100);
constexpr std::size_t page_records = 500;
constexpr std::size_t pass_records = 4000;
constexpr const char* bits_key = "bits";
/// Sacrificed at once; a request of this size leaves most of a full pool alone.
constexpr std::size_t bits_bytes = 512;

std::unique_ptr<mon::Group> make_noise(const std::string& key) {
  const auto dash = key.rfind('-');
  if (dash == std::string::npos) return nullptr;
  std::uint32_t millibits = 0;
  const char* end = key.data() + key.size();
  const auto parsed = std::from_chars(key.data() + dash + 1, end, millibits);
  if (parsed.ec != std::errc{} || parsed.ptr != end || millibits < 1 || millibits > 8000)
    return nullptr;
  return std::make_unique<mon::RawNoise>(millibits);
}

std::unique_ptr<mon::Group> make_bits(const std::string& key) {
  return key == bits_key ? std::make_unique<mon::ConditionedBits>() : nullptr;
}

std::string test_name(const mon::Finding& finding) {
  return (finding.detector ? "e-detector:" : "e-process:") + finding.monitor + ":" +
         std::to_string(finding.epoch);
}

std::string source_name(MonitorClass monitor_class) {
  return "monitor:" + std::string(class_name(monitor_class));
}

}  // namespace

std::string_view class_name(MonitorClass monitor_class) {
  switch (monitor_class) {
    case MonitorClass::noise:
      return "noise";
    case MonitorClass::bits:
      return "bits";
    case MonitorClass::outcomes:
      return "outcomes";
  }
  return "unknown";
}

Monitors::Monitors(MonitorOptions options, Effects effects)
    : options_(std::move(options)), effects_(std::move(effects)) {
  make_boards();
}

Monitors::~Monitors() {
  {
    const std::scoped_lock lock(wake_mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Monitors::make_boards() {
  const auto board = [this](Board::Maker make) {
    Board::Options options;
    options.alpha = options_.alpha / monitor_classes;
    options.run_length = options_.run_length;
    options.make = std::move(make);
    return std::make_unique<Board>(std::move(options));
  };
  outcomes_ = board(OutcomeReader::make);
  bits_ = board(make_bits);
  noise_ = board(make_noise);
  reader_ = std::make_unique<OutcomeReader>(effects_.ledger, *outcomes_);
}

Result<std::unique_ptr<Monitors>> Monitors::create(MonitorOptions options, Effects effects) {
  std::unique_ptr<Monitors> monitors(new Monitors(std::move(options), std::move(effects)));
  TALLA_TRY_STATUS(monitors->restore());
  monitors->restore_quality();
  // What the log holds behind the stored state may be reported in it already: reports wait until
  // its end was read.
  monitors->quiet_ = true;
  for (bool more = true; more;) {
    TALLA_TRY(more, monitors->follow(pass_records));
  }
  monitors->quiet_ = false;
  for (const Pending& pending : monitors->pending_) monitors->report(pending);
  const auto now_us = monitors->effects_.clock.utc_us();
  const auto ended = monitors->outcomes_->end_alarms(now_us) + monitors->bits_->end_alarms(now_us) +
                     monitors->noise_->end_alarms(now_us);
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
  {
    const std::scoped_lock lock(noise_mutex_);
    if (noise_->group(tap->key(), effects_.clock.utc_us()) == nullptr) {
      effects_.say("monitor_source_not_watched", tap->key());
    }
  }
  send_registry();
  publish();
  return tap;
}

void Monitors::observe_noise(const std::string& key, std::span<const std::uint8_t> samples) {
  quality_.observe(key, samples);
  const std::scoped_lock lock(noise_mutex_);
  auto* group = dynamic_cast<mon::RawNoise*>(noise_->group(key, 0));
  if (group == nullptr || !group->observe(samples)) return;
  noise_->look(*group, noise_found_);
  noise_changed_ = true;
}

Result<bool> Monitors::follow(std::size_t records_max) {
  const auto now_us = effects_.clock.utc_us();
  std::vector<Finding> found;
  for (std::size_t done = 0; done < records_max;) {
    TALLA_TRY(const auto page, effects_.ledger.records(position_, position_ + page_records));
    for (const auto& record : page) {
      reader_->read(record, now_us, found);
      if (record.kind == certs::Kind::health) confirm(record);
      position_ = record.seq + 1;
    }
    changed_ = changed_ || !page.empty();
    raise(MonitorClass::outcomes, found);
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
    urgent_ = true;
    pending_.push_back({monitor_class, std::move(finding)});
    if (!quiet_) report(pending_.back());
  }
}

void Monitors::report(const Pending& pending) {
  const Finding& finding = pending.finding;
  const Severity by_class[] = {options_.noise, options_.bits, options_.outcomes};
  const Severity severity = finding.detector
                                ? options_.detectors
                                : by_class[static_cast<std::size_t>(pending.monitor_class)];
  add_report(source_name(pending.monitor_class), test_name(finding), severity, finding.since_us,
             std::to_string(finding.steps) + " steps");
}

void Monitors::add_report(const std::string& source, const std::string& test, Severity severity,
                          std::int64_t since_us, const std::string& seen) {
  core::MonitorReport out;
  out.kind = certs::Kind::health;
  out.latch = severity == Severity::latch;
  out.body = json::Object{{"source", source},
                          {"test", test},
                          {"level", out.latch ? 2 : 1},
                          {"dropped", 0},
                          {"last_good_us", std::max<std::int64_t>(since_us, 0)},
                          {"alarm_us", std::max<std::int64_t>(effects_.clock.utc_us(), 0)},
                          {"overlapping", json::Array{}}};
  effects_.say("monitor_alarm",
               test + " after " + seen + ", " + (out.latch ? "latches" : "recorded"));
  const std::scoped_lock lock(shared_mutex_);
  reports_.push_back(std::move(out));
}

void Monitors::report_quality() {
  for (const QualityWatch::Event& event : quality_.take_events()) {
    const std::string seen = std::to_string(event.what.samples) + " samples";
    urgent_ = true;  // a crash must not have it recorded twice
    if (event.what.raised) {
      add_report("monitor:quality", event.test_name(), options_.quality, event.since_us, seen);
    } else {
      effects_.say("monitor_alarm_ended", event.test_name() + " after " + seen);
    }
  }
}

void Monitors::collect_noise() {
  std::vector<Finding> found;
  {
    const std::scoped_lock lock(noise_mutex_);
    found.swap(noise_found_);
    changed_ = changed_ || std::exchange(noise_changed_, false);
  }
  raise(MonitorClass::noise, found);
}

/// Takes bits only from a pool that is nearly full: draws come first.
void Monitors::sacrifice(core::EntropySupply& supply) {
  if (options_.bits_per_second == 0) return;
  const auto now_ns = effects_.clock.monotonic_ns();
  const auto interval_ns =
      std::int64_t{8'000'000'000} * std::int64_t{bits_bytes} / options_.bits_per_second;
  if (bits_taken_ns_ != 0 && now_ns - bits_taken_ns_ < interval_ns) return;
  const auto metrics = supply.metrics();
  if (metrics.pool_blocks * 4 < metrics.pool_blocks_max * 3) return;
  const auto bits = supply.full_entropy(bits_bytes);
  if (!bits) return;
  bits_taken_ns_ = now_ns;
  auto* group =
      dynamic_cast<mon::ConditionedBits*>(bits_->group(bits_key, effects_.clock.utc_us()));
  if (group == nullptr) return;
  group->observe(bits->bytes);
  bits_sacrificed_ += 8 * bits_bytes;
  std::vector<Finding> found;
  bits_->look(*group, found);
  raise(MonitorClass::bits, found);
  changed_ = true;
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
  const bool due =
      changed_ && effects_.clock.monotonic_ns() - saved_ns_ >= options_.save_interval_ns;
  if (!due && !urgent_) return;
  if (const auto saved = save(); !saved)
    effects_.say("monitor_state_not_stored", saved.error().text());
}

void Monitors::start(core::EntropySupply& supply) {
  thread_ = std::thread([this, &supply] { run(supply); });
}

void Monitors::run(core::EntropySupply& supply) {
  for (;;) {
    {
      std::unique_lock lock(wake_mutex_);
      if (wake_.wait_for(lock, pause, [this] { return stopping_; })) return;
    }
    step(&supply);
  }
}

void Monitors::stop() {
  {
    const std::scoped_lock lock(wake_mutex_);
    if (std::exchange(stopping_, true)) return;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  step(nullptr);
  if (const auto saved = save(); !saved)
    effects_.say("monitor_state_not_stored", saved.error().text());
}

std::vector<core::MonitorReport> Monitors::take_reports() {
  const std::scoped_lock lock(shared_mutex_);
  return std::exchange(reports_, {});
}

}  // namespace talla::rngd
