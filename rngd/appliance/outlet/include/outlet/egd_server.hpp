/// \file
/// The EGD socket: entropy for QEMU's `rng-egd`, the OpenSSL provider and whoever speaks the
///                 protocol.
///
/// Bounds:  one thread; so many clients, those beyond are closed at once; of a client one command
///          at a time and at most 260 bytes in either direction; a command that is not whole, or an
///          answer that is not read, within the patience ends its connection; one allowance over
///          all clients, who are served in turn.
/// Closed:  outside the generator's operational state the level is 0, a read without waiting gets 0
///          bytes, a waiting one waits. Nothing but the outlet is ever given. Writes are dropped:
///          nobody feeds us.
/// Threads: `create` and `stop` on one; the counters from any.
/// Secrecy: answers live in locked memory and are wiped when they are sent.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "outlet/giver.hpp"

namespace talla::outlet {

struct EgdOptions {
  std::string socket_path{};  ///< UNIX socket; empty: none. At most 107 bytes.
  /// Its group may connect too (mode 0660); empty: the daemon's user alone (0600).
  std::string group{};
  std::string address = "127.0.0.1";  ///< Of TCP: 127.0.0.1 or ::1, nothing else.
  int port = -1;                      ///< TCP; -1: none, 0: any free one.
  std::uint32_t clients_max = 32;
  std::uint32_t bytes_per_second = 65'536;  ///< Of all clients together.
  std::int64_t patience_ns = 10'000'000'000;
};

/// Since the start, but `clients`: now.
struct EgdCounters {
  std::uint64_t clients = 0;    ///< Connected.
  std::uint64_t accepted = 0;   ///< Connections.
  std::uint64_t refused = 0;    ///< Over the number of clients.
  std::uint64_t malformed = 0;  ///< Ended for a byte that is no command.
  std::uint64_t impatient = 0;  ///< Ended for half a command, or for not reading.
  std::uint64_t bytes_given = 0;
  std::uint64_t writes_dropped = 0;
};

/// The EGD outlet, with a thread of its own.
class EgdServer {
 public:
  /// Listens and starts its thread. A socket file that nobody answers at is replaced; anything else
  /// in its place is left alone. `giver` and `clock` must outlive it. Errors: cannot_listen.
  [[nodiscard]] static Result<std::unique_ptr<EgdServer>> create(const EgdOptions& options,
                                                                 Giver& giver, Clock& clock);
  EgdServer(const EgdServer&) = delete;
  EgdServer& operator=(const EgdServer&) = delete;
  ~EgdServer();
  /// Ends all connections and removes the socket file.
  void stop();
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] EgdCounters counters() const;

 private:
  struct Client;
  struct Listener {
    int fd = -1;
    std::string path;
  };
  struct Totals {
    std::atomic<std::uint64_t> clients{0}, accepted{0}, refused{0}, malformed{0}, impatient{0},
        bytes_given{0}, writes_dropped{0};
  };
  EgdServer(const EgdOptions& options, Giver& giver, Clock& clock);
  [[nodiscard]] Status listen_all();
  void run();
  void accept_from(int listener);
  [[nodiscard]] bool serve(Client& client, short events, std::int64_t now_ns);
  [[nodiscard]] bool receive(Client& client);
  [[nodiscard]] bool answer(Client& client, std::int64_t now_ns);
  [[nodiscard]] bool perform(Client& client, std::int64_t now_ns);
  [[nodiscard]] bool give(Client& client, std::size_t count, bool with_count, std::int64_t now_ns);
  [[nodiscard]] bool transmit(Client& client, std::int64_t now_ns);

  const EgdOptions options_;
  Giver& giver_;
  Clock& clock_;
  Allowance allowance_;
  std::vector<Listener> listeners_;
  std::uint16_t port_ = 0;
  int wake_ = -1;
  std::vector<std::unique_ptr<Client>> clients_;  ///< Of the thread.
  std::size_t first_ = 0;                         ///< Who is served first this time.
  Totals totals_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace talla::outlet
