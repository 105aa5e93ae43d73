/// \file
/// What another program says: its standard output, read to the end.
///
/// The program is started without a shell and without an environment; what it writes to standard
/// error is dropped. It ends when it likes: only programs that come to an end are asked.
/// Threads: any thread. Errors: loader_refused.
#pragma once

#include <string>
#include <vector>

#include "software/errc.hpp"

namespace talla::software {

struct ProgramOutput {
  std::string text;
  int status = 0;  ///< with which it exited
};
/// Runs `program` (a path) with these arguments behind its name. Errors: loader_refused where it
/// cannot be started or was killed.
[[nodiscard]] Result<ProgramOutput> output_of(const std::string& program,
                                              std::vector<std::string> arguments);

}  // namespace talla::software
