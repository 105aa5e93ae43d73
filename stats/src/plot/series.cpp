// Autocorrelation, raw samples and spectrum.
#include <algorithm>
#include <cmath>

#include "plot/canvas.hpp"
#include "stats/special.hpp"

namespace talla::stats::plot {
namespace {

/// The level that a gamma variable of mean 1 (an average of `segments` exponential ones) passes
/// with chance `tail`.
double gamma_level(double tail, double segments) {
  double low = 1.0, high = 2.0;
  while (gamma_upper(segments, segments * high) > tail && high < 1e6) high *= 2.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2.0;
    (gamma_upper(segments, segments * middle) > tail ? low : high) = middle;
  }
  return high;
}

/// Mean and extremes of the frequencies that fall on one column of the drawing.
struct Column {
  double frequency = 0, mean = 0, low = 0, high = 0;
};

std::vector<Column> columns_of(std::span<const double> power, double frequency_max,
                               std::size_t most) {
  std::vector<Column> columns;
  const std::size_t stretch = std::max<std::size_t>(1, (power.size() + most - 1) / most);
  for (std::size_t begin = 0; begin < power.size(); begin += stretch) {
    Column column;
    double sum = 0, count = 0;
    for (std::size_t i = begin; i < std::min(power.size(), begin + stretch); ++i) {
      if (!std::isfinite(power[i]) || power[i] < 0.0) continue;
      column.low = count == 0 ? power[i] : std::min(column.low, power[i]);
      column.high = std::max(column.high, power[i]);
      sum += power[i];
      ++count;
    }
    if (count == 0) continue;
    column.mean = sum / count;
    const double middle = static_cast<double>(begin) + (static_cast<double>(stretch) + 1.0) / 2.0;
    column.frequency = frequency_max * std::min(1.0, middle / static_cast<double>(power.size()));
    columns.push_back(column);
  }
  return columns;
}

}  // namespace

std::string svg(const AutocorrelationPlot& plot) {
  Text text = plot.text;
  if (text.x.empty()) text.x = "lag, samples";
  if (text.y.empty()) text.y = "autocorrelation coefficient";
  const auto lags = static_cast<double>(plot.coefficients.size());
  const double deviation =
      1.0 / std::sqrt(static_cast<double>(std::max<std::size_t>(plot.samples, 1)));
  const double tail = (1.0 - plot.coverage) / 2.0;
  const double one = -normal_quantile(tail) * deviation;
  const double all = -normal_quantile(tail / std::max(lags, 1.0)) * deviation;
  double top = all * 1.25, outside = 0;
  for (const double value : plot.coefficients) {
    if (!std::isfinite(value)) continue;
    top = std::max(top, std::abs(value) * 1.08);
    outside += std::abs(value) > all ? 1 : 0;
  }
  Svg page(page_width, page_height, text);
  draw_heading(page, text);
  const Frame frame(page, page_field,
                    {.low = 0, .high = lags + 1, .label = text.x, .integers = true},
                    {.low = -top, .high = top, .label = text.y});
  page.rect(frame.between({0, -one}, {lags + 1, one}), band);
  const double width = std::clamp(frame.box().width / (lags + 1) * 0.7, 0.5, 9.0);
  for (std::size_t i = 0; i < plot.coefficients.size(); ++i) {
    const double value = plot.coefficients[i];
    if (!std::isfinite(value)) continue;
    const auto lag = static_cast<double>(i + 1);
    page.line(frame.at(lag, 0), frame.at(lag, value),
              {.colour = std::abs(value) > all ? vermilion : blue, .width = width});
  }
  frame.level(0, {});
  for (const double level : {-all, all}) frame.level(level, {.colour = vermilion, .dashed = true});
  frame.outline();
  draw_keys(page, frame.box(),
            {{band, number(plot.coverage * 100) + " % band of one lag"},
             {vermilion, "of all lags together, " + number(all, 3), true, true}});
  draw_footnote(page, page_height,
                number(static_cast<double>(plot.samples), 15) + " samples; " + number(outside) +
                    " of " + number(lags, 15) +
                    " lags are outside the band of all, which independent samples leave with a " +
                    "chance of " + number(1.0 - plot.coverage, 2) + ".");
  return page.finish();
}

std::string svg(const SampleHistogram& plot) {
  Text text = plot.text;
  if (text.x.empty()) text.x = "value of a sample";
  if (text.y.empty()) text.y = "samples";
  const auto expected = [&](std::size_t i) {
    const std::size_t at = plot.expected.size() == 1 ? 0 : i;
    return at < plot.expected.size() && std::isfinite(plot.expected[at]) ? plot.expected[at] : 0.0;
  };
  double top = 1, total = 0, most = 0;
  for (std::size_t i = 0; i < plot.counts.size(); ++i) {
    const auto count = static_cast<double>(plot.counts[i]);
    top = std::max({top, count, expected(i)});
    total += count;
    most = std::max(most, count);
  }
  const auto classes = static_cast<double>(plot.counts.size());
  Svg page(page_width, page_height, text);
  draw_heading(page, text);
  const Frame frame(page, page_field,
                    {.low = plot.first - 0.5,
                     .high = plot.first + classes - 0.5,
                     .label = text.x,
                     .integers = true},
                    {.low = 0, .high = top * 1.05, .label = text.y, .integers = true});
  std::vector<Point> steps;
  for (std::size_t i = 0; i < plot.counts.size(); ++i) {
    const double left = plot.first + static_cast<double>(i) - 0.5;
    Box bar = frame.between({left, 0}, {left + 1, static_cast<double>(plot.counts[i])});
    if (plot.counts.size() <= 64) {
      bar.left += bar.width * 0.06;
      bar.width *= 0.88;
    }
    page.rect(bar, blue);
    steps.push_back(frame.at(left, expected(i)));
    steps.push_back(frame.at(left + 1, expected(i)));
  }
  std::vector<Key> keys = {{blue, "observed"}};
  if (!plot.expected.empty()) {
    page.path(steps, {.colour = vermilion, .width = 1.6});
    keys.push_back({vermilion, "expected", true});
  }
  frame.outline();
  draw_keys(page, frame.box(), keys);
  draw_footnote(page, page_height,
                number(total, 15) + " samples; the most common value has a share of " +
                    number(total > 0 ? most / total : 0.0, 5) + ".");
  return page.finish();
}

std::string svg(const SpectrumPlot& plot) {
  Text text = plot.text;
  if (text.x.empty()) text.x = "frequency, cycles per sample";
  if (text.y.empty()) text.y = "power, 1 = white noise";
  const auto count = static_cast<double>(std::max<std::size_t>(plot.power.size(), 1));
  const auto segments = static_cast<double>(std::max<std::size_t>(plot.segments, 1));
  const double limit = gamma_level(0.01 / count, segments);
  const auto columns = columns_of(plot.power, plot.frequency_max, 780);
  double low = 0.1, high = std::max(10.0, limit * 1.5), above = 0;
  for (const Column& column : columns) {
    if (column.low > 0.0) low = std::min(low, column.low);
    high = std::max(high, column.high);
  }
  std::size_t peak = 0;
  for (std::size_t i = 0; i < plot.power.size(); ++i) {
    above += plot.power[i] > limit ? 1 : 0;
    if (plot.power[i] > plot.power[peak]) peak = i;
  }
  low = std::pow(10.0, std::max(-6.0, std::floor(std::log10(low))));
  high = std::pow(10.0, std::ceil(std::log10(high)));
  Svg page(page_width, page_height, text);
  draw_heading(page, text);
  const Frame frame(page, page_field, {.low = 0, .high = plot.frequency_max, .label = text.x},
                    {.low = low, .high = high, .label = text.y, .decades = true});
  std::vector<Point> means;
  for (const Column& column : columns) {
    const double x = column.frequency;
    page.line(frame.at(x, std::max(column.low, low)), frame.at(x, std::max(column.high, low)),
              {.colour = column.high > limit ? vermilion : "#a9cfe6", .width = 1.2});
    means.push_back(frame.at(x, std::max(column.mean, low)));
  }
  page.path(means, {.colour = blue, .width = 1.2});
  frame.level(1.0, {});
  frame.level(limit, {.colour = vermilion, .width = 1.5, .dashed = true});
  frame.outline();
  draw_keys(page, frame.box(),
            {{"#a9cfe6", "range"},
             {blue, "mean", true},
             {vermilion, "limit " + number(limit, 3), true, true}});
  const double strongest = plot.frequency_max * static_cast<double>(peak + 1) / count;
  draw_footnote(page, page_height,
                number(count, 15) + " frequencies, average of " + number(segments, 15) + "; " +
                    number(above, 15) +
                    " above the limit (white noise: any with a chance of 0.01); strongest at " +
                    number(strongest) +
                    (plot.power.empty() ? "." : ", " + number(plot.power[peak], 3) + "."));
  return page.finish();
}

}  // namespace talla::stats::plot
