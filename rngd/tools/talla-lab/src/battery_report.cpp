// Results of the SP 800-22 battery, in words and as JSON.
#include <fmt/format.h>

#include <cmath>

#include "battery.hpp"
#include "json_writer.hpp"

namespace talla::lab {
namespace {

namespace sp800_22 = stats::sp800_22;

std::string row_words(const sp800_22::Row& row) {
  std::string name(sp800_22::test_name(row.test));
  if (!row.item.empty()) name += " " + row.item;
  return name;
}

std::string number(double value) {
  return std::isnan(value) ? std::string("--------") : fmt::format("{:.6f}", value);
}

void print_one_sequence(const BatteryRun& run) {
  fmt::print("p-value   test\n");
  for (std::size_t i = 0; i < run.p_values.size(); ++i) {
    const double p = run.p_values[i];
    fmt::print("{}{} {}\n", number(p), p < 0.01 ? " *" : "  ", row_words(run.battery.rows()[i]));
    if (run.figures.empty()) continue;
    for (const auto& [name, value] : run.figures[i])
      fmt::print("             {} {}\n", name, value);
  }
  fmt::print(
      "-------- test not applicable to this sequence; * below 0.01, which one of a hundred good "
      "ones is\n");
}

void print_many_sequences(const BatteryRun& run) {
  fmt::print(" C1  C2  C3  C4  C5  C6  C7  C8  C9 C10  P-value    passed       test\n");
  for (std::size_t i = 0; i < run.summary.rows.size(); ++i) {
    const sp800_22::RowSummary& row = run.summary.rows[i];
    std::string line;
    for (const std::size_t count : row.tenths) line += fmt::format("{:3} ", count);
    fmt::print("{} {}{} {:5}/{:<5}{} {}\n", line, number(row.uniformity),
               row.uniformity_in_limits ? " " : "*", row.passed_count, row.sequences_count,
               row.proportion_in_limits ? " " : "*", row_words(run.battery.rows()[i]));
  }
  fmt::print(
      "C1 to C10: p-values in each tenth; P-value: of their uniformity; * outside the limits of SP "
      "800-22, "
      "4.2\n");
}

}  // namespace

void print_report(const BatteryRun& run) {
  const auto& parameters = run.battery.parameters();
  fmt::print("SP 800-22 Rev. 1a, profile {}: {} sequence{} of {} bits from {}\n",
             sp800_22::profile_name(run.battery.profile()), run.sequences_count,
             run.sequences_count == 1 ? "" : "s", run.battery.bits_count(), run.file);
  fmt::print(
      "block frequency M = {}, non-overlapping m = {}, overlapping m = {}, approximate entropy m = "
      "{}, "
      "serial m = {}, "
      "linear complexity M = {}\n\n",
      parameters.block_frequency, parameters.non_overlapping, parameters.overlapping,
      parameters.approximate_entropy, parameters.serial, parameters.linear_complexity);
  if (run.sequences_count == 1) {
    print_one_sequence(run);
  } else {
    print_many_sequences(run);
    fmt::print("{} of {} rows are outside these limits; of good data a few are.\n",
               run.summary.rows_outside, run.summary.rows.size());
  }
  if (run.rest_untested) fmt::print("Bits behind the last sequence were not tested.\n");
  fmt::print(
      "\nAll rows together: {} (least p-value after Holm's correction {:.3g}, limit {}).\n",
      run.summary.consistent ? "consistent with random bits" : "NOT consistent with random bits",
      run.summary.smallest_adjusted, run.family_error);
  fmt::print(
      "Good data are called inconsistent with a chance of at most {}; bad data may still pass: a "
      "test sees "
      "only the\n"
      "faults it was made for.\n",
      run.family_error);
}

std::string json_report(const BatteryRun& run) {
  JsonWriter out;
  out.begin_object()
      .member("standard", "SP 800-22 Rev. 1a")
      .member("profile", sp800_22::profile_name(run.battery.profile()))
      .member("file", run.file)
      .member("length", run.battery.bits_count())
      .member("sequences", run.sequences_count)
      .key("rows")
      .begin_array();
  for (std::size_t i = 0; i < run.summary.rows.size(); ++i) {
    const sp800_22::RowSummary& row = run.summary.rows[i];
    const sp800_22::Row& name = run.battery.rows()[i];
    out.begin_object()
        .member("test", sp800_22::test_name(name.test))
        .member("item", name.item)
        .key("p")
        .begin_array();
    for (std::size_t k = 0; k < run.sequences_count; ++k)
      out.value(run.p_values[i * run.sequences_count + k]);
    out.end_array().key("tenths").begin_array();
    for (const std::size_t count : row.tenths) out.value(count);
    out.end_array()
        .member("applied", row.sequences_count)
        .member("passed", row.passed_count)
        .member("uniformity", row.uniformity)
        .member("in_limits", row.proportion_in_limits && row.uniformity_in_limits);
    if (!run.figures.empty() && !run.figures[i].empty()) {
      out.key("figures").begin_object();
      for (const auto& [figure, value] : run.figures[i]) out.member(figure, value);
      out.end_object();
    }
    out.end_object();
  }
  out.end_array()
      .member("rest_untested", run.rest_untested)
      .member("rows_outside_limits", run.summary.rows_outside)
      .member("smallest_adjusted", run.summary.smallest_adjusted)
      .member("family_error", run.family_error)
      .member("verdict", run.summary.consistent ? "consistent" : "not-consistent")
      .end_object();
  return out.text();
}

}  // namespace talla::lab
