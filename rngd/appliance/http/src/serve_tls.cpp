// The server's connections over TLS.
#include "connection.hpp"

namespace talla::http {

void serve_tls(const std::shared_ptr<Shared>& shared, asio::ip::tcp::socket socket,
               std::shared_ptr<const Names> names, asio::ssl::context& tls) {
  std::string address = address_share(socket);
  if (address.empty()) return;
  const auto connection =
      std::make_shared<Connection<TlsSocket>>(shared, std::move(names), std::move(socket), tls);
  shared->places.enter(connection, std::move(address));
  connection->start();
}

}  // namespace talla::http
