/// \file
/// Writer of SVG elements, and a frame with two axes that maps values to places.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stats/plot/plot.hpp"

namespace talla::stats::plot {

// Okabe and Ito, "Color Universal Design" (2008), and greys.
inline constexpr std::string_view blue = "#0072b2", sky = "#56b4e9", green = "#009e73",
                                  yellow = "#e69f00", vermilion = "#d55e00", purple = "#cc79a7",
                                  ink = "#222222", soft = "#666666", grid = "#dddddd",
                                  band = "#e8e8e8";

struct Point {
  double x, y;
};
struct Box {
  double left, top, width, height;
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
};

struct Stroke {
  std::string_view colour = ink;
  double width = 1;
  bool dashed = false;
};
struct Lettering {
  double size = 13;
  std::string_view anchor = "start";  // start, middle, end
  std::string_view colour = ink;
  bool upright = true;  // false: turned by 90 degrees, reading upwards
  bool bold = false;
};

/// Escaped, and nothing but printable UTF-8.
std::string escaped(std::string_view text);
/// Shortest with at most `digits` significant digits; 1,234,567 with commas; "-" for what is not
/// finite.
std::string number(double value, int digits = 4);
/// 10 with a raised exponent.
std::string power_of_ten(int exponent);

class Svg {
 public:
  Svg(double width, double height, const Text& text);
  void rect(const Box& box, std::string_view fill);
  void line(Point from, Point to, const Stroke& stroke);
  void path(const std::vector<Point>& points, const Stroke& stroke);
  void circle(Point centre, double radius, std::string_view fill);
  void text(Point at, std::string_view words, const Lettering& lettering);
  [[nodiscard]] std::string finish();

 private:
  std::string out_;
};

struct Axis {
  double low = 0, high = 1;
  std::string label;
  bool decades = false;   // low and high are powers of ten
  bool integers = false;  // no ticks between whole numbers
};

/// The field of a plot: grid, ticks and labels when made; then places of values.
class Frame {
 public:
  Frame(Svg& svg, const Box& box, Axis x, Axis y);
  [[nodiscard]] double x(double value) const;
  [[nodiscard]] double y(double value) const;  // cut to the field
  [[nodiscard]] Point at(double x_value, double y_value) const { return {x(x_value), y(y_value)}; }
  /// Box between two pairs of values, cut to the field.
  [[nodiscard]] Box between(Point low, Point high) const;
  [[nodiscard]] const Box& box() const { return box_; }
  void level(double y_value, const Stroke& stroke) const;
  void outline() const;

 private:
  Svg& svg_;
  Box box_;
  Axis x_, y_;
};

/// Samples of colours with words, right-aligned in one line above the field.
struct Key {
  std::string_view colour;
  std::string words;
  bool line = false, dashed = false;
};
void draw_keys(Svg& svg, const Box& field, const std::vector<Key>& keys);

inline constexpr double page_width = 900, page_height = 520;
inline constexpr Box page_field = {92, 104, 760, 340};
void draw_heading(Svg& svg, const Text& text);
void draw_footnote(Svg& svg, double page_bottom, std::string_view words);

}  // namespace talla::stats::plot
