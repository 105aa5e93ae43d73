// Goal: no sample stream, block size, claim or timing breaks the gate, and nothing red ever counts
//       as green.
// Method: the first bytes choose settings, the rest is cut into reads; invariants are checked after
//         each.
#include <algorithm>
#include <cstdint>

#include "base/check.hpp"
#include "entropy/gate.hpp"

namespace {

using talla::entropy::Gate;
using talla::entropy::GateState;

void take_some(Gate& gate, std::uint8_t choice) {
  const std::size_t green = gate.green_samples();
  const std::size_t count = green * choice / 255;
  if (count == 0) return;
  talla::SecretBytes out;
  const auto range = gate.take(count, out);
  TALLA_CHECK(out.size() == count);
  TALLA_CHECK(range.from_ns <= range.to_ns);
  TALLA_CHECK(gate.green_samples() == green - count);
}

void check(const Gate& gate) {
  const auto& counts = gate.counts();
  TALLA_CHECK(counts.green_samples <= counts.raw_samples);
  TALLA_CHECK(gate.green_samples() <= counts.green_samples);
  TALLA_CHECK(gate.state() != GateState::closed || gate.green_samples() == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return 0;
  // A few fixed claims keep the exact cutoffs in their cache.
  talla::entropy::SourceDescription source;
  source.bits_per_sample = data[0] % 2 == 0 ? 8 : 1;
  source.assessed_millibits_per_sample =
      source.bits_per_sample == 8 ? (data[1] % 2 == 0 ? 7000 : 2000) : 880;
  source.nominal_rate_hz = data[2] % 2 == 0 ? 0 : 100'000;
  const auto settings = talla::entropy::health_settings(source, 1000);
  TALLA_CHECK(settings.has_value());
  Gate gate(*settings, source.nominal_rate_hz);
  // Short inputs are stretched: each byte stands for `repeat` samples, moved on by `step`.
  const std::size_t repeat = 1 + data[3];
  const std::uint8_t step = data[4];
  std::int64_t now_ns = 1;
  for (std::size_t at = 8; at + 2 <= size;) {
    const std::size_t part = std::min<std::size_t>(size - at, 1 + data[at]);
    std::vector<std::uint8_t> samples;
    for (std::size_t i = 0; i < part; ++i) {
      for (std::size_t r = 0; r < repeat; ++r) {
        const auto moved = static_cast<std::uint8_t>(data[at + i] + r * step);
        samples.push_back(source.bits_per_sample == 1 ? static_cast<std::uint8_t>(moved & 1U)
                                                      : moved);
      }
    }
    const std::int64_t came_ns = now_ns + std::int64_t{data[at + 1]} * data[5] * 100'000;
    const auto report = gate.feed(samples, {now_ns, came_ns});
    TALLA_CHECK(report.alarm.level <= 2);
    TALLA_CHECK(report.alarm.level == 0 || gate.state() != GateState::open);
    check(gate);
    take_some(gate, data[at + 1]);
    if (data[6] == data[at]) gate.restart();
    if (gate.state() == GateState::closed && data[7] % 2 == 0) gate.reopen();
    now_ns = came_ns + 1;
    at += part;
  }
  return 0;
}
