// The predictors of one source's health tests, window by window.
#include <algorithm>
#include <cstring>
#include <utility>

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

/// Four tables side by side: equal neighbours then do not wait for each other's store. Eight
/// samples are loaded at once; which of them goes to which table does not matter.
void add_counts(const std::uint8_t* samples, std::size_t size, Counts& counts) {
  constexpr std::size_t step = sizeof(std::uint64_t);
  static_assert(half % step == 0);
  std::array<std::array<std::uint16_t, 256>, 4> part{};
  for (std::size_t i = 0; i < size; i += step) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, samples + i, step);
    for (std::size_t k = 0; k < step; ++k, eight >>= 8U) ++part[k % 4][eight & 0xFFU];
  }
  for (std::size_t v = 0; v < counts.size(); ++v) {
    counts[v] += std::uint32_t{part[0][v]} + part[1][v] + part[2][v] + part[3][v];
  }
}

std::uint32_t matches_at(WindowView window, std::uint32_t lag) {
  return static_cast<std::uint32_t>(
      scan::count_matches(window.data() + half, window.data() + half - lag, half));
}

/// The rotation of the lags that are not looked at in every window.
constexpr std::uint32_t after_lag(std::uint32_t lag) {
  return lag == windows::lags_all ? lags_always + 1 : lag + 1;
}

}  // namespace

Battery::Battery(const HealthSettings& settings)
    : settings_(settings), lag_since_ns_(windows::lags_all + 1) {
  restart();
}

void Battery::restart() {
  next_lag_ = lags_always + 1;
  window_count_ = 0;
  long_counts_.fill(0);
  now_ = {};
}

void Battery::keep_clean() {
  kept_ = std::exchange(now_, {});
}

void Battery::begin_window(std::int64_t from_ns) {
  if (!begun_) {
    begun_ = true;
    window_since_ns_ = successor_since_ns_ = long_since_ns_ = from_ns;
    std::ranges::fill(lag_since_ns_, from_ns);
  }
  if (kept_.window) window_since_ns_ = from_ns;
  if (kept_.successor) successor_since_ns_ = from_ns;
  if (kept_.common_long) long_since_ns_ = from_ns;
  for (std::uint32_t i = 0, lag = kept_.lag_first; i < kept_.lag_count; ++i, lag = after_lag(lag))
    lag_since_ns_[lag] = from_ns;
  kept_ = {};
  now_ = {};
}

Finding Battery::grade(HealthTest test, std::uint32_t right, std::uint32_t level1,
                       std::uint32_t level2, std::int64_t since_ns) {
  if (right >= level2) return {{test, 2}, since_ns};
  if (right >= level1) return {{test, 1}, since_ns};
  return {};
}

Finding Battery::lag(WindowView window, std::uint32_t lag, bool startup) const {
  const std::int64_t since_ns = lag <= lags_always ? window_since_ns_ : lag_since_ns_[lag];
  const LevelCutoffs& one = settings_.level1;
  const LevelCutoffs& two = settings_.level2;
  return grade(HealthTest::lag, matches_at(window, lag),
               startup ? one.startup_lags : one.half_window,
               startup ? two.startup_lags : two.half_window, since_ns);
}

Finding Battery::lags(WindowView window, bool startup) {
  Finding worst;
  for (std::uint32_t each = 1; each <= lags_always; ++each)
    worst = worst.joined(lag(window, each, false));
  now_.lag_first = next_lag_;
  now_.lag_count = startup ? windows::lags_all - lags_always : lags_rotating;
  for (std::uint32_t i = 0; i < now_.lag_count; ++i) {
    worst = worst.joined(lag(window, next_lag_, startup));
    next_lag_ = after_lag(next_lag_);
  }
  return worst;
}

Finding Battery::most_common(WindowView window) {
  Counts past{};
  add_counts(window.data(), half, past);
  const auto guess =
      static_cast<std::uint8_t>(std::max_element(past.begin(), past.end()) - past.begin());
  const auto right =
      static_cast<std::uint32_t>(scan::count_equal(window.data() + half, half, guess));
  Finding worst = grade(HealthTest::most_common_window, right, settings_.level1.half_window,
                        settings_.level2.half_window, window_since_ns_);
  add_counts(window.data() + half, half, past);
  for (std::size_t v = 0; v < past.size(); ++v) long_counts_[v] += past[v];
  if (window_count_ % windows_per_long == windows_per_long - 1) {
    const std::uint32_t most = *std::max_element(long_counts_.begin(), long_counts_.end());
    worst = worst.joined(grade(HealthTest::most_common_long, most, settings_.level1.long_count,
                               settings_.level2.long_count, long_since_ns_));
    now_.common_long = true;
    long_counts_.fill(0);
  }
  return worst;
}

Finding Battery::successor(WindowView window) {
  std::array<std::uint8_t, 256> follows{};
  for (std::size_t i = 1; i < half; ++i) follows[window[i - 1]] = window[i];
  std::uint32_t right = 0;
  for (std::size_t i = half; i < window.size(); ++i) {
    right += follows[window[i - 1]] == window[i] ? 1U : 0U;
    follows[window[i - 1]] = window[i];
  }
  now_.successor = true;
  return grade(HealthTest::successor, right, settings_.level1.half_window,
               settings_.level2.half_window, successor_since_ns_);
}

Finding Battery::judge_all(WindowView window, std::int64_t from_ns, bool startup) {
  begin_window(from_ns);
  Finding worst = lags(window, startup);
  worst = worst.joined(most_common(window));
  if (window_count_ % successor_every == 0) worst = worst.joined(successor(window));
  now_.window = true;
  ++window_count_;
  return worst;
}

Finding Battery::judge(WindowView window, std::int64_t from_ns) {
  return judge_all(window, from_ns, false);
}

Finding Battery::judge_startup(WindowView window, std::int64_t from_ns) {
  return judge_all(window, from_ns, true);
}

}  // namespace talla::entropy
