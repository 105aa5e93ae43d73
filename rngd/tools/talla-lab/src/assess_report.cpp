#include "assess_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "json_writer.hpp"

namespace talla::lab {
namespace {

namespace sp800_90b = stats::sp800_90b;

constexpr std::size_t samples_wanted = 1'000'000;  // 3.1.1

void say_estimate(const sp800_90b::Estimate& estimate) {
  if (std::isnan(estimate.min_entropy)) {
    fmt::print("  {:<26} not estimated: {}\n", estimate.name, estimate.note);
    return;
  }
  std::string figures;
  for (const auto& figure : estimate.figures)
    figures +=
        fmt::format("{}{} = {:.10g}", figures.empty() ? "" : ", ", figure.name, figure.value);
  fmt::print("  {:<26} {:.6f}   {}\n", estimate.name, estimate.min_entropy, figures);
}

void say_track(const char* title, const sp800_90b::Track& track) {
  fmt::print("{}\n", title);
  for (const auto& estimate : track.estimates) say_estimate(estimate);
}

void put_track(JsonWriter& out, const char* name, const sp800_90b::Track& track) {
  out.key(name).begin_array();
  for (const auto& estimate : track.estimates) {
    out.begin_object()
        .member("estimator", estimate.name)
        .member("min_entropy", estimate.min_entropy);
    if (!estimate.note.empty()) out.member("note", estimate.note);
    out.key("figures").begin_object();
    for (const auto& figure : estimate.figures) out.member(figure.name, figure.value);
    out.end_object().end_object();
  }
  out.end_array();
}

void put_head(JsonWriter& out, const std::string& file, const sp800_90b::Samples& samples) {
  out.member("standard", "SP 800-90B")
      .member("file", file)
      .member("samples", samples.size())
      .member("bits", samples.width())
      .member("symbols", samples.alphabet());
}

void say_head(const std::string& file, const sp800_90b::Samples& samples) {
  fmt::print("SP 800-90B: {} samples of {} bit{}, {} different, from {}\n", samples.size(),
             samples.width(), samples.width() == 1 ? "" : "s", samples.alphabet(), file);
  if (samples.size() < samples_wanted) {
    fmt::print(
        "Fewer than the 1,000,000 samples that the standard asks for: needs {} more for a claim.\n",
        samples_wanted - samples.size());
  }
}

void put_chi_square(JsonWriter& out, const char* name, const sp800_90b::ChiSquare& test) {
  out.key(name)
      .begin_object()
      .member("statistic", test.statistic)
      .member("degrees", test.degrees)
      .member("p", test.p)
      .member("passed", test.passed)
      .end_object();
}

std::string verdict(bool passed) {
  return passed ? "passed" : "FAILED";
}

}  // namespace

void report_assessment(const App& app, const std::string& file, const sp800_90b::Samples& samples,
                       const sp800_90b::Assessment& assessment) {
  if (app.json) {
    JsonWriter out;
    out.begin_object();
    put_head(out, file, samples);
    out.member("track", "non-iid");
    if (assessment.literal) put_track(out, "literal", *assessment.literal);
    if (assessment.bitstring) put_track(out, "bitstring", *assessment.bitstring);
    out.member("h_original", assessment.h_original).member("h_bitstring", assessment.h_bitstring);
    out.member("min_entropy", assessment.min_entropy).end_object();
    fmt::print("{}\n", out.text());
    return;
  }
  say_head(file, samples);
  fmt::print(
      "non-IID track: each estimator bounds the entropy in its own way, the least of them "
      "counts\n\n");
  if (assessment.literal) say_track("samples as given, bits per sample", *assessment.literal);
  if (assessment.bitstring) say_track("as a string of bits, bits per bit", *assessment.bitstring);
  fmt::print("\nmin-entropy: {:.6f} bits per sample of {}\n", assessment.min_entropy,
             samples.width());
}

void report_iid(const App& app, const std::string& file, const sp800_90b::Samples& samples,
                const IidRun& run) {
  const double entropy = run.min_entropy(samples.width());
  const auto& permutations = run.permutations;
  if (app.json) {
    JsonWriter out;
    out.begin_object();
    put_head(out, file, samples);
    out.member("track", "iid").member("seed", run.seed);
    put_chi_square(out, "independence", run.independence);
    put_chi_square(out, "goodness_of_fit", run.fit);
    out.key("longest_repeat")
        .begin_object()
        .member("length", run.repeat.length)
        .member("p", run.repeat.p)
        .member("passed", run.repeat.passed)
        .end_object();
    out.key("permutations").begin_array();
    for (std::size_t s = 0; s < sp800_90b::statistics_count; ++s) {
      out.begin_object()
          .member("statistic", sp800_90b::statistic_name(s))
          .member("original", permutations.original[s])
          .key("counts")
          .begin_array();
      for (const auto count : permutations.counts[s]) out.value(count);
      out.end_array().member("passed", permutations.passed[s]).end_object();
    }
    out.end_array()
        .member("rounds", permutations.rounds)
        .member("iid", run.passed())
        .member("verdict", run.passed()      ? "iid"
                           : run.undecided() ? "more-rounds"
                                             : "not-iid")
        .member("min_entropy", entropy)
        .end_object();
    fmt::print("{}\n", out.text());
    return;
  }
  say_head(file, samples);
  fmt::print(
      "IID track\n\nchi-square, independence      {}: T = {:.6f}, {} degrees of freedom, p = "
      "{:.6f}\n",
      verdict(run.independence.passed), run.independence.statistic, run.independence.degrees,
      run.independence.p);
  fmt::print("chi-square, goodness of fit   {}: T = {:.6f}, {} degrees of freedom, p = {:.6f}\n",
             verdict(run.fit.passed), run.fit.statistic, run.fit.degrees, run.fit.p);
  fmt::print("longest repeated substring    {}: {} samples, p = {:.6f}\n",
             verdict(run.repeat.passed), run.repeat.length, run.repeat.p);
  fmt::print(
      "\npermutations: {} rounds, seed {}; rounds whose statistic was above, equal to, below that "
      "of the "
      "data\n",
      permutations.rounds, run.seed);
  for (std::size_t s = 0; s < sp800_90b::statistics_count; ++s) {
    const auto& counts = permutations.counts[s];
    fmt::print("  {:<24} {:>6} {:>6} {:>6}  {}\n", sp800_90b::statistic_name(s), counts[0],
               counts[1], counts[2],
               !permutations.passed[s] && run.rounds_asked < IidRun::rounds_of_the_standard
                   ? "open"
                   : verdict(permutations.passed[s]));
  }
  fmt::print(
      "\n{}\nmin-entropy under that assumption: {:.6f} bits per sample\n",
      run.passed() ? "The data do not contradict independent, identically distributed samples (a "
                     "good source "
                     "fails about one run in fifty)."
      : run.undecided()
          ? "Not decided: a statistic is still open, and only after 10,000 rounds (the "
            "default) it has failed."
          : "The data are NOT independent and identically distributed: use the non-IID track.",
      entropy);
}

void report_restart(const App& app, const std::string& file, double initial,
                    const sp800_90b::RestartAssessment& assessment) {
  if (app.json) {
    JsonWriter out;
    out.begin_object()
        .member("standard", "SP 800-90B")
        .member("file", file)
        .member("h_initial", initial)
        .member("cutoff", assessment.cutoff)
        .member("largest_count", assessment.largest_count)
        .member("sane", assessment.sane);
    put_track(out, "rows", assessment.rows);
    put_track(out, "columns", assessment.columns);
    out.member("h_rows", assessment.h_rows)
        .member("h_columns", assessment.h_columns)
        .member("valid", assessment.valid)
        .member("min_entropy", assessment.min_entropy)
        .end_object();
    fmt::print("{}\n", out.text());
    return;
  }
  fmt::print("SP 800-90B restart tests: {}, assessed before with {} bits per sample\n\n", file,
             initial);
  fmt::print(
      "sanity check {}: the most common sample of a row or column occurs {} times, {} are "
      "accepted\n",
      verdict(assessment.sane), assessment.largest_count, assessment.cutoff);
  if (!assessment.sane) {
    fmt::print("The source starts too much alike: no entropy may be claimed.\n");
    return;
  }
  say_track("rows (one restart after another)", assessment.rows);
  say_track("columns (the same place of all restarts)", assessment.columns);
  fmt::print(
      "\nrows {:.6f}, columns {:.6f}: validation {} (half of the initial assessment is needed)\n",
      assessment.h_rows, assessment.h_columns, verdict(assessment.valid));
  if (assessment.valid) fmt::print("min-entropy: {:.6f} bits per sample\n", assessment.min_entropy);
}

void report_conditioning(const App& app, const sp800_90b::Conditioning& component,
                         const sp800_90b::OutputEntropy& entropy) {
  const bool vetted = !component.h_prime;
  if (app.json) {
    JsonWriter out;
    out.begin_object()
        .member("standard", "SP 800-90B")
        .member("n_in", component.n_in)
        .member("n_out", component.n_out)
        .member("nw", component.nw)
        .member("h_in", component.h_in)
        .member("vetted", vetted)
        .member("output_entropy", entropy.formula)
        .member("log2_epsilon", entropy.log2_epsilon)
        .member("min_entropy", entropy.h_out)
        .end_object();
    fmt::print("{}\n", out.text());
    return;
  }
  fmt::print(
      "SP 800-90B, 3.1.5, {} component: {} bits with {} bits of entropy to {} bits (narrowest "
      "width {})\n",
      vetted ? "vetted" : "non-vetted", component.n_in, component.h_in, component.n_out,
      component.nw);
  fmt::print(
      "Output_Entropy = {:.12f} (1 - 2^{:.2f} of full)\nmin-entropy of the output: {:.12f} bits\n",
      entropy.formula, entropy.log2_epsilon, entropy.h_out);
}

}  // namespace talla::lab
