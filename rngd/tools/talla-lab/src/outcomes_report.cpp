// Reports of `talla-lab outcomes`: text for people, one JSON object for programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "json_writer.hpp"
#include "outcomes.hpp"

namespace talla::lab {
namespace {

using stats::outcome::Basis;
using stats::outcome::Row;

/// What a failure of a test would look like at the table.
const std::map<std::string, const char*>& meanings() {
  static const std::map<std::string, const char*> all = {
      {"frequency", "a result that comes too often or too rarely, or all of them too evenly"},
      {"serial", "what comes next depends on what came before"},
      {"serial correlation", "high numbers drawn to high, or to low ones"},
      {"runs", "results stick together or alternate"},
      {"gap", "a result keeps away too long, or comes back as by appointment"},
      {"coupon collector", "some results wait too long until all have come"},
      {"poker", "too many or too few equal ones among five"},
      {"permutation", "some orders of four are preferred"},
      {"order statistic", "the largest, middle or least of five is off"},
      {"duplicates", "series that come again: a generator that repeats itself"},
      {"Kolmogorov-Smirnov", "parts of the data fit too badly, or too well, for chance"},
      {"interplay", "one die tells of the other"},
      {"pairs of places", "a card at one place tells of that at another"},
      {"neighbours", "cards stick to each other: too little mixing"},
      {"rising sequences", "order of the deck, or of the last shoe, has survived"},
      {"shoe before", "a shoe remembers the one before"},
      {"hands", "hands are not as frequent as the cards say"},
  };
  return all;
}
const char* meaning_of(const std::string& test) {
  if (test.starts_with("place x ") || test.ends_with(" drawn"))
    return "a card prefers places: an incomplete or biased shuffle";
  const auto found = meanings().find(test);
  return found == meanings().end() ? "" : found->second;
}

std::string row_name(const Row& row) {
  std::string name = row.test;
  if (!row.item.empty()) name += ", " + row.item;
  if (!row.series.empty()) name += " (" + row.series + ")";
  return name;
}

/// Rows of one test of one series.
struct Line {
  std::string test, series;
  std::size_t rows = 0, judged = 0, exact = 0;
  double least = 1.0;
  std::uint64_t needs = 0;  // of the row that needs least
};

std::vector<Line> lines_of(const OutcomeRun& run) {
  std::vector<Line> lines;
  for (const Row& row : run.rows) {
    auto found = std::find_if(lines.begin(), lines.end(), [&](const Line& line) {
      return line.test == row.test && line.series == row.series;
    });
    if (found == lines.end()) {
      lines.push_back({row.test, row.series});
      found = lines.end() - 1;
    }
    ++found->rows;
    found->exact += static_cast<std::size_t>(row.basis == Basis::exact);
    if (row.judged()) {
      ++found->judged;
      found->least = std::min(found->least, row.p);
    } else {
      found->needs = found->needs == 0 ? row.needs() : std::min(found->needs, row.needs());
    }
  }
  return lines;
}

void print_line(const Line& line) {
  const std::string name = line.test + (line.series.empty() ? "" : " (" + line.series + ")");
  const char* basis = line.exact == line.rows ? "exact" : line.exact == 0 ? "approximate" : "both";
  if (line.judged == 0) {
    fmt::print("  {:<34} {:>5}  needs {} more\n", name, line.rows, line.needs);
    return;
  }
  fmt::print("  {:<34} {:>5}  {:<10.4g} {:<12} {}{}\n", name, line.judged, line.least, basis,
             meaning_of(line.test),
             line.judged == line.rows
                 ? ""
                 : fmt::format(" ({} more need {} more)", line.rows - line.judged, line.needs));
}

/// Rows that the family error condemns, the worst first.
void print_faults(const OutcomeRun& run) {
  std::vector<std::size_t> bad;
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    if (run.family.adjusted[i] < run.family_error) bad.push_back(i);
  }
  if (bad.empty()) return;
  std::sort(bad.begin(), bad.end(),
            [&](std::size_t a, std::size_t b) { return run.rows[a].p < run.rows[b].p; });
  constexpr std::size_t shown = 20;
  fmt::print("\nWhat does not fit:\n");
  for (std::size_t i = 0; i < std::min(shown, bad.size()); ++i) {
    const Row& row = run.rows[bad[i]];
    const std::string freedom =
        row.degrees > 0.0 ? fmt::format(", {:.0f} degrees of freedom", row.degrees) : "";
    fmt::print("  {}: p = {:.3g} (statistic {:.6g}{}): {}\n", row_name(row), row.p, row.statistic,
               freedom, meaning_of(row.test));
  }
  if (bad.size() > shown) fmt::print("  and {} more\n", bad.size() - shown);
}

void print_outcomes_text(const OutcomeRun& run) {
  fmt::print("Outcomes of {}: {} {} from {}\n", run.game, run.count, run.results, run.file);
  if (run.left_out.other != 0)
    fmt::print("left out: {} draws and shoes of other games or tables\n", run.left_out.other);
  if (run.left_out.closed != 0)
    fmt::print("left out: {} shoes whose whole order is not open\n", run.left_out.closed);
  fmt::print("\n  {:<34} {:>5}  {:<10} {:<12} {}\n", "test", "rows", "least p", "p-values",
             "what a failure would mean");
  for (const Line& line : lines_of(run)) print_line(line);
  print_faults(run);
  const auto& family = run.family;
  fmt::print("\n{} p-values judged together", family.judged_count);
  if (family.short_count != 0)
    fmt::print(", {} tests need more {}", family.short_count, run.results);
  fmt::print(". Chance alone puts about {:.1f} of them below 0.01.\n",
             0.01 * static_cast<double>(family.judged_count));
  if (family.judged_count != 0) {
    const auto word = [&](double error) {
      return family.consistent(error) ? "consistent" : "NOT consistent";
    };
    fmt::print("Least p-value after Holm's correction {:.3g}: at 99 % confidence {}, at 95 % {}",
               family.smallest, word(0.01), word(0.05));
    if (run.family_error != 0.01 && run.family_error != 0.05)
      fmt::print(", at family error {} {}", run.family_error, word(run.family_error));
    fmt::print(".\n");
  }
  if (!family.consistent(run.family_error)) {
    fmt::print("Verdict: NOT consistent with fair {}.\n", run.results);
  } else if (run.too_short()) {
    fmt::print("Verdict: none yet, the first test needs {} more {}.\n",
               run.rows.empty() ? 0 : run.rows[0].needs(), run.results);
  } else {
    fmt::print("Verdict: consistent with fair {}.\n", run.results);
  }
  fmt::print(
      "Good results are called inconsistent with a chance of at most {}; bad ones may still pass: "
      "a test "
      "sees only the\n"
      "faults it was made for, from a certain number of {} on.\n",
      run.family_error, run.results);
}

std::string json_text(const OutcomeRun& run) {
  JsonWriter out;
  out.begin_object()
      .member("game", run.game)
      .member("file", run.file)
      .member("outcomes", run.count)
      .member("left_out_other", run.left_out.other)
      .member("left_out_not_open", run.left_out.closed)
      .key("rows")
      .begin_array();
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const Row& row = run.rows[i];
    out.begin_object().member("test", row.test).member("item", row.item);
    if (!row.series.empty()) out.member("series", row.series);
    if (row.judged()) out.member("statistic", row.statistic);
    if (row.degrees > 0.0) out.member("degrees", row.degrees);
    out.member("p", row.p)
        .member("p_adjusted", run.family.adjusted[i])
        .member("basis", basis_name(row.basis));
    out.member("n_min", row.n_min).member("needs", row.needs()).end_object();
  }
  out.end_array()
      .member("judged", run.family.judged_count)
      .member("smallest_adjusted", run.family.smallest)
      .member("consistent_99", run.family.consistent(0.01))
      .member("consistent_95", run.family.consistent(0.05))
      .member("family_error", run.family_error)
      .member("verdict", !run.family.consistent(run.family_error) ? "not-consistent"
                         : run.too_short()                        ? "more-data"
                                                                  : "consistent")
      .end_object();
  return out.text();
}

}  // namespace

void print_outcomes(const App& app, const OutcomeRun& run) {
  if (app.json) {
    fmt::print("{}\n", json_text(run));
  } else {
    print_outcomes_text(run);
  }
}

}  // namespace talla::lab
