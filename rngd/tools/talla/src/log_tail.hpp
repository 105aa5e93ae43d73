/// \file
/// `talla log tail`: the newest records that this client may see, and those that come.
#pragma once

#include "app.hpp"

namespace talla::cli {

void add_log_tail(commandline::Command& log, App& app);

}  // namespace talla::cli
