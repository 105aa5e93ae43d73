/// \file
/// Plots as SVG text: what a laboratory looks at beside the figures. No file is touched, nothing
///                    but the text is made.
///
/// Look:    white ground, axes with round numbers, a line of explanation below the title. Colours
///          can be told apart by colour-blind people (Okabe and Ito's; blue to orange for
///          deviations); what is outside its band is vermilion.
/// Text:    any bytes may be given: markup is escaped, what is no printable UTF-8 becomes U+FFFD.
///          The result is well-formed XML whatever comes in; values that are not finite are left
///          out.
/// Size:    long series are thinned to what the width can show, extremes kept; files stay below
///          about 2 MB.
/// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace talla::stats::plot {

/// Words on a plot. `x` and `y` name the axes with their units ("lag, samples"); an empty one takes
/// the plot's own.
struct Text {
  std::string title = {};
  std::string subtitle = {};
  std::string x = {};
  std::string y = {};
};

/// Histogram of p-values in equal classes of [0, 1], with the band that all classes keep with
/// chance `coverage` when the p-values are independent and uniform (exact binomial quantiles,
/// divided over the classes).
struct PValueHistogram {
  Text text = {};
  std::span<const double> p_values = {};  ///< NaN: test not applied, left out
  std::size_t classes = 20;               ///< 1 to 200
  double coverage = 0.99;                 ///< in (0, 1)
};
[[nodiscard]] std::string svg(const PValueHistogram& plot);

/// Paths of e-processes (test martingales) on a logarithmic scale, with the threshold 1 / alpha
/// that Ville's bound allows to be crossed with chance alpha over the whole life.
struct EProcessPlot {
  struct Path {
    std::string name;
    /// Natural logarithm of the e-value after each look; -infinity is drawn at the bottom.
    std::span<const double> log_e;
  };
  Text text = {};
  std::vector<Path> paths = {};  ///< up to six keep different colours
  double alpha = 0.01;           ///< in (0, 1)
  double first = 1;              ///< what the horizontal axis says at the first value
  double step = 1;               ///< and how much further at each next one
};
[[nodiscard]] std::string svg(const EProcessPlot& plot);

/// Rows x columns of standardised deviations (observed - expected) / standard deviation, blue
/// below, orange above; position x card of a shoe, pair tables, pockets by hour. The footnote
/// counts cells beyond 3 against what a normal law expects.
struct HeatMap {
  Text text = {};
  std::size_t rows = 0;                    ///< drawn from top to bottom
  std::size_t columns = 0;                 ///< from left to right
  std::span<const double> deviation = {};  ///< row after row, rows * columns; NaN is drawn grey
  std::vector<std::string> row_names = {}, column_names = {};  ///< empty: numbers from 1
  double limit = 4;  ///< where the colour is full, above 0
};
[[nodiscard]] std::string svg(const HeatMap& plot);

/// Autocorrelation coefficients at lags 1, 2, ..., with the band of one lag and the wider one of
/// all lags together (normal law with standard deviation 1 / sqrt(samples)).
struct AutocorrelationPlot {
  Text text = {};
  std::span<const double> coefficients = {};  ///< [lag - 1], in [-1, 1]
  std::size_t samples = 0;                    ///< that they were computed from
  double coverage = 0.99;
};
[[nodiscard]] std::string svg(const AutocorrelationPlot& plot);

/// How often each value came, one bar a value (raw samples, pockets of a wheel).
struct SampleHistogram {
  Text text = {};
  std::span<const std::uint64_t> counts = {};  ///< of values first, first + 1, ...
  double first = 0;
  /// Empty: none drawn; one value: the same for all; else one for each.
  std::span<const double> expected = {};
};
[[nodiscard]] std::string svg(const SampleHistogram& plot);

/// Averaged periodogram on a logarithmic scale, 1 being the mean level of white noise. `limit` is
/// drawn as the level that the highest frequency of white noise passes with chance 0.01 only (gamma
/// law of an average of `segments` periodograms).
struct SpectrumPlot {
  Text text = {};
  /// At equally spaced frequencies, from the first one above 0 to the highest.
  std::span<const double> power = {};
  /// Of the last one; 0.5 with "cycles per sample", half the rate with hertz.
  double frequency_max = 0.5;
  std::size_t segments = 1;  ///< averaged periodograms
};
[[nodiscard]] std::string svg(const SpectrumPlot& plot);

/// Several drawings of this library one below the other, as one.
[[nodiscard]] std::string column(const std::string& title, std::span<const std::string> drawings);

}  // namespace talla::stats::plot
