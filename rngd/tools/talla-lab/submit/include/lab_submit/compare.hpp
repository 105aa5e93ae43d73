/// \file
/// What changed between the folders of two runs, sorted as regulators sort it.
///
/// Major is what is examined anew by somebody outside: another generator, device model, firmware or
/// settings of it; another mapping (the same wish gave other results); other rules or odds; a
/// program, library or catalogue with other bytes; another verdict. The rest is minor: new samples,
/// another unit of the model, other pages, another plan.
/// Errors: SubmitErrc::submit_refused: a folder is none of a run. Threads: pure functions over the
/// file system.
#pragma once

#include <string>
#include <vector>

#include "lab_submit/steps.hpp"

namespace talla::lab::submit {

struct Change {
  bool major = false;
  std::string step;   ///< PART/NAME
  std::string what;   ///< the file, or what it is about
  std::string words;  ///< what it was, and what it is
};
/// From the folder of one run to that of another, in the order of the steps' names.
[[nodiscard]] Result<std::vector<Change>> compare(const std::string& before,
                                                  const std::string& after);

}  // namespace talla::lab::submit
