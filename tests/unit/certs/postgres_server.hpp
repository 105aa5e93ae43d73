/// \file
/// A real PostgreSQL server of a test or bench: made in a temporary folder, on a UNIX socket only,
/// ended with the program.
///
/// Root makes it as user postgres or nobody, because the server refuses root. In memory (/dev/shm)
/// where there is room. A server whose test dies is ended by the kernel.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace talla::certs::testing {

class PostgresServer {
 public:
  /// Why there can be none here; empty: there can.
  [[nodiscard]] static std::string absent();
  /// Initialised, not started.
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  /// Returns when it answers.
  void start();
  /// As if its machine lost power, but for the disk: no checkpoint, no goodbye.
  void crash();
  /// Orderly; connections are ended.
  void stop();
  /// A stopped server's copy that starts as a standby.
  void become_standby_of(const PostgresServer& other);

  /// For libpq; the port is part of a socket's name.
  [[nodiscard]] std::string connection(const std::string& socket_folder = {}) const;
  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// Runs statements as the superuser of a database. Ends the program when they fail.
  void run(const std::string& sql) const;
  /// The first column of the first row; empty when there is none.
  [[nodiscard]] std::string ask(const std::string& sql) const;
  /// Sets it in the running server.
  void configure(const std::string& name, const std::string& value) const;

 private:
  void spawn(const std::vector<std::string>& command, pid_t& child) const;
  void finish(int signal);
  std::string folder_;
  pid_t pid_ = -1;
};

}  // namespace talla::certs::testing
