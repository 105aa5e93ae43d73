/// \file
/// A report as blocks, in the order of reading: between the facts of a round and the forms that it
/// is printed in (HTML, PDF), so that both say the same.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "report/round_paper.hpp"

namespace talla::report {

struct Paper {
  struct Title {
    std::string text;
    std::vector<std::string> lead;  ///< lines below it
  };
  struct Warning {
    std::string text;
  };
  struct Heading {
    std::string text;
    bool new_page = false;
  };
  /// What was drawn, large.
  struct Drawn {
    std::string text;
  };
  /// Cards that lie together; codes as the records have them.
  struct Hand {
    std::string name;
    std::vector<std::string> cards;
    std::string note;  ///< behind the cards: what the rules count, what nobody saw
  };
  struct Hands {
    std::vector<Hand> all;
  };
  struct List {
    bool numbered = false;
    bool small = false;
    std::vector<std::string> items;
  };
  enum class Column : std::uint8_t { text, number, name, code };
  struct Cell {
    std::string text;
    std::string note;  ///< below it, small
    bool bad = false;  ///< in red
  };
  struct Grid {
    std::vector<Column> columns;
    std::vector<std::string> heads;  ///< one each column, or none
    bool small = false;
    std::vector<std::vector<Cell>> rows;
  };
  struct Bar {
    std::string label;
    std::uint64_t count = 0;  ///< how high it stands
  };
  /// Counts as bars that stand on zero, side by side.
  struct Bars {
    std::string name;
    std::string note;  ///< below it: where the counts come from
    std::vector<Bar> bars;
    bool even = false;  ///< all are expected to be alike: a line says how high
  };
  /// A QR code of `text`, with what it is beside it.
  struct Code {
    std::string text;
    std::string words;
  };
  /// Room for signatures.
  struct Signatures {
    std::vector<std::string> who;
  };
  using Block =
      std::variant<Title, Warning, Heading, Drawn, Hands, List, Grid, Bars, Code, Signatures>;

  std::string language;  ///< "es", "en"
  std::vector<Block> blocks;
};

/// The blocks of a round's report. `facts`: those of round_facts.
[[nodiscard]] Paper paper_of(const json::Value& facts, const certs::Verdict& verdict,
                             Language language, const PaperOptions& options);
[[nodiscard]] std::string html_of(const Paper& paper);
[[nodiscard]] std::string pdf_of(const Paper& paper);

}  // namespace talla::report
