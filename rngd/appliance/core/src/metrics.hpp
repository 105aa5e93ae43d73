/// \file
/// What the service counts, by Prometheus name (talla_..., base units; labels are part of the
/// name).
///
/// Threads: any.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "core/service.hpp"

namespace talla::core {

class Metrics {
 public:
  /// Adds to a counter; one that was never counted starts at 0.
  void count(const std::string& name, double by = 1.0);
  void set(const std::string& gauge, double value);
  /// Gauges of objects that may be gone: all whose name begins so.
  void drop(std::string_view prefix);
  [[nodiscard]] MetricsSnapshot snapshot() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, double> counters_;  // mutex_
  std::map<std::string, double> gauges_;    // mutex_
};

}  // namespace talla::core
