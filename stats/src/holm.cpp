#include "stats/holm.hpp"

#include <algorithm>
#include <cmath>

namespace talla::stats {

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (!std::isnan(p_values[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.begin(), p_values.end());
  double least = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto left = static_cast<double>(order.size() - rank);
    least = std::max(least, std::min(1.0, left * p_values[order[rank]]));
    adjusted[order[rank]] = least;
  }
  return adjusted;
}

double holm_smallest(std::span<const double> p_values) {
  double smallest = 1.0;
  for (const double p : holm(p_values)) {
    if (!std::isnan(p)) smallest = std::min(smallest, p);
  }
  return smallest;
}

}  // namespace talla::stats
