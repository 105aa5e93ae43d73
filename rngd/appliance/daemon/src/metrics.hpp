/// \file
/// Prometheus text of the service's and the generator's counters (exposition format 0.0.4). No
/// secret is in them.
#pragma once

#include <string>

#include "core/service.hpp"
#include "entropy/generator_types.hpp"

namespace talla::rngd {

[[nodiscard]] std::string metrics_text(const core::MetricsSnapshot& service,
                                       const entropy::Metrics& generator);

}  // namespace talla::rngd
