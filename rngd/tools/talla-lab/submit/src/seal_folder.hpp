/// \file
/// The manifest of a whole folder, and the laboratory's signature over its digest.
///
/// manifest.json: one line of canonical JSON and LF, {"files":[{"bytes","name","sha256"}],"format",
/// "kind","plan_path","title"}: every file but itself, the note and the lock. manifest.note: a C2SP
/// signed note of two lines, `talla-lab submission v1` and the SHA-256 of manifest.json in hex.
#pragma once

#include <string>
#include <string_view>

#include "config/plan_file.hpp"
#include "lab_submit/steps.hpp"

namespace talla::lab::submit {

/// What is signed for a manifest's digest.
[[nodiscard]] std::string note_text(std::string_view manifest_sha256);
/// Writes both; the SHA-256 of the manifest. Errors: also those of keys.
[[nodiscard]] Result<std::string> seal_folder(const std::string& out, const std::string& plan_path,
                                              const PlanFile& plan);

}  // namespace talla::lab::submit
