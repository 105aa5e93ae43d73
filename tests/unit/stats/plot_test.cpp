// Plots: what is drawn follows the values; any text and any value give well-formed drawings.
// Method: elements counted and places read back from the SVG text. That an XML parser accepts the
//         files: e2e/lab_test.py.
#include "stats/plot/plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace talla::stats;

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// Tags nest, quotes close, no bare & or < in text: a reader in thirty lines, for the shapes the
/// writer makes.
bool well_formed(const std::string& text) {
  std::vector<std::string> open;
  std::size_t at = text.find("?>");
  if (at == std::string::npos) return false;
  at += 2;
  while (at < text.size()) {
    if (text[at] == '&') {
      const auto end = text.find(';', at);
      if (end == std::string::npos || end - at > 5) return false;
    }
    if (static_cast<unsigned char>(text[at]) < 0x20 && text[at] != '\n') return false;
    if (text[at] != '<') {
      ++at;
      continue;
    }
    const auto end = text.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos || occurrences(tag, "\"") % 2 != 0) return false;
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  return open.empty();
}

const plot::Text words{"A & B <\"1\"> \xff\x01 50 % \xc3\xb1", "sub\ntitle", "", ""};

TEST(Plot, any_text_and_empty_data_give_well_formed_drawings) {
  const std::vector<std::string> drawings = {
      plot::svg(plot::PValueHistogram{.text = words, .p_values = {}}),
      plot::svg(plot::EProcessPlot{.text = words, .paths = {}}),
      plot::svg(plot::HeatMap{.text = words, .deviation = {}, .row_names = {}, .column_names = {}}),
      plot::svg(plot::AutocorrelationPlot{.text = words, .coefficients = {}}),
      plot::svg(plot::SampleHistogram{.text = words, .counts = {}, .expected = {}}),
      plot::svg(plot::SpectrumPlot{.text = words, .power = {}}),
  };
  for (const auto& drawing : drawings) {
    EXPECT_TRUE(well_formed(drawing)) << drawing;
    EXPECT_NE(
        drawing.find("A &amp; B &lt;&quot;1&quot;&gt; \xef\xbf\xbd\xef\xbf\xbd 50 % \xc3\xb1"),
        std::string::npos);
    EXPECT_EQ(drawing.find("nan"), std::string::npos);
    EXPECT_EQ(drawing.find("inf"), std::string::npos);
  }
}

TEST(Plot, values_that_are_not_finite_are_left_out) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {0.5, nan, infinite, -infinite, 0.25, 1.0, 0.0};
  const std::vector<std::uint64_t> counts = {1, 2, 3};
  for (const auto& drawing :
       {plot::svg(plot::PValueHistogram{.text = {}, .p_values = values}),
        plot::svg(plot::EProcessPlot{.text = {}, .paths = {{"a", values}}}),
        plot::svg(plot::HeatMap{.text = {},
        .rows = 1,
        .columns = 7,
        .deviation = values,
        .row_names = {},
        .column_names = {}}),
        plot::svg(plot::AutocorrelationPlot{.text = {}, .coefficients = values, .samples = 100}),
        plot::svg(plot::SampleHistogram{.text = {}, .counts = counts, .expected = values}),
        plot::svg(plot::SpectrumPlot{.text = {}, .power = values})}) {
    EXPECT_TRUE(well_formed(drawing));
    EXPECT_EQ(drawing.find("nan"), std::string::npos) << drawing;
    EXPECT_EQ(drawing.find("inf"), std::string::npos) << drawing;
  }
}

TEST(Plot, p_value_classes_outside_their_band_are_marked) {
  std::vector<double> good;
  for (int i = 0; i < 2000; ++i) good.push_back((i + 0.5) / 2000);
  const std::string fine = plot::svg(plot::PValueHistogram{.text = {}, .p_values = good});
  EXPECT_EQ(occurrences(fine, "fill=\"#0072b2\""), 20U + 1U) << "twenty bars and the key";
  EXPECT_EQ(occurrences(fine, "<rect") - occurrences(fine, "fill=\"#0072b2\""), 3U)
      << "page, band, key of outside";
  EXPECT_NE(fine.find("2,000 p-values"), std::string::npos);
  for (int i = 0; i < 100; ++i) good.push_back(0.001);
  const std::string bad = plot::svg(plot::PValueHistogram{.text = {}, .p_values = good});
  EXPECT_EQ(occurrences(bad, "fill=\"#d55e00\""), 2U) << "one bar and the key";
}

TEST(Plot, the_first_crossing_of_an_e_process_is_marked_and_long_paths_keep_their_extremes) {
  std::vector<double> path(100'000, 0.0);
  EXPECT_EQ(
      occurrences(plot::svg(plot::EProcessPlot{.text = {}, .paths = {{"m", path}}}), "<circle"),
      0U);
  path[77'777] = std::log(200.0);  // one single look
  const std::string drawing =
      plot::svg(plot::EProcessPlot{.text = {}, .paths = {{"m", path}}, .alpha = 0.01});
  EXPECT_EQ(occurrences(drawing, "<circle"), 1U);
  EXPECT_LT(drawing.size(), 200'000U);
  // Field: x from 92, 760 wide, 0 to 100,000.
  EXPECT_NE(drawing.find("cx=\"683.11\""), std::string::npos)
      << drawing.substr(drawing.find("<circle"), 60);
}

TEST(Plot, heat_map_counts_cells_beyond_three) {
  std::vector<double> deviation(52 * 40, 0.0);
  deviation[7] = 3.5;
  deviation[100] = -9;
  const std::string drawing =
      plot::svg(plot::HeatMap{.text = {.title = "t", .x = "position", .y = "card"},
                              .rows = 52,
                              .columns = 40,
                              .deviation = deviation,
                              .row_names = {"A"},
                              .column_names = {}});
  EXPECT_NE(drawing.find("2 of 2,080 cells are beyond 3; about 5.62"), std::string::npos);
  EXPECT_NE(drawing.find("#053061"), std::string::npos) << "full blue below the limit";
  EXPECT_LT(occurrences(drawing, "<rect"), 200U) << "cells of one shade are drawn as one";
}

TEST(Plot, a_column_holds_its_drawings_one_below_the_other) {
  const std::vector<double> one = {1.0};
  const std::vector<std::string> drawings(
      3, plot::svg(plot::SpectrumPlot{.text = words, .power = one}));
  const std::string column = plot::column("A & B", drawings);
  EXPECT_TRUE(well_formed(column));
  EXPECT_EQ(occurrences(column, "<svg"), 4U);
  EXPECT_EQ(occurrences(column, "<?xml"), 1U);
  EXPECT_NE(column.find("viewBox=\"0 0 900 1560\""), std::string::npos) << column.substr(0, 300);
  EXPECT_NE(column.find("<svg y=\"1040\""), std::string::npos);
  EXPECT_TRUE(well_formed(plot::column("", {})));
}

TEST(Plot, spectrum_limit_is_the_gamma_laws) {
  // One segment, one frequency: P(exponential > x) = 0.01 at ln 100 = 4.61.
  const std::vector<double> one = {1.0};
  EXPECT_NE(plot::svg(plot::SpectrumPlot{.text = {}, .power = one}).find("limit 4.61"),
            std::string::npos);
  const std::vector<double> many(100, 1.0);
  EXPECT_NE(plot::svg(plot::SpectrumPlot{.text = {}, .power = many}).find("limit 9.21"),
            std::string::npos);
}

}  // namespace
