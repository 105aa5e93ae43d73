#include "source/harden.hpp"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

namespace talla::source {
namespace {

/// User and group nobody of Debian.
constexpr unsigned nobody = 65534;

Status failed(const std::string& step) {
  return fail(usb::UsbErrc::process_failed, step + ": " + strerrordesc_np(errno));
}

Status become_nobody() {
  if (setgroups(0, nullptr) != 0) return failed("giving up supplementary groups");
  if (setresgid(nobody, nobody, nobody) != 0) return failed("giving up the group");
  if (setresuid(nobody, nobody, nobody) != 0) return failed("giving up the user");
  return {};
}

Status drop_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0)
    return failed("giving up ambient capabilities");
  if (syscall(SYS_capset, &header, none.data()) != 0) return failed("giving up capabilities");
  return {};
}

}  // namespace

Status harden_early() {
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  if (setrlimit(RLIMIT_CORE, &no_core) != 0) return failed("forbidding core dumps");
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return failed("forbidding dumps");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("forbidding new privileges");
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) return failed("ignoring SIGPIPE");  // NOLINT: before any thread
  return {};
}

Status drop_privileges() {
  if (geteuid() == 0) TALLA_TRY_STATUS(become_nobody());
  TALLA_TRY_STATUS(drop_capabilities());
  // A change of user resets it to the system's default.
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return failed("forbidding dumps");
  return {};
}

Status die_with_parent(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return failed("tying life to the parent");
  if (getppid() != parent) return fail(usb::UsbErrc::process_failed, "the parent has gone");
  return {};
}

}  // namespace talla::source
