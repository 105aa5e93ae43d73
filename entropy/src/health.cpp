#include "entropy/health.hpp"

#include <algorithm>
#include <bit>

#include "health_windows.hpp"
#include "sample_scan.hpp"

namespace talla::entropy {

static_assert(gate_window_samples == windows::gate_samples);
static_assert(startup_samples == windows::history_samples);

namespace {

/// Length of the longest run of ones.
std::uint32_t longest_ones(std::uint64_t mask) {
  std::uint32_t length = 0;
  for (; mask != 0; ++length) mask &= mask << 1U;
  return length;
}

std::uint32_t level_of(std::uint32_t value, std::uint32_t level1, std::uint32_t level2) {
  if (value >= level2) return 2;
  return value >= level1 ? 1 : 0;
}

}  // namespace

ContinuousTests::ContinuousTests(const HealthSettings& settings) : settings_(settings) {}

void ContinuousTests::restart() {
  *this = ContinuousTests(settings_);
}

std::uint32_t ContinuousTests::longest_run(std::span<const std::uint8_t> samples) {
  const std::uint8_t* data = samples.data();
  run_ = data[0] == last_ ? run_ + 1 : 1;  // of the first sample of all: 1 either way
  std::uint32_t longest = run_;
  std::size_t i = 1;
  for (; i + 64 <= samples.size(); i += 64) {
    const std::uint64_t same = scan::equal_mask64(data + i, data + i - 1);
    if (same == 0) {
      run_ = 1;
      continue;
    }
    const auto lead = static_cast<std::uint32_t>(std::countr_one(same));
    longest = std::max(longest, run_ + lead);
    if (lead == 64) {
      run_ += 64;
      continue;
    }
    longest = std::max(longest, longest_ones(same) + 1);
    run_ = static_cast<std::uint32_t>(std::countl_one(same)) + 1;
  }
  for (; i < samples.size(); ++i) {
    run_ = data[i] == data[i - 1] ? run_ + 1 : 1;
    longest = std::max(longest, run_);
  }
  last_ = samples.back();
  // A run beyond the permanent cutoff need not be counted on; this keeps the counter from ever
  // wrapping.
  run_ = std::min(run_, settings_.level2.repetition);
  return longest;
}

std::uint32_t ContinuousTests::largest_count(std::span<const std::uint8_t> samples) {
  std::uint32_t largest = 0;
  for (std::size_t done = 0; done < samples.size();) {
    if (place_ == 0) {
      reference_ = samples[done];
      count_ = 0;
    }
    const std::size_t part =
        std::min<std::size_t>(settings_.proportion_window - place_, samples.size() - done);
    count_ +=
        static_cast<std::uint32_t>(scan::count_equal(samples.data() + done, part, reference_));
    largest = std::max(largest, count_);
    place_ += static_cast<std::uint32_t>(part);
    if (place_ == settings_.proportion_window) place_ = 0;
    done += part;
  }
  return largest;
}

Alarm ContinuousTests::feed(std::span<const std::uint8_t> samples) {
  if (samples.empty()) return {};
  const std::uint32_t run = longest_run(samples);
  const std::uint32_t count = largest_count(samples);
  const std::uint32_t run_level =
      level_of(run, settings_.level1.repetition, settings_.level2.repetition);
  const std::uint32_t count_level =
      level_of(count, settings_.level1.proportion, settings_.level2.proportion);
  return Alarm{}
      .worse({HealthTest::repetition_count, run_level})
      .worse({HealthTest::adaptive_proportion, count_level});
}

}  // namespace talla::entropy
