/// \file
/// What the connections of a server share, and how one begins. Each kind of stream is compiled in a
/// source of its own.
///
/// Threads: any.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "http/message.hpp"
#include "places.hpp"

namespace talla::http {

using Names = std::vector<std::string>;

struct Shared {
  Handler handler;
  std::chrono::seconds idle;
  std::chrono::seconds stranger;  ///< until a connection must be known
  bool certificates = false;      ///< clients are asked for one
  std::shared_ptr<Traffic> traffic;
  Places places;
};

/// Whom the share of addresses counts: an IPv4 address, or the network of an IPv6 one. Empty: the
/// peer is gone.
[[nodiscard]] std::string address_share(const boost::asio::ip::tcp::socket& socket);

/// Each lives until it has ended. `names`: what Host may say; null: anything.
void serve_plain(const std::shared_ptr<Shared>& shared, boost::asio::ip::tcp::socket socket,
                 std::shared_ptr<const Names> names);
void serve_tls(const std::shared_ptr<Shared>& shared, boost::asio::ip::tcp::socket socket,
               std::shared_ptr<const Names> names, boost::asio::ssl::context& tls);

}  // namespace talla::http
