/// \file
/// talla odds equity: what part of a pot hands win, all in.
#pragma once

#include <memory>

#include "app.hpp"

namespace talla::cli {

/// `taken` becomes true when this command was given: the one it belongs to then does nothing.
void add_equity(commandline::Command& odds, App& app, std::shared_ptr<bool> taken);

}  // namespace talla::cli
