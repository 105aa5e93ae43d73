/// \file
/// `talla-lab assess --document`: what the daemon reads before it credits a unit
/// (entropy/assessment_document.hpp), about samples whose manifest stands beside them.
#pragma once

#include <string>

#include "app.hpp"
#include "entropy/assessment_document.hpp"

namespace talla::lab {

/// What the manifest of that file of samples says, once its bytes are those the manifest speaks of.
/// `restart`: the samples must be those of restarts, else consecutive ones. Figure and track are
/// still missing. Errors: no manifest, another file, samples of another kind.
[[nodiscard]] stats::Result<entropy::AssessmentDocument> begin_document(const std::string& file,
                                                                        bool restart);
/// Writes it with the figure found, in bits a sample, never over another file; and, without --json,
/// says what the appliance's configuration then has to say.
[[nodiscard]] stats::Result<bool> write_document(const App& app, const std::string& path,
                                                 entropy::AssessmentDocument document,
                                                 std::string track, double min_entropy);

}  // namespace talla::lab
