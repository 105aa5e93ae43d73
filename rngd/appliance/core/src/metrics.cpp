// Counters and gauges of the service.
#include "metrics.hpp"

#include <array>

namespace talla::core {
namespace {

/// There before they count: whoever watches their rise must have seen 0.
constexpr std::array counters_from_the_start{
    "talla_anchor_failures_total",    "talla_draw_failures_total",  "talla_draws_total",
    "talla_event_records_lost_total", "talla_groups_total",         "talla_records_total",
    "talla_requests_total",           "talla_seals_unusable_total", "talla_tile_failures_total",
};

}  // namespace

void Metrics::count(const std::string& name, double by) {
  const std::scoped_lock lock(mutex_);
  counters_[name] += by;
}

void Metrics::set(const std::string& gauge, double value) {
  const std::scoped_lock lock(mutex_);
  gauges_[gauge] = value;
}

void Metrics::drop(std::string_view prefix) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(gauges_, [&](const auto& gauge) { return gauge.first.starts_with(prefix); });
}

MetricsSnapshot Metrics::snapshot() const {
  MetricsSnapshot snapshot;
  {
    const std::scoped_lock lock(mutex_);
    snapshot.counters = counters_;
    snapshot.gauges = gauges_;
  }
  for (const char* name : counters_from_the_start) snapshot.counters.try_emplace(name, 0.0);
  return snapshot;
}

}  // namespace talla::core
