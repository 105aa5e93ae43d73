// Table of deviations as colours.
#include <algorithm>
#include <array>
#include <cmath>

#include "plot/canvas.hpp"
#include "stats/special.hpp"

namespace talla::stats::plot {
namespace {

struct Colour {
  double red, green, blue;
};
// From blue over white to orange: told apart by every kind of colour blindness.
constexpr std::array<Colour, 7> ramp = {{{5, 48, 97},
                                         {67, 130, 190},
                                         {170, 205, 228},
                                         {248, 248, 248},
                                         {253, 200, 140},
                                         {224, 130, 20},
                                         {127, 59, 8}}};

std::string colour_of(double deviation, double limit) {
  if (!std::isfinite(deviation)) return "#999999";
  // 61 shades: neighbours of one shade are drawn as one.
  const double share = std::round((std::clamp(deviation / limit, -1.0, 1.0) + 1.0) * 30.0) / 60.0;
  const double at = share * static_cast<double>(ramp.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
  const double part = at - static_cast<double>(below);
  const auto mix = [&](double from, double to) {
    static constexpr std::string_view digits = "0123456789abcdef";
    const auto value = static_cast<unsigned>(std::lround(from + (to - from) * part));
    return std::string{digits[value >> 4U], digits[value & 15U]};
  };
  const Colour &from = ramp[below], &to = ramp[below + 1];
  return "#" + mix(from.red, to.red) + mix(from.green, to.green) + mix(from.blue, to.blue);
}

std::string name_of(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? names[index] : std::to_string(index + 1);
}

/// Every how many-th name fits when each needs `needed` and a cell has `cell`.
std::size_t stride_of(double needed, double cell) {
  static constexpr std::array<std::size_t, 12> steps = {1,  2,  4,  5,  10,  13,
                                                        20, 26, 50, 52, 100, 500};
  for (const std::size_t step : steps) {
    if (cell * static_cast<double>(step) >= needed) return step;
  }
  return 1000;
}

void draw_scale(Svg& page, const Box& field, double limit) {
  constexpr int shades = 60;
  const Box bar = {field.right() + 24, field.top, 18, field.height};
  for (int i = 0; i < shades; ++i) {
    const double value = limit * (2.0 * (i + 0.5) / shades - 1.0);
    page.rect({bar.left, bar.bottom() - bar.height * (i + 1) / shades, bar.width,
               bar.height / shades + 0.3},
              colour_of(value, limit));
  }
  for (int i = -2; i <= 2; ++i) {
    const double y = bar.top + bar.height * (2 - i) / 4.0;
    page.line({bar.right(), y}, {bar.right() + 4, y}, {});
    page.text({bar.right() + 7, y + 4}, number(limit * i / 2.0), {.size = 12});
  }
  page.text({bar.right() + 44, bar.top + bar.height / 2}, "standard deviations",
            {.size = 12, .anchor = "middle", .upright = false});
}

}  // namespace

std::string svg(const HeatMap& plot) {
  Text text = plot.text;
  const std::size_t cells = std::min(plot.rows * plot.columns, plot.deviation.size());
  const std::size_t rows = plot.columns == 0 ? 0 : cells / plot.columns;
  const double limit = plot.limit > 0.0 ? plot.limit : 4.0;
  const double cell_height =
      std::clamp(520.0 / static_cast<double>(std::max<std::size_t>(rows, 1)), 3.0, 40.0);
  const Box field = {96, 84, 800,
                     cell_height * static_cast<double>(std::max<std::size_t>(rows, 1))};
  const double width = field.right() + 120, height = field.bottom() + 96;
  Svg page(width, height, text);
  draw_heading(page, text);
  page.rect(field, "#999999");

  const double cell_width =
      field.width / static_cast<double>(std::max<std::size_t>(plot.columns, 1));
  double beyond = 0, finite = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const double top = field.top + cell_height * static_cast<double>(row);
    std::size_t begin = 0;
    std::string shade;
    for (std::size_t column = 0; column <= plot.columns; ++column) {
      std::string next;
      if (column < plot.columns) {
        const double value = plot.deviation[row * plot.columns + column];
        finite += std::isfinite(value) ? 1 : 0;
        beyond += std::abs(value) > 3.0 && std::isfinite(value) ? 1 : 0;
        next = colour_of(value, limit);
      }
      if (next == shade) continue;
      if (!shade.empty())
        page.rect({field.left + cell_width * static_cast<double>(begin), top,
                   cell_width * static_cast<double>(column - begin), cell_height},
                  shade);
      begin = column;
      shade = next;
    }
  }
  const std::size_t row_stride = stride_of(9, cell_height);
  for (std::size_t row = 0; row < rows; row += row_stride) {
    const double y = field.top + cell_height * (static_cast<double>(row) + 0.5);
    page.text({field.left - 6, y + 4}, name_of(plot.row_names, row),
              {.size = std::clamp(cell_height, 9.0, 12.0), .anchor = "end"});
  }
  std::size_t longest = 1;
  for (std::size_t column = 0; column < plot.columns; ++column)
    longest = std::max(longest, name_of(plot.column_names, column).size());
  const std::size_t column_stride = stride_of(8.0 * static_cast<double>(longest) + 4.0, cell_width);
  for (std::size_t column = 0; column < plot.columns; column += column_stride) {
    const double x = field.left + cell_width * (static_cast<double>(column) + 0.5);
    page.text({x, field.bottom() + 17}, name_of(plot.column_names, column),
              {.size = 12, .anchor = "middle"});
  }
  page.text({field.left + field.width / 2, field.bottom() + 40}, text.x, {.anchor = "middle"});
  page.text({22, field.top + field.height / 2}, text.y, {.anchor = "middle", .upright = false});
  draw_scale(page, field, limit);
  draw_footnote(page, height,
                number(beyond, 15) + " of " + number(finite, 15) + " cells are beyond 3; about " +
                    number(finite * 2.0 * normal_below(-3.0), 3) + " are expected by chance.");
  return page.finish();
}

}  // namespace talla::stats::plot
