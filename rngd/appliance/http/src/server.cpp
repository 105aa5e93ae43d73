#include "http/server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <mutex>
#include <thread>

#include "serving.hpp"
#include "tls.hpp"

namespace talla::http {

namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;

class BeastServer final : public Server {
 public:
  BeastServer(ServerOptions options, Handler handler, std::shared_ptr<asio::ssl::context> tls)
      : options_(std::move(options)),
        tls_(std::move(tls)),
        shared_(std::make_shared<Shared>()),
        acceptor_(context_) {
    shared_->handler = std::move(handler);
    shared_->idle = std::chrono::seconds(options_.idle_seconds);
  }
  ~BeastServer() override { halt(); }
  BeastServer(const BeastServer&) = delete;
  BeastServer& operator=(const BeastServer&) = delete;

  Status listen() {
    boost::system::error_code error;
    const auto address = asio::ip::make_address(options_.address, error);
    if (error) return fail(Errc::bad_address, options_.address + " is no IP address");
    const Tcp::endpoint endpoint(address, options_.port);
    const auto refuse = [&] {
      return fail(Errc::cannot_listen,
                  options_.address + ":" + std::to_string(options_.port) + ": " + error.message());
    };
    if (acceptor_.open(endpoint.protocol(), error)) return refuse();
    if (acceptor_.set_option(Tcp::acceptor::reuse_address(true), error)) return refuse();
    if (acceptor_.bind(endpoint, error)) return refuse();
    if (acceptor_.listen(asio::socket_base::max_listen_connections, error)) return refuse();
    accept();
    for (unsigned i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { run(); });
    return {};
  }

  [[nodiscard]] std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }
  void stop() override { halt(); }

  [[nodiscard]] Status renew_tls() override {
    if (!options_.tls) return {};
    TALLA_TRY(auto fresh, make_tls_context(Side::server, options_.files));
    const std::scoped_lock lock(tls_mutex_);
    tls_ = std::move(fresh);
    shared_->open.end_all();
    return {};
  }

 private:
  /// A handler that throws has broken its word; its connection is lost, the server is not.
  void run() noexcept {
    while (!context_.stopped()) {
      try {
        context_.run();
      } catch (...) {  // NOLINT(bugprone-empty-catch)
      }
    }
  }

  void halt() {
    context_.stop();
    for (auto& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    threads_.clear();
  }

  void accept() {
    acceptor_.async_accept(asio::make_strand(context_),
                           [this](boost::system::error_code error, Tcp::socket socket) {
                             if (error == asio::error::operation_aborted) return;
                             if (!error) serve(std::move(socket));
                             accept();
                           });
  }

  void serve(Tcp::socket socket) {
    if (shared_->connections.load() >= options_.connections_max) return;  // the socket closes
    boost::system::error_code ignored;
    static_cast<void>(socket.set_option(Tcp::no_delay(true), ignored));
    if (options_.tls) {
      const std::scoped_lock lock(
          tls_mutex_);  // so that no connection of an older context begins behind a renewal
      serve_tls(shared_, std::move(socket), *tls_);
    } else {
      serve_plain(shared_, std::move(socket));
    }
  }

  ServerOptions options_;
  std::mutex tls_mutex_;
  std::shared_ptr<asio::ssl::context> tls_;  // tls_mutex_
  std::shared_ptr<Shared> shared_;
  asio::io_context context_;
  Tcp::acceptor acceptor_;
  std::vector<std::thread> threads_;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::create(ServerOptions options, Handler handler) {
  std::shared_ptr<asio::ssl::context> tls;
  if (options.tls) {
    TALLA_TRY(tls, make_tls_context(Side::server, options.files));
  }
  auto server =
      std::make_unique<BeastServer>(std::move(options), std::move(handler), std::move(tls));
  TALLA_TRY_STATUS(server->listen());
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace talla::http
