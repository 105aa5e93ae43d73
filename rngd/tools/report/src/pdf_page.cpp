#include "pdf_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace talla::report {
namespace {

/// Of the characters 32 to 126, in thousandths of the size (Adobe's metrics of the base fonts).
constexpr std::array<std::uint16_t, 95> helvetica{
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr std::array<std::uint16_t, 95> helvetica_bold{
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};

/// Letters with a mark, by the letter that they are as wide as; from 0xC0 on.
constexpr std::string_view bare =
    "AAAAAAWCEEEEIIIIDNOOOOO+OUUUUYPbaaaaaawceeeeiiiionooooo+ouuuuypy";
static_assert(bare.size() == 64);

/// One character in the encoding of the PDF's fonts; `suit`: of the font of signs.
struct Sign {
  std::uint8_t code = '?';
  bool suit = false;
};

struct Known {
  std::uint32_t point = 0;
  Sign sign;
};
constexpr std::array known_signs{
    Known{0x20AC, {0x80, false}}, Known{0x2026, {0x85, false}}, Known{0x2018, {0x91, false}},
    Known{0x2019, {0x92, false}}, Known{0x201C, {0x93, false}}, Known{0x201D, {0x94, false}},
    Known{0x2022, {0x95, false}}, Known{0x2013, {0x96, false}}, Known{0x2014, {0x97, false}},
    Known{0x2212, {'-', false}},  Known{0x2663, {0xA8, true}},  Known{0x2666, {0xA9, true}},
    Known{0x2665, {0xAA, true}},  Known{0x2660, {0xAB, true}}};

std::vector<Sign> signs_of(std::string_view text) {
  std::vector<Sign> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? first : first & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      point = point << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    i += length;
    const auto* found = std::ranges::find(known_signs, point, &Known::point);
    if (found != known_signs.end()) {
      out.push_back(found->sign);
    } else if ((point >= 32 && point < 127) || (point >= 0xA0 && point < 0x100)) {
      out.push_back({static_cast<std::uint8_t>(point), false});
    } else {
      out.push_back({});
    }
  }
  return out;
}

double sign_width(Sign sign, Font font) {
  if (font == Font::fixed) return 600;
  if (sign.suit) return 776;  // the widest of the four
  const auto& table = font == Font::bold ? helvetica_bold : helvetica;
  unsigned code = sign.code;
  if (code >= 0xC0) code = static_cast<unsigned char>(bare.at(code - 0xC0));
  if (code >= 32 && code < 127) return table.at(code - 32);
  if (code == 0x85 || code == 0x97) return 1000;
  if (code == 0xB7 || code == 0x91 || code == 0x92) return 278;
  return 556;
}

std::string colour(Ink ink) {
  return ink == Ink::red ? "0.70 0.07 0.11" : ink == Ink::grey ? "0.35 0.35 0.35" : "0 0 0";
}

std::string literal(std::string_view bytes) {
  std::string out = "(";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '(' || c == ')' || c == '\\') {
      out += std::string("\\") + c;
    } else if (byte < 32 || byte > 126) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + ")";
}

std::string_view font_name(Font font, bool suit) {
  if (suit) return "/Suits";
  return font == Font::bold ? "/Bold" : font == Font::fixed ? "/Fixed" : "/Plain";
}

}  // namespace

double text_width(std::string_view text, Font font, double size) {
  double sum = 0;
  for (const Sign sign : signs_of(text)) sum += sign_width(sign, font);
  return sum * size / 1000;
}

PdfPages::PdfPages(std::string title, std::string language)
    : title_(std::move(title)), language_(std::move(language)) {
  new_page();
}

void PdfPages::new_page() {
  pages_.emplace_back();
}

void PdfPages::text(double x, double y, std::string_view text, Font font, double size, Ink ink) {
  const auto signs = signs_of(text);
  std::string& page = pages_.back();
  for (std::size_t i = 0; i < signs.size();) {
    std::string run;
    double width = 0;
    const bool suit = signs[i].suit;
    for (; i < signs.size() && signs[i].suit == suit; ++i) {
      run += static_cast<char>(signs[i].code);
      width += sign_width(signs[i], font);
    }
    page += fmt::format("BT {} rg {} {:.1f} Tf {:.2f} {:.2f} Td {} Tj ET\n", colour(ink),
                        font_name(font, suit), size, x, page_height - y, literal(run));
    x += width * size / 1000;
  }
}

void PdfPages::line(double x, double y, double to_x, double to_y, double width, Ink ink) {
  pages_.back() += fmt::format("{} RG {:.2f} w {:.2f} {:.2f} m {:.2f} {:.2f} l S\n", colour(ink),
                               width, x, page_height - y, to_x, page_height - to_y);
}

void PdfPages::frame(double x, double y, double width, double height, Ink ink) {
  pages_.back() += fmt::format("{} RG 0.8 w {:.2f} {:.2f} {:.2f} {:.2f} re S\n", colour(ink), x,
                               page_height - y - height, width, height);
}

void PdfPages::fill(double x, double y, double width, double height) {
  pages_.back() += fmt::format("0 0 0 rg {:.2f} {:.2f} {:.2f} {:.2f} re f\n", x,
                               page_height - y - height, width, height);
}

std::string PdfPages::finish() {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const std::string foot = fmt::format("{} / {}", i + 1, pages_.size());
    pages_[i] += fmt::format("BT {} rg /Plain 8.0 Tf {:.2f} 24.00 Td {} Tj ET\n", colour(Ink::grey),
                             page_width - 60, literal(foot));
  }
  std::string kids;
  constexpr std::size_t first_page = 8;  // its object; the content of each follows it
  for (std::size_t i = 0; i < pages_.size(); ++i)
    kids += fmt::format("{} 0 R ", first_page + 2 * i);
  const auto font = [](std::string_view name, std::string_view encoding) {
    return fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont /{}{} >>", name, encoding);
  };
  constexpr std::string_view latin = " /Encoding /WinAnsiEncoding";
  std::string title;
  for (const Sign sign : signs_of(title_)) title += static_cast<char>(sign.code);
  std::vector<std::string> objects{
      fmt::format("<< /Type /Catalog /Pages 2 0 R /Lang ({}) >>", language_),
      fmt::format("<< /Type /Pages /Kids [ {}] /Count {} >>", kids, pages_.size()),
      font("Helvetica", latin),
      font("Helvetica-Bold", latin),
      font("Courier", latin),
      font("ZapfDingbats", ""),
      fmt::format("<< /Title {} /Producer (Talla) >>", literal(title))};
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    objects.push_back(fmt::format(
        "<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 595 842 ] /Contents {} 0 R /Resources << "
        "/Font << /Plain 3 0 R /Bold 4 0 R /Fixed 5 0 R /Suits 6 0 R >> >> >>",
        first_page + 2 * i + 1));
    objects.push_back(
        fmt::format("<< /Length {} >>\nstream\n{}endstream", pages_[i].size(), pages_[i]));
  }
  std::string file = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", file.size());
    file += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  return file + table +
         fmt::format("trailer\n<< /Size {} /Root 1 0 R /Info 7 0 R >>\nstartxref\n{}\n%%EOF\n",
                     objects.size() + 1, file.size());
}

}  // namespace talla::report
