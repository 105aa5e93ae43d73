#include "raw_aside.hpp"

#include <utility>

#include "base/check.hpp"

namespace talla::entropy {

void RawAside::want(std::optional<std::size_t> source) {
  wipe();
  source_ = source;
}

void RawAside::take_from(Gate& gate) {
  TALLA_CHECK(held_.empty() && gate.green_samples() >= gate_window_samples);
  held_.reserve(gate_window_samples);
  range_ = gate.take(gate_window_samples, held_);
}

SecretBytes RawAside::give() {
  return std::exchange(held_, SecretBytes());
}

void RawAside::drop_since(std::size_t source, std::int64_t from_ns) {
  if (source_ == source && range_.to_ns >= from_ns) wipe();
}

void RawAside::wipe() {
  held_ = SecretBytes();
}

}  // namespace talla::entropy
