/// \file
/// Pages of a PDF: text of the fonts that every reader has, lines and rectangles. Points from the
/// upper left corner of A4; colours are black, grey and the red of cards.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace talla::report {

inline constexpr double page_width = 595;
inline constexpr double page_height = 842;

enum class Font : std::uint8_t { plain, bold, fixed };
enum class Ink : std::uint8_t { black, grey, red };

/// Width of a text in points. Suits of cards are of a font of their own; what the fonts do not
/// have is a question mark.
[[nodiscard]] double text_width(std::string_view text, Font font, double size);

class PdfPages {
 public:
  /// `language`: of the document, for who has it read aloud.
  PdfPages(std::string title, std::string language);
  void new_page();
  /// `y`: of the base line.
  void text(double x, double y, std::string_view text, Font font, double size,
            Ink ink = Ink::black);
  void line(double x, double y, double to_x, double to_y, double width, Ink ink = Ink::black);
  void frame(double x, double y, double width, double height, Ink ink = Ink::black);
  /// A dark rectangle.
  void fill(double x, double y, double width, double height);
  [[nodiscard]] std::size_t count() const { return pages_.size(); }
  /// Writes number and count of the pages at their feet; the file.
  [[nodiscard]] std::string finish();

 private:
  std::string title_;
  std::string language_;
  std::vector<std::string> pages_;  // content of each
};

}  // namespace talla::report
