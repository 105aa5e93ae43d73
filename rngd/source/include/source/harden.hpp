/// \file
/// What rngd-source gives up: first what it never needs, then, with the generator open, nearly everything.
#pragma once

#include <sys/types.h>

#include "usb/errors.hpp"

namespace talla::source {

/// At once: no core dumps, not dumpable or traceable, no new privileges by exec, SIGPIPE ignored.
/// Errors: process_failed, naming the step.
[[nodiscard]] Status harden_early();

/// With the generator open: as root, the user and group nobody and no supplementary groups; for everybody, no
/// capability of any kind. The open device needs none. Errors: process_failed, naming the step.
[[nodiscard]] Status drop_privileges();

/// Dies with `parent` (which must still be the parent). Call it again after `drop_privileges`:
/// a change of user forgets it.
/// Errors: process_failed when the parent has gone already.
[[nodiscard]] Status die_with_parent(pid_t parent);

}  // namespace talla::source
