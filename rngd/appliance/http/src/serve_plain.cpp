// The server's connections over plain TCP.
#include "connection.hpp"

namespace talla::http {

void serve_plain(std::shared_ptr<Shared> shared, asio::ip::tcp::socket socket) {
  std::make_shared<Connection<asio::ip::tcp::socket>>(std::move(shared), std::move(socket))
      ->start();
}

}  // namespace talla::http
