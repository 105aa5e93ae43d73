/// \file
/// `--plot out.svg` of the laboratory commands.
#pragma once

#include <string>

#include "commandline/command.hpp"
#include "stats/result.hpp"

namespace talla::lab {

/// Adds `--plot FILE`; `what` says what is drawn ("histogram of the p-values").
void add_plot_option(commandline::Command& command, std::string& path, const std::string& what);
/// Writes the drawing, replacing a file of that name; nothing for an empty path. Errors: the file
/// cannot be written.
[[nodiscard]] stats::Result<bool> write_plot(const std::string& path, const std::string& svg);

}  // namespace talla::lab
