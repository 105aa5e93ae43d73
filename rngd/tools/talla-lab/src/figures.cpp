// talla-lab figures: entropy, chi-square, mean, pi and serial correlation of a stream, with the
// digits of ent.
#include "stats/stream/figures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "app.hpp"
#include "byte_stream.hpp"
#include "json_writer.hpp"
#include "plot_file.hpp"
#include "stats/holm.hpp"
#include "stats/plot/plot.hpp"

namespace talla::lab {
namespace {

struct FiguresOptions {
  std::string file;
  std::string form = "auto";
  std::string plot;
  bool bits = false;
  double family_error = 0.01;
};

constexpr std::uint64_t bytes_least =
    1280;  // five of each value: the chi-square law is good from there on

struct Judged {
  stats::StreamFigures figures;
  double smallest_adjusted = 1;
  bool enough = false;
  bool consistent = false;
  [[nodiscard]] std::string_view verdict() const {
    return !enough ? "more-data" : consistent ? "consistent" : "not-consistent";
  }
};

std::string percent_of(double tail) {
  if (tail < 0.0001) return "less than 0.01";
  if (tail > 0.9999) return "more than 99.99";
  return fmt::format("{:.2f}", 100.0 * tail);
}

/// NaN: "-".
std::string optional_p(double p) {
  return std::isnan(p) ? "-" : fmt::format("{:.6f}", p);
}

/// A few bytes have no mean, or no point in the square.
std::string figure(double value, int decimals) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, decimals);
}

void print_figures_text(const FiguresOptions& options, const Judged& judged) {
  const auto& f = judged.figures;
  const std::string unit = options.bits ? "bit" : "byte";
  fmt::print("Figures of {} {}s from {}\n\n", f.count, unit, options.file);
  fmt::print("figure               value          of ideal data   p-value\n");
  fmt::print("entropy              {:<14.6f} {} bits per {}\n", f.entropy, options.bits ? 1 : 8,
             unit);
  fmt::print("compression          {} percent\n", f.compression_percent);
  fmt::print("chi-square           {:<14.2f} {:<15} {}\n", f.chi_square, options.bits ? 1 : 255,
             optional_p(f.chi_square_p));
  fmt::print("  larger by chance   {} percent\n", percent_of(f.chi_square_tail));
  fmt::print("mean                 {:<14} {:<15} {}\n", figure(f.mean, 4),
             options.bits ? 0.5 : 127.5, optional_p(f.mean_p));
  fmt::print("pi by Monte Carlo    {:<14} {:<15} {}\n", figure(f.pi, 9), "3.141592654",
             optional_p(f.pi_p));
  fmt::print("  error              {} percent\n", figure(f.pi_error_percent, 2));
  if (std::isnan(f.serial_correlation)) {
    fmt::print("serial correlation   none: all values are equal\n");
  } else {
    fmt::print("serial correlation   {:<14.6f} {:<15} {}\n", f.serial_correlation, "0",
               optional_p(f.serial_correlation_p));
  }
  if (!judged.enough) {
    fmt::print("\nToo little data for a verdict: it needs {} bytes.\n", bytes_least);
    return;
  }
  fmt::print("\nAll together: {} (least p-value after Holm's correction {:.3g}, limit {}).\n",
             judged.consistent ? "consistent with ideal data" : "NOT consistent with ideal data",
             judged.smallest_adjusted, options.family_error);
  fmt::print(
      "These figures see a wrong distribution of values and dependence on the value before, "
      "nothing else; "
      "text, "
      "pictures and\n"
      "raw noise fail them, compressed and counted data may pass.\n");
}

void print_figures_json(const FiguresOptions& options, const Judged& judged) {
  const auto& f = judged.figures;
  JsonWriter out;
  out.begin_object()
      .member("file", options.file)
      .member("unit", options.bits ? "bit" : "byte")
      .member("count", f.count)
      .member("entropy", f.entropy)
      .member("compression_percent", f.compression_percent)
      .member("chi_square", f.chi_square)
      .member("chi_square_tail", f.chi_square_tail)
      .member("mean", f.mean)
      .member("pi", f.pi)
      .member("pi_error_percent", f.pi_error_percent)
      .member("serial_correlation", f.serial_correlation)
      .key("p")
      .begin_object()
      .member("chi_square", f.chi_square_p)
      .member("mean", f.mean_p)
      .member("pi", f.pi_p)
      .member("serial_correlation", f.serial_correlation_p)
      .end_object()
      .member("smallest_adjusted", judged.smallest_adjusted)
      .member("family_error", options.family_error)
      .member("verdict", judged.verdict())
      .end_object();
  fmt::print("{}\n", out.text());
}

stats::Result<bool> draw_stream(const FiguresOptions& options, const stats::Stream& stream) {
  if (options.plot.empty()) return true;
  const auto counts = stream.counts(options.bits ? stats::Unit::bit : stats::Unit::byte);
  const std::vector<double> expected = {static_cast<double>(stream.bytes_count()) *
                                        (options.bits ? 8.0 : 1.0) /
                                        static_cast<double>(counts.size())};
  return write_plot(
      options.plot,
      stats::plot::svg(stats::plot::SampleHistogram{
          .text = {.title = options.bits ? "Bits" : "Values of bytes",
                   .subtitle = fmt::format("{} bytes from {}", stream.bytes_count(), options.file),
                   .x = options.bits ? "bit" : "value of a byte",
                   .y = options.bits ? "bits" : "bytes"},
          .counts = counts,
          .expected = expected}));
}

stats::Result<int> run_figures(const FiguresOptions& options, const App& app) {
  auto input = Input::open(options.file);
  if (!input) return tl::unexpected(input.error());
  const stats::BitForm form = form_of(options.form, *input);
  ByteStream bytes(*input, form);
  stats::Stream stream;
  std::vector<std::uint8_t> chunk(std::size_t{1} << 20U);
  const std::uint64_t total = form == stats::BitForm::binary ? input->size().value_or(0) : 0;
  Progress progress(app, "figures", total >> 20U);
  for (std::size_t got = bytes.read(chunk); got > 0; got = bytes.read(chunk)) {
    stream.add(std::span(chunk).first(got));
    progress.show(stream.bytes_count() >> 20U);
  }
  if (bytes.error()) return stats::refuse(options.file + ": " + bytes.error()->detail);
  Judged judged{.figures = stream.figures(options.bits ? stats::Unit::bit : stats::Unit::byte)};
  const auto& f = judged.figures;
  // All values equal: no correlation, and chi-square says all that is to say.
  judged.smallest_adjusted = stats::holm_smallest(
      std::vector<double>{f.chi_square_p, f.mean_p, f.pi_p, f.serial_correlation_p});
  judged.enough = stream.bytes_count() >= bytes_least;
  judged.consistent = judged.smallest_adjusted >= options.family_error;
  auto drawn = draw_stream(options, stream);
  if (!drawn) return tl::unexpected(drawn.error());
  if (app.json) {
    print_figures_json(options, judged);
  } else {
    print_figures_text(options, judged);
  }
  return !judged.enough ? exit_more_data : judged.consistent ? exit_ok : exit_not_consistent;
}

}  // namespace

void add_figures(commandline::Command& root, App& app) {
  auto options = std::make_shared<FiguresOptions>();
  auto* command = root.add_subcommand(
      "figures", "entropy, chi-square, mean, pi and serial correlation, with the digits of ent");
  command->add_option("FILE", options->file, "data; - for standard input")->required();
  command->add_flag("--bits", options->bits, "of the bits instead of the bytes");
  command->add_option("--format", options->form, "how the bits are written")
      ->one_of({"auto", "binary", "ascii"})
      ->capture_default_str();
  command
      ->add_option("--family-error", options->family_error,
                   "chance of a wrong verdict on ideal data, all figures together")
      ->range(1e-9, 0.5)
      ->capture_default_str();
  add_plot_option(*command, options->plot, "histogram of the values");
  command->callback([options, &app] {
    auto code = run_figures(*options, app);
    if (!code) return app.refuse(code.error());
    app.exit = *code;
  });
}

}  // namespace talla::lab
