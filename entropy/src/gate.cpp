#include "entropy/gate.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "health_windows.hpp"
#include "sample_scan.hpp"

namespace talla::entropy {

namespace {

constexpr std::size_t green_windows_max = 8;
constexpr std::int64_t level1_memory_ns = 600'000'000'000;  // ten minutes
constexpr std::size_t level1_allowed = 2;

}  // namespace

TimeRange TimeRange::joined(const TimeRange& other) const {
  return {std::min(from_ns, other.from_ns), std::max(to_ns, other.to_ns)};
}

Gate::Gate(const HealthSettings& settings, std::uint32_t nominal_rate_hz, bool stream)
    : settings_(settings),
      continuous_(settings),
      battery_(settings),
      duplicates_(settings),
      rate_(nominal_rate_hz, stream) {
  arena_.assign((green_windows_max + 1) * gate_window_samples, 0);
  for (std::size_t slot = 1; slot <= green_windows_max; ++slot) free_slots_.push_back(slot);
}

void Gate::wipe_window() {
  talla::wipe(slot_data(open_.slot), gate_window_samples);
  open_.used = 0;
}

void Gate::drop_front() {
  const Window& oldest = green_.front();
  talla::wipe(slot_data(oldest.slot), gate_window_samples);
  green_total_ -= gate_window_samples - oldest.used;
  free_slots_.push_back(oldest.slot);
  green_.pop_front();
}

void Gate::drop_green_since(std::int64_t from_ns) {
  std::deque<Window> kept;
  while (!green_.empty()) {
    if (green_.front().range.to_ns < from_ns) {
      kept.push_back(green_.front());
      green_.pop_front();
    } else {
      drop_front();
      ++counts_.dropped_windows;
    }
  }
  green_ = std::move(kept);
}

void Gate::wipe() {
  while (!green_.empty()) drop_front();
  wipe_window();
  duplicates_.restart();
  TALLA_CHECK(green_total_ == 0);
}

void Gate::restart() {
  if (state_ == GateState::closed) return;
  state_ = GateState::startup;
  continuous_.restart();
  battery_.restart();
  duplicates_.restart();
  rate_.restart();
  startup_done_ = 0;
  wipe_window();
}

void Gate::reopen() {
  wipe();
  state_ = GateState::startup;
  level1_times_.clear();
  restart();
  rate_.forget();
}

GateReport Gate::raise(const Finding& finding, std::size_t unread_samples, std::int64_t now_ns) {
  Alarm alarm = finding.alarm;
  const std::size_t held = green_total_ + open_.used + unread_samples;
  if (open_.used > 0) ++counts_.dropped_windows;
  wipe_window();
  drop_green_since(finding.suspect_from_ns);
  while (!level1_times_.empty() && now_ns - level1_times_.front() > level1_memory_ns)
    level1_times_.pop_front();
  if (alarm.level == 1) {
    ++counts_.level1_events;
    if (level1_times_.size() >= level1_allowed) alarm.level = 2;
    level1_times_.push_back(now_ns);
  }
  if (alarm.level == 2) {
    ++counts_.level2_events;
    wipe();
    state_ = GateState::closed;
  } else {
    restart();
  }
  return {.alarm = alarm,
          .suspect_from_ns = finding.suspect_from_ns,
          .startup_passed = false,
          .dropped_samples = held - green_total_};
}

Finding Gate::judge_window() {
  const WindowView window(slot_data(open_.slot), gate_window_samples);
  const std::int64_t from_ns = open_.range.from_ns;
  const bool all_lags = state_ == GateState::startup && startup_done_ == 0;
  const Finding battery =
      all_lags ? battery_.judge_startup(window, from_ns) : battery_.judge(window, from_ns);
  const std::int64_t since_ns = battery_.window_since_ns();
  Finding worst;
  const auto significant = (1U << settings_.bits_per_sample) - 1U;
  if ((scan::or_all(window.data(), window.size()) & ~significant) != 0)
    worst = {{HealthTest::sample_range, 2}, since_ns};
  worst = worst.joined({continuous_.feed(window), since_ns}).joined(battery);
  worst = worst.joined(duplicates_.judge(window, from_ns));
  if (worst.alarm.level == 0) battery_.keep_clean();
  return worst;
}

void Gate::release_window(std::int64_t now_ns) {
  ++counts_.green_windows;
  last_good_ns_ = now_ns;
  if (state_ == GateState::startup) {
    wipe_window();
    return;
  }
  if (free_slots_.empty()) {
    counts_.surplus_samples += gate_window_samples - green_.front().used;
    drop_front();
  }
  counts_.green_samples += gate_window_samples;
  green_total_ += gate_window_samples;
  green_.push_back({open_.slot, 0, open_.range});
  open_ = {free_slots_.back(), 0, {}};
  free_slots_.pop_back();
}

GateReport Gate::feed(std::span<const std::uint8_t> samples, ReadTimes times) {
  GateReport report;
  if (state_ == GateState::closed) return report;
  if (!asked_) first_asked_ns_ = times.asked_ns;
  asked_ = true;
  counts_.raw_samples += samples.size();
  if (const Alarm late = rate_.note(times.asked_ns, times.came_ns, samples.size());
      late.level > 0) {
    return raise({late, rate_.evidence_from_ns()}, samples.size(), times.came_ns);
  }
  while (!samples.empty()) {
    if (open_.used == 0) open_.range.from_ns = times.asked_ns;
    const std::size_t part = std::min(samples.size(), gate_window_samples - open_.used);
    std::memcpy(slot_data(open_.slot) + open_.used, samples.data(), part);
    open_.used += part;
    open_.range.to_ns = times.came_ns;
    samples = samples.subspan(part);
    if (open_.used < gate_window_samples) break;
    if (const Finding finding = judge_window(); finding.alarm.level > 0)
      return raise(finding, samples.size(), times.came_ns);
    release_window(times.came_ns);
    if (state_ == GateState::startup && ++startup_done_ == startup_windows) {
      report.startup_passed = true;
      state_ = GateState::open;
    }
  }
  return report;
}

GateReport Gate::stream_over(std::int64_t now_ns) {
  if (state_ == GateState::closed) return {};
  const std::int64_t since_ns = last_good_ns_ != 0 ? last_good_ns_
                                : asked_           ? first_asked_ns_
                                                   : now_ns;
  return raise({{HealthTest::stream, 2}, since_ns}, 0, now_ns);
}

TimeRange Gate::take(std::size_t count, SecretBytes& out) {
  TALLA_CHECK(count > 0);
  TALLA_CHECK(count <= green_total_);
  TimeRange range = green_.front().range;
  while (count > 0) {
    Window& oldest = green_.front();
    range = range.joined(oldest.range);
    const std::size_t part = std::min(count, gate_window_samples - oldest.used);
    std::uint8_t* from = slot_data(oldest.slot) + oldest.used;
    out.insert(out.end(), from, from + part);
    talla::wipe(from, part);
    oldest.used += part;
    green_total_ -= part;
    count -= part;
    if (oldest.used == gate_window_samples) drop_front();
  }
  return range;
}

}  // namespace talla::entropy
