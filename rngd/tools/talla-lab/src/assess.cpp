// talla-lab assess: min-entropy of noise samples by SP 800-90B, on either track, after restarts,
// behind a conditioning component.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <thread>

#include "app.hpp"
#include "assess_document.hpp"
#include "assess_report.hpp"
#include "input.hpp"
#include "lab_kit/manifest.hpp"
#include "plot_file.hpp"
#include "stats/plot/plot.hpp"
#include "stats/stream/autocorrelation.hpp"
#include "stats_lab/periodogram.hpp"

namespace talla::lab {
namespace {

namespace sp800_90b = stats::sp800_90b;

constexpr std::size_t file_most = std::size_t{256} << 20;  // bytes: 2^31 bits

struct AssessOptions {
  std::string file;
  unsigned width = 0;
  bool iid = false;
  bool restart = false;
  bool conditioned = false;
  double initial = 0.0;
  unsigned claimed = 0;  // millibits of a sample; 0: nothing is claimed
  std::size_t bits_most = 0;
  std::uint64_t seed = 1;
  std::uint32_t rounds = 10'000;
  bool full_counts = false;
  bool without_compression = false;
  unsigned threads = 0;
  std::vector<double> conditioning;
  std::string plot;
  std::string document;
  /// With --document: what the samples' manifest says.
  std::optional<entropy::AssessmentDocument> about;
};

unsigned threads_of(const AssessOptions& options) {
  return options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

stats::Result<sp800_90b::Samples> samples_of(const AssessOptions& options) {
  auto input = Input::open(options.file);
  if (!input) return tl::unexpected(input.error());
  auto bytes = input->read_all(file_most);
  if (!bytes) return tl::unexpected(bytes.error());
  const unsigned width = options.about ? options.about->bits_per_sample : options.width;
  auto samples = sp800_90b::Samples::create(std::move(*bytes), width);
  if (!samples) return stats::refuse(options.file + ": " + samples.error().detail);
  return samples;
}

/// What would make another figure than the standard's, or one of something else, is in no document.
stats::Result<bool> begin_asked_document(AssessOptions& options) {
  if (options.document.empty()) return false;
  if (options.file.empty() || options.file == "-" || !options.conditioning.empty() ||
      options.conditioned || options.bits_most != 0 || options.without_compression ||
      options.width != 0 || options.rounds < IidRun::rounds_of_the_standard) {
    return stats::refuse(
        "--document: a file of raw samples and the whole assessment are needed, without --bits, "
        "--conditioned, --conditioning, --first-bits, --no-compression and with 10,000 rounds");
  }
  if (const auto absent = check_absent(options.document); !absent)
    return stats::refuse(absent.error().detail);
  auto about = begin_document(options.file, options.restart);
  if (!about) return tl::unexpected(about.error());
  options.about = std::move(*about);
  return true;
}

/// Writes the document that was asked for; `passed` false: the data contradict the claim, and there
/// is none.
stats::Result<int> finish_document(const AssessOptions& options, const App& app, bool passed,
                                   double min_entropy) {
  if (!options.about || !passed) return passed ? exit_ok : exit_not_consistent;
  auto written = write_document(app, options.document, *options.about,
                                options.iid ? "iid" : "non-iid", min_entropy);
  if (!written) return tl::unexpected(written.error());
  return exit_ok;
}

stats::Result<int> run_conditioning(const AssessOptions& options, const App& app) {
  const auto& values = options.conditioning;
  sp800_90b::Conditioning component;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(values[i] >= 1.0) || values[i] > 1048576.0 || values[i] != std::floor(values[i])) {
      return stats::refuse(
          fmt::format("--conditioning: {} is no number of bits from 1 to 1,048,576", values[i]));
    }
  }
  component.n_in = static_cast<std::uint32_t>(values[0]);
  component.n_out = static_cast<std::uint32_t>(values[1]);
  component.nw = static_cast<std::uint32_t>(values[2]);
  component.h_in = values[3];
  if (values.size() == 5) component.h_prime = values[4];
  auto entropy = sp800_90b::output_entropy(component);
  if (!entropy) return tl::unexpected(entropy.error());
  report_conditioning(app, component, *entropy);
  return exit_ok;
}

stats::Result<int> run_iid(const AssessOptions& options, const App& app,
                           const sp800_90b::Samples& samples) {
  IidRun run;
  run.independence = sp800_90b::chi_square_independence(samples);
  run.fit = sp800_90b::chi_square_goodness_of_fit(samples);
  run.repeat = sp800_90b::longest_repeat(samples);
  run.symbols = sp800_90b::most_common_value(samples.symbols(), samples.alphabet());
  run.bits = sp800_90b::most_common_value(samples.bits(samples.size() * samples.width()));
  Progress progress(app, "permutations", options.rounds);
  run.permutations = sp800_90b::permutation_test(
      samples, {.seed = options.seed,
                .rounds = options.rounds,
                .full_counts = options.full_counts,
                .with_compression = !options.without_compression,
                .threads = threads_of(options),
                .progress = [&](std::uint32_t done) { progress.show(done); }});
  run.seed = options.seed;
  run.rounds_asked = options.rounds;
  report_iid(app, options.file, samples, run);
  if (run.undecided()) return exit_more_data;
  return finish_document(options, app, run.passed(), run.min_entropy(samples.width()));
}

/// 3 instead of 0 where more is claimed than was assessed.
stats::Result<int> held_against_claim(const AssessOptions& options, stats::Result<int> code,
                                      double min_entropy) {
  constexpr double millibits = 1000;
  if (!code || *code != exit_ok || min_entropy * millibits >= options.claimed) return code;
  fmt::print(stderr, "the claim, {} millibits a sample, is above the assessment\n",
             options.claimed);
  return exit_not_consistent;
}

stats::Result<int> run_restart(const AssessOptions& options, const App& app,
                               const sp800_90b::Samples& samples) {
  auto assessment = sp800_90b::assess_restarts(samples, options.initial, options.iid);
  if (!assessment) return stats::refuse(options.file + ": " + assessment.error().detail);
  report_restart(app, options.file, options.initial, *assessment);
  return held_against_claim(
      options, finish_document(options, app, assessment->valid, assessment->min_entropy),
      assessment->min_entropy);
}

/// Histogram, autocorrelation and spectrum of the samples.
std::string samples_drawing(const AssessOptions& options, const sp800_90b::Samples& samples) {
  namespace plot = stats::plot;
  constexpr std::size_t lags = 128, segment = 16'384;
  const std::string from =
      fmt::format("{} samples of {} bits from {}", samples.size(), samples.width(), options.file);
  std::vector<std::uint64_t> counts(std::size_t{1} << samples.width());
  for (const std::uint8_t sample : samples.raw()) ++counts[sample];
  const std::vector<double> expected = {static_cast<double>(samples.size()) /
                                        static_cast<double>(counts.size())};
  const auto coefficients = stats::autocorrelation(samples.raw(), lags);
  const auto spectrum = stats::periodogram(samples.raw(), segment);
  const std::vector<std::string> drawings = {
      plot::svg(plot::SampleHistogram{
          .text = {.title = "Samples", .subtitle = from}, .counts = counts, .expected = expected}),
      plot::svg(plot::AutocorrelationPlot{.text = {.title = "Autocorrelation", .subtitle = from},
                                          .coefficients = coefficients,
                                          .samples = samples.size()}),
      plot::svg(
          plot::SpectrumPlot{.text = {.title = "Spectrum",
                                      .subtitle = fmt::format("{}: {} segments of {}", from,
                                                              spectrum.segments, spectrum.length)},
                             .power = spectrum.power,
                             .segments = spectrum.segments})};
  return plot::column("Noise samples: histogram, autocorrelation, spectrum", drawings);
}

stats::Result<int> run_assess(AssessOptions& options, const App& app) {
  if (auto begun = begin_asked_document(options); !begun) return tl::unexpected(begun.error());
  if (!options.conditioning.empty()) {
    if (!options.plot.empty())
      return stats::refuse("--plot: with --conditioning there are no samples to draw");
    return run_conditioning(options, app);
  }
  if (options.file.empty()) return stats::refuse("FILE is missing (or give --conditioning)");
  auto samples = samples_of(options);
  if (!samples) return tl::unexpected(samples.error());
  if (!options.plot.empty()) {
    auto written = write_plot(options.plot, samples_drawing(options, *samples));
    if (!written) return tl::unexpected(written.error());
  }
  if (options.restart) return run_restart(options, app, *samples);
  if (options.iid) return run_iid(options, app, *samples);
  sp800_90b::Options settings;
  settings.conditioned = options.conditioned;
  settings.two_threads = threads_of(options) > 1;
  if (options.bits_most != 0) settings.bits_most = options.bits_most;
  auto assessment = [&] {
    std::optional<Progress> progress;
    settings.progress = [&](std::size_t done, std::size_t total) {
      if (!progress) progress.emplace(app, "estimators", total);
      progress->show(done);
    };
    return sp800_90b::assess(*samples, settings);
  }();
  if (!assessment) return stats::refuse(options.file + ": " + assessment.error().detail);
  report_assessment(app, options.file, *samples, *assessment);
  return held_against_claim(options, finish_document(options, app, true, assessment->min_entropy),
                            assessment->min_entropy);
}

}  // namespace

void add_assess(commandline::Command& root, App& app) {
  auto options = std::make_shared<AssessOptions>();
  auto* command = root.add_subcommand("assess", "min-entropy of noise samples by NIST SP 800-90B");
  command->add_option("FILE", options->file,
                      "samples, one a byte in its low bits; - for standard input");
  command->add_option("--bits", options->width, "bits of a sample (default: as wide as the widest)")
      ->range(1, 8);
  auto* iid = command->add_flag(
      "--iid", options->iid,
      "IID track: permutation, chi-square and repetition tests, then the most common value");
  auto* restart =
      command->add_flag("--restart", options->restart,
                        "restart tests: 1,000 samples of each of 1,000 restarts, row after row");
  command
      ->add_option("--initial", options->initial,
                   "with --restart: the entropy assessed before, bits per sample")
      ->range(1e-6, 8.0);
  auto* conditioned =
      command->add_flag("--conditioned", options->conditioned,
                        "output of a non-vetted conditioning component: the bit string alone");
  conditioned->excludes(iid)->excludes(restart);
  command
      ->add_option("--first-bits", options->bits_most,
                   "assess only that many bits of the bit string")
      ->range(6012, 2147483647);
  command
      ->add_option("--conditioning", options->conditioning,
                   "N_IN N_OUT NW H_IN [H']: output entropy of a component; vetted without H'")
      ->expected(4, 5);
  command
      ->add_option("--seed", options->seed,
                   "of the permutations; the same seed gives the same counts")
      ->capture_default_str();
  command
      ->add_option("--rounds", options->rounds,
                   "permutations; with fewer than 10,000 none is called a failure")
      ->range(100, 1'000'000)
      ->capture_default_str();
  command->add_flag("--full-counts", options->full_counts,
                    "all rounds for every statistic instead of stopping when a verdict stands");
  command->add_flag("--no-compression", options->without_compression,
                    "leave out the slow compression statistic (no complete IID test)");
  command
      ->add_option("--claimed", options->claimed,
                   "millibits that are claimed of a sample; 3 when less was assessed")
      ->range(1U, 8000U);
  command->add_option("--document", options->document,
                      "write the document that production credits the unit by; FILE has its "
                      "manifest of `talla-lab collect` beside it");
  add_plot_option(*command, options->plot,
                  "histogram, autocorrelation and spectrum of the samples");
  command->add_option("--threads", options->threads, "default: one for each core")->range(1, 64);
  command->callback([options, &app] {
    if (options->restart && options->initial <= 0.0)
      return app.refuse({"--restart needs --initial"});
    auto code = run_assess(*options, app);
    if (!code) return app.refuse(code.error());
    app.exit = *code;
  });
}

}  // namespace talla::lab
