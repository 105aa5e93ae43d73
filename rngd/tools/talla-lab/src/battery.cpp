// talla-lab battery: SP 800-22 over the sequences of a file, on all cores.
#include "battery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "input.hpp"
#include "plot_file.hpp"
#include "stats/bit_reader.hpp"
#include "stats/plot/plot.hpp"
#include "stats_lab/fftw_spectrum.hpp"

namespace talla::lab {
namespace {

namespace sp800_22 = stats::sp800_22;

struct BatteryOptions {
  std::string file;
  std::string profile = "nist-2.1.2";
  std::string form = "auto";
  std::string plot;
  std::size_t sequences_count = 0;
  std::size_t length = 0;
  std::size_t threads_count = 0;
  bool figures = false;
  double family_error = 0.01;
  sp800_22::Parameters parameters;
};

constexpr std::size_t length_default = 1'000'000;

/// Sequence length and count: what was asked, else as much as the file holds.
struct Extent {
  std::size_t length = 0;
  std::size_t sequences_count = 0;
};

stats::Result<Extent> extent_of(const BatteryOptions& options, const Input& input,
                                stats::BitForm form) {
  Extent extent{options.length, options.sequences_count};
  if (form == stats::BitForm::ascii ||
      !input.size()) {  // the number of bits is not known before reading
    if (extent.length == 0) extent.length = length_default;
    if (extent.sequences_count == 0) extent.sequences_count = 1;
    return extent;
  }
  const std::uint64_t bits = *input.size() * 8;
  if (extent.length == 0) extent.length = std::min<std::uint64_t>(bits, length_default);
  if (extent.length == 0) return stats::refuse(options.file + " is empty");
  if (extent.sequences_count == 0) {
    const std::size_t spaced =
        options.profile == "nist-2.1.2" ? (extent.length + 31) / 32 * 32 : extent.length;
    extent.sequences_count = std::max<std::uint64_t>(1, bits / spaced);
  }
  return extent;
}

/// Tests the sequences of one round on all threads.
void run_round(const sp800_22::Battery& battery,
               std::vector<std::unique_ptr<stats::FftwSpectrum>>& spectra,
               const std::vector<stats::Bits>& sequences, std::size_t first, std::size_t total,
               std::vector<double>& p_values) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&](stats::FftwSpectrum& spectrum) {
    std::vector<double> p(battery.rows().size());
    for (std::size_t i = next++; i < sequences.size(); i = next++) {
      battery.run(sequences[i], spectrum, p);
      for (std::size_t row = 0; row < p.size(); ++row) p_values[row * total + first + i] = p[row];
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t t = 1; t < spectra.size(); ++t)
    threads.emplace_back(work, std::ref(*spectra[t]));
  work(*spectra[0]);
}

std::string battery_drawing(const BatteryRun& run) {
  return stats::plot::svg(stats::plot::PValueHistogram{
      .text = {.title = fmt::format("SP 800-22, profile {}: p-values",
                                    sp800_22::profile_name(run.battery.profile())),
               .subtitle = fmt::format(
                   "{} rows of {} sequences of {} bits from {}; rows of one sequence depend on "
                   "each other",
                   run.battery.rows().size(), run.sequences_count, run.battery.bits_count(),
                   run.file)},
      .p_values = run.p_values});
}

stats::Result<bool> run_battery(const BatteryOptions& options, App& app) {
  auto profile = sp800_22::profile_from(options.profile);
  if (!profile) return tl::unexpected(profile.error());
  auto input = Input::open(options.file);
  if (!input) return tl::unexpected(input.error());
  const stats::BitForm form = form_of(options.form, *input);
  auto extent = extent_of(options, *input, form);
  if (!extent) return tl::unexpected(extent.error());
  if (options.figures && extent->sequences_count != 1)
    return stats::refuse("--figures shows those of one sequence: --sequences 1");
  auto battery = sp800_22::Battery::create(*profile, options.parameters, extent->length);
  if (!battery) return tl::unexpected(battery.error());

  stats::BitReader reader([&](std::span<std::uint8_t> into) { return input->read(into); }, form);
  std::size_t threads_count =
      options.threads_count != 0 ? options.threads_count : std::thread::hardware_concurrency();
  threads_count =
      std::clamp<std::size_t>(threads_count, 1, std::min<std::size_t>(64, extent->sequences_count));
  std::vector<std::unique_ptr<stats::FftwSpectrum>> spectra;
  for (std::size_t t = 0; t < threads_count; ++t) {
    spectra.push_back(std::make_unique<stats::FftwSpectrum>(extent->length));
  }
  BatteryRun result{.battery = *battery,
                    .file = options.file,
                    .sequences_count = extent->sequences_count,
                    .p_values = {},
                    .summary = {},
                    .figures = {},
                    .family_error = options.family_error};
  result.p_values.resize(battery->rows().size() * extent->sequences_count);
  Progress progress(app, "battery", extent->sequences_count);
  for (std::size_t done = 0; done < extent->sequences_count;) {
    std::vector<stats::Bits> sequences;
    while (sequences.size() < 4 * threads_count &&
           done + sequences.size() < extent->sequences_count) {
      auto bits = reader.next(extent->length, *profile == sp800_22::Profile::nist_2_1_2);
      if (!bits) {
        return stats::refuse(fmt::format("{}, sequence {} of {}: {}", options.file,
                                         done + sequences.size() + 1, extent->sequences_count,
                                         bits.error().detail));
      }
      sequences.push_back(std::move(*bits));
    }
    if (options.figures) {
      result.figures = battery->explain(sequences.front(), *spectra.front(), result.p_values);
    } else {
      run_round(*battery, spectra, sequences, done, extent->sequences_count, result.p_values);
    }
    done += sequences.size();
    progress.show(done);
  }
  // Of a pipe nobody waits for more than was asked for.
  result.rest_untested = input->size() && !reader.at_end();
  result.summary =
      sp800_22::summarise(*profile, result.p_values, extent->sequences_count, options.family_error);
  if (!options.plot.empty()) {
    auto written = write_plot(options.plot, battery_drawing(result));
    if (!written) return tl::unexpected(written.error());
  }
  if (app.json) {
    fmt::print("{}\n", json_report(result));
  } else {
    print_report(result);
  }
  return result.summary.consistent;
}

}  // namespace

void add_battery(commandline::Command& root, App& app) {
  auto options = std::make_shared<BatteryOptions>();
  auto* command = root.add_subcommand("battery", "the fifteen tests of NIST SP 800-22 Rev. 1a");
  command->add_option("FILE", options->file, "data; - for standard input")->required();
  command
      ->add_option(
          "--profile", options->profile,
          "nist-2.1.2: the p-values of NIST's program; corrected: without its known errors")
      ->one_of({"nist-2.1.2", "corrected"})
      ->capture_default_str();
  command
      ->add_option("--sequences", options->sequences_count,
                   "how many sequences (default: all of a binary file, else 1)")
      ->range(std::size_t{1}, std::size_t{1'000'000});
  command
      ->add_option("--length", options->length,
                   "bits of a sequence (default: 1,000,000, or what a smaller file holds)")
      ->range(std::size_t{100}, std::size_t{2'147'483'647});
  command->add_option("--format", options->form, "how the bits are written")
      ->one_of({"auto", "binary", "ascii"})
      ->capture_default_str();
  command->add_option("--threads", options->threads_count, "default: one for each core")
      ->range(1, 64);
  command->add_flag("--figures", options->figures,
                    "of one sequence: the figures that led to each p-value");
  command
      ->add_option("--family-error", options->family_error,
                   "chance of a wrong verdict on good data, all tests together")
      ->range(1e-9, 0.5)
      ->capture_default_str();
  add_plot_option(*command, options->plot, "histogram of the p-values");
  auto& parameters = options->parameters;
  command->add_option("--block-frequency", parameters.block_frequency, "block length M")
      ->capture_default_str();
  command->add_option("--non-overlapping", parameters.non_overlapping, "template length m")
      ->capture_default_str();
  command->add_option("--overlapping", parameters.overlapping, "template length m")
      ->capture_default_str();
  command->add_option("--approximate-entropy", parameters.approximate_entropy, "block length m")
      ->capture_default_str();
  command->add_option("--serial", parameters.serial, "block length m")->capture_default_str();
  command->add_option("--linear-complexity", parameters.linear_complexity, "block length M")
      ->capture_default_str();
  command->callback([options, &app] {
    auto consistent = run_battery(*options, app);
    if (!consistent) return app.refuse(consistent.error());
    app.exit = *consistent ? exit_ok : exit_not_consistent;
  });
}

}  // namespace talla::lab
