// SP 800-22 Rev. 1a: 2.14 random excursions, 2.15 random excursions variant.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "plan.hpp"
#include "stats/special.hpp"

namespace talla::stats::sp800_22 {
namespace {

constexpr int near = 4;  // states of 2.14: -4 to 4 without 0
constexpr int far = 9;   // states of 2.15

struct Walk {
  std::size_t cycles_count = 0;
  std::array<std::size_t, 2 * far + 1> visits{};  // by state + far
  std::array<std::array<std::size_t, 6>, 2 * near + 1>
      cycles{};  // by state + near and number of visits in a cycle, 5: and more
};

class Walker {
 public:
  Walk take(const Bits& bits) {
    for (std::size_t at = 0; at < bits.size();) {
      // Far out whole words and bytes cannot touch a state that is counted.
      if (std::abs(place_) > far + 64 && at + 64 <= bits.size()) {
        place_ += 2 * std::popcount(bits.word_at(at)) - 64;
        at += 64;
      } else if (std::abs(place_) > far + 8 && at + 8 <= bits.size()) {
        place_ += 2 * std::popcount(bits.word_at(at) >> 56) - 8;
        at += 8;
      } else {
        step(bits.bit(at));
        ++at;
      }
    }
    if (place_ != 0) end_cycle();
    return walk_;
  }

 private:
  void step(bool one) {
    place_ += one ? 1 : -1;
    if (place_ == 0) {
      end_cycle();
    } else if (std::abs(place_) <= far) {
      ++walk_.visits[static_cast<std::size_t>(place_ + far)];
      if (std::abs(place_) <= near) ++in_cycle_[static_cast<std::size_t>(place_ + near)];
    }
  }
  void end_cycle() {
    ++walk_.cycles_count;
    for (std::size_t i = 0; i < in_cycle_.size(); ++i)
      ++walk_.cycles[i][std::min<std::size_t>(in_cycle_[i], 5)];
    in_cycle_ = {};
  }
  int place_ = 0;
  std::array<std::size_t, 2 * near + 1> in_cycle_{};
  Walk walk_;
};

/// P(state x is visited k times in a cycle), 3.14; k = 5 stands for five and more. NIST's program
/// rounds to ten digits.
double visits_probability(bool rounded, int state, int k) {
  const double x = std::abs(state);
  const double stay = 1.0 - 1.0 / (2.0 * x);
  const double exact = k == 0   ? stay
                       : k == 5 ? std::pow(stay, 4.0) / (2.0 * x)
                                : std::pow(stay, k - 1.0) / (4.0 * x * x);
  if (!rounded) return exact;
  static constexpr std::array<std::array<double, 6>, 4> suite = {{
      {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125},
      {0.75, 0.0625, 0.046875, 0.03515625, 0.0263671875, 0.0791015625},
      {0.8333333333, 0.02777777778, 0.02314814815, 0.01929012346, 0.01607510288, 0.0803755143},
      {0.875, 0.015625, 0.01367187500, 0.01196289063, 0.0104675293, 0.0732727051},
  }};
  return suite[static_cast<std::size_t>(std::abs(state)) - 1][static_cast<std::size_t>(k)];
}

}  // namespace

void excursions(const Plan& plan, const Bits& bits, const Sink& eight_states, const Sink& variant) {
  const Walk walk = Walker().take(bits);
  const auto cycles = static_cast<double>(walk.cycles_count);
  eight_states.figure("cycles", cycles);
  variant.figure("cycles", cycles);
  // 2.14.4 (3): too few cycles and the approximation does not hold.
  const double least = std::max(0.005 * std::sqrt(static_cast<double>(bits.size())), 500.0);
  if (cycles < std::floor(least) || (!plan.nist() && cycles < least)) return;
  std::size_t row = 0;
  // NIST's program holds at most max(1000, n / 100) cycles and gives nothing for a sequence with
  // more.
  const bool held =
      !plan.nist() || walk.cycles_count <= std::max<std::size_t>(1000, bits.size() / 100);
  for (int state = -near; state <= near && held && cycles >= least; ++state) {
    if (state == 0) continue;
    double chi_square = 0.0;
    for (int k = 0; k < 6; ++k) {
      const double expected = cycles * visits_probability(plan.nist(), state, k);
      const double off =
          static_cast<double>(
              walk.cycles[static_cast<std::size_t>(state + near)][static_cast<std::size_t>(k)]) -
          expected;
      chi_square += off * off / expected;
    }
    eight_states.p[row++] = chi_square_tail(chi_square, 5.0);
  }
  row = 0;
  for (int state = -far; state <= far; ++state) {
    if (state == 0) continue;
    const auto visits = static_cast<double>(walk.visits[static_cast<std::size_t>(state + far)]);
    variant.p[row++] = std::erfc(std::fabs(visits - cycles) /
                                 std::sqrt(2.0 * cycles * (4.0 * std::abs(state) - 2.0)));
  }
}

}  // namespace talla::stats::sp800_22
