// talla-lab blocks: FIPS 140-1, FIPS 140-2 and AIS 20/31 tests on blocks of 20,000 bits.
#include "blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "byte_stream.hpp"
#include "plot_file.hpp"
#include "stats/plot/plot.hpp"
#include "stats/special.hpp"

namespace talla::lab {
namespace {

namespace tests = stats::blocks;

struct BlocksOptions {
  std::string file;
  std::string set = "fips-140-2";
  std::string form = "auto";
  std::string plot;
  std::uint64_t blocks_most = 0;
  double family_error = 0.01;
};

constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;
constexpr std::size_t p_values_most = 1'000'000;

double poker_p(const tests::Counts& counts) {
  return stats::chi_square_tail(counts.poker(), 15.0);
}

stats::Result<bool> draw_blocks(const BlocksOptions& options, std::span<const double> p_values) {
  if (options.plot.empty()) return true;
  return write_plot(options.plot,
                    stats::plot::svg(stats::plot::PValueHistogram{
                        .text = {.title = "Poker test of blocks of 20,000 bits: p-values",
                                 .subtitle = fmt::format(
                                     "{} blocks from {}, chi-square with 15 degrees of freedom",
                                     p_values.size(), options.file),
                                 .x = "p-value",
                                 .y = "blocks"},
                        .p_values = p_values}));
}

stats::Result<int> run_series(const BlocksOptions& options, const App& app, ByteStream& stream,
                              std::optional<std::uint64_t> size) {
  SeriesRun run{.file = options.file,
                .set = options.set == "fips-140-2"   ? tests::Set::fips_140_2
                       : options.set == "fips-140-1" ? tests::Set::fips_140_1
                                                     : tests::Set::ais_31,
                .tally = {},
                .verdict = {},
                .family_error = options.family_error,
                .failed = {}};
  std::vector<double> p_values;
  tests::BlockSeries series(run.set);
  series.on_block = [&](const tests::BlockSeries::Judged& judged) {
    if (!options.plot.empty() && p_values.size() < p_values_most)
      p_values.push_back(poker_p(judged.counts));
    std::vector<std::string> names;
    for (const tests::Test test : tests::tests_of(run.set)) {
      if (judged.failed[static_cast<std::size_t>(test)]) names.emplace_back(tests::test_name(test));
    }
    if (!names.empty() && run.failed.size() < failed_listed)
      run.failed.push_back({judged.index + 1, std::move(names)});
  };
  Progress progress(app, "blocks", size.value_or(0) / tests::block_bytes);
  std::vector<std::uint8_t> chunk(chunk_bytes);
  // The limit is in bytes: the word that only the continuous test sees stands before the first
  // block.
  const std::uint64_t skipped = run.set == tests::Set::ais_31 ? 0 : 4;
  std::uint64_t left = options.blocks_most == 0
                           ? ~std::uint64_t{0}
                           : options.blocks_most * tests::block_bytes + skipped;
  while (left > 0) {
    const std::size_t got =
        stream.read(std::span(chunk).first(std::min<std::uint64_t>(left, chunk.size())));
    if (got == 0) break;
    series.add(std::span(chunk).first(got));
    left -= got;
    progress.show(series.tally().blocks);
  }
  if (stream.error()) return stats::refuse(options.file + ": " + stream.error()->detail);
  run.tally = series.tally();
  run.bytes_left = series.waiting();
  if (run.tally.blocks > 0) {
    run.verdict = tests::judge_tally(run.set, run.tally, options.family_error);
    auto drawn = draw_blocks(options, p_values);
    if (!drawn) return tl::unexpected(drawn.error());
  }
  report_series(app, run);
  if (run.tally.blocks == 0) return exit_more_data;
  return run.verdict.consistent ? exit_ok : exit_not_consistent;
}

stats::Result<int> run_procedure(const BlocksOptions& options, const App& app, ByteStream& stream) {
  const auto procedure = options.set == "ais-31-a" ? tests::Procedure::a : tests::Procedure::b;
  Progress progress(app, "procedure", 1000);
  std::vector<double> p_values;
  auto run = tests::run_procedure(
      procedure, [&](std::span<std::uint8_t> into) { return stream.read(into); },
      [&](double share) { progress.show(static_cast<std::size_t>(share * 1000)); },
      [&](const tests::Counts& counts) { p_values.push_back(poker_p(counts)); });
  if (stream.error()) return stats::refuse(options.file + ": " + stream.error()->detail);
  if (!run) {
    app.say_more_data(options.file + ": " + run.error().detail);
    return exit_more_data;
  }
  auto drawn = draw_blocks(options, p_values);
  if (!drawn) return tl::unexpected(drawn.error());
  report_procedure(app, options.file, *run);
  return run->passed ? exit_ok : exit_not_consistent;
}

stats::Result<int> run_blocks(const BlocksOptions& options, const App& app) {
  const bool procedure = options.set == "ais-31-a" || options.set == "ais-31-b";
  if (options.set == "ais-31-b" && !options.plot.empty())
    return stats::refuse("--plot: procedure B has no blocks whose p-values could be drawn");
  if (procedure && options.blocks_most != 0)
    return stats::refuse("--blocks: the procedures of AIS 20/31 take the bits that they need");
  auto input = Input::open(options.file);
  if (!input) return tl::unexpected(input.error());
  const stats::BitForm form = form_of(options.form, *input);
  ByteStream stream(*input, form);
  if (procedure) return run_procedure(options, app, stream);
  const auto size = form == stats::BitForm::binary ? input->size() : std::optional<std::uint64_t>();
  return run_series(options, app, stream, size);
}

}  // namespace

void add_blocks(commandline::Command& root, App& app) {
  auto options = std::make_shared<BlocksOptions>();
  auto* command = root.add_subcommand(
      "blocks", "tests on blocks of 20,000 bits: FIPS 140-1, FIPS 140-2, AIS 20/31");
  command->add_option("FILE", options->file, "data; - for standard input")->required();
  command
      ->add_option(
          "--set", options->set,
          "fips-140-2, fips-140-1: monobit, poker, runs, long run, continuous; ais-31: T1 to T5 on "
          "every block; "
          "ais-31-a, ais-31-b: the procedures of AIS 20/31")
      ->one_of({"fips-140-2", "fips-140-1", "ais-31", "ais-31-a", "ais-31-b"})
      ->capture_default_str();
  command->add_option("--blocks", options->blocks_most, "at most that many blocks (default: all)")
      ->range(std::uint64_t{1}, std::uint64_t{1} << 40U);
  command->add_option("--format", options->form, "how the bits are written")
      ->one_of({"auto", "binary", "ascii"})
      ->capture_default_str();
  command
      ->add_option("--family-error", options->family_error,
                   "chance of a wrong verdict on ideal bits, all tests together; the procedures "
                   "have their own")
      ->range(1e-9, 0.5)
      ->capture_default_str();
  add_plot_option(*command, options->plot, "histogram of the poker test's p-values");
  command->callback([options, &app] {
    auto code = run_blocks(*options, app);
    if (!code) return app.refuse(code.error());
    app.exit = *code;
  });
}

}  // namespace talla::lab
