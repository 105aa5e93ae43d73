/// \file
/// What all commands of `talla-lab` share: options before the command, output, exit codes.
#pragma once

#include <cstddef>
#include <string>

#include "commandline/command.hpp"
#include "stats/result.hpp"

namespace talla::lab {

/// Exit codes, documented in `talla-lab --help`.
/// Done; the data are consistent with the claim that was tested.
inline constexpr int exit_ok = 0;
inline constexpr int exit_refused = 1;  ///< Input or file refused; nothing was judged.
inline constexpr int exit_usage = 2;
inline constexpr int exit_not_consistent = 3;  ///< The data are not consistent with the claim.
inline constexpr int exit_more_data = 4;       ///< Too little data for a verdict.

struct App {
  bool json = false;   ///< --json: one JSON value instead of words.
  bool quiet = false;  ///< --quiet: no progress bar.
  int exit = exit_ok;  ///< Set by the command that ran.

  void refuse(const stats::Error& error);
  /// Says that the data are too short for a verdict; the command ends with exit_more_data.
  void say_more_data(const std::string& detail) const;
};

/// A bar on the terminal while long work goes on; nothing when standard error is no terminal, or
/// with --quiet or --json.
class Progress {
 public:
  Progress(const App& app, std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// `done` of the total; draws at most ten times a second.
  void show(std::size_t done);

 private:
  bool shown_;
  std::string what_;
  std::size_t total_;
  std::int64_t last_ms_ = 0;
};

// One function per command; each adds itself and its help to `root`. `app` outlives parsing.
void add_assess(commandline::Command& root, App& app);
void add_battery(commandline::Command& root, App& app);
void add_monitor(commandline::Command& root, App& app);
void add_blocks(commandline::Command& root, App& app);
void add_figures(commandline::Command& root, App& app);
void add_outcomes(commandline::Command& root, App& app);
void add_collect(commandline::Command& root, App& app);
void add_induce(commandline::Command& root, App& app);
void add_certify(commandline::Command& root, App& app);
void add_acvp(commandline::Command& root, App& app);
void add_esv(commandline::Command& root, App& app);
void add_sample(commandline::Command& root, App& app);
void add_compare(commandline::Command& root, App& app);
void add_submit(commandline::Command& root, App& app);
void add_materials(commandline::Command& root, App& app);
void add_builds(commandline::Command& root, App& app);
void add_bits(commandline::Command& root, App& app);
void add_model(commandline::Command& root, App& app);
void add_month(commandline::Command& root, App& app);
void add_verify_appliance(commandline::Command& root, App& app);
void add_requirements(commandline::Command& root, App& app);

}  // namespace talla::lab
