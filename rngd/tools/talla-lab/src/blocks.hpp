/// \file
/// One run of the block tests over a file, and its report.
#pragma once

#include <string>
#include <vector>

#include "app.hpp"
#include "stats/blocks/ais_31.hpp"
#include "stats/blocks/block_series.hpp"

namespace talla::lab {

struct SeriesRun {
  std::string file;
  stats::blocks::Set set;
  stats::blocks::Tally tally;
  stats::blocks::SeriesVerdict verdict;
  double family_error = 0.01;
  std::size_t bytes_left = 0;  // behind the last full block
  /// The first blocks that failed, with their tests.
  struct Failed {
    std::uint64_t block;  // from 1
    std::vector<std::string> tests;
  };
  std::vector<Failed> failed;
};
inline constexpr std::size_t failed_listed = 1000;

void report_series(const App& app, const SeriesRun& run);
void report_procedure(const App& app, const std::string& file,
                      const stats::blocks::ProcedureRun& run);

}  // namespace talla::lab
