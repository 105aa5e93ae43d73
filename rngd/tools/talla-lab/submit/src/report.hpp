/// \file
/// The report of a run, from the files of its steps alone.
///
/// Errors: SubmitErrc::submit_refused. Threads: pure functions over the file system.
#pragma once

#include <string>

#include "base/json.hpp"
#include "config/plan_file.hpp"
#include "lab_submit/steps.hpp"

namespace talla::lab::submit {

/// Steps with their verdicts and figures, each with file and pointer; every clause of the matrix
/// with its evidence, or open with the reasons.
[[nodiscard]] json::Value report_of(const std::string& out, const PlanFile& plan);
/// Writes report.json, and the same for people as report-LANGUAGE.html and .pdf.
[[nodiscard]] Status write_reports(const std::string& out, const PlanFile& plan);
/// The report as a page, in `es` or `en`.
[[nodiscard]] std::string report_html(const json::Value& report, const std::string& language);
[[nodiscard]] std::string report_pdf(const json::Value& report, const std::string& language);

}  // namespace talla::lab::submit
