#include <algorithm>

#include "entropy/health.hpp"
#include "health_windows.hpp"
#include "sample_scan.hpp"

namespace talla::entropy {

namespace {

constexpr std::uint32_t half = windows::half_samples;
constexpr std::uint32_t lags_always = 8;
constexpr std::uint32_t lags_rotating = 8;
constexpr std::uint32_t successor_every = 8;
constexpr std::uint32_t windows_per_long = windows::long_samples / windows::gate_samples;

using Counts = std::array<std::uint32_t, 256>;

/// Four tables side by side: equal neighbours then do not wait for each other's store.
void add_counts(const std::uint8_t* samples, std::size_t size, Counts& counts) {
  std::array<std::array<std::uint16_t, 256>, 4> part{};
  for (std::size_t i = 0; i + 4 <= size; i += 4) {
    ++part[0][samples[i]];
    ++part[1][samples[i + 1]];
    ++part[2][samples[i + 2]];
    ++part[3][samples[i + 3]];
  }
  for (std::size_t v = 0; v < counts.size(); ++v) {
    counts[v] += std::uint32_t{part[0][v]} + part[1][v] + part[2][v] + part[3][v];
  }
}

std::uint32_t matches_at(WindowView window, std::uint32_t lag) {
  return static_cast<std::uint32_t>(
      scan::count_matches(window.data() + half, window.data() + half - lag, half));
}

}  // namespace

Battery::Battery(const HealthSettings& settings) : settings_(settings) {
  restart();
}

void Battery::restart() {
  next_lag_ = lags_always + 1;
  window_count_ = 0;
  long_counts_.fill(0);
}

Alarm Battery::grade(HealthTest test, std::uint32_t right, std::uint32_t level1, std::uint32_t level2) {
  if (right >= level2) return {test, 2};
  if (right >= level1) return {test, 1};
  return {};
}

Alarm Battery::lags(WindowView window) {
  std::uint32_t most = 0;
  for (std::uint32_t lag = 1; lag <= lags_always; ++lag) most = std::max(most, matches_at(window, lag));
  for (std::uint32_t i = 0; i < lags_rotating; ++i) {
    most = std::max(most, matches_at(window, next_lag_));
    next_lag_ = next_lag_ == windows::lags_all ? lags_always + 1 : next_lag_ + 1;
  }
  return grade(HealthTest::lag, most, settings_.level1.half_window, settings_.level2.half_window);
}

Alarm Battery::all_lags(WindowView window) const {
  std::uint32_t most = 0;
  for (std::uint32_t lag = 1; lag <= windows::lags_all; ++lag) most = std::max(most, matches_at(window, lag));
  return grade(HealthTest::lag, most, settings_.level1.startup_lags, settings_.level2.startup_lags);
}

Alarm Battery::most_common(WindowView window) {
  Counts past{};
  add_counts(window.data(), half, past);
  const auto guess = static_cast<std::uint8_t>(std::max_element(past.begin(), past.end()) - past.begin());
  const auto right = static_cast<std::uint32_t>(scan::count_equal(window.data() + half, half, guess));
  Alarm worst = grade(HealthTest::most_common_window, right, settings_.level1.half_window,
                      settings_.level2.half_window);
  add_counts(window.data() + half, half, past);
  for (std::size_t v = 0; v < past.size(); ++v) long_counts_[v] += past[v];
  if (window_count_ % windows_per_long == windows_per_long - 1) {
    const std::uint32_t most = *std::max_element(long_counts_.begin(), long_counts_.end());
    worst = worst.worse(
        grade(HealthTest::most_common_long, most, settings_.level1.long_count, settings_.level2.long_count));
    long_counts_.fill(0);
  }
  return worst;
}

Alarm Battery::successor(WindowView window) const {
  std::array<std::uint8_t, 256> follows{};
  for (std::size_t i = 1; i < half; ++i) follows[window[i - 1]] = window[i];
  std::uint32_t right = 0;
  for (std::size_t i = half; i < window.size(); ++i) {
    right += follows[window[i - 1]] == window[i] ? 1U : 0U;
    follows[window[i - 1]] = window[i];
  }
  return grade(HealthTest::successor, right, settings_.level1.half_window, settings_.level2.half_window);
}

Alarm Battery::judge(WindowView window) {
  Alarm worst = lags(window);
  worst = worst.worse(most_common(window));
  if (window_count_ % successor_every == 0) worst = worst.worse(successor(window));
  ++window_count_;
  return worst;
}

Alarm Battery::judge_startup(WindowView window) {
  return all_lags(window).worse(judge(window));
}

}  // namespace talla::entropy
