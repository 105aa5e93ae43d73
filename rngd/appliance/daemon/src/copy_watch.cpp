// Listens to the kernel's news for a new generation id of this virtual machine.
#include "copy_watch.hpp"

#include <linux/netlink.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include "log.hpp"

namespace talla::rngd {
namespace {

constexpr std::uint32_t kernel_group = 1;   // the kernel's own; udev's is 2
constexpr std::size_t message_max = 16384;  // the kernel's are 2 KiB at most
constexpr int waiting_bytes = 1 << 20;

}  // namespace

std::string_view errc_name(CopyWatchErrc errc) {
  return errc == CopyWatchErrc::no_news ? "no_news" : "unknown";
}

bool tells_of_a_copy(std::string_view message) {
  if (!message.starts_with("change@")) return false;
  while (!message.empty()) {
    const std::string_view field = message.substr(0, message.find('\0'));
    if (field == "NEW_VMGENID=1") return true;
    message.remove_prefix(std::min(message.size(), field.size() + 1));
  }
  return false;
}

bool has_generation_id(const std::string& sys) {
  for (const char* bus : {"acpi", "platform"}) {
    std::error_code error;
    const std::filesystem::path driver =
        std::filesystem::path(sys) / "bus" / bus / "drivers/vmgenid";
    for (const auto& entry : std::filesystem::directory_iterator(driver, error)) {
      // Its devices are links; so is its module.
      if (entry.is_symlink(error) && entry.path().filename() != "module") return true;
    }
  }
  return false;
}

Result<std::unique_ptr<CopyWatch>> CopyWatch::open(std::function<void()> copied) {
  const int socket = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = kernel_group;
  if (socket >= 0) {
    static_cast<void>(
        ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &waiting_bytes, sizeof waiting_bytes));
  }
  if (socket < 0 ||
      ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    if (socket >= 0) ::close(socket);
    return fail(CopyWatchErrc::no_news,
                std::string("the kernel's news: ") + strerrordesc_np(error));
  }
  return std::make_unique<CopyWatch>(socket, std::move(copied));
}

CopyWatch::CopyWatch(int socket, std::function<void()> copied)
    : socket_(socket),
      wake_(::eventfd(0, EFD_CLOEXEC)),
      copied_(std::move(copied)),
      thread_([this] { run(); }) {}

CopyWatch::~CopyWatch() {
  static_cast<void>(::eventfd_write(wake_, 1));
  thread_.join();
  ::close(socket_);
  ::close(wake_);
}

void CopyWatch::run() {
  while (true) {
    std::array<pollfd, 2> waiting{{{socket_, POLLIN, 0}, {wake_, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    if (waiting[1].revents != 0) return;
    const bool over = (waiting[0].revents & (POLLHUP | POLLNVAL)) != 0;
    if (!take() && over) return;  // the other end of a socket pair has gone
  }
}

/// False: there was nothing.
bool CopyWatch::take() {
  std::array<char, message_max> message;  // NOLINT: filled by recvfrom
  sockaddr_nl from{};
  socklen_t size = sizeof from;
  const ssize_t got = ::recvfrom(socket_, message.data(), message.size(), MSG_DONTWAIT,
                                 reinterpret_cast<sockaddr*>(&from), &size);
  if (got < 0 && errno == ENOBUFS)
    log(Level::warning, "kernel_news_lost", {{"meaning", "a resumed snapshot may go unnoticed"}});
  if (got <= 0) return false;
  // The kernel has no port; a program that sends to the group has one.
  const bool stranger = from.nl_family == AF_NETLINK && from.nl_pid != 0;
  if (!stranger && tells_of_a_copy({message.data(), static_cast<std::size_t>(got)})) copied_();
  return true;
}

}  // namespace talla::rngd
