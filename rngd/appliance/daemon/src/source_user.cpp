#include "source_user.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <array>

#include "config/config.hpp"
#include "log.hpp"

namespace talla::rngd {

Result<std::string> source_user(const std::string& name) {
  if (geteuid() != 0) {
    log(Level::info, "source_user",
        {{"uid", std::to_string(geteuid())}, {"meaning", "the daemon's own"}});
    return std::string();
  }
  if (name.empty()) return std::string();
  std::array<char, 16384> text{};
  passwd entry{};
  passwd* found = nullptr;
  if (getpwnam_r(name.c_str(), &entry, text.data(), text.size(), &found) != 0 || found == nullptr) {
    return fail(ConfigErrc::bad_configuration, "source.user: there is no user " + name);
  }
  std::array<gid_t, 64> groups{};
  int count = static_cast<int>(groups.size());
  if (getgrouplist(name.c_str(), entry.pw_gid, groups.data(), &count) < 0) {
    return fail(ConfigErrc::bad_configuration,
                "source.user: " + name + " is in more than 64 groups");
  }
  if (entry.pw_uid == 0 || entry.pw_gid == 0) {
    return fail(ConfigErrc::bad_configuration, "source.user: " + name + " is root");
  }
  std::string out = std::to_string(entry.pw_uid) + ":" + std::to_string(entry.pw_gid);
  for (int i = 0; i < count; ++i) {
    const gid_t group = groups.at(static_cast<std::size_t>(i));
    if (group != entry.pw_gid && group != 0) out += "," + std::to_string(group);
  }
  return out;
}

}  // namespace talla::rngd
