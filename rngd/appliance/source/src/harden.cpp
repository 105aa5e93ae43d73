#include "source/harden.hpp"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <string>

namespace talla::source {
namespace {

/// User and group nobody of Debian.
constexpr unsigned nobody = 65534;
constexpr rlim_t descriptors_max = 64;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr rlim_t addresses_bytes_max = rlim_t{1} << 30U;
#endif

Status failed(const std::string& step) {
  return fail(usb::UsbErrc::process_failed, step + ": " + strerrordesc_np(errno));
}

Status limit(int resource, rlim_t most, const char* what) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) return failed(what);
  const rlim_t lower = std::min(now.rlim_max, most);
  const rlimit wanted{.rlim_cur = lower, .rlim_max = lower};
  if (setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted) != 0) return failed(what);
  return {};
}

Status change_user(uid_t uid, gid_t gid, const std::vector<gid_t>& groups) {
  if (setgroups(groups.size(), groups.data()) != 0) return failed("giving up supplementary groups");
  if (setresgid(gid, gid, gid) != 0) return failed("giving up the group");
  if (setresuid(uid, uid, uid) != 0) return failed("giving up the user");
  return {};
}

Result<unsigned> read_id(std::string_view& text) {
  unsigned id = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
  if (read.ec != std::errc() || id == 0 || id == ~0U) {
    return fail(usb::UsbErrc::bad_option, "a user is UID:GID,GID..., in digits, and not root");
  }
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return id;
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
  TALLA_TRY_STATUS(limit(RLIMIT_CORE, 0, "forbidding core dumps"));
  TALLA_TRY_STATUS(limit(RLIMIT_NOFILE, descriptors_max, "limiting descriptors"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  TALLA_TRY_STATUS(limit(RLIMIT_AS, addresses_bytes_max, "limiting memory"));
#endif
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return failed("forbidding dumps");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("forbidding new privileges");
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
    return failed("ignoring SIGPIPE");  // NOLINT: before any thread
  return {};
}

Result<User> parse_user(std::string_view text) {
  User user;
  TALLA_TRY(user.uid, read_id(text));
  for (char before = ':'; user.groups.empty() || !text.empty(); before = ',') {
    if (text.empty() || text.front() != before) {
      return fail(usb::UsbErrc::bad_option, "a user is UID:GID,GID..., in digits, and not root");
    }
    text.remove_prefix(1);
    TALLA_TRY(const gid_t group, read_id(text));
    user.groups.push_back(group);
  }
  return user;
}

Status become_user(const User& user) {
  if (geteuid() != 0) {
    if (geteuid() == user.uid) return {};
    return fail(usb::UsbErrc::process_failed, "only root can start it as another user");
  }
  TALLA_TRY_STATUS(change_user(user.uid, user.groups.front(), user.groups));
  TALLA_TRY_STATUS(drop_capabilities());
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return failed("forbidding dumps");
  return {};
}

Status drop_privileges() {
  if (geteuid() == 0) TALLA_TRY_STATUS(change_user(nobody, nobody, {}));
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
