/// \file
/// One run of the SP 800-22 battery over the sequences of a file, and its report.
#pragma once

#include <string>
#include <vector>

#include "app.hpp"
#include "stats/sp800_22/battery.hpp"
#include "stats/sp800_22/summary.hpp"

namespace talla::lab {

struct BatteryRun {
  const stats::sp800_22::Battery& battery;
  std::string file;
  std::size_t sequences_count = 0;
  std::vector<double> p_values;  // row after row, sequences_count each
  stats::sp800_22::Summary summary;
  std::vector<std::vector<stats::Figure>> figures;  // behind the p-value of each row, if asked for
  bool rest_untested = false;                       // bits behind the last sequence
  double family_error = 0.01;
};

/// Text for people.
void print_report(const BatteryRun& run);
/// The same as one JSON object.
[[nodiscard]] std::string json_report(const BatteryRun& run);

}  // namespace talla::lab
