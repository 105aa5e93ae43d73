#include "stats/monitor/threshold.hpp"

#include <cmath>
#include <numbers>

namespace talla::stats::monitor {

double alpha_share(std::uint32_t place, std::uint32_t epoch) {
  const double j = place;
  const double k = epoch;
  return 6.0 / (std::numbers::pi * std::numbers::pi * k * k) / (j * (j + 1));
}

double log_threshold(double alpha, std::uint32_t place, std::uint32_t epoch) {
  return -std::log(alpha * alpha_share(place, epoch));
}

}  // namespace talla::stats::monitor
