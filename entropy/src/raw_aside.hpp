/// \file
/// Raw samples for a laboratory: one run of a source at a time, moved out of its quarantine, so
/// that no block and no seed is ever made of them.
///
/// A run is `gate_window_samples` samples in a row as they came, judged green like all others.
/// Threads: under the generator's lock. Secrecy: SecretBytes, wiped when taken back.
#pragma once

#include <cstdint>
#include <optional>

#include "entropy/gate.hpp"

namespace talla::entropy {

class RawAside {
 public:
  /// From now on of that source; nothing: of none. What is held is wiped.
  void want(std::optional<std::size_t> source);
  [[nodiscard]] std::optional<std::size_t> source() const { return source_; }
  /// A run of that source is wanted and none is held.
  [[nodiscard]] bool wants_run(std::size_t source) const {
    return source_ == source && held_.empty();
  }
  [[nodiscard]] bool holds() const { return !held_.empty(); }
  /// Precondition: wants_run of this gate's source, and a run is green in it.
  void take_from(Gate& gate);
  /// The run that is held; empty: none.
  [[nodiscard]] SecretBytes give();
  /// An alarm of that source suspects everything from there on.
  void drop_since(std::size_t source, std::int64_t from_ns);
  void wipe();

 private:
  std::optional<std::size_t> source_;
  SecretBytes held_;
  TimeRange range_;
};

}  // namespace talla::entropy
