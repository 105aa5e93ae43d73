#include "plot/canvas.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ranges>

namespace talla::stats::plot {
namespace {

/// A place in the drawing: two decimals at most.
std::string place(double value) {
  std::array<char, 32> text{};
  char* const end =
      std::to_chars(text.data(), text.data() + text.size(), std::round(value * 100.0) / 100.0).ptr;
  return {text.data(), end};
}

void attribute(std::string& out, std::string_view name, std::string_view value) {
  out.append(" ").append(name).append("=\"").append(value).append("\"");
}

/// Length of the well-formed UTF-8 character of more than one byte at the beginning, 0 when there
/// is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[i])) : 0U;
  };
  const unsigned first = byte(0);
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  const unsigned second = byte(1);
  const bool odd = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                   (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90) ||
                   (first == 0xef && second == 0xbf && byte(2) >= 0xbe) ||
                   (first == 0xc2 && second < 0xa0);
  return odd ? 0 : length;
}

double tick_step(double range, double least) {
  if (!(range > 0.0)) return 1.0;
  double step = std::pow(10.0, std::floor(std::log10(range / 5.0)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if (range / step <= 8.0) break;
    step *= factor;
  }
  return std::max(step, least);
}

struct Tick {
  double value;
  std::string label;
};

std::vector<Tick> ticks_of(const Axis& axis) {
  std::vector<Tick> ticks;
  if (axis.decades) {
    const double low = std::log10(axis.low), high = std::log10(axis.high);
    const double step = std::max(1.0, std::ceil((high - low) / 8.0));
    const auto stride = static_cast<int>(step);
    const auto first = static_cast<int>(std::ceil(low / step - 1e-9)) * stride;
    for (int e = first; e <= static_cast<int>(std::floor(high + 1e-9)); e += stride)
      ticks.push_back({std::pow(10.0, e), power_of_ten(e)});
    return ticks;
  }
  const double step = tick_step(axis.high - axis.low, axis.integers ? 1.0 : 0.0);
  for (int i = 0; i < 64; ++i) {
    const double value = (std::ceil(axis.low / step - 1e-9) + i) * step;
    if (value > axis.high + step * 1e-9) break;
    ticks.push_back({value, number(std::abs(value) < step * 1e-9 ? 0.0 : value, 6)});
  }
  return ticks;
}

double share(const Axis& axis, double value) {
  if (axis.decades)
    return (std::log10(value) - std::log10(axis.low)) /
           (std::log10(axis.high) - std::log10(axis.low));
  return (value - axis.low) / (axis.high - axis.low);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    std::size_t taken = 1;
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c >= ' ' && c < '\x7f') {
      out += c;
    } else if (const std::size_t length = utf8_length(text); length != 0) {
      out += text.substr(0, length);
      taken = length;
    } else {
      out += "\xef\xbf\xbd";
    }
    text.remove_prefix(taken);
  }
  return out;
}

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  std::array<char, 64> text{};
  char* const end = std::to_chars(text.data(), text.data() + text.size(), value,
                                  std::chars_format::general, digits)
                        .ptr;
  std::string out(text.data(), end);
  if (std::abs(value) >= 1e3 && std::abs(value) < 1e15 && value == std::round(value)) {
    char* const whole = std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                                      std::chars_format::fixed, 0)
                            .ptr;
    out.assign(text.data(), whole);
    for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
    if (value < 0) out.insert(0, "-");
  }
  return out;
}

std::string power_of_ten(int exponent) {
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  static constexpr std::array<std::string_view, 10> raised = {"⁰", "¹", "²", "³", "⁴",
                                                              "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = "10";
  if (exponent < 0) out += "⁻";
  for (const char digit : std::to_string(std::abs(exponent)))
    out += raised[static_cast<std::size_t>(digit - '0')];
  return out;
}

Svg::Svg(double width, double height, const Text& text)
    : out_(
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"") {
  attribute(out_, "width", place(width));
  attribute(out_, "height", place(height));
  attribute(out_, "viewBox", "0 0 " + place(width) + " " + place(height));
  attribute(out_, "role", "img");
  attribute(out_, "font-family", "DejaVu Sans, Verdana, Arial, sans-serif");
  out_ += ">\n<title>" + escaped(text.title) + "</title>\n<desc>" + escaped(text.subtitle) +
          "</desc>\n";
  rect({0, 0, width, height}, "#ffffff");
}

void Svg::rect(const Box& box, std::string_view fill) {
  out_ += "<rect";
  attribute(out_, "x", place(box.left));
  attribute(out_, "y", place(box.top));
  attribute(out_, "width", place(std::max(0.0, box.width)));
  attribute(out_, "height", place(std::max(0.0, box.height)));
  attribute(out_, "fill", fill);
  out_ += "/>\n";
}

void Svg::line(Point from, Point to, const Stroke& stroke) {
  out_ += "<line";
  attribute(out_, "x1", place(from.x));
  attribute(out_, "y1", place(from.y));
  attribute(out_, "x2", place(to.x));
  attribute(out_, "y2", place(to.y));
  attribute(out_, "stroke", stroke.colour);
  attribute(out_, "stroke-width", place(stroke.width));
  if (stroke.dashed) attribute(out_, "stroke-dasharray", "7 5");
  out_ += "/>\n";
}

void Svg::path(const std::vector<Point>& points, const Stroke& stroke) {
  if (points.empty()) return;
  std::string places;
  for (const Point& point : points) places += place(point.x) + "," + place(point.y) + " ";
  places.pop_back();
  out_ += "<polyline";
  attribute(out_, "points", places);
  attribute(out_, "fill", "none");
  attribute(out_, "stroke", stroke.colour);
  attribute(out_, "stroke-width", place(stroke.width));
  attribute(out_, "stroke-linejoin", "round");
  out_ += "/>\n";
}

void Svg::circle(Point centre, double radius, std::string_view fill) {
  out_ += "<circle";
  attribute(out_, "cx", place(centre.x));
  attribute(out_, "cy", place(centre.y));
  attribute(out_, "r", place(radius));
  attribute(out_, "fill", fill);
  out_ += "/>\n";
}

void Svg::text(Point at, std::string_view words, const Lettering& lettering) {
  out_ += "<text";
  attribute(out_, "x", place(at.x));
  attribute(out_, "y", place(at.y));
  attribute(out_, "font-size", place(lettering.size));
  attribute(out_, "text-anchor", lettering.anchor);
  attribute(out_, "fill", lettering.colour);
  if (lettering.bold) attribute(out_, "font-weight", "bold");
  if (!lettering.upright)
    attribute(out_, "transform", "rotate(-90 " + place(at.x) + " " + place(at.y) + ")");
  out_ += ">" + escaped(words) + "</text>\n";
}

std::string Svg::finish() {
  out_ += "</svg>\n";
  return std::move(out_);
}

Frame::Frame(Svg& svg, const Box& box, Axis x, Axis y)
    : svg_(svg), box_(box), x_(std::move(x)), y_(std::move(y)) {
  for (Axis* axis : {&x_, &y_}) {
    if (!(axis->high > axis->low)) axis->high = axis->decades ? axis->low * 10.0 : axis->low + 1.0;
  }
  for (const Tick& tick : ticks_of(x_)) {
    const double at = this->x(tick.value);
    svg_.line({at, box_.top}, {at, box_.bottom()}, {.colour = grid});
    svg_.line({at, box_.bottom()}, {at, box_.bottom() + 5}, {});
    svg_.text({at, box_.bottom() + 19}, tick.label, {.size = 12, .anchor = "middle"});
  }
  for (const Tick& tick : ticks_of(y_)) {
    const double at = this->y(tick.value);
    svg_.line({box_.left, at}, {box_.right(), at}, {.colour = grid});
    svg_.line({box_.left - 5, at}, {box_.left, at}, {});
    svg_.text({box_.left - 8, at + 4}, tick.label, {.size = 12, .anchor = "end"});
  }
  svg_.text({box_.left + box_.width / 2, box_.bottom() + 40}, x_.label, {.anchor = "middle"});
  svg_.text({22, box_.top + box_.height / 2}, y_.label, {.anchor = "middle", .upright = false});
}

double Frame::x(double value) const {
  return box_.left + box_.width * std::clamp(share(x_, value), 0.0, 1.0);
}

double Frame::y(double value) const {
  return box_.bottom() - box_.height * std::clamp(share(y_, value), 0.0, 1.0);
}

Box Frame::between(Point low, Point high) const {
  const double left = x(low.x), top = y(high.y);
  return {left, top, x(high.x) - left, y(low.y) - top};
}

void Frame::level(double y_value, const Stroke& stroke) const {
  svg_.line({box_.left, y(y_value)}, {box_.right(), y(y_value)}, stroke);
}

void Frame::outline() const {
  svg_.line({box_.left, box_.top}, {box_.left, box_.bottom()}, {});
  svg_.line({box_.left, box_.bottom()}, {box_.right(), box_.bottom()}, {});
}

std::string column(const std::string& title, std::span<const std::string> drawings) {
  // Each begins with its declaration and a tag that says how large it is; it becomes an element at
  // its own height.
  const auto value_of = [](std::string_view drawing, std::string_view name) {
    const std::size_t begin = drawing.find(name, drawing.find("<svg")) + name.size();
    double value = 0;
    std::from_chars(drawing.data() + begin, drawing.data() + drawing.size(), value);
    return value;
  };
  double width = 0, height = 0;
  std::string inside;
  for (const std::string& drawing : drawings) {
    const std::size_t tag = drawing.find("<svg");
    if (tag == std::string::npos) continue;
    inside += "<svg y=\"" + place(height) + "\"" + drawing.substr(tag + 4);
    width = std::max(width, value_of(drawing, "width=\""));
    height += value_of(drawing, "height=\"");
  }
  Svg page(width, height, {.title = title});
  std::string out = page.finish();
  out.insert(out.rfind("</svg>"), inside);
  return out;
}

void draw_keys(Svg& svg, const Box& field, const std::vector<Key>& keys) {
  double right = field.right();
  for (const Key& key : std::ranges::reverse_view(keys)) {
    const double width = 6.6 * static_cast<double>(key.words.size()) + 8.0;
    svg.text({right, field.top - 12}, key.words, {.size = 12, .anchor = "end", .colour = soft});
    const double end = right - width - 4, begin = end - 18;
    if (key.line) {
      svg.line({begin, field.top - 16}, {end, field.top - 16},
               {.colour = key.colour, .width = 2, .dashed = key.dashed});
    } else {
      svg.rect({begin, field.top - 21, end - begin, 10}, key.colour);
    }
    right = begin - 18;
  }
}

void draw_heading(Svg& svg, const Text& text) {
  svg.text({24, 32}, text.title, {.size = 18, .bold = true});
  svg.text({24, 55}, text.subtitle, {.size = 13, .colour = soft});
}

void draw_footnote(Svg& svg, double page_bottom, std::string_view words) {
  svg.text({24, page_bottom - 14}, words, {.size = 12, .colour = soft});
}

}  // namespace talla::stats::plot
