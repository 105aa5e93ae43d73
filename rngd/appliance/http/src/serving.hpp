/// \file
/// What the connections of a server share, and how one begins. Each kind of stream is compiled in a
/// source of its own.
///
/// Threads: any.
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <memory>

#include "http/message.hpp"
#include "open_connections.hpp"

namespace talla::http {

struct Shared {
  Handler handler;
  std::chrono::seconds idle;
  std::atomic<unsigned> connections{0};
  OpenConnections open;  // over TLS
};

/// Each lives until it has ended.
void serve_plain(std::shared_ptr<Shared> shared, boost::asio::ip::tcp::socket socket);
void serve_tls(std::shared_ptr<Shared> shared, boost::asio::ip::tcp::socket socket,
               boost::asio::ssl::context& tls);

}  // namespace talla::http
