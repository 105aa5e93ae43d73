/// \file
/// The subcommand `try` of `talla devices`.
#pragma once

#include <functional>

#include "app.hpp"

namespace talla::cli {

/// `chosen` is called when it runs, so that its parent lists nothing.
void add_devices_try(commandline::Command& devices, App& app, std::function<void()> chosen);

}  // namespace talla::cli
