#include "http/server.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
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
      : options_(std::move(options)), tls_(std::move(tls)), acceptor_(context_), pause_(context_) {
    if (!options_.traffic) options_.traffic = std::make_shared<Traffic>();
    // NOLINTNEXTLINE(modernize-make-shared): its places are built where they stay
    shared_.reset(new Shared{.handler = std::move(handler),
                             .idle = std::chrono::seconds(options_.idle_seconds),
                             .stranger = std::chrono::seconds(options_.stranger_seconds),
                             .certificates = options_.tls && !options_.files.trusted.empty(),
                             .traffic = options_.traffic,
                             .places = Places(options_.shares, options_.traffic)});
    name_myself();
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
    name_myself();
    shared_->places.end_all();
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
                             if (error) return accept_later();
                             serve(std::move(socket));
                             accept();
                           });
  }

  /// No descriptor is free, or no memory: whoever waits is taken once somebody has gone.
  void accept_later() {
    pause_.expires_after(std::chrono::milliseconds(50));
    pause_.async_wait([this](boost::system::error_code error) {
      if (!error) accept();
    });
  }

  /// What Host may say.
  void name_myself() {
    auto names = std::make_shared<Names>(options_.names);
    if (options_.tls) {
      auto certified = names_of(*tls_);
      names->insert(names->end(), certified.begin(), certified.end());
    }
    names_ = names->empty() ? nullptr : std::move(names);
  }

  void serve(Tcp::socket socket) {
    boost::system::error_code ignored;
    static_cast<void>(socket.set_option(Tcp::no_delay(true), ignored));
    if (options_.tls) {
      const std::scoped_lock lock(
          tls_mutex_);  // so that no connection of an older context begins behind a renewal
      serve_tls(shared_, std::move(socket), names_, *tls_);
    } else {
      serve_plain(shared_, std::move(socket), names_);
    }
  }

  ServerOptions options_;
  std::mutex tls_mutex_;
  std::shared_ptr<asio::ssl::context> tls_;  // tls_mutex_
  std::shared_ptr<const Names> names_;       // tls_mutex_ where there is TLS; null: any
  std::shared_ptr<Shared> shared_;
  asio::io_context context_;
  Tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::string address_share(const Tcp::socket& socket) {
  boost::system::error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  if (error) return {};
  const auto address = endpoint.address();
  if (address.is_v4()) return address.to_string();
  const auto v6 = address.to_v6();
  if (v6.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, v6).to_string();
  auto bytes = v6.to_bytes();
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string() + "/64";
}

std::string_view share_name(Share share) {
  switch (share) {
    case Share::client:
      return "client";
    case Share::address:
      return "address";
    case Share::listener:
      return "listener";
  }
  return "unknown";
}

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
