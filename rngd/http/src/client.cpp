#include "http/client.hpp"

#include <array>
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
using TlsStream = beast::ssl_stream<beast::tcp_stream>;
using PlainStream = beast::tcp_stream;

template <class Stream>
class BeastClient final : public Client {
 public:
  BeastClient(ClientOptions options, std::shared_ptr<asio::ssl::context> tls)
      : options_(std::move(options)), tls_(std::move(tls)) {}

  Result<ClientReply> send(const Request& request) override {
    piece_.reset();
    if (!stream_) TALLA_TRY_STATUS(ready());
    auto reply = exchange(request);
    if (!reply || !keep_alive_) stream_.reset();
    return reply;
  }

  Result<ClientReply> listen(const Request& request) override {
    stream_.reset();
    piece_.reset();
    TALLA_TRY_STATUS(ready());
    auto head = ask_for_stream(request);
    if (!head || head->status != 200) stream_.reset();
    return head;
  }

  Result<std::string> more(std::chrono::milliseconds wait) override {
    if (!stream_) return fail(Errc::bad_reply, "nothing is listened to");
    if (buffer_.size() > 0) {
      std::string text = beast::buffers_to_string(buffer_.data());
      buffer_.clear();
      return text;
    }
    if (!piece_) {
      piece_ = std::make_shared<Piece>();
      beast::get_lowest_layer(*stream_).expires_never();
      stream_->async_read_some(asio::buffer(piece_->bytes),
                               [piece = piece_](beast::error_code error, std::size_t size) {
                                 piece->error = error;
                                 piece->size = size;
                                 piece->done = true;
                               });
    }
    context_.restart();
    while (!piece_->done && context_.run_one_for(wait) > 0) {
    }
    if (!piece_->done) return std::string();
    const auto piece = std::move(piece_);
    piece_.reset();
    if (!piece->error) return std::string(piece->bytes.data(), piece->size);
    stream_.reset();
    return fail(Errc::bad_reply, "the stream broke: " + piece->error.message());
  }

 private:
  /// One read of a stream that may wait for long.
  struct Piece {
    std::array<char, 16384> bytes{};
    beast::error_code error;
    std::size_t size = 0;
    bool done = false;
  };

  Status ready() {
    auto connected = connect();
    if (!connected) stream_.reset();
    return connected;
  }

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
    if constexpr (secured) {
      stream_.emplace(context_, *tls_);
    } else {
      stream_.emplace(context_);
    }
    buffer_.clear();
    boost::system::error_code error;
    asio::ip::tcp::resolver resolver(context_);
    const auto endpoints = resolver.resolve(options_.host, std::to_string(options_.port), error);
    if (error) return fail(Errc::cannot_connect, where + ": " + error.message());
    error = wait([&](auto done) { beast::get_lowest_layer(*stream_).async_connect(endpoints, done); });
    if (error) return fail(Errc::cannot_connect, where + ": " + error.message() + "; does it run there?");
    boost::system::error_code ignored;
    static_cast<void>(
        beast::get_lowest_layer(*stream_).socket().set_option(asio::ip::tcp::no_delay(true), ignored));
    if constexpr (secured) return secure(where);
    return {};
  }

  Status secure(const std::string& where) {
    boost::system::error_code ignored;
    if (!name_server(stream_->native_handle(), options_.server_name)) {
      return fail(Errc::cannot_connect, where + ": server name " + options_.server_name + " cannot be sent");
    }
    stream_->set_verify_callback(asio::ssl::host_name_verification(options_.server_name), ignored);
    const beast::error_code error =
        wait([&](auto done) { stream_->async_handshake(asio::ssl::stream_base::client, done); });
    if (error) return fail(Errc::cannot_connect, where + ": TLS: " + error.message());
    return {};
  }

  using Message = beast::http::request<beast::http::string_body>;
  using Answer = beast::http::response<beast::http::string_body>;

  [[nodiscard]] Message message_of(const Request& request) const {
    namespace http = beast::http;
    Message message;
    message.method_string(request.method);
    message.target(request.target);
    message.version(11);
    message.set(http::field::host, options_.server_name);
    if (!request.body.empty()) {
      message.set(http::field::content_type,
                  request.content_type.empty() ? "application/json" : request.content_type);
    }
    if (!request.accept.empty()) message.set(http::field::accept, request.accept);
    if (!request.idempotency_key.empty()) message.set("Idempotency-Key", request.idempotency_key);
    if (!request.last_event_id.empty()) message.set("Last-Event-ID", request.last_event_id);
    message.body() = request.body;
    message.prepare_payload();
    return message;
  }

  static tl::unexpected<Error> lost(const Request& request, const beast::error_code& error) {
    return fail(Errc::bad_reply, request.method + " " + request.target + ": " + error.message() +
                                     "; the same request with the same key may be sent again");
  }

  static ClientReply reply_of(Answer answer) {
    return {.status = answer.result_int(),
            .content_type = std::string(answer[beast::http::field::content_type]),
            .retry_after = std::string(answer[beast::http::field::retry_after]),
            .body = std::move(answer.body())};
  }

  Result<ClientReply> exchange(const Request& request) {
    namespace http = beast::http;
    const Message message = message_of(request);
    beast::error_code error = wait([&](auto done) { http::async_write(*stream_, message, done); });
    if (error) return lost(request, error);
    http::response_parser<http::string_body> parser;
    parser.body_limit(std::uint64_t{64} << 20);
    error = wait([&](auto done) { http::async_read(*stream_, buffer_, parser, done); });
    if (error) return lost(request, error);
    auto answer = parser.release();
    keep_alive_ = answer.keep_alive();
    return reply_of(std::move(answer));
  }

  /// The head of a reply without an end; what was received behind it stays in the buffer.
  Result<ClientReply> ask_for_stream(const Request& request) {
    namespace http = beast::http;
    const Message message = message_of(request);
    beast::error_code error = wait([&](auto done) { http::async_write(*stream_, message, done); });
    if (error) return lost(request, error);
    http::response_parser<http::string_body> parser;
    error = wait([&](auto done) { http::async_read_header(*stream_, buffer_, parser, done); });
    if (!error && parser.get().result_int() != 200)
      error = wait([&](auto done) { http::async_read(*stream_, buffer_, parser, done); });
    if (error) return lost(request, error);
    return reply_of(parser.release());
  }

  static constexpr bool secured = std::is_same_v<Stream, TlsStream>;
  ClientOptions options_;
  std::shared_ptr<asio::ssl::context> tls_;  // null: plain
  asio::io_context context_;
  std::optional<Stream> stream_;
  beast::flat_buffer buffer_;
  std::shared_ptr<Piece> piece_;  // under way
  bool keep_alive_ = true;
};

}  // namespace

Result<std::unique_ptr<Client>> Client::create(ClientOptions options) {
  if (!options.tls)
    return std::unique_ptr<Client>(std::make_unique<BeastClient<PlainStream>>(std::move(options), nullptr));
  TALLA_TRY(auto tls, make_tls_context(Side::client, options.files));
  return std::unique_ptr<Client>(
      std::make_unique<BeastClient<TlsStream>>(std::move(options), std::move(tls)));
}

}  // namespace talla::http
