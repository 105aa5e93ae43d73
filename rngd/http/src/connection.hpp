/// \file
/// One HTTP connection over a Beast stream, plain or TLS: read a request, hand it on, write its reply,
/// repeat.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include "http/message.hpp"
#include "http/server.hpp"
#include "tls.hpp"

namespace talla::http {

namespace beast = boost::beast;
namespace asio = boost::asio;
using PlainStream = beast::tcp_stream;
using TlsStream = beast::ssl_stream<beast::tcp_stream>;

struct Shared {
  Handler handler;
  std::chrono::seconds idle;
  std::atomic<unsigned> connections{0};
};

template <class Stream>
class Connection final : public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(Stream stream, std::shared_ptr<Shared> shared)
      : stream_(std::move(stream)), shared_(std::move(shared)), timer_(stream_.get_executor()) {
    shared_->connections.fetch_add(1);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { shared_->connections.fetch_sub(1); }

  void start() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      beast::get_lowest_layer(stream_).expires_after(shared_->idle);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](beast::error_code error) {
                                if (error) return;
                                self->peer_ = peer_of(self->stream_.native_handle());
                                self->read();
                              });
    } else {
      read();
    }
  }

 private:
  static constexpr std::size_t head_max = 16 * 1024;
  static constexpr std::size_t body_max = 1024 * 1024;
  using Parser = beast::http::request_parser<beast::http::string_body>;
  using Answer = beast::http::response<beast::http::string_body>;

  void read() {
    parser_.emplace();
    parser_->header_limit(head_max);
    parser_->body_limit(body_max);
    beast::get_lowest_layer(stream_).expires_after(shared_->idle);
    beast::http::async_read(stream_, buffer_, *parser_,
                            [self = this->shared_from_this()](beast::error_code error, std::size_t /*size*/) {
                              self->on_read(error);
                            });
  }

  void on_read(beast::error_code error) {
    namespace http = beast::http;
    if (error == http::error::body_limit)
      return refuse(413, "body_too_large", "the body may have at most 1 MiB");
    if (error == http::error::header_limit)
      return refuse(431, "head_too_large", "the head may have at most 16 KiB");
    if (error == http::error::end_of_stream) return close();
    if (error.category() == http::make_error_code(http::error::end_of_stream).category()) {
      return refuse(400, "malformed_http", error.message());
    }
    if (error) return;
    const auto& message = parser_->get();
    keep_alive_ = message.keep_alive();
    Request request{.method = std::string(message.method_string()),
                    .target = std::string(message.target()),
                    .idempotency_key = std::string(message["Idempotency-Key"]),
                    .accept = std::string(message[http::field::accept]),
                    .last_event_id = std::string(message["Last-Event-ID"]),
                    .body = std::move(parser_->get().body()),
                    .peer = peer_};
    beast::get_lowest_layer(stream_).expires_never();
    shared_->handler(std::move(request), [self = this->shared_from_this(),
                                          done = std::make_shared<std::atomic_flag>()](Reply reply) {
      if (done->test_and_set()) return;
      asio::dispatch(self->stream_.get_executor(),
                     [self, reply = std::move(reply)]() mutable { self->write(std::move(reply)); });
    });
  }

  void refuse(unsigned status, const char* code, const std::string& detail) {
    keep_alive_ = false;
    drain_left_ = drain_max;
    std::string plain;
    for (const char c : detail) plain += c == '"' || c == '\\' || c < ' ' ? ' ' : c;
    write({.status = status,
           .content_type = "application/problem+json",
           .headers = {},
           .body = std::string(R"({"code":")") + code + R"(","detail":")" + plain +
                   R"(","retry":"never","status":)" + std::to_string(status) + R"(,"title":")" + code +
                   R"(","type":"urn:talla:problem:)" + code + R"("})",
           .feed = nullptr});
  }

  void write(Reply reply) {
    namespace http = beast::http;
    answer_.emplace();
    answer_->result(reply.status);
    answer_->version(11);
    answer_->set(http::field::content_type, reply.content_type);
    answer_->set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : reply.headers) answer_->set(name, value);
    beast::get_lowest_layer(stream_).expires_after(shared_->idle);
    if (reply.feed) return stream_events(std::move(reply.feed));
    answer_->keep_alive(keep_alive_);
    answer_->body() = std::move(reply.body);
    answer_->prepare_payload();
    http::async_write(stream_, *answer_,
                      [self = this->shared_from_this()](beast::error_code error, std::size_t /*size*/) {
                        if (error) return;
                        if (self->keep_alive_) return self->read();
                        self->drain();
                      });
  }

  /// What a refused client is still sending is read and dropped, within bounds: closing on unread bytes would reset
  /// the connection and take the refusal away from it.
  void drain() {
    if (drain_left_ == 0) return close();
    beast::get_lowest_layer(stream_).expires_after(std::chrono::seconds(2));
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(drain_step),
                            [self = this->shared_from_this()](beast::error_code error, std::size_t size) {
                              self->drain_left_ -= std::min(self->drain_left_, size);
                              if (error) return;
                              self->drain();
                            });
  }

  void stream_events(std::shared_ptr<EventFeed> feed) {
    feed_ = std::move(feed);
    text_ =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: "
        "close\r\n\r\n";
    std::weak_ptr<Connection> weak = this->weak_from_this();
    feed_->watch([weak] {
      if (auto self = weak.lock()) {
        asio::post(self->stream_.get_executor(), [self] { self->wake_events(); });
      }
    });
    write_events();
  }

  /// There may be more to send; while something is being sent it is remembered.
  void wake_events() {
    more_events_ = true;
    if (events_idle_) timer_.cancel();
  }

  void write_events() {
    beast::get_lowest_layer(stream_).expires_after(shared_->idle);
    asio::async_write(stream_, asio::buffer(text_),
                      [self = this->shared_from_this()](beast::error_code error, std::size_t /*size*/) {
                        if (!error) self->next_events();
                      });
  }

  void next_events() {
    more_events_ = false;
    text_ = feed_->next();
    if (!text_.empty()) return write_events();
    beast::get_lowest_layer(stream_).expires_never();
    events_idle_ = true;
    timer_.expires_after(heartbeat);
    timer_.async_wait([self = this->shared_from_this()](beast::error_code /*error*/) { self->end_idle(); });
  }

  void end_idle() {
    events_idle_ = false;
    if (more_events_) return next_events();
    text_ = ":\n\n";  // a comment keeps proxies and dead peers honest
    write_events();
  }

  void close() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      beast::get_lowest_layer(stream_).expires_after(std::chrono::seconds(2));
      stream_.async_shutdown([self = this->shared_from_this()](beast::error_code /*error*/) {});
    } else {
      beast::error_code ignored;
      static_cast<void>(stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored));
    }
  }

  static constexpr std::size_t drain_max = 4 * body_max;
  static constexpr std::size_t drain_step = 64 * 1024;
  static constexpr auto heartbeat = std::chrono::seconds(10);  // of silence
  Stream stream_;
  std::shared_ptr<Shared> shared_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::optional<Answer> answer_;
  std::shared_ptr<EventFeed> feed_;
  std::string text_;
  Peer peer_;
  std::size_t drain_left_ = 0;  // bytes of a refused request still read before the connection ends
  bool events_idle_ = false;    // the feed had nothing, and the timer runs
  bool more_events_ = false;    // the feed was woken since it was last asked
  bool keep_alive_ = true;
};

}  // namespace talla::http
