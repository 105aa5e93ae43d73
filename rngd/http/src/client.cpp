#include "http/client.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <optional>

#include "tls.hpp"

namespace talla::http {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Stream = beast::ssl_stream<beast::tcp_stream>;

class BeastClient final : public Client {
 public:
  BeastClient(ClientOptions options, std::shared_ptr<asio::ssl::context> tls)
      : options_(std::move(options)), tls_(std::move(tls)) {}

  Result<ClientReply> send(const Request& request) override {
    if (!stream_) {
      auto connected = connect();
      if (!connected) {
        stream_.reset();
        return pass(std::move(connected));
      }
    }
    auto reply = exchange(request);
    if (!reply || !keep_alive_) stream_.reset();
    return reply;
  }

 private:
  /// Runs one asynchronous step to its end, so that the stream's own time limit holds.
  template <class Step>
  beast::error_code wait(Step&& step) {
    beast::error_code outcome;
    beast::get_lowest_layer(*stream_).expires_after(std::chrono::seconds(options_.timeout_seconds));
    step([&](beast::error_code error, auto&&... /*size*/) { outcome = error; });
    context_.restart();
    context_.run();
    return outcome;
  }

  Status connect() {
    const std::string where = options_.host + ":" + std::to_string(options_.port);
    stream_.emplace(context_, *tls_);
    buffer_.clear();
    boost::system::error_code error;
    asio::ip::tcp::resolver resolver(context_);
    const auto endpoints = resolver.resolve(options_.host, std::to_string(options_.port), error);
    if (error) return fail(Errc::cannot_connect, where + ": " + error.message());
    error = wait([&](auto done) { beast::get_lowest_layer(*stream_).async_connect(endpoints, done); });
    if (error) return fail(Errc::cannot_connect, where + ": " + error.message() + "; is rngd running there?");
    boost::system::error_code ignored;
    static_cast<void>(
        beast::get_lowest_layer(*stream_).socket().set_option(asio::ip::tcp::no_delay(true), ignored));
    if (!name_server(stream_->native_handle(), options_.server_name)) {
      return fail(Errc::cannot_connect, where + ": server name " + options_.server_name + " cannot be sent");
    }
    stream_->set_verify_callback(asio::ssl::host_name_verification(options_.server_name), ignored);
    error = wait([&](auto done) { stream_->async_handshake(asio::ssl::stream_base::client, done); });
    if (error) return fail(Errc::cannot_connect, where + ": TLS: " + error.message());
    return {};
  }

  Result<ClientReply> exchange(const Request& request) {
    namespace http = beast::http;
    http::request<http::string_body> message;
    message.method_string(request.method);
    message.target(request.target);
    message.version(11);
    message.set(http::field::host, options_.server_name);
    if (!request.body.empty()) message.set(http::field::content_type, "application/json");
    if (!request.accept.empty()) message.set(http::field::accept, request.accept);
    if (!request.idempotency_key.empty()) message.set("Idempotency-Key", request.idempotency_key);
    message.body() = request.body;
    message.prepare_payload();
    const auto lost = [&](const beast::error_code& error) {
      return fail(Errc::bad_reply, request.method + " " + request.target + ": " + error.message() +
                                       "; the same request with the same key may be sent again");
    };
    beast::error_code error = wait([&](auto done) { http::async_write(*stream_, message, done); });
    if (error) return lost(error);
    http::response_parser<http::string_body> parser;
    parser.body_limit(std::uint64_t{64} << 20);
    error = wait([&](auto done) { http::async_read(*stream_, buffer_, parser, done); });
    if (error) return lost(error);
    auto answer = parser.release();
    keep_alive_ = answer.keep_alive();
    return ClientReply{.status = answer.result_int(),
                       .content_type = std::string(answer[http::field::content_type]),
                       .retry_after = std::string(answer[http::field::retry_after]),
                       .body = std::move(answer.body())};
  }

  ClientOptions options_;
  std::shared_ptr<asio::ssl::context> tls_;
  asio::io_context context_;
  std::optional<Stream> stream_;
  beast::flat_buffer buffer_;
  bool keep_alive_ = true;
};

}  // namespace

Result<std::unique_ptr<Client>> Client::create(ClientOptions options) {
  TALLA_TRY(auto tls, make_tls_context(Side::client, options.files));
  return std::unique_ptr<Client>(std::make_unique<BeastClient>(std::move(options), std::move(tls)));
}

}  // namespace talla::http
