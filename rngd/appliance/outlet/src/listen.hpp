/// \file
/// Listening sockets: a UNIX one with its file's owner and mode, and a TCP one on loopback.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace talla::outlet {

/// The socket, non-blocking. `group` empty: mode 0600; else 0660 and that group. Errors:
/// cannot_listen.
[[nodiscard]] Result<int> listen_unix(const std::string& path, const std::string& group);

struct TcpListener {
  int fd = -1;
  std::uint16_t port = 0;
};
/// `address` is 127.0.0.1 or ::1. Errors: cannot_listen.
[[nodiscard]] Result<TcpListener> listen_loopback(const std::string& address, std::uint16_t port);

}  // namespace talla::outlet
