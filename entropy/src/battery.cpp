// The predictors of one source's health tests, window by window.
#include <algorithm>
#include <cstring>
#include <limits>
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

/// How often each value occurs. Signed and of 16 bits, which hold the 16,384 of the long count: of
/// these the baseline of the processors finds the largest eight at a time.
using Counts = std::array<std::int16_t, 256>;
static_assert(windows::long_samples <= std::numeric_limits<std::int16_t>::max());

/// Of samples of so few bits each value is looked for by itself, sixteen samples at a time.
constexpr unsigned few_bits = 3;

/// Adds the values of half a window, of those that a sample of so many bits has.
void add_few(const std::uint8_t* samples, unsigned bits, Counts& counts) {
  for (unsigned v = 0; v < 1U << bits; ++v) {
    const std::size_t found = scan::count_equal(samples, half, static_cast<std::uint8_t>(v));
    counts[v] = static_cast<std::int16_t>(counts[v] + static_cast<std::int16_t>(found));
  }
}

/// Adds the values of half a window. Four tables side by side: equal neighbours then do not wait
/// for each other's store. Eight samples are loaded at once; which of them goes to which table does
/// not matter.
void add_counts(const std::uint8_t* samples, Counts& counts) {
  constexpr std::size_t step = sizeof(std::uint64_t);
  static_assert(half % step == 0);
  std::array<Counts, 4> part{};
  for (std::size_t i = 0; i < half; i += step) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, samples + i, step);
    for (std::size_t k = 0; k < step; ++k, eight >>= 8U) ++part[k % 4][eight & 0xFFU];
  }
  for (std::size_t v = 0; v < counts.size(); ++v) {
    counts[v] =
        static_cast<std::int16_t>(counts[v] + part[0][v] + part[1][v] + part[2][v] + part[3][v]);
  }
}

std::int16_t largest(const Counts& counts) {
  std::int16_t most = 0;
  for (const std::int16_t count : counts) most = std::max(most, count);
  return most;
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

Finding Battery::lag(std::uint32_t lag, std::uint32_t matches, bool startup) const {
  const std::int64_t since_ns = lag <= lags_always ? window_since_ns_ : lag_since_ns_[lag];
  const LevelCutoffs& one = settings_.level1;
  const LevelCutoffs& two = settings_.level2;
  return grade(HealthTest::lag, matches, startup ? one.startup_lags : one.half_window,
               startup ? two.startup_lags : two.half_window, since_ns);
}

Finding Battery::lags(WindowView window, bool startup) {
  const std::uint8_t* second_half = window.data() + half;
  Finding worst;
  const auto always = scan::count_at_lags(second_half, half, 1);
  static_assert(always.size() == lags_always && lags_rotating == lags_always);
  for (std::uint32_t each = 1; each <= lags_always; ++each)
    worst = worst.joined(lag(each, always[each - 1], false));
  now_.lag_first = next_lag_;
  now_.lag_count = startup ? windows::lags_all - lags_always : lags_rotating;
  for (std::uint32_t done = 0; done < now_.lag_count;) {
    // As many as follow each other; where the rotation begins anew, or the count ends, fewer.
    const auto first = std::min<std::uint32_t>(next_lag_, windows::lags_all - lags_rotating + 1);
    const auto matches = scan::count_at_lags(second_half, half, first);
    for (std::uint32_t k = next_lag_ - first; k < matches.size() && done < now_.lag_count; ++k) {
      worst = worst.joined(lag(next_lag_, matches[k], startup));
      next_lag_ = after_lag(next_lag_);
      ++done;
    }
  }
  return worst;
}

Finding Battery::most_common(WindowView window) {
  Counts first{};
  Counts second{};
  const unsigned bits = settings_.bits_per_sample;
  const auto add = [bits](const std::uint8_t* samples, Counts& counts) {
    bits <= few_bits ? add_few(samples, bits, counts) : add_counts(samples, counts);
  };
  add(window.data(), first);
  add(window.data() + half, second);
  const auto guess = std::find(first.begin(), first.end(), largest(first)) - first.begin();
  Finding worst =
      grade(HealthTest::most_common_window,
            static_cast<std::uint32_t>(second[static_cast<std::size_t>(guess)]),
            settings_.level1.half_window, settings_.level2.half_window, window_since_ns_);
  for (std::size_t v = 0; v < long_counts_.size(); ++v)
    long_counts_[v] = static_cast<std::int16_t>(long_counts_[v] + first[v] + second[v]);
  if (window_count_ % windows_per_long == windows_per_long - 1) {
    const auto most = static_cast<std::uint32_t>(largest(long_counts_));
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
