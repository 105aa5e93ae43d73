#include "outlet/egd_server.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include "base/secret.hpp"
#include "listen.hpp"
#include "outlet/egd.hpp"

namespace talla::outlet {

namespace {

constexpr std::size_t chunk_bytes = 256;
constexpr int waiting_step_ms = 20;  ///< How often a waiting read looks for bytes.
constexpr int idle_step_ms = 1000;
constexpr int accepts_per_turn = 16;

}  // namespace

struct EgdServer::Client {
  explicit Client(int socket) : fd(socket) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() {
    wipe(input.data(), input.size());
    close(fd);
  }
  [[nodiscard]] ByteView unread() const {
    return ByteView(input).subspan(input_at, input_end - input_at);
  }
  [[nodiscard]] bool sending() const { return output_at < output.size(); }
  [[nodiscard]] bool waiting() const { return command.has_value(); }

  int fd;
  EgdParser parser;
  std::array<std::uint8_t, chunk_bytes> input{};
  std::size_t input_at = 0;
  std::size_t input_end = 0;
  std::optional<EgdCommand> command;  ///< Whole, and not answered yet.
  SecretBytes output;
  std::size_t output_at = 0;
  std::int64_t patience_from_ns = 0;  ///< Since when the client owes us something; 0: it does not.
};

EgdServer::EgdServer(const EgdOptions& options, Giver& giver, Clock& clock)
    : options_(options),
      giver_(giver),
      clock_(clock),
      allowance_(options.bytes_per_second, clock.monotonic_ns()) {}

Result<std::unique_ptr<EgdServer>> EgdServer::create(const EgdOptions& options, Giver& giver,
                                                     Clock& clock) {
  std::unique_ptr<EgdServer> server(
      new EgdServer(options, giver, clock));  // NOLINT: private constructor
  TALLA_TRY_STATUS(server->listen_all());
  server->wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  server->thread_ = std::thread([raw = server.get()] { raw->run(); });
  return server;
}

Status EgdServer::listen_all() {
  if (!options_.socket_path.empty()) {
    TALLA_TRY(const int fd, listen_unix(options_.socket_path, options_.group));
    listeners_.push_back({.fd = fd, .path = options_.socket_path});
  }
  if (options_.port >= 0) {
    TALLA_TRY(const TcpListener tcp,
              listen_loopback(options_.address, static_cast<std::uint16_t>(options_.port)));
    listeners_.push_back({.fd = tcp.fd, .path = {}});
    port_ = tcp.port;
  }
  return {};
}

EgdServer::~EgdServer() {
  stop();
}

void EgdServer::stop() {
  ending_ = true;
  if (wake_ >= 0) static_cast<void>(eventfd_write(wake_, 1));
  if (thread_.joinable()) thread_.join();
  clients_.clear();
  totals_.clients = 0;
  for (const Listener& listener : listeners_) {
    close(listener.fd);
    if (!listener.path.empty()) static_cast<void>(unlink(listener.path.c_str()));
  }
  listeners_.clear();
  if (wake_ >= 0) close(wake_);
  wake_ = -1;
}

EgdCounters EgdServer::counters() const {
  return {.clients = totals_.clients,
          .accepted = totals_.accepted,
          .refused = totals_.refused,
          .malformed = totals_.malformed,
          .impatient = totals_.impatient,
          .bytes_given = totals_.bytes_given,
          .writes_dropped = totals_.writes_dropped};
}

void EgdServer::run() {
  std::vector<pollfd> watched;
  while (!ending_) {
    watched.clear();
    watched.push_back({.fd = wake_, .events = POLLIN, .revents = 0});
    for (const Listener& listener : listeners_) {
      watched.push_back({.fd = listener.fd, .events = POLLIN, .revents = 0});
    }
    int step_ms = idle_step_ms;
    for (const auto& client : clients_) {
      // An end is seen by reading, or, of a client that waits for bytes, by itself; unread answers
      // hide it.
      const auto events = static_cast<short>(client->sending()   ? POLLOUT
                                             : client->waiting() ? POLLRDHUP
                                                                 : POLLIN);
      if (client->waiting()) step_ms = waiting_step_ms;
      watched.push_back({.fd = client->fd, .events = events, .revents = 0});
    }
    if (poll(watched.data(), watched.size(), step_ms) < 0 && errno != EINTR) return;
    if (ending_) return;
    const std::int64_t now_ns = clock_.monotonic_ns();
    const std::size_t before = 1 + listeners_.size();
    // In turn: who was first is last the next time, so that nobody takes the whole allowance for
    //          ever.
    first_ = clients_.empty() ? 0 : (first_ + 1) % clients_.size();
    for (std::size_t k = 0; k < clients_.size(); ++k) {
      const std::size_t i = (first_ + k) % clients_.size();
      if (!serve(*clients_[i], watched[before + i].revents, now_ns))
        clients_[i]->patience_from_ns = -1;
    }
    std::erase_if(clients_, [](const auto& client) { return client->patience_from_ns < 0; });
    for (std::size_t i = 0; i < listeners_.size(); ++i) {
      if ((watched[1 + i].revents & POLLIN) != 0) accept_from(listeners_[i].fd);
    }
    totals_.clients = clients_.size();
  }
}

void EgdServer::accept_from(int listener) {
  for (int k = 0; k < accepts_per_turn; ++k) {
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
      // Out of descriptors, the listener stays readable: wait, and do not spin.
      if (errno == EMFILE || errno == ENFILE) static_cast<void>(poll(nullptr, 0, waiting_step_ms));
      return;
    }
    if (clients_.size() >= options_.clients_max) {
      ++totals_.refused;
      close(fd);
      continue;
    }
    clients_.push_back(std::make_unique<Client>(fd));
    ++totals_.accepted;
  }
}

/// False: the connection ends.
bool EgdServer::serve(Client& client, short events, std::int64_t now_ns) {
  if ((events & (POLLERR | POLLHUP | POLLNVAL)) != 0) return false;
  if ((events & POLLRDHUP) != 0) return false;
  if ((events & POLLIN) != 0 && !receive(client)) return false;
  if (!answer(client, now_ns)) return false;
  const bool owes = client.sending() || (client.parser.partial() && !client.waiting());
  if (!owes) client.patience_from_ns = 0;
  if (owes && client.patience_from_ns == 0)
    client.patience_from_ns = std::max<std::int64_t>(now_ns, 1);
  if (owes && now_ns - client.patience_from_ns >= options_.patience_ns) {
    ++totals_.impatient;
    return false;
  }
  return true;
}

bool EgdServer::receive(Client& client) {
  if (client.input_at < client.input_end) return true;  // what came before is not worked off
  const ssize_t got = recv(client.fd, client.input.data(), client.input.size(), MSG_DONTWAIT);
  if (got == 0) return false;
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  client.input_at = 0;
  client.input_end = static_cast<std::size_t>(got);
  return true;
}

/// Works off what has come, one command after the other, as far as bytes and the client's reading
/// allow.
bool EgdServer::answer(Client& client, std::int64_t now_ns) {
  while (true) {
    if (client.sending() && !transmit(client, now_ns)) return false;
    if (client.sending()) return true;
    if (client.waiting()) {
      if (!perform(client, now_ns)) return false;
      if (client.waiting()) return true;
      continue;
    }
    ByteView unread = client.unread();
    if (unread.empty()) return true;
    const std::size_t size = unread.size();
    auto command = client.parser.take(unread);
    wipe(client.input.data() + client.input_at, size - unread.size());
    client.input_at += size - unread.size();
    if (!command) {
      ++totals_.malformed;
      return false;
    }
    client.command = *command;
  }
}

/// Answers the client's command, or leaves it waiting.
bool EgdServer::perform(Client& client, std::int64_t now_ns) {
  const EgdCommand command = *client.command;
  switch (command.kind) {
    case EgdCommand::Kind::level: {
      const std::size_t bits = std::min(giver_.spare_bits(), 8 * allowance_.bytes(now_ns));
      const Bytes level = ByteWriter().u32(static_cast<std::uint32_t>(bits)).take();
      client.output.assign(level.begin(), level.end());
      break;
    }
    case EgdCommand::Kind::read: {
      const std::size_t ready = std::min(giver_.spare_bits() / 8, allowance_.bytes(now_ns));
      const std::size_t count = std::min<std::size_t>(command.count, ready);
      if (count == 0 || !give(client, count, true, now_ns)) client.output.assign(1, 0);
      break;
    }
    case EgdCommand::Kind::read_waiting:
      if (command.count > 0 && !give(client, command.count, false, now_ns)) return true;
      break;
    case EgdCommand::Kind::write:
      ++totals_.writes_dropped;
      break;
    case EgdCommand::Kind::process: {
      const std::string digits = std::to_string(getpid());
      client.output.assign(1, static_cast<std::uint8_t>(digits.size()));
      client.output.insert(client.output.end(), digits.begin(), digits.end());
      break;
    }
  }
  client.command.reset();
  return true;
}

bool EgdServer::give(Client& client, std::size_t count, bool with_count, std::int64_t now_ns) {
  if (allowance_.bytes(now_ns) < count) return false;
  auto given = giver_.give(count);
  if (!given) return false;
  allowance_.spend(count);
  client.output.reserve(count + 1);
  client.output.clear();
  if (with_count) client.output.push_back(static_cast<std::uint8_t>(count));
  client.output.insert(client.output.end(), given->bytes.begin(), given->bytes.end());
  totals_.bytes_given += count;
  return true;
}

bool EgdServer::transmit(Client& client, std::int64_t now_ns) {
  const ByteView left = ByteView(client.output).subspan(client.output_at);
  const ssize_t sent = send(client.fd, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  client.output_at += static_cast<std::size_t>(sent);
  if (sent > 0) client.patience_from_ns = now_ns;  // it reads, if slowly
  if (client.sending()) return true;
  SecretBytes().swap(client.output);
  client.output_at = 0;
  return true;
}

}  // namespace talla::outlet
