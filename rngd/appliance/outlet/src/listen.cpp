#include "listen.hpp"

#include <arpa/inet.h>
#include <grp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "outlet/errc.hpp"

namespace talla::outlet {

namespace {

constexpr int backlog = 16;

tl::unexpected<Error> refused(const std::string& what, int error) {
  return fail(OutletErrc::cannot_listen, what + ": " + strerrordesc_np(error));
}

/// Closes what was opened unless it is let go.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// Removes a socket file whose process has gone; whatever else is there stays.
Status clear_stale(const std::string& path, const sockaddr_un& name) {
  struct stat about {};
  if (lstat(path.c_str(), &about) != 0) return {};
  if (!S_ISSOCK(about.st_mode))
    return fail(OutletErrc::cannot_listen, path + ": there is something else");
  const Descriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (probe.get() < 0) return refused(path, errno);
  const auto* address = reinterpret_cast<const sockaddr*>(&name);
  if (connect(probe.get(), address, sizeof(name)) == 0 || errno != ECONNREFUSED) {
    return fail(OutletErrc::cannot_listen, path + ": another process listens there");
  }
  if (unlink(path.c_str()) != 0) return refused(path, errno);
  return {};
}

Result<gid_t> group_id(const std::string& group) {
  std::array<char, 16384> text{};
  struct group entry {};
  struct group* found = nullptr;
  if (getgrnam_r(group.c_str(), &entry, text.data(), text.size(), &found) != 0 ||
      found == nullptr) {
    return fail(OutletErrc::cannot_listen, "there is no group " + group);
  }
  return entry.gr_gid;
}

}  // namespace

Result<int> listen_unix(const std::string& path, const std::string& group) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(name.sun_path)) {
    return fail(OutletErrc::cannot_listen, path + ": a socket's path has 1 to 107 bytes");
  }
  std::memcpy(name.sun_path, path.data(), path.size());
  TALLA_TRY_STATUS(clear_stale(path, name));
  Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (made.get() < 0) return refused(path, errno);
  // Until the mode is right nobody else may connect, whatever the process' umask is.
  if (fchmod(made.get(), S_IRUSR | S_IWUSR) != 0) return refused(path, errno);
  if (bind(made.get(), reinterpret_cast<const sockaddr*>(&name), sizeof(name)) != 0)
    return refused(path, errno);
  mode_t mode = S_IRUSR | S_IWUSR;
  if (!group.empty()) {
    TALLA_TRY(const gid_t id, group_id(group));
    if (chown(path.c_str(), static_cast<uid_t>(-1), id) != 0)
      return refused(path + ", group " + group, errno);
    mode |= S_IRGRP | S_IWGRP;
  }
  if (chmod(path.c_str(), mode) != 0) return refused(path, errno);
  if (listen(made.get(), backlog) != 0) return refused(path, errno);
  return made.release();
}

Result<TcpListener> listen_loopback(const std::string& address, std::uint16_t port) {
  const std::string where = address + " port " + std::to_string(port);
  sockaddr_storage name{};
  socklen_t size = 0;
  auto* four = reinterpret_cast<sockaddr_in*>(&name);
  auto* six = reinterpret_cast<sockaddr_in6*>(&name);
  if (address == "127.0.0.1") {
    *four = {.sin_family = AF_INET,
             .sin_port = htons(port),
             .sin_addr = {htonl(INADDR_LOOPBACK)},
             .sin_zero = {}};
    size = sizeof(*four);
  } else if (address == "::1") {
    *six = {.sin6_family = AF_INET6,
            .sin6_port = htons(port),
            .sin6_flowinfo = 0,
            .sin6_addr = in6addr_loopback,
            .sin6_scope_id = 0};
    size = sizeof(*six);
  } else {
    return fail(OutletErrc::cannot_listen,
                where + ": only loopback addresses, it answers without certificates");
  }
  Descriptor made(socket(name.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (made.get() < 0) return refused(where, errno);
  const int on = 1;
  static_cast<void>(setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)));
  auto* bound = reinterpret_cast<sockaddr*>(&name);
  if (bind(made.get(), bound, size) != 0 || listen(made.get(), backlog) != 0)
    return refused(where, errno);
  if (getsockname(made.get(), bound, &size) != 0) return refused(where, errno);
  const std::uint16_t got = name.ss_family == AF_INET ? four->sin_port : six->sin6_port;
  return TcpListener{.fd = made.release(), .port = ntohs(got)};
}

}  // namespace talla::outlet
