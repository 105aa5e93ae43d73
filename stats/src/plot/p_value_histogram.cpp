// Histogram of p-values with the band of uniform ones.
#include <algorithm>
#include <cmath>

#include "plot/canvas.hpp"
#include "stats/special.hpp"

namespace talla::stats::plot {
namespace {

/// Least k with P(X <= k) >= level, for a binomial of n trials.
double binomial_quantile(double level, double n, double p) {
  double low = -1, high = n;  // P(X <= low) < level <= P(X <= high)
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (binomial_below(middle, n, p) < level ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::string svg(const PValueHistogram& plot) {
  const std::size_t classes = std::clamp<std::size_t>(plot.classes, 1, 200);
  std::vector<double> counts(classes);
  double applied = 0;
  for (const double p : plot.p_values) {
    const bool is_chance = p >= 0.0 && p <= 1.0;  // NaN is none
    if (!is_chance) continue;
    ++counts[std::min(classes - 1, static_cast<std::size_t>(p * static_cast<double>(classes)))];
    ++applied;
  }
  const double chance = 1.0 / static_cast<double>(classes);
  const double tail = (1.0 - plot.coverage) / 2.0 * chance;
  const double least = binomial_quantile(tail, applied, chance);
  const double most = binomial_quantile(1.0 - tail, applied, chance);

  Text text = plot.text;
  if (text.x.empty()) text.x = "p-value";
  if (text.y.empty()) text.y = "p-values in a class";
  Svg page(page_width, page_height, text);
  draw_heading(page, text);
  const double top = std::max({most, *std::max_element(counts.begin(), counts.end()), 1.0}) * 1.08;
  const Frame frame(page, page_field, {.low = 0, .high = 1, .label = text.x},
                    {.low = 0, .high = top, .label = text.y, .integers = true});
  page.rect(frame.between({0, least}, {1, most}), band);
  for (std::size_t i = 0; i < classes; ++i) {
    const bool inside = counts[i] >= least && counts[i] <= most;
    Box bar = frame.between({static_cast<double>(i) * chance, 0},
                            {static_cast<double>(i + 1) * chance, counts[i]});
    bar.left += bar.width * 0.06;
    bar.width *= 0.88;
    page.rect(bar, inside ? blue : vermilion);
  }
  for (const double edge : {least, most}) frame.level(edge, {.colour = soft, .dashed = true});
  frame.level(applied * chance, {.colour = ink});
  frame.outline();
  draw_keys(page, frame.box(),
            {{ink, "expected " + number(applied * chance), true},
             {soft, "band " + number(least) + " to " + number(most), true, true},
             {blue, "inside"},
             {vermilion, "outside"}});
  draw_footnote(page, page_height,
                number(applied, 15) +
                    " p-values. All classes stay inside the band with a chance of " +
                    number(plot.coverage) + " when p-values are uniform and independent.");
  return page.finish();
}

}  // namespace talla::stats::plot
