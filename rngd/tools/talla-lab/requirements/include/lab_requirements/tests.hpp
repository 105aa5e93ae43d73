/// \file
/// Which tests ran and what became of them, from the JUnit reports that ctest writes
/// (`--output-junit`, `tests/run`).
///
/// A test that runs a whole suite of GoogleTest counts as its cases; a case that began and did not
/// end failed.
/// Errors:  BaseErrc::malformed_encoding: no such report. Threads: one object, one thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace talla::lab::requirements {

enum class Outcome : std::uint8_t { not_run, passed, failed };
/// "not-run", "passed", "failed".
[[nodiscard]] std::string_view outcome_name(Outcome outcome);

/// The tests of some reports.
class TestsRun {
 public:
  /// Adds one report. Errors: `what` is no report, or has no test in it.
  [[nodiscard]] Status add(std::string_view xml, const std::string& what);
  /// Of a test as a clause names it: a suite, one case of it (`Suite.name`), or `e2e.name`. A suite
  /// or a case with parameters passed when all that ran of it did.
  [[nodiscard]] Outcome of(const std::string& test) const;

 private:
  void add_case(const std::string& name, Outcome outcome);
  std::map<std::string, Outcome> tests_;  // by suite, and by suite.case
};

}  // namespace talla::lab::requirements
