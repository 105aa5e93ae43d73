#include "provider/egd_client.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/check.hpp"

namespace talla::provider {

namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::size_t read_bytes_max = 255;  // one byte counts them
constexpr std::uint8_t command_read = 0x01;
constexpr int pause_ms = 50;

class Connection {
 public:
  Connection(int fd, const ClientOptions& options, Time until)
      : fd_(fd), options_(options), until_(until) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    if (fd_ >= 0) close(fd_);
  }

  [[nodiscard]] Status open() const {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    const std::string& path = options_.socket_path;
    if (path.empty() || path.size() >= sizeof(name.sun_path))
      return absent("a path of 1 to 107 bytes is expected");
    if (fd_ < 0) return absent(strerrordesc_np(errno));
    std::memcpy(name.sun_path, path.data(), path.size());
    while (connect(fd_, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) != 0) {
      if (errno == EINTR) continue;
      // Many knock at once: the queue is full for a moment.
      if (errno != EAGAIN) return absent(strerrordesc_np(errno));
      if (!pause()) return fail(ClientErrc::appliance_silent, path + ": too many others wait");
    }
    return {};
  }
  [[nodiscard]] Status send(std::array<std::uint8_t, 2> command) const {
    const ssize_t sent = ::send(fd_, command.data(), command.size(), MSG_NOSIGNAL);
    return sent == 2 ? Status() : Status(broke_off());
  }
  [[nodiscard]] Status receive(std::span<std::uint8_t> out) const {
    while (!out.empty()) {
      pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
      const int left = left_ms();
      const int ready = poll(&waiting, 1, left);
      if (ready == 0 || left == 0) return silent();
      if (ready < 0 && errno == EINTR) continue;
      const ssize_t got = recv(fd_, out.data(), out.size(), MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0) return broke_off();
      out = out.subspan(static_cast<std::size_t>(got));
    }
    return {};
  }
  /// False when the time is over.
  [[nodiscard]] bool pause() const {
    const int left = left_ms();
    if (left > 0) static_cast<void>(poll(nullptr, 0, std::min(left, pause_ms)));
    return left > 0;
  }
  [[nodiscard]] tl::unexpected<Error> silent() const {
    return fail(ClientErrc::appliance_silent, options_.socket_path + ": no entropy for " +
                                                  std::to_string(options_.timeout_ms) + " ms");
  }
  [[nodiscard]] tl::unexpected<Error> broke_off() const {
    return fail(ClientErrc::appliance_broke_off, options_.socket_path + ": the connection ended");
  }

 private:
  [[nodiscard]] tl::unexpected<Error> absent(const std::string& why) const {
    return fail(ClientErrc::appliance_absent, options_.socket_path + ": " + why);
  }
  [[nodiscard]] int left_ms() const {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until_ - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
  }
  int fd_;
  const ClientOptions& options_;
  Time until_;
};

}  // namespace

std::string_view errc_name(ClientErrc errc) {
  switch (errc) {
    case ClientErrc::appliance_absent:
      return "appliance_absent";
    case ClientErrc::appliance_silent:
      return "appliance_silent";
    case ClientErrc::appliance_broke_off:
      return "appliance_broke_off";
  }
  return "unknown";
}

Result<SecretBytes> fetch_entropy(const ClientOptions& options, std::size_t n_bytes) {
  TALLA_CHECK(n_bytes > 0);
  const Time until =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(options.timeout_ms);
  const Connection appliance(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                             options, until);
  TALLA_TRY_STATUS(appliance.open());
  SecretBytes bytes(n_bytes);
  std::span<std::uint8_t> missing(bytes);
  while (!missing.empty()) {
    const std::size_t asked = std::min(missing.size(), read_bytes_max);
    TALLA_TRY_STATUS(appliance.send({command_read, static_cast<std::uint8_t>(asked)}));
    std::uint8_t count = 0;
    TALLA_TRY_STATUS(appliance.receive(std::span(&count, 1)));
    if (count > asked)
      return fail(ClientErrc::appliance_broke_off, options.socket_path + ": not an EGD socket");
    TALLA_TRY_STATUS(appliance.receive(missing.first(count)));
    missing = missing.subspan(count);
    if (count == 0 && !appliance.pause()) return appliance.silent();
  }
  return bytes;
}

}  // namespace talla::provider
