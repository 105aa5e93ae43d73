// Where the bars of a drawing stand, for both forms of paper.
#include "bars.hpp"

#include <algorithm>

namespace talla::report {

BarsLayout::BarsLayout(const Paper::Bars& plot, double width, double height) {
  constexpr double gap = 0.15;  // of a bar's place
  constexpr std::size_t labels_most = 38;
  if (plot.bars.empty()) return;
  std::uint64_t most = 0;
  std::uint64_t sum = 0;
  for (const auto& bar : plot.bars) {
    most = std::max(most, bar.count);
    sum += bar.count;
  }
  const double unit = height / static_cast<double>(std::max<std::uint64_t>(most, 1));
  const double place = width / static_cast<double>(plot.bars.size());
  const std::size_t every = (plot.bars.size() + labels_most - 1) / labels_most;
  for (std::size_t i = 0; i < plot.bars.size(); ++i) {
    const double x = place * static_cast<double>(i);
    const double high = unit * static_cast<double>(plot.bars[i].count);
    boxes.push_back({x + place * gap / 2, height - high, place * (1 - gap), high});
    if (i % every == 0) labels.push_back({x + place / 2, plot.bars[i].label});
  }
  even_y = height - unit * static_cast<double>(sum) / static_cast<double>(plot.bars.size());
}

}  // namespace talla::report
