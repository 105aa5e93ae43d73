// Which files rngd-source may still open (Landlock).
#include <dirent.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "source/harden.hpp"

namespace talla::source {
namespace {

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/// Everything the first version of the kernel's interface knows.
constexpr std::uint64_t everything = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1U) - 1U;

tl::unexpected<Error> landlock_failed(const std::string& step) {
  return fail(usb::UsbErrc::process_failed,
              "confining files, " + step + ": " + strerrordesc_np(errno));
}

/// A folder that is not there needs no rule; false then.
Result<bool> allow_folder(int rules, const char* folder, std::uint64_t access) {
  DIR* directory = opendir(folder);
  if (directory == nullptr && errno == ENOENT) return false;
  if (directory == nullptr) return landlock_failed(folder);
  const landlock_path_beneath_attr rule{.allowed_access = access, .parent_fd = dirfd(directory)};
  const bool added =
      syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  const int error = errno;
  closedir(directory);
  errno = error;
  if (!added) return landlock_failed(folder);
  return true;
}

Status add_rules(int rules, const std::string& emulated_bus) {
  if (!emulated_bus.empty()) {
    TALLA_TRY(const bool emulated, allow_folder(rules, emulated_bus.c_str(), everything));
    static_cast<void>(emulated);
  }
  TALLA_TRY(const bool sys, allow_folder(rules, "/sys", reading));
  TALLA_TRY(const bool udev, allow_folder(rules, "/run/udev", reading));
  static_cast<void>(sys);
  static_cast<void>(udev);
  TALLA_TRY(const bool bus,
            allow_folder(rules, "/dev/bus/usb", reading | LANDLOCK_ACCESS_FS_WRITE_FILE));
  if (bus) return {};
  // No USB host controller yet: the folder may come with the first device.
  TALLA_TRY(const bool devices,
            allow_folder(rules, "/dev", reading | LANDLOCK_ACCESS_FS_WRITE_FILE));
  static_cast<void>(devices);
  return {};
}

}  // namespace

Result<bool> confine_files(const std::string& emulated_bus) {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return false;
  const landlock_ruleset_attr handled{
      .handled_access_fs = everything | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0)};
  const auto rules =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0));
  if (rules < 0) return landlock_failed("rule set");
  const Status added = add_rules(rules, emulated_bus);
  const bool confined = added && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  const int error = errno;
  close(rules);
  TALLA_TRY_STATUS(Status(added));
  errno = error;
  if (!confined) return landlock_failed("restriction");
  return true;
}

}  // namespace talla::source
