#include "http/client.hpp"

#include <algorithm>
#include <array>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include "client_stream.hpp"
#include "tls.hpp"

namespace talla::http {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

/// A line of a request holds what it says and no end of line: nothing that is sent can grow a field
/// or a request of its own.
Status sendable(const Request& request) {
  const auto printable = [](std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != 0x7F; });
  };
  const bool words = !request.method.empty() && !request.target.empty() &&
                     (request.method + request.target).find(' ') == std::string::npos;
  if (words && printable(request.method) && printable(request.target) &&
      printable(request.content_type) && printable(request.authorization) &&
      printable(request.accept) && printable(request.accept_language) &&
      printable(request.idempotency_key) && printable(request.last_event_id)) {
    return {};
  }
  return fail(Errc::bad_request,
              "a request's method, path and fields are words without control characters");
}

class BeastClient final : public Client {
 public:
  BeastClient(ClientOptions options, std::shared_ptr<asio::ssl::context> tls)
      : options_(std::move(options)), tls_(std::move(tls)) {}

  Result<ClientReply> send(const Request& request) override {
    TALLA_TRY_STATUS(sendable(request));
    if (piece_) end();
    if (!stream_) TALLA_TRY_STATUS(ready());
    auto reply = exchange(request);
    if (!reply || !keep_alive_) stream_.reset();
    return reply;
  }

  Result<ClientReply> listen(const Request& request) override {
    TALLA_TRY_STATUS(sendable(request));
    end();
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
      stream_->tcp().expires_never();
      stream_->read_some(asio::buffer(piece_->bytes),
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

  /// A read under way ends before its stream goes: it works on it.
  void end() {
    if (piece_ && !piece_->done) {
      stream_->tcp().close();
      context_.restart();
      context_.run();
    }
    piece_.reset();
    stream_.reset();
  }

  Status ready() {
    auto connected = connect();
    if (!connected) stream_.reset();
    return connected;
  }

  /// What Beast reads from: each call is one step of the stream, run to its end.
  struct Blocking {
    BeastClient& client;

    template <class Buffers>
    std::size_t read_some(const Buffers& to, beast::error_code& error) {
      const asio::mutable_buffer room = *asio::buffer_sequence_begin(to);
      return client.run(
          [&](ClientStream::Done done) { client.stream_->read_some(room, std::move(done)); },
          error);
    }
    /// Of Beast's concept of a stream; it calls the other one.
    template <class Buffers>
    std::size_t read_some(const Buffers& to);
  };

  /// Runs one asynchronous step to its end, so that the stream's own time limit holds.
  template <class Step>
  std::size_t run(const Step& step, beast::error_code& outcome) {
    std::size_t moved = 0;
    step([&](beast::error_code error, std::size_t size) {
      outcome = error;
      moved = size;
    });
    context_.restart();
    context_.run();
    return moved;
  }

  /// From now on the steps may take so long together.
  void limit_time() {
    stream_->tcp().expires_after(std::chrono::seconds(options_.timeout_seconds));
  }

  Status connect() {
    const std::string where = options_.host + ":" + std::to_string(options_.port);
    stream_ = tls_ ? make_tls_stream(context_, *tls_) : make_plain_stream(context_);
    buffer_.clear();
    boost::system::error_code error;
    asio::ip::tcp::resolver resolver(context_);
    const auto endpoints = resolver.resolve(options_.host, std::to_string(options_.port), error);
    if (error) return fail(Errc::cannot_connect, where + ": " + error.message());
    limit_time();
    run([&](ClientStream::Done done) { http::connect(stream_->tcp(), endpoints, std::move(done)); },
        error);
    if (error)
      return fail(Errc::cannot_connect, where + ": " + error.message() + "; does it run there?");
    boost::system::error_code ignored;
    static_cast<void>(stream_->tcp().socket().set_option(asio::ip::tcp::no_delay(true), ignored));
    if (!stream_->expect(options_.server_name)) {
      return fail(Errc::cannot_connect,
                  where + ": server name " + options_.server_name + " cannot be sent");
    }
    limit_time();
    run([&](ClientStream::Done done) { stream_->secure(std::move(done)); }, error);
    if (error) return fail(Errc::cannot_connect, where + ": TLS: " + error.message());
    return {};
  }

  using Answer = beast::http::response<beast::http::string_body>;

  [[nodiscard]] std::string text_of(const Request& request) const {
    std::string text = request.method + " " + request.target +
                       " HTTP/1.1\r\nHost: " + options_.server_name + "\r\n";
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) text.append(name).append(": ").append(value).append("\r\n");
    };
    if (!request.body.empty())
      add("Content-Type", request.content_type.empty() ? "application/json" : request.content_type);
    add("Accept", request.accept);
    add("Authorization", request.authorization);
    add("Accept-Language", request.accept_language);
    add("Idempotency-Key", request.idempotency_key);
    add("Last-Event-ID", request.last_event_id);
    if (!request.body.empty() || request.method == "POST" || request.method == "PUT")
      add("Content-Length", std::to_string(request.body.size()));
    return text + "\r\n" + request.body;
  }

  static tl::unexpected<Error> lost(const Request& request, const beast::error_code& error) {
    return fail(Errc::bad_reply, request.method + " " + request.target + ": " + error.message() +
                                     "; the same request with the same key may be sent again");
  }

  static ClientReply reply_of(Answer answer) {
    return {.status = answer.result_int(),
            .content_type = std::string(answer[beast::http::field::content_type]),
            .retry_after = std::string(answer[beast::http::field::retry_after]),
            .link = std::string(answer[beast::http::field::link]),
            .body = std::move(answer.body())};
  }

  beast::error_code write(const Request& request) {
    const std::string text = text_of(request);
    beast::error_code error;
    limit_time();
    run([&](ClientStream::Done done) { stream_->write(asio::buffer(text), std::move(done)); },
        error);
    return error;
  }

  template <class Parser>
  beast::error_code read(Parser& parser) {
    beast::error_code error;
    limit_time();
    Blocking blocking{*this};
    beast::http::read(blocking, buffer_, parser, error);
    return error;
  }

  Result<ClientReply> exchange(const Request& request) {
    namespace http = beast::http;
    beast::error_code error = write(request);
    if (error) return lost(request, error);
    http::response_parser<http::string_body> parser;
    parser.body_limit(std::uint64_t{64} << 20);
    error = read(parser);
    if (error) return lost(request, error);
    auto answer = parser.release();
    keep_alive_ = answer.keep_alive();
    return reply_of(std::move(answer));
  }

  /// The head of a reply without an end; what was received behind it stays in the buffer.
  Result<ClientReply> ask_for_stream(const Request& request) {
    namespace http = beast::http;
    beast::error_code error = write(request);
    if (error) return lost(request, error);
    http::response_parser<http::string_body> parser;
    limit_time();
    Blocking blocking{*this};
    http::read_header(blocking, buffer_, parser, error);
    if (!error && parser.get().result_int() != 200) error = read(parser);
    if (error) return lost(request, error);
    return reply_of(parser.release());
  }

  ClientOptions options_;
  std::shared_ptr<asio::ssl::context> tls_;  // null: plain
  asio::io_context context_;
  std::unique_ptr<ClientStream> stream_;
  beast::flat_buffer buffer_;
  std::shared_ptr<Piece> piece_;  // under way
  bool keep_alive_ = true;
};

}  // namespace

Result<std::unique_ptr<Client>> Client::create(ClientOptions options) {
  std::shared_ptr<asio::ssl::context> tls;
  if (options.tls) {
    TALLA_TRY(tls, make_tls_context(Side::client, options.files));
  }
  return std::unique_ptr<Client>(std::make_unique<BeastClient>(std::move(options), std::move(tls)));
}

}  // namespace talla::http
