// The server's connections over TLS.
#include "connection.hpp"

namespace talla::http {

void serve_tls(std::shared_ptr<Shared> shared, asio::ip::tcp::socket socket,
               asio::ssl::context& tls) {
  const auto connection = std::make_shared<Connection<TlsSocket>>(shared, std::move(socket), tls);
  shared->open.add(connection);
  connection->start();
}

}  // namespace talla::http
