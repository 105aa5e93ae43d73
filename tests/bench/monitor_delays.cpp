// How long a stated bias goes unnoticed: steps until the alarm of the e-process and of the
// detector, beside what a chi-square test over fixed windows needs. Prints the table of
// stats/docs/monitors.md; build/bin/monitor_delays [runs]
// Method: simulated streams with fixed seeds. E-processes at the threshold of the first monitor of
// a class in its first epoch (alpha 0.001 / 3), detectors at a run length of 10^9 steps; medians
// over the runs. Chi-square: windows of the stated length, each at level 10^-6, mean delay = window
// / power (noncentral chi-square), no claim over a life.
#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "stats/monitor/streams.hpp"
#include "stats/monitor/threshold.hpp"
#include "words.hpp"

namespace {

using namespace talla::stats::monitor;  // NOLINT: a program of its own
using test::Words;

constexpr double run_length = 1e9;
constexpr double window_level = 1e-6;

struct Delay {
  double process = 0;
  double detector = 0;
};

/// Steps until each side reaches its threshold; `step` feeds one step.
Delay delay_of(Process& process, const std::function<void()>& step, double units) {
  const double limit = std::exp(log_threshold(0.001 / 3, 1, 1));
  process.begin_epoch();
  process.restart_detector();
  Delay delay;
  double n = 0;
  while (delay.process == 0 || delay.detector == 0) {
    n += units;
    step();
    if (delay.process == 0 && process.e() >= limit) {
      delay.process = n;
      process.freeze_e(true);
    }
    if (delay.detector == 0 && process.detector() >= run_length) {
      delay.detector = n;
      process.freeze_detector(true);
    }
  }
  return delay;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Delay medians(int runs, const std::function<Delay(std::uint64_t seed)>& run) {
  std::vector<double> process;
  std::vector<double> detector;
  for (int i = 0; i < runs; ++i) {
    const Delay delay = run(static_cast<std::uint64_t>(1000 + i));
    process.push_back(delay.process);
    detector.push_back(delay.detector);
  }
  return {median(process), median(detector)};
}

/// Mean steps until a chi-square test over windows of `window` steps raises; `shift` is its
/// noncentrality for one step.
double window_delay(double degrees, double shift, double window) {
  const double critical = boost::math::quantile(
      boost::math::complement(boost::math::chi_squared(degrees), window_level));
  const double power = boost::math::cdf(boost::math::complement(
      boost::math::non_central_chi_squared(degrees, shift * window), critical));
  return window / power;
}

std::string short_number(double value) {
  std::array<char, 32> text{};
  if (value >= 1e12) {
    static_cast<void>(std::snprintf(text.data(), text.size(), "%.0e", value));
  } else if (value >= 1e6) {
    static_cast<void>(std::snprintf(text.data(), text.size(), "%.2f million", value / 1e6));
  } else {
    static_cast<void>(std::snprintf(text.data(), text.size(), "%.0f", value));
  }
  return text.data();
}

void line(const char* what, const char* unit, const Delay& delay, double degrees, double shift,
          const std::vector<double>& windows) {
  std::printf("| %s | %s | %s | %s |", what, unit, short_number(delay.process).c_str(),
              short_number(delay.detector).c_str());
  for (const double window : windows) {
    std::printf(" %s (%s)", short_number(window_delay(degrees, shift, window)).c_str(),
                short_number(window).c_str());
  }
  std::printf(" |\n");
  static_cast<void>(std::fflush(stdout));
}

void pocket(int runs, double factor, const char* what) {
  constexpr double pockets = 37;
  const double p = factor / pockets;
  const Delay delay = medians(runs, [&](std::uint64_t seed) {
    Words words(seed);
    Frequency process("frequency", std::vector<double>(37, 1 / pockets));
    return delay_of(
        process, [&] { process.observe(words.unit() < p ? 5 : (6 + words.below(36)) % 37); }, 1);
  });
  const double excess = p - 1 / pockets;
  const double shift = pockets * (excess * excess + 36 * (excess / 36) * (excess / 36));
  line(what, "spins", delay, 36, shift, {1e4, 1e5, 1e6});
}

/// An 8-deck shoe in which, with this probability, the card behind the first ace of clubs is a king
/// of spades.
void sticking(int runs, double probability, const char* what) {
  const Delay delay = medians(runs, [&](std::uint64_t seed) {
    Words words(seed);
    Shoe shoe(std::vector<std::uint32_t>(52, 8));
    std::vector<std::uint16_t> kinds(416);
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<std::uint16_t>(i % 52);
    return delay_of(
        *shoe.processes()[1],
        [&] {
          for (std::size_t left = kinds.size(); left > 1; --left)
            std::swap(kinds[left - 1], kinds[words.below(left)]);
          if (words.unit() < probability) {
            const auto first = std::find(kinds.begin(), kinds.end() - 1, std::uint16_t{0});
            std::swap(*(first + 1), *std::find(kinds.begin(), kinds.end(), std::uint16_t{51}));
          }
          if (!shoe.observe(kinds)) std::abort();
        },
        1);
  });
  const double expected = 415.0 * 8 / 416 * 8 / 415;  // of a pair of kinds in a shoe
  line(what, "shoes", delay, 51.0 * 51, probability * probability / expected, {100, 1000, 10'000});
}

void bit(int runs, double share, const char* what) {
  const Delay delay = medians(runs, [&](std::uint64_t seed) {
    Words words(seed);
    Ones process("ones");
    return delay_of(
        process,
        [&] {
          std::uint64_t ones = 0;
          for (int i = 0; i < 512; ++i) ones += words.unit() < share ? 1U : 0U;
          process.observe(ones, 512);
        },
        512);
  });
  const double excess = share - 0.5;
  line(what, "bits", delay, 1, 4 * excess * excess, {1e6, 1e7, 1e8});
}

}  // namespace

int main(int argc, char** argv) {
  // NOLINTNEXTLINE(cert-err34-c): what is no number is 0, so 1
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 51;
  std::printf(
      "| bias | counted in | e-process | detector | chi-square, mean delay (window) "
      "|\n|---|---|---|---|---|\n");
  pocket(runs, 1.05, "a pocket of 37 at 1.05 times its probability");
  pocket(runs, 1.10, "at 1.10 times");
  pocket(runs, 1.20, "at 1.20 times");
  sticking(runs, 0.2, "a card sticks to its neighbour in one 8-deck shoe of five");
  sticking(runs, 0.5, "in every second shoe");
  sticking(runs, 1.0, "in every shoe");
  bit(runs, 0.501, "a bit at 0.501");
  bit(runs, 0.51, "at 0.51");
  return 0;
}
