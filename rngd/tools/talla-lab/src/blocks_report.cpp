// Results of the block tests, in words and as JSON.
#include <fmt/format.h>

#include "blocks.hpp"
#include "json_writer.hpp"

namespace talla::lab {
namespace {

namespace tests = stats::blocks;

std::string_view set_title(tests::Set set) {
  switch (set) {
    case tests::Set::fips_140_1:
      return "FIPS 140-1 block tests";
    case tests::Set::fips_140_2:
      return "FIPS 140-2 block tests (bounds of change notice 1)";
    case tests::Set::ais_31:
      return "AIS 20/31 tests T1 to T5 on every block";
  }
  return "";
}

std::string block_row_name(tests::Set set, std::size_t row) {
  const auto all = tests::tests_of(set);
  return row < all.size() ? std::string(tests::test_name(all[row])) : "any test";
}

void print_series(const SeriesRun& run) {
  const auto& tally = run.tally;
  fmt::print("{}: {} blocks of 20,000 bits from {}\n\n", set_title(run.set), tally.blocks,
             run.file);
  fmt::print("test              failed     expected   by chance      p-value\n");
  for (std::size_t i = 0; i < run.verdict.rows.size(); ++i) {
    const auto& row = run.verdict.rows[i];
    fmt::print("{:16} {:7}  {:11.4g}   {:12} {:.6f}{}\n", block_row_name(run.set, i), row.failed,
               row.expected, fmt::format("{} to {}", row.least, row.most), row.p,
               row.failed < row.least || row.failed > row.most ? " *" : "");
  }
  for (std::size_t i = 0; i < run.failed.size() && i < 5; ++i)
    fmt::print("{}block {}: {}", i == 0 ? "\nfailed first: " : "; ", run.failed[i].block,
               fmt::join(run.failed[i].tests, ", "));
  if (!run.failed.empty()) fmt::print("\n");
  const auto& any = run.verdict.rows.back();
  fmt::print("\n{} of {} blocks failed; of ideal bits one block in {:.0f} does, {:.4g} of these.\n",
             any.failed, tally.blocks, 1.0 / any.rate, any.expected);
  fmt::print(
      "All rows together: {} (least p-value after Holm's correction {:.3g}, limit {}).\n",
      run.verdict.consistent ? "consistent with ideal bits" : "NOT consistent with ideal bits",
      run.verdict.smallest_adjusted, run.family_error);
  fmt::print(
      "A good source fails a block now and then, so a single failure says nothing. Too many mean "
      "bias, "
      "dependence or\n"
      "repetition; too few mean that blocks were left out. Ideal bits are called inconsistent with "
      "a chance "
      "of at "
      "most {}.\n",
      run.family_error);
  if (run.set != tests::Set::ais_31)
    fmt::print("The first 4 bytes were only compared with the next ones (continuous test); ");
  fmt::print("{} bytes behind the last full block were not tested.\n", run.bytes_left);
}

void print_series_json(const SeriesRun& run, std::string_view verdict) {
  JsonWriter out;
  out.begin_object()
      .member("set", set_title(run.set))
      .member("file", run.file)
      .member("blocks", run.tally.blocks)
      .member("bytes_left", run.bytes_left)
      .key("tests")
      .begin_array();
  for (std::size_t i = 0; i < run.verdict.rows.size(); ++i) {
    const auto& row = run.verdict.rows[i];
    out.begin_object()
        .member("test", block_row_name(run.set, i))
        .member("failed", row.failed)
        .member("rate", row.rate)
        .member("expected", row.expected)
        .member("least", row.least)
        .member("most", row.most)
        .member("p", row.p)
        .end_object();
  }
  out.end_array().key("failed_first").begin_array();
  for (const auto& failed : run.failed) {
    out.begin_object().member("block", failed.block).key("tests").begin_array();
    for (const std::string& test : failed.tests) out.value(test);
    out.end_array().end_object();
  }
  out.end_array()
      .member("smallest_adjusted", run.verdict.smallest_adjusted)
      .member("family_error", run.family_error)
      .member("verdict", verdict)
      .end_object();
  fmt::print("{}\n", out.text());
}

std::string_view procedure_name(tests::Procedure procedure) {
  return procedure == tests::Procedure::a ? "A" : "B";
}

void print_round(const tests::Round& round, std::size_t number) {
  fmt::print("{}round, {} bits\n", number == 0 ? "first " : "second ", round.bits);
  fmt::print("test                 applied  failed  expected of ideal bits\n");
  for (const auto& test : round.tests)
    fmt::print("{:20} {:7} {:7}  {:.3g}\n", test.test, test.applied, test.failed,
               test.rate * test.applied);
  for (const auto& figure : round.figures)
    fmt::print("  {:42} {:.6g}\n", figure.name, figure.value);
  for (const auto& failure : round.failures)
    fmt::print("FAILED {}, {}: {:.6g}, accepted {}\n", failure.test, failure.where, failure.value,
               failure.accepted);
  fmt::print("\n");
}

void print_procedure_json(const std::string& file, const tests::ProcedureRun& run,
                          const tests::ProcedureRates& rates) {
  JsonWriter out;
  out.begin_object()
      .member("standard", "AIS 20/31 (2011)")
      .member("procedure", procedure_name(run.procedure))
      .member("file", file)
      .key("rounds")
      .begin_array();
  for (const auto& round : run.rounds) {
    out.begin_object().member("bits", round.bits).key("tests").begin_array();
    for (const auto& test : round.tests)
      out.begin_object()
          .member("test", test.test)
          .member("applied", test.applied)
          .member("failed", test.failed)
          .member("rate", test.rate)
          .end_object();
    out.end_array().key("figures").begin_object();
    for (const auto& figure : round.figures) out.member(figure.name, figure.value);
    out.end_object().key("failures").begin_array();
    for (const auto& failure : round.failures)
      out.begin_object()
          .member("test", failure.test)
          .member("where", failure.where)
          .member("value", failure.value)
          .member("accepted", failure.accepted)
          .end_object();
    out.end_array().end_object();
  }
  out.end_array()
      .member("repetition_rate", rates.any_failure)
      .member("rejection_rate", rates.rejection)
      .member("verdict", run.passed ? "consistent" : "not-consistent")
      .end_object();
  fmt::print("{}\n", out.text());
}

}  // namespace

void report_series(const App& app, const SeriesRun& run) {
  const bool short_of_data = run.tally.blocks == 0;
  if (app.json) {
    print_series_json(run, short_of_data            ? "more-data"
                           : run.verdict.consistent ? "consistent"
                                                    : "not-consistent");
  } else if (short_of_data) {
    fmt::print("{}: too little data for a verdict: a block needs {} bytes{}\n", run.file,
               tests::block_bytes, run.set == tests::Set::ais_31 ? "" : " behind the first 4");
  } else {
    print_series(run);
  }
}

void report_procedure(const App& app, const std::string& file, const tests::ProcedureRun& run) {
  const auto rates = tests::procedure_rates(run.procedure);
  if (app.json) return print_procedure_json(file, run, rates);
  fmt::print("AIS 20/31 (2011), procedure {}, on {}\n\n", procedure_name(run.procedure), file);
  for (std::size_t i = 0; i < run.rounds.size(); ++i) print_round(run.rounds[i], i);
  const auto failed = run.rounds.front().failed();
  if (failed == 0) {
    fmt::print("PASSED: all tests of the procedure.\n");
  } else if (run.rounds.size() == 1) {
    fmt::print(
        "FAILED: {} tests of the first round; the procedure may be repeated after one failure "
        "only.\n",
        failed);
  } else if (run.passed) {
    fmt::print("PASSED: one failure in the first round, none in the repetition.\n");
  } else {
    fmt::print("FAILED: one failure in the first round and {} in the repetition.\n",
               run.rounds.back().failed());
  }
  fmt::print(
      "Ideal bits need the repetition once in {:.0f} runs and are rejected once in {:.2g}.\n",
      1.0 / rates.any_failure, 1.0 / rates.rejection);
}

}  // namespace talla::lab
