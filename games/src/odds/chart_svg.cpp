// A chart of blackjack as a picture: a square a cell, its letters in it, coloured by what is done.
#include <array>
#include <string>

#include "games/advice.hpp"

namespace talla::games {

namespace {

constexpr int cell_width = 44;
constexpr int cell_height = 26;
constexpr int margin = 16;
constexpr int first_column = 64;
constexpr int title_height = 40;
constexpr int legend_line = 22;

struct Colour {
  std::string_view action;
  std::string_view fill;
};
constexpr std::array colours = {Colour{"hit", "#e9c46a"}, Colour{"stand", "#8ab17d"},
                                Colour{"double", "#6fa8dc"}, Colour{"split", "#c58fd1"},
                                Colour{"surrender", "#e07a5f"}};

std::string_view fill_of(std::string_view action) {
  for (const Colour& one : colours)
    if (one.action == action) return one.fill;
  return "#ffffff";
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char one : text) {
    if (one == '&') {
      out += "&amp;";
    } else if (one == '<') {
      out += "&lt;";
    } else if (one == '>') {
      out += "&gt;";
    } else {
      out += one;
    }
  }
  return out;
}

class Picture {
 public:
  explicit Picture(std::string_view language) : language_(language) {}

  std::string drawn(const PlayChart& chart, std::string_view title) {
    y_ = title_height;
    text(margin, margin + 10, "start", title, " font-weight=\"bold\"");
    for (const auto* rows : {&chart.hard, &chart.soft, &chart.pairs}) block(chart, *rows);
    for (const ChartWord& one : chart_legend(language_)) {
      text(margin, y_ + 15, "start", std::string(one.letters) + "  " + std::string(one.words));
      y_ += legend_line;
    }
    const int width =
        2 * margin + first_column + cell_width * static_cast<int>(chart.dealer.size());
    const std::string size = std::to_string(width) + "\" height=\"" + std::to_string(y_ + margin);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " +
           std::to_string(width) + " " + std::to_string(y_ + margin) +
           "\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n<title>" +
           escaped(title) + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
           out_ + "</svg>\n";
  }

 private:
  void block(const PlayChart& chart, const std::vector<ChartRow>& rows) {
    for (std::size_t i = 0; i < chart.dealer.size(); ++i)
      text(left_of(i) + cell_width / 2, y_ + 17, "middle", chart.dealer[i]);
    y_ += cell_height;
    for (const ChartRow& row : rows) {
      text(margin, y_ + 17, "start", row.hand);
      for (std::size_t i = 0; i < row.against.size(); ++i) cell(i, row.against[i]);
      y_ += cell_height;
    }
    y_ += cell_height / 2;
  }
  void cell(std::size_t column, const ChartCell& cell) {
    out_ += "<rect x=\"" + std::to_string(left_of(column)) + "\" y=\"" + std::to_string(y_) +
            "\" width=\"" + std::to_string(cell_width) + "\" height=\"" +
            std::to_string(cell_height) + "\" fill=\"" + std::string(fill_of(cell.action)) +
            "\" stroke=\"#ffffff\"/>\n";
    text(left_of(column) + cell_width / 2, y_ + 17, "middle", chart_letters(cell, language_));
  }
  static int left_of(std::size_t column) {
    return margin + first_column + cell_width * static_cast<int>(column);
  }
  void text(int x, int y, std::string_view anchor, std::string_view words,
            std::string_view more = {}) {
    out_ += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" text-anchor=\"" +
            std::string(anchor) + "\"" + std::string(more) + ">" + escaped(words) + "</text>\n";
  }

  std::string_view language_;
  std::string out_;
  int y_ = 0;
};

}  // namespace

std::string chart_svg(const PlayChart& chart, std::string_view title, std::string_view language) {
  return Picture(language).drawn(chart, title);
}

}  // namespace talla::games
