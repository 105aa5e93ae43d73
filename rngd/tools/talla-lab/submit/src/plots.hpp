/// \file
/// What the report draws of a step: bars of outcomes, p-values, raw samples and runs of them,
/// counted from the step's files.
///
/// Threads: pure functions over the file system.
#pragma once

#include <string>

#include "base/json.hpp"
#include "lab_submit/steps.hpp"

namespace talla::lab::submit {

/// {"bars": [{"count", "label"}], "even", "file", "what"} of each drawing; `even`: every bar is
/// expected to be alike. `what`: outcomes, p-values, samples, runs. Empty: it has nothing to draw.
[[nodiscard]] json::Array plots_of(const std::string& out, const Step& step);

}  // namespace talla::lab::submit
