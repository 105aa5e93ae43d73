// SP 800-22 Rev. 1a, 2.13: cumulative sums, forward and reverse.
#include <algorithm>
#include <array>
#include <cmath>

#include "plan.hpp"
#include "stats/special.hpp"

namespace talla::stats::sp800_22 {
namespace {

/// The walk over the eight bits of a byte, from its highest bit on.
struct ByteWalk {
  std::int8_t end = 0;
  std::int8_t top = 0;     // highest place reached, at least 0
  std::int8_t bottom = 0;  // lowest place reached, at most 0
};

constexpr std::array<ByteWalk, 256> make_walks() {
  std::array<ByteWalk, 256> walks{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    int place = 0, top = 0, bottom = 0;
    for (int k = 7; k >= 0; --k) {
      place += ((byte >> k) & 1U) != 0 ? 1 : -1;
      top = std::max(top, place);
      bottom = std::min(bottom, place);
    }
    walks[byte] = {static_cast<std::int8_t>(place), static_cast<std::int8_t>(top),
                   static_cast<std::int8_t>(bottom)};
  }
  return walks;
}
constexpr auto walks = make_walks();

struct Extremes {
  int end = 0, top = 0, bottom = 0;
};

Extremes walk_of(const Bits& bits) {
  Extremes walk;
  const std::size_t bytes_count = bits.size() / 8;
  for (std::size_t i = 0; i < bytes_count; ++i) {
    const ByteWalk& step = walks[bits.byte(i)];
    walk.top = std::max(walk.top, walk.end + step.top);
    walk.bottom = std::min(walk.bottom, walk.end + step.bottom);
    walk.end += step.end;
  }
  for (std::size_t i = bytes_count * 8; i < bits.size(); ++i) {
    walk.end += bits.bit(i) ? 1 : -1;
    walk.top = std::max(walk.top, walk.end);
    walk.bottom = std::min(walk.bottom, walk.end);
  }
  return walk;
}

/// The sum over k of Phi((4k + a) z / sqrt n) - Phi((4k + b) z / sqrt n).
double tails(int first, int last, int a, int b, double z, double n) {
  double sum = 0.0;
  for (int k = first; k <= last; ++k) {
    sum += normal_below((4 * k + a) * z / std::sqrt(n));
    sum -= normal_below((4 * k + b) * z / std::sqrt(n));
  }
  return sum;
}

double p_value(Profile profile, int n, int z) {
  int first_a = (-n / z + 1) / 4, last = (n / z - 1) / 4,
      first_b = (-n / z - 3) / 4;  // as the suite: towards zero
  if (profile == Profile::corrected) {
    const double ratio = static_cast<double>(n) / z;
    first_a = static_cast<int>(std::ceil((1.0 - ratio) / 4.0));
    last = static_cast<int>(std::floor((ratio - 1.0) / 4.0));
    first_b = static_cast<int>(std::ceil((-3.0 - ratio) / 4.0));
  }
  return 1.0 - tails(first_a, last, 1, -1, z, n) + tails(first_b, last, 3, 1, z, n);
}

}  // namespace

void cumulative_sums(const Plan& plan, const Bits& bits, const Sink& sink) {
  const Extremes walk = walk_of(bits);
  const int forward = std::max(walk.top, -walk.bottom);
  const int reverse = std::max(walk.top - walk.end, walk.end - walk.bottom);
  sink.figure("largest partial sum, forward", forward);
  sink.figure("largest partial sum, reverse", reverse);
  const int n = static_cast<int>(bits.size());
  sink.p[0] = p_value(plan.profile, n, forward);
  sink.p[1] = p_value(plan.profile, n, reverse);
}

}  // namespace talla::stats::sp800_22
