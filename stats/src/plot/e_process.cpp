// Paths of e-processes against their threshold.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "plot/canvas.hpp"

namespace talla::stats::plot {
namespace {

// Vermilion is the alarm's.
constexpr std::array<std::string_view, 6> colours = {blue, yellow, green, purple, sky, ink};

/// Extremes of each of `columns` stretches in order, so that no crossing is lost.
std::vector<std::size_t> thinned(std::span<const double> values, std::size_t columns) {
  std::vector<std::size_t> kept;
  const std::size_t stretch = std::max<std::size_t>(1, (values.size() + columns - 1) / columns);
  for (std::size_t begin = 0; begin < values.size(); begin += stretch) {
    const std::size_t end = std::min(values.size(), begin + stretch);
    std::size_t low = begin, high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    std::array<std::size_t, 4> marks = {begin, std::min(low, high), std::max(low, high), end - 1};
    for (const std::size_t mark : marks) {
      if (kept.empty() || mark > kept.back()) kept.push_back(mark);
    }
  }
  return kept;
}

}  // namespace

std::string svg(const EProcessPlot& plot) {
  Text text = plot.text;
  if (text.x.empty()) text.x = "looks";
  if (text.y.empty()) text.y = "e-value (evidence against the claim)";
  const double threshold = -std::log10(plot.alpha);
  double low = -1, high = threshold + 1;
  std::size_t longest = 1;
  for (const auto& path : plot.paths) {
    longest = std::max(longest, path.log_e.size());
    for (const double value : path.log_e) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value / std::numbers::ln10);
      high = std::max(high, value / std::numbers::ln10);
    }
  }
  low = std::max(std::floor(low), -300.0);
  high = std::min(std::ceil(high), 300.0);

  Svg page(page_width, page_height, text);
  draw_heading(page, text);
  const double last = plot.first + plot.step * static_cast<double>(longest - 1);
  const Frame frame(
      page, page_field, {.low = std::min(0.0, plot.first), .high = last, .label = text.x},
      {.low = std::pow(10.0, low), .high = std::pow(10.0, high), .label = text.y, .decades = true});
  frame.level(1.0, {.colour = soft});
  std::vector<Key> keys;
  for (std::size_t i = 0; i < plot.paths.size(); ++i) {
    const auto& path = plot.paths[i];
    const std::string_view colour = colours[i % colours.size()];
    const auto place = [&](std::size_t k) {
      const double e = std::isnan(path.log_e[k]) ? 0.0 : path.log_e[k] / std::numbers::ln10;
      return frame.at(plot.first + plot.step * static_cast<double>(k),
                      std::pow(10.0, std::clamp(e, low, high)));
    };
    std::vector<Point> points;
    for (const std::size_t k : thinned(path.log_e, 1200)) points.push_back(place(k));
    page.path(points, {.colour = colour, .width = 1.6});
    const auto crossing = std::find_if(path.log_e.begin(), path.log_e.end(), [&](double value) {
      return value / std::numbers::ln10 >= threshold;
    });
    if (crossing != path.log_e.end())
      page.circle(place(static_cast<std::size_t>(crossing - path.log_e.begin())), 5, vermilion);
    if (i < 5) keys.push_back({colour, path.name, true});
  }
  keys.push_back({vermilion, "alarm at " + number(1.0 / plot.alpha), true, true});
  frame.level(1.0 / plot.alpha, {.colour = vermilion, .width = 2, .dashed = true});
  frame.outline();
  draw_keys(page, frame.box(), keys);
  draw_footnote(page, page_height,
                "While the claim holds the path reaches the dashed line with a chance of at most " +
                    number(plot.alpha) + " over its whole life, however often one looks.");
  return page.finish();
}

}  // namespace talla::stats::plot
