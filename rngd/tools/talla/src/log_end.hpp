/// \file
/// The end of a log: the statement at the ceremony, evidence made again at the end, proofs that
///                   lead to it.
#pragma once

#include <string>
#include <vector>

#include "app.hpp"
#include "verify/log_end.hpp"

namespace talla::cli {

/// The statement in that file, judged. Errors: those of verify_log_ends.
[[nodiscard]] Result<certs::EndedLog> load_end(const std::string& path,
                                               const std::string& root_path);
/// Below `talla log`.
void add_log_end(commandline::Command& log, App& app);
/// Below `talla keys ceremony`.
void add_ceremony_end(commandline::Command& ceremony, App& app);

}  // namespace talla::cli
