// talla-lab monitor: the monitors of the appliance over a file, from its first observation to its
// last.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "app.hpp"
#include "input.hpp"
#include "json_writer.hpp"
#include "plot_file.hpp"
#include "stats/monitor/board.hpp"
#include "stats/monitor/streams.hpp"
#include "stats/plot/plot.hpp"

namespace talla::lab {
namespace {

namespace mon = stats::monitor;

constexpr std::size_t file_max = std::size_t{1} << 30U;
constexpr std::size_t path_points = 2000;  // of a plot

struct MonitorOptions {
  std::string file;
  std::string kind;
  std::string plot;
  double min_entropy = 0;
  std::size_t size = 0;
  std::size_t copies = 0;
  double alpha = 0.001;
  double run_length = 1e9;
};

/// The board with its one group, and what it said on the way.
struct Run {
  explicit Run(mon::Board::Options options) : board(std::move(options)) {}
  mon::Board board;
  mon::Group* group = nullptr;
  std::vector<mon::Finding> found;
  std::vector<std::vector<double>> paths;  // log E of each process
  std::uint64_t looks = 0;
  std::uint64_t every = 1;  // looks between two points

  void look() {
    board.look(*group, found);
    if (looks++ % every != 0) return;
    const auto processes = group->processes();
    paths.resize(processes.size());
    for (std::size_t i = 0; i < processes.size(); ++i) paths[i].push_back(processes[i]->log_e());
    if (paths[0].size() < 2 * path_points) return;
    for (auto& path :
         paths) {  // every second point goes, and from now on twice as many looks lie between two
      for (std::size_t i = 0; i < path.size() / 2; ++i) path[i] = path[2 * i];
      path.resize(path.size() / 2);
    }
    every *= 2;
  }
};

stats::Result<bool> watch_noise(Run& run, Input& input, Progress& progress) {
  auto& noise = dynamic_cast<mon::RawNoise&>(*run.group);
  std::vector<std::uint8_t> block(mon::RawNoise::chunk_samples);
  std::size_t got = 0, all = 0;
  while ((got = input.read(block)) > 0) {
    progress.show(all += got);
    if (noise.observe(std::span(block).first(got))) run.look();
  }
  return true;
}

stats::Result<bool> watch_bits(Run& run, Input& input, Progress& progress) {
  auto& bits = dynamic_cast<mon::ConditionedBits&>(*run.group);
  std::vector<std::uint8_t> block(512);
  std::size_t got = 0, all = 0;
  while ((got = input.read(block)) > 0) {
    progress.show(all += got);
    bits.observe(std::span(block).first(got));
    run.look();
  }
  return true;
}

/// Numbers of one line; refuses anything else with its line and what is wrong.
stats::Result<std::vector<std::uint16_t>> numbers_of(std::string_view line, std::size_t line_number,
                                                     std::size_t bound) {
  std::vector<std::uint16_t> numbers;
  while (true) {
    const auto begin = line.find_first_not_of(" \t\r,");
    if (begin == std::string_view::npos) return numbers;
    line.remove_prefix(begin);
    std::uint16_t value = 0;
    const auto parsed = std::from_chars(line.data(), line.data() + line.size(), value);
    if (parsed.ec != std::errc{} || value >= bound) {
      return stats::refuse(
          fmt::format("line {}: numbers from 0 to {} are expected", line_number, bound - 1));
    }
    line.remove_prefix(static_cast<std::size_t>(parsed.ptr - line.data()));
    numbers.push_back(value);
  }
}

stats::Result<bool> watch_lines(Run& run, Input& input, const MonitorOptions& options,
                                Progress& progress) {
  auto bytes = input.read_all(file_max);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  std::size_t line_number = 0;
  for (std::size_t at = 0; at < text.size(); ++line_number) {
    const auto end = std::min(text.find('\n', at), text.size());
    auto numbers = numbers_of(text.substr(at, end - at), line_number + 1, options.size);
    at = end + 1;
    progress.show(at);
    if (!numbers) return tl::unexpected(numbers.error());
    if (auto* const alphabet = dynamic_cast<mon::Alphabet*>(run.group)) {
      for (const std::uint16_t number : *numbers) {
        alphabet->observe(number);
        run.look();
      }
    } else if (!numbers->empty()) {
      if (!dynamic_cast<mon::Shoe&>(*run.group).observe(*numbers)) {
        return stats::refuse(fmt::format("line {}: more of a card than the {} of the deck",
                                         line_number + 1, options.copies));
      }
      run.look();
    }
  }
  return true;
}

std::unique_ptr<mon::Group> make(const MonitorOptions& options) {
  if (options.kind == "noise")
    return std::make_unique<mon::RawNoise>(
        static_cast<std::uint32_t>(std::lround(options.min_entropy * 1000)));
  if (options.kind == "bits") return std::make_unique<mon::ConditionedBits>();
  if (options.kind == "numbers") return std::make_unique<mon::Alphabet>(options.size, "numbers");
  return std::make_unique<mon::Shoe>(
      std::vector<std::uint32_t>(options.size, static_cast<std::uint32_t>(options.copies)));
}

std::optional<std::string> missing(const MonitorOptions& options) {
  if (options.kind == "noise" && options.min_entropy < 0.001)
    return "raw noise needs --min-entropy, its claim";
  if (options.kind == "numbers" && options.size < 2)
    return "numbers need --size, how many different ones there are";
  if (options.kind != "shoes") return std::nullopt;
  if (options.size < 2 || options.size > 256 || options.copies < 1 ||
      options.size * options.copies > 1024)
    return "shoes need --size, the kinds of cards (2 to 256), and --copies of each, 1,024 cards at "
           "most";
  return std::nullopt;
}

void print_monitor_json(const Run& run, const MonitorOptions& options) {
  JsonWriter out;
  out.begin_object()
      .member("file", options.file)
      .member("alpha", options.alpha)
      .member("run_length", options.run_length);
  out.member("verdict", run.found.empty() ? "consistent" : "not-consistent")
      .key("monitors")
      .begin_array();
  for (const auto& row : run.board.rows()) {
    out.begin_object()
        .member("name", row.monitor)
        .member("unit", row.unit)
        .member("seen", row.steps);
    out.member("log_e", row.process.log_value).member("log_threshold", row.process.log_threshold);
    out.member("alarm", row.process.alarm).member("log_detector", row.detector.log_value);
    out.member("log_detector_threshold", row.detector.log_threshold)
        .member("detector_alarm", row.detector.alarm);
    out.end_object();
  }
  out.end_array().end_object();
  fmt::print("{}\n", out.text());
}

void print_report(const Run& run, const MonitorOptions& options) {
  fmt::print("{}: monitors for continuous use, looked at {} times\n\n", options.file, run.looks);
  fmt::print("  {:<22}{:>14}  {:>9}  {:>9}  {:>9}  {:>9}\n", "monitor", "seen", "log E", "alarm at",
             "detector", "alarm at");
  for (const auto& row : run.board.rows()) {
    fmt::print("  {:<22}{:>14}  {:>9.2f}  {:>9.2f}  {:>9.2f}  {:>9.2f}{}\n", row.monitor, row.steps,
               row.process.log_value, row.process.log_threshold, row.detector.log_value,
               row.detector.log_threshold,
               row.process.alarm || row.detector.alarm ? "  ALARM" : "");
  }
  fmt::print(
      "\nE-processes: on good data the chance that any of them ever reaches its alarm is at most "
      "{}, however "
      "often one looks.\n"
      "Detectors: on good data one alarm in {:.0e} steps on the average, or fewer.\n",
      options.alpha, options.run_length);
  for (const auto& finding : run.found) {
    fmt::print("{} of {} after {} {}\n", finding.detector ? "change detected" : "alarm",
               finding.monitor, finding.steps, run.group->unit());
  }
  fmt::print("{}\n",
             run.found.empty() ? "consistent with the claim" : "NOT consistent with the claim");
}

std::string monitor_drawing(const Run& run, const MonitorOptions& options) {
  stats::plot::EProcessPlot plot;
  plot.text.title = "monitors of " + options.file;
  plot.text.subtitle =
      "on good data a path ever crosses its threshold with a chance of at most its share of alpha";
  plot.text.x = "looks";
  const auto rows = run.board.rows();
  // The line is that of the first monitor: each place has a somewhat smaller share.
  plot.alpha = std::exp(-rows[0].process.log_threshold);
  plot.step = static_cast<double>(run.every);
  for (std::size_t i = 0; i < run.paths.size(); ++i)
    plot.paths.push_back({rows[i].monitor, run.paths[i]});
  return stats::plot::svg(plot);
}

void too_little(const MonitorOptions& options, const App& app) {
  if (app.json) {
    fmt::print("{}\n", JsonWriter()
                           .begin_object()
                           .member("file", options.file)
                           .member("verdict", "more-data")
                           .end_object()
                           .text());
  } else if (options.kind == "noise") {
    fmt::print("{}: too little data, raw noise is judged in chunks of {} samples\n", options.file,
               mon::RawNoise::chunk_samples);
  } else {
    fmt::print("{}: too little data\n", options.file);
  }
}

/// The exit code.
stats::Result<int> run_monitor(const MonitorOptions& options, App& app) {
  if (const auto what = missing(options)) return stats::refuse(*what);
  auto input = Input::open(options.file);
  if (!input) return tl::unexpected(input.error());
  Run run({.alpha = options.alpha,
           .run_length = options.run_length,
           .groups_max = 1,
           .make = [&options](const std::string&) { return make(options); }});
  run.group = run.board.group(options.kind, 0);
  auto watched = [&] {
    Progress progress(app, "bytes", input->size().value_or(0));
    return options.kind == "noise"  ? watch_noise(run, *input, progress)
           : options.kind == "bits" ? watch_bits(run, *input, progress)
                                    : watch_lines(run, *input, options, progress);
  }();
  if (!watched) return stats::refuse(options.file + ": " + watched.error().detail);
  if (run.looks == 0) {
    too_little(options, app);
    return exit_more_data;
  }
  if (!options.plot.empty()) {
    auto written = write_plot(options.plot, monitor_drawing(run, options));
    if (!written) return tl::unexpected(written.error());
  }
  if (app.json) {
    print_monitor_json(run, options);
  } else {
    print_report(run, options);
  }
  return run.found.empty() ? exit_ok : exit_not_consistent;
}

}  // namespace

void add_monitor(commandline::Command& root, App& app) {
  auto options = std::make_shared<MonitorOptions>();
  auto* command =
      root.add_subcommand("monitor", "the appliance's monitors for continuous use, over a file");
  command->add_option("FILE", options->file, "data; - for standard input")->required();
  command
      ->add_option(
          "--as", options->kind,
          "noise: one sample a byte; bits: bytes; numbers: text, 0 to size - 1; shoes: a line of "
          "kinds a shoe")
      ->required()
      ->one_of({"noise", "bits", "numbers", "shoes"});
  command
      ->add_option("--min-entropy", options->min_entropy,
                   "noise: claimed bits of min-entropy of a sample")
      ->range(0.001, 8.0);
  command->add_option("--size", options->size, "how many different numbers, or kinds of cards")
      ->range(2, 4096);
  command->add_option("--copies", options->copies, "shoes: cards of each kind")->range(1, 512);
  command->add_option("--alpha", options->alpha, "chance of a false alarm of any e-process, ever")
      ->range(1e-12, 0.5)
      ->capture_default_str();
  command
      ->add_option("--run-length", options->run_length,
                   "mean steps of a detector until a false alarm")
      ->range(10.0, 1e15)
      ->capture_default_str();
  add_plot_option(*command, options->plot, "paths of the e-processes");
  command->callback([options, &app] {
    auto code = run_monitor(*options, app);
    if (!code) return app.refuse(code.error());
    app.exit = *code;
  });
}

}  // namespace talla::lab
