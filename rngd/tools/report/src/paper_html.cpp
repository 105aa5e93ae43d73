// The blocks of a report as HTML that needs nothing else.
#include <fmt/format.h>

#include "bars.hpp"
#include "qr.hpp"
#include "report/paper.hpp"
#include "report_words.hpp"

namespace talla::report {
namespace {

constexpr std::string_view sheet = R"(
@page { size: A4; margin: 16mm 14mm; }
:root { color-scheme: light; }
body { font: 10.5pt/1.4 "Liberation Sans", Arial, sans-serif; color: #111; background: #fff;
  max-width: 182mm; margin: 0 auto; padding: 6mm; }
h1 { font-size: 17pt; margin: 0 0 1mm; }
h2 { font-size: 12pt; margin: 5mm 0 1.5mm; border-bottom: 0.3mm solid #999; }
h2::first-letter, th::first-letter { text-transform: uppercase; }
.lead { font-size: 12.5pt; margin: 0 0 2mm; }
.bad { border: 0.6mm solid #8a1c1c; color: #8a1c1c; padding: 1.5mm 3mm; font-weight: bold; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.8mm 2mm 0.8mm 0;
  border-bottom: 0.2mm solid #ccc; }
th.n, td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr, .hand, .sign { break-inside: avoid; }
.hands { display: flex; flex-wrap: wrap; gap: 3mm 8mm; }
.hand b { display: block; font-size: 9.5pt; font-weight: normal; color: #444; }
.card { display: inline-block; width: 10mm; height: 14mm; margin: 0.6mm 1mm 0 0; padding: 0.6mm 0;
  border: 0.3mm solid #444; border-radius: 1.4mm; text-align: center; font-size: 12pt;
  line-height: 6.2mm; box-sizing: border-box; }
.card.red { color: #b3121d; }
.number { display: inline-block; border: 0.5mm solid #111; border-radius: 2mm; font-size: 18pt;
  padding: 1mm 5mm; }
.rule { font-size: 9.5pt; color: #333; }
.small { font-size: 9pt; }
.signs { display: flex; gap: 6mm; margin-top: 8mm; }
.sign { flex: 1; border-top: 0.3mm solid #111; padding-top: 1mm; margin-top: 14mm; font-size: 9pt; }
.open { color: #8a1c1c; font-weight: bold; }
figure { margin: 3mm 0; break-inside: avoid; }
figure svg { width: 100%; height: auto; }
figcaption { font-size: 9pt; }
.page { break-before: page; }
.code { display: flex; align-items: center; gap: 5mm; margin: 4mm 0; break-inside: avoid; }
.code svg { width: 30mm; height: 30mm; }
code { font-family: "Liberation Mono", monospace; font-size: 8.5pt; overflow-wrap: anywhere; }
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// Writes one block after the other.
class HtmlWriter {
 public:
  std::string write(const Paper& paper) {
    std::string title;
    for (const auto& block : paper.blocks) {
      if (const auto* found = std::get_if<Paper::Title>(&block)) title = found->text;
    }
    out_ = "<!doctype html>\n<html lang=\"" + paper.language +
           "\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
           escaped(title) + "</title>\n<style>" + std::string(sheet) +
           "</style>\n</head>\n<body>\n";
    for (const auto& block : paper.blocks) std::visit(*this, block);
    return std::move(out_) + "</body>\n</html>\n";
  }

  void operator()(const Paper::Title& title) {
    out_ += "<h1>" + escaped(title.text) + "</h1>\n<p class=\"lead\">";
    for (std::size_t i = 0; i < title.lead.size(); ++i)
      out_ += (i == 0 ? "" : "<br>") + escaped(title.lead[i]);
    out_ += "</p>\n";
  }
  void operator()(const Paper::Warning& warning) {
    out_ += "<p class=\"bad\">" + escaped(warning.text) + "</p>\n";
  }
  void operator()(const Paper::Heading& heading) {
    out_ += std::string("<h2") + (heading.new_page ? " class=\"page\"" : "") + ">" +
            escaped(heading.text) + "</h2>\n";
  }
  void operator()(const Paper::Drawn& drawn) {
    out_ += "<p><span class=\"number\">" + escaped(drawn.text) + "</span></p>\n";
  }
  void operator()(const Paper::Hands& hands) {
    out_ += "<div class=\"hands\">\n";
    for (const auto& hand : hands.all) {
      out_ += "<div class=\"hand\"><b>" + escaped(hand.name) + "</b>";
      for (const auto& card : hand.cards) out_ += card_piece(card);
      if (!hand.note.empty()) out_ += " <span class=\"small\">" + escaped(hand.note) + "</span>";
      out_ += "</div>\n";
    }
    out_ += "</div>\n";
  }
  void operator()(const Paper::List& list) {
    const std::string name = list.numbered ? "ol" : "ul";
    out_ += "<" + name + (list.small ? " class=\"small\"" : "") + ">\n";
    for (const auto& item : list.items) out_ += "<li>" + escaped(item) + "</li>\n";
    out_ += "</" + name + ">\n";
  }
  void operator()(const Paper::Grid& grid) {
    out_ += std::string("<table") + (grid.small ? " class=\"small\"" : "") + ">";
    if (!grid.heads.empty()) {
      out_ += "<thead><tr>";
      for (std::size_t i = 0; i < grid.heads.size(); ++i)
        out_ +=
            std::string("<th") + numeric(grid.columns[i]) + ">" + escaped(grid.heads[i]) + "</th>";
      out_ += "</tr></thead>";
    }
    out_ += "<tbody>\n";
    for (const auto& row : grid.rows) {
      out_ += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) cell(grid.columns[i], row[i]);
      out_ += "</tr>\n";
    }
    out_ += "</tbody></table>\n";
  }
  void operator()(const Paper::Bars& plot) {
    const BarsLayout layout(plot, bars_width, bars_height);
    out_ += "<figure><figcaption>" + escaped(plot.name) + "</figcaption><svg viewBox=\"0 0 " +
            fmt::format("{} {}", bars_width, bars_height + bars_foot) +
            "\" role=\"img\" aria-label=\"" + escaped(plot.name) +
            "\" font-family=\"sans-serif\" font-size=\"8\"><path fill=\"#3c5a78\" d=\"";
    for (const auto& box : layout.boxes)
      out_ += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", box.x, box.y, box.width,
                          box.height, box.width);
    out_ += "\"></path>";
    out_ += fmt::format("<path stroke=\"#111\" d=\"M0 {}h{}\"></path>", bars_height, bars_width);
    if (plot.even)
      out_ += fmt::format(
          "<path stroke=\"#8a1c1c\" stroke-dasharray=\"4 3\" d=\"M0 {:.1f}h{}\">"
          "</path>",
          layout.even_y, bars_width);
    for (const auto& label : layout.labels)
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", label.x,
                          bars_height + bars_foot - 3, escaped(label.text));
    out_ += "</svg><div class=\"rule\">" + escaped(plot.note) + "</div></figure>\n";
  }
  void operator()(const Paper::Code& code) {
    const auto modules = qr_modules(code.text);
    if (!modules) return;  // longer than a code holds
    const auto size = std::to_string(modules->size() + 2 * quiet_zone);
    out_ += "<div class=\"code\"><svg viewBox=\"0 0 " + size + " " + size +
            "\" role=\"img\" aria-label=\"" + escaped(code.words) +
            "\" shape-rendering=\"crispEdges\"><path fill=\"#000\" d=\"";
    for (std::size_t y = 0; y < modules->size(); ++y) {
      for (std::size_t x = 0; x < modules->size(); ++x) {
        if ((*modules)[y][x])
          out_ += "M" + std::to_string(x + quiet_zone) + " " + std::to_string(y + quiet_zone) +
                  "h1v1h-1z";
      }
    }
    out_ += "\"></path></svg><span>" + escaped(code.words) + "</span></div>\n";
  }
  void operator()(const Paper::Signatures& signatures) {
    out_ += "<div class=\"signs\">\n";
    for (const auto& who : signatures.who)
      out_ += "<div class=\"sign\">" + escaped(who) + "</div>\n";
    out_ += "</div>\n";
  }

 private:
  static constexpr double bars_width = 680;
  static constexpr double bars_height = 120;
  static constexpr double bars_foot = 12;  // for labels
  static const char* numeric(Paper::Column column) {
    return column == Paper::Column::number ? " class=\"n\"" : "";
  }
  void cell(Paper::Column column, const Paper::Cell& cell) {
    const std::string name = column == Paper::Column::name ? "th" : "td";
    const bool code = column == Paper::Column::code;
    out_ += "<" + name + (cell.bad ? " class=\"open\"" : numeric(column)) + ">" +
            (code ? "<code>" : "") + escaped(cell.text) + (code ? "</code>" : "");
    if (!cell.note.empty()) out_ += "<div class=\"rule\">" + escaped(cell.note) + "</div>";
    out_ += "</" + name + ">";
  }
  static std::string card_piece(const std::string& card) {
    const std::string text = card_text(card);
    const bool french = card.size() == 2 && text != card;
    if (!french) return "<span class=\"card\">" + escaped(text) + "</span>";
    const bool red = card[1] == 'H' || card[1] == 'D';
    const std::size_t suit = text.size() - 3;  // one sign of three bytes
    return std::string("<span class=\"card") + (red ? " red" : "") + "\">" +
           escaped(text.substr(0, suit)) + "<br>" + text.substr(suit) + "</span>";
  }

  std::string out_;
};

}  // namespace

std::string html_of(const Paper& paper) {
  return HtmlWriter().write(paper);
}

}  // namespace talla::report
