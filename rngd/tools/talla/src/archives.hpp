/// \file
/// What `talla archive` is made of: sealing on the ledger's machine, verifying and showing
/// anywhere.
#pragma once

#include "app.hpp"

namespace talla::cli {

/// Below `talla`.
void add_archive(commandline::Command& root, App& app);
/// Each below `talla archive`.
void add_archive_seal(commandline::Command& archive, App& app);
void add_archive_read(commandline::Command& archive, App& app);

}  // namespace talla::cli
