/// \file
/// A laboratory's run: every step of a plan in a folder of its own, kept when it is whole.
///
/// Folder: `PART/NAME/` of each step with what its commands wrote, `messages.txt` (what they said)
///         and `step.json`; `PART/NAME.failed.json` of a step that did not end; `plan.toml`;
///         `report.json`, `report-en.html`, `report-es.html`; `manifest.json` over all of it and,
///         with a key of the laboratory, `manifest.note`.
/// Killed: at any point; the next run goes on behind the last whole step. A step is whole when
///         step.json is there, its files have the digests that stand in it, and commands, programs,
///         inputs and the steps it reads are what they would be now. Children end with the run.
/// Errors: SubmitErrc::submit_refused; a step that fails is recorded and is no error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab_submit/steps.hpp"

namespace talla::lab::submit {

/// What is run, and where.
struct RunWish {
  std::string plan;  ///< file
  std::string out;   ///< folder; made if it is not there
  std::string only;  ///< id of one step; empty: all
  /// Told what goes on, a line each.
  std::function<void(const std::string&)> say{};
};

/// What became of a step.
struct StepState {
  std::string id;
  std::string verdict;  ///< passed, not-passed, more-data, failed, not-run
  std::string why;      ///< of failed and not-run
};
/// What became of all of them.
struct RunResult {
  std::vector<StepState> steps;  ///< all of the plan, in its order
  std::string manifest;          ///< SHA-256 of manifest.json, hex
};
/// Runs what is not whole yet, then writes reports and manifest.
[[nodiscard]] Result<RunResult> run(const RunWish& wish);

/// 1: a step failed or was not run; 3: one did not pass; 4: one has too little data; 0: all passed.
[[nodiscard]] int exit_of(const std::vector<StepState>& steps);

/// Something in the folder that is not as the run left it, or not as the plan says.
struct Finding {
  std::string path;  ///< below the folder
  /// missing, not-listed, changed, cut-short, not-of-plan, edited, stale, report, unsigned,
  /// wrong-signature, manifest.
  std::string what;
  std::string words;  ///< what is wrong, for people
};
/// Which folder is looked at.
struct CheckWish {
  std::string out;
  std::string signer;  ///< verifier key; empty: signatures are not looked at
};
/// Holds a folder against its manifest, its plan and itself; nothing is run.
[[nodiscard]] Result<std::vector<Finding>> check(const CheckWish& wish);

}  // namespace talla::lab::submit
