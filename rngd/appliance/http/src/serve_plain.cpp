// The server's connections over plain TCP.
#include "connection.hpp"

namespace talla::http {

void serve_plain(const std::shared_ptr<Shared>& shared, asio::ip::tcp::socket socket,
                 std::shared_ptr<const Names> names) {
  std::string address = address_share(socket);
  if (address.empty()) return;
  const auto connection = std::make_shared<Connection<asio::ip::tcp::socket>>(
      shared, std::move(names), std::move(socket));
  shared->places.enter(connection, std::move(address));
  connection->start();
}

}  // namespace talla::http
