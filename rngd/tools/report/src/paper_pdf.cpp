// The blocks of a report as pages of a PDF.
#include <algorithm>
#include <array>
#include <utility>

#include "bars.hpp"
#include "pdf_page.hpp"
#include "qr.hpp"
#include "report/paper.hpp"
#include "report_words.hpp"

namespace talla::report {
namespace {

constexpr double sheet_left = 40;
constexpr double sheet_right = page_width - 40;
constexpr double sheet_top = 46;
constexpr double sheet_bottom = page_height - 46;
constexpr double column_gap = 8;  // between columns

/// A text in lines of at most that width; a word that is longer alone is cut.
std::vector<std::string> lines_of(const std::string& text, Font font, double size, double width) {
  std::vector<std::string> lines;
  std::string line;
  const auto fits = [&](const std::string& wanted) {
    return text_width(wanted, font, size) <= width;
  };
  const auto place = [&](std::string word) {
    while (!fits(word)) {
      std::size_t count = 1;
      while (count < word.size() && fits(word.substr(0, count + 1))) ++count;
      while (count > 1 && (static_cast<unsigned char>(word[count]) & 0xC0U) == 0x80U) --count;
      lines.push_back(word.substr(0, count));
      word.erase(0, count);
    }
    line = std::move(word);
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    const std::string longer = line.empty() ? word : line + " " + word;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (!line.empty()) lines.push_back(std::exchange(line, {}));
    place(word);
  }
  lines.push_back(std::move(line));
  return lines;
}

std::string with_capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

class PdfWriter {
 public:
  explicit PdfWriter(const Paper& paper) : pages_(title_of(paper), paper.language) {
    for (const auto& block : paper.blocks) std::visit(*this, block);
  }
  std::string finish() { return pages_.finish(); }

  void operator()(const Paper::Title& title) {
    paragraph(title.text, Font::bold, 17);
    for (const auto& line : title.lead) paragraph(line, Font::plain, 12);
  }
  void operator()(const Paper::Warning& warning) {
    constexpr double size = 11;
    const auto lines = lines_of(warning.text, Font::bold, size, sheet_right - sheet_left - 16);
    const double height = 6 + size * line_height * static_cast<double>(lines.size());
    room(std::min(height + 10, sheet_bottom - sheet_top));
    pages_.frame(sheet_left, y_ + 2, sheet_right - sheet_left, height, Ink::red);
    double y = y_ + 3 + size;
    for (const auto& line : lines) {
      pages_.text(sheet_left + 8, y + 2, line, Font::bold, size, Ink::red);
      y += size * line_height;
    }
    y_ += height + 8;
  }
  void operator()(const Paper::Heading& heading) {
    if (heading.new_page) next_page();
    room(60);
    y_ += 10;
    paragraph(with_capital(heading.text), Font::bold, 12);
    pages_.line(sheet_left, y_ + 1, sheet_right, y_ + 1, 0.6, Ink::grey);
    y_ += 5;
  }
  void operator()(const Paper::Drawn& drawn) {
    room(40);
    const double width = text_width(drawn.text, Font::bold, 20) + 24;
    pages_.frame(sheet_left, y_ + 4, width, 28);
    pages_.text(sheet_left + 12, y_ + 25, drawn.text, Font::bold, 20);
    y_ += 38;
  }
  void operator()(const Paper::Hands& hands) {
    double x = sheet_left;
    room(card_height + 34);
    for (const auto& hand : hands.all) {
      const double width = hand_width(hand);
      if (x > sheet_left && x + width > sheet_right) {
        x = sheet_left;
        y_ += card_height + 34;
        room(card_height + 34);
      }
      pages_.text(x, y_ + 10, hand.name, Font::plain, 9, Ink::grey);
      double card_x = x;
      for (const auto& card : hand.cards) {
        if (card_x > x && card_x + card_width > sheet_right) {
          card_x = x;
          y_ += card_height + 4;
          room(card_height + 24);
        }
        piece(card_x, y_ + 14, card);
        card_x += card_width + 3;
      }
      pages_.text(x, y_ + card_height + 24, hand.note, Font::bold, 9);
      x += width + 18;
    }
    y_ += card_height + 34;
  }
  void operator()(const Paper::List& list) {
    const double size = list.small ? 8.5 : 10;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::string mark = list.numbered ? std::to_string(i + 1) + "." : "\xE2\x80\xA2";
      room(size * line_height);
      pages_.text(sheet_left + 4, y_ + size, mark, Font::plain, size);
      paragraph(list.items[i], Font::plain, size, sheet_left + 22);
    }
  }
  void operator()(const Paper::Grid& grid) {
    const double size = grid.small ? 8.5 : 10;
    const auto widths = widths_of(grid, size);
    if (!grid.heads.empty()) {
      std::vector<Paper::Cell> heads;
      for (const auto& head : grid.heads) heads.push_back({with_capital(head), {}});
      row(grid, widths, heads, size, true);
    }
    for (const auto& cells : grid.rows) row(grid, widths, cells, size, false);
    y_ += 4;
  }
  void operator()(const Paper::Bars& plot) {
    constexpr double height = 80;
    constexpr double size = 6.5;
    room(height + 44);
    paragraph(plot.name, Font::plain, 9);
    const double top = y_ + 3;
    const BarsLayout layout(plot, sheet_right - sheet_left, height);
    for (const auto& box : layout.boxes)
      pages_.fill(sheet_left + box.x, top + box.y, box.width, box.height);
    pages_.line(sheet_left, top + height, sheet_right, top + height, 0.5);
    if (plot.even)
      pages_.line(sheet_left, top + layout.even_y, sheet_right, top + layout.even_y, 0.6, Ink::red);
    for (const auto& label : layout.labels)
      pages_.text(sheet_left + label.x - text_width(label.text, Font::plain, size) / 2,
                  top + height + 8, label.text, Font::plain, size);
    y_ = top + height + 11;
    paragraph(plot.note, Font::plain, 8);
    y_ += 6;
  }
  void operator()(const Paper::Code& code) {
    const auto modules = qr_modules(code.text);
    if (!modules) return;  // longer than a code holds
    constexpr double side = 84;
    room(side + 12);
    const double module = side / static_cast<double>(modules->size() + 2 * quiet_zone);
    const double edge = module * static_cast<double>(quiet_zone);
    for (std::size_t y = 0; y < modules->size(); ++y) {
      for (std::size_t x = 0; x < modules->size(); ++x) {
        if ((*modules)[y][x])
          pages_.fill(sheet_left + edge + module * static_cast<double>(x),
                      y_ + 6 + edge + module * static_cast<double>(y), module, module);
      }
    }
    const double before = y_;
    y_ += side / 2 - 4;
    paragraph(code.words, Font::plain, 10, sheet_left + side + 10);
    y_ = before + side + 12;
  }
  void operator()(const Paper::Signatures& signatures) {
    room(80);
    y_ += 56;
    const auto count = static_cast<double>(signatures.who.size());
    const double width = (sheet_right - sheet_left - 14 * (count - 1)) / count;
    double x = sheet_left;
    for (const auto& who : signatures.who) {
      pages_.line(x, y_, x + width, y_, 0.8);
      pages_.text(x, y_ + 11, who, Font::plain, 8.5);
      x += width + 14;
    }
    y_ += 20;
  }

 private:
  static constexpr double line_height = 1.3;
  static constexpr double card_width = 27;
  static constexpr double card_height = 38;

  static std::string title_of(const Paper& paper) {
    for (const auto& block : paper.blocks) {
      if (const auto* found = std::get_if<Paper::Title>(&block)) return found->text;
    }
    return {};
  }
  void next_page() {
    pages_.new_page();
    y_ = sheet_top;
  }
  /// The next page where so much is not sheet_left of this one.
  void room(double height) {
    if (y_ + height > sheet_bottom) next_page();
  }
  void paragraph(const std::string& text, Font font, double size, double x = sheet_left) {
    for (const auto& line : lines_of(text, font, size, sheet_right - x)) {
      room(size * line_height);
      pages_.text(x, y_ + size, line, font, size);
      y_ += size * line_height;
    }
  }
  static double hand_width(const Paper::Hand& hand) {
    const double cards = static_cast<double>(hand.cards.size()) * (card_width + 3);
    return std::max(
        {cards, text_width(hand.name, Font::plain, 9), text_width(hand.note, Font::bold, 9)});
  }
  void piece(double x, double y, const std::string& code) {
    const std::string text = card_text(code);
    const bool french = code.size() == 2 && text != code;
    const bool red = french && (code[1] == 'H' || code[1] == 'D');
    const Ink ink = red ? Ink::red : Ink::black;
    pages_.frame(x, y, card_width, card_height);
    const std::string rank = french ? text.substr(0, text.size() - 3) : text;
    const double size = french ? 13 : 10;
    pages_.text(x + (card_width - text_width(rank, Font::bold, size)) / 2, y + 16, rank, Font::bold,
                size, ink);
    if (!french) return;
    const std::string suit = text.substr(text.size() - 3);
    pages_.text(x + (card_width - text_width(suit, Font::plain, 13)) / 2, y + 32, suit, Font::plain,
                13, ink);
  }

  static Font font_of(Paper::Column column, bool head) {
    if (head || column == Paper::Column::name) return Font::bold;
    return column == Paper::Column::code ? Font::fixed : Font::plain;
  }
  /// Each column as wide as its longest text, but texts share what numbers leave.
  static std::vector<double> widths_of(const Paper::Grid& grid, double size) {
    std::vector<double> widths(grid.columns.size());
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (!grid.heads.empty())
        widths[i] = text_width(with_capital(grid.heads[i]), Font::bold, size);
      for (const auto& cells : grid.rows)
        widths[i] =
            std::max({widths[i], text_width(cells[i].text, font_of(grid.columns[i], false), size),
                      cells[i].note.empty() ? 0 : (sheet_right - sheet_left) / 3});
    }
    const double all =
        sheet_right - sheet_left - column_gap * static_cast<double>(widths.size() - 1);
    double fixed = 0;
    double wide = 0;
    const double share = all / static_cast<double>(widths.size());
    for (const double width : widths) (width <= share ? fixed : wide) += width;
    if (fixed + wide <= all) {
      widths.back() += grid.columns.back() == Paper::Column::number ? 0 : all - fixed - wide;
      return widths;
    }
    for (double& width : widths) {
      if (width > share) width *= (all - fixed) / wide;
    }
    return widths;
  }
  void row(const Paper::Grid& grid, const std::vector<double>& widths,
           const std::vector<Paper::Cell>& cells, double size, bool head) {
    constexpr double note_size = 8.5;
    std::vector<std::vector<std::string>> lines(cells.size());
    std::vector<std::vector<std::string>> notes(cells.size());
    double height = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      lines[i] = lines_of(cells[i].text, font_of(grid.columns[i], head), size, widths[i]);
      if (!cells[i].note.empty())
        notes[i] = lines_of(cells[i].note, Font::plain, note_size, widths[i]);
      height = std::max(height, line_height * (size * static_cast<double>(lines[i].size()) +
                                               note_size * static_cast<double>(notes[i].size())));
    }
    room(std::min(height + 4, sheet_bottom - sheet_top));
    double x = sheet_left;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Font font = font_of(grid.columns[i], head);
      double y = y_ + size;
      for (const auto& line : lines[i]) {
        const bool number = grid.columns[i] == Paper::Column::number;
        pages_.text(number ? x + widths[i] - text_width(line, font, size) : x, y, line, font, size,
                    cells[i].bad ? Ink::red : Ink::black);
        y += size * line_height;
      }
      for (const auto& line : notes[i]) {
        pages_.text(x, y, line, Font::plain, note_size, Ink::grey);
        y += note_size * line_height;
      }
      x += widths[i] + column_gap;
    }
    y_ += height + 2;
    pages_.line(sheet_left, y_, sheet_right, y_, 0.3, Ink::grey);
    y_ += 2;
  }

  PdfPages pages_;
  double y_ = sheet_top;
};

}  // namespace

std::string pdf_of(const Paper& paper) {
  return PdfWriter(paper).finish();
}

}  // namespace talla::report
