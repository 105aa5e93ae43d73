/// \file
/// What rngd-source gives up: first what it never needs, then, with the generator open, nearly
/// everything.
///
/// Order: harden_early, become_user (when started by root for a user of its own), confine_files,
/// filter_setup; the generator is opened; drop_privileges, die_with_parent, filter_stream. A step
/// that fails ends the program.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "usb/errors.hpp"

namespace talla::source {

/// At once: no core dumps, not dumpable or traceable, no new privileges by exec, SIGPIPE ignored,
/// at most 64 descriptors and 1 GiB of addresses (sanitizers excepted). Errors: process_failed,
/// naming the step.
[[nodiscard]] Status harden_early();

/// Who the program becomes before it touches a device.
struct User {
  uid_t uid = 0;
  std::vector<gid_t> groups;  ///< The first is the primary one.
};
/// "UID:GID" or "UID:GID,GID,...", decimal; never user or group 0. Errors: bad_option.
[[nodiscard]] Result<User> parse_user(std::string_view text);
/// Started by root: becomes that user, with its groups and no capability. Otherwise nothing, unless
/// it would have to be somebody else. Errors: process_failed, naming the step.
[[nodiscard]] Status become_user(const User& user);

/// Landlock: of all files only /sys and /run/udev can be read, and /dev/bus/usb read and written;
/// nothing can be made, removed or run. False where the kernel has no Landlock. `emulated_bus`:
/// empty, or in tests the folder of an emulated bus, which stays open to it. Errors:
/// process_failed.
[[nodiscard]] Result<bool> confine_files(const std::string& emulated_bus = {});

/// seccomp, for finding and opening a device. Starting programs or processes, tracing, mounting,
/// loading code into the kernel and the like kill the process; memory that can be executed, sockets
/// but netlink and UNIX ones, ioctls but usbfs', and whatever else the work does not need, fail
/// with EPERM. Errors: process_failed.
[[nodiscard]] Status filter_setup();
/// seccomp on top, for all threads, once the device is open: no file and no socket can be opened
/// any more, no identity changed. Errors: process_failed.
[[nodiscard]] Status filter_stream();

/// With the generator open: as root, the user and group nobody and no supplementary groups; for
/// everybody, no capability of any kind. The open device needs none. Errors: process_failed, naming
/// the step.
[[nodiscard]] Status drop_privileges();

/// Dies with `parent` (which must still be the parent). Call it again after `drop_privileges`:
/// a change of user forgets it.
/// Errors: process_failed when the parent has gone already.
[[nodiscard]] Status die_with_parent(pid_t parent);

}  // namespace talla::source
