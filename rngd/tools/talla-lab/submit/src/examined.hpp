/// \file
/// The evidence of a run that other programs gave: who may do what, as the appliance's own table of
/// operations says it, and what the long tests counted. What is not there is said to be open.
///
/// Threads: pure functions over the file system.
#pragma once

#include <string>

#include "base/json.hpp"

namespace talla::lab::submit {

/// {"file", "operations": [{"operation", "request", "roles"}], "roles"} from evidence/roles; null:
/// the step is not there.
[[nodiscard]] json::Value role_matrix(const std::string& out);
/// Figures (file, pointer, value, what) of the files in evidence/figures.
[[nodiscard]] json::Array test_figures(const std::string& out);
/// The same of the known answers that the appliance ran: of each its result and the module's
/// digest.
[[nodiscard]] json::Array known_answer_figures(const std::string& out);
/// {"what", "why"} of each piece of evidence that the run does not have: what an examiner asks for
/// beside the steps. `answers`: those of known_answer_figures, `figures`: of test_figures.
[[nodiscard]] json::Array open_evidence(const json::Value& roles, const json::Array& answers,
                                        const json::Array& figures);

}  // namespace talla::lab::submit
