/// \file
/// One HTTP connection over a stream, plain or TLS: read a request, hand it on, write its reply,
/// repeat.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "http/message.hpp"
#include "serving.hpp"
#include "tls.hpp"
#include "tls_socket.hpp"

namespace talla::http {

namespace beast = boost::beast;
namespace asio = boost::asio;

template <class Stream>
class Connection final : public Endable, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  /// What the stream is made of comes last.
  template <class... Parts>
  explicit Connection(std::shared_ptr<Shared> shared, Parts&&... parts)
      : stream_(std::forward<Parts>(parts)...),
        shared_(std::move(shared)),
        timer_(stream_.get_executor()),
        deadline_timer_(stream_.get_executor()) {
    shared_->connections.fetch_add(1);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override {
    shared_->open.remove(this);
    shared_->connections.fetch_sub(1);
  }

  void start() {
    if constexpr (is_tls) {
      expires_after(shared_->idle);
      stream_.async_handshake(
          [self = this->shared_from_this()](beast::error_code error, std::size_t /*size*/) {
            if (error || self->ending_) return;
            self->peer_ = peer_of(self->stream_.native_handle());
            self->read();
          });
    } else {
      read();
    }
  }

  void end_soon() override {
    asio::post(stream_.get_executor(), [weak = this->weak_from_this()] {
      const auto self = weak.lock();
      if (!self) return;
      self->ending_ = true;
      if (!self->answering_ || self->feed_) self->abort();
    });
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr bool is_tls = std::is_same_v<Stream, TlsSocket>;
  static constexpr std::size_t head_max = 16 * 1024;
  static constexpr std::size_t body_max = 1024 * 1024;
  using Parser = beast::http::request_parser<beast::http::string_body>;

  void read() {
    answering_ = false;
    parser_.emplace();
    parser_->header_limit(head_max);
    parser_->body_limit(body_max);
    expires_after(shared_->idle);
    beast::http::async_read(
        stream_, buffer_, *parser_,
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
    keep_alive_ = message.keep_alive() && !ending_;
    answering_ = true;
    Request request{.method = std::string(message.method_string()),
                    .target = std::string(message.target()),
                    .idempotency_key = std::string(message["Idempotency-Key"]),
                    .accept = std::string(message[http::field::accept]),
                    .last_event_id = std::string(message["Last-Event-ID"]),
                    .body = std::move(parser_->get().body()),
                    .peer = peer_,
                    .content_type = {},
                    .accept_language = std::string(message[http::field::accept_language])};
    expires_never();
    shared_->handler(
        std::move(request), [self = this->shared_from_this(),
                             done = std::make_shared<std::atomic_flag>()](Reply reply) {
          if (done->test_and_set()) return;
          asio::dispatch(self->stream_.get_executor(), [self, reply = std::move(reply)]() mutable {
            self->write(std::move(reply));
          });
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
                   R"(","retry":"never","status":)" + std::to_string(status) + R"(,"title":")" +
                   code + R"(","type":"urn:talla:problem:)" + code + R"("})",
           .feed = nullptr});
  }

  void write(Reply reply) {
    keep_alive_ = keep_alive_ && !ending_;
    if (ending_ && reply.feed) return abort();
    text_ = head_of(reply);
    expires_after(shared_->idle);
    if (reply.feed) return stream_events(std::move(reply.feed));
    text_ += "Content-Length: " + std::to_string(reply.body.size());
    text_ += keep_alive_ ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n";
    text_ += reply.body;
    asio::async_write(
        stream_, asio::buffer(text_),
        [self = this->shared_from_this()](beast::error_code error, std::size_t /*size*/) {
          if (error) return;
          if (self->keep_alive_ && !self->ending_) return self->read();
          self->drain();
        });
  }

  /// Status line and headers up to those that tell where the body ends.
  static std::string head_of(const Reply& reply) {
    std::string head = "HTTP/1.1 " + std::to_string(reply.status) + ' ';
    head += beast::http::obsolete_reason(beast::http::int_to_status(reply.status));
    head += "\r\nContent-Type: " + (reply.feed ? "text/event-stream" : reply.content_type) +
            "\r\nCache-Control: no-store\r\n";
    for (const auto& [name, value] : reply.headers) head += name + ": " + value + "\r\n";
    return head;
  }

  /// What a refused client is still sending is read and dropped, within bounds: closing on unread
  /// bytes would reset the connection and take the refusal away from it.
  void drain() {
    if (drain_left_ == 0) return close();
    expires_after(std::chrono::seconds(2));
    buffer_.clear();
    stream_.async_read_some(
        buffer_.prepare(drain_step),
        [self = this->shared_from_this()](beast::error_code error, std::size_t size) {
          self->drain_left_ -= std::min(self->drain_left_, size);
          if (error) return;
          self->drain();
        });
  }

  void stream_events(std::shared_ptr<EventFeed> feed) {
    feed_ = std::move(feed);
    text_ += "Connection: close\r\n\r\n";
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
    expires_after(shared_->idle);
    asio::async_write(
        stream_, asio::buffer(text_),
        [self = this->shared_from_this()](beast::error_code error, std::size_t /*size*/) {
          if (!error) self->next_events();
        });
  }

  void next_events() {
    more_events_ = false;
    text_ = feed_->next();
    if (!text_.empty()) return write_events();
    expires_never();
    events_idle_ = true;
    timer_.expires_after(heartbeat);
    timer_.async_wait(
        [self = this->shared_from_this()](beast::error_code /*error*/) { self->end_idle(); });
  }

  void end_idle() {
    events_idle_ = false;
    if (more_events_) return next_events();
    text_ = ":\n\n";  // a comment keeps proxies and dead peers honest
    write_events();
  }

  void close() {
    if constexpr (is_tls) {
      expires_after(std::chrono::seconds(2));
      stream_.async_shutdown([self = this->shared_from_this()](beast::error_code, std::size_t) {});
    } else {
      beast::error_code ignored;
      static_cast<void>(stream_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored));
    }
  }

  /// From then on the connection is cut. The timer is not moved for each request: when it fires it
  /// looks what counts now.
  void expires_after(std::chrono::seconds time) {
    deadline_ = Clock::now() + time;
    if (deadline_ < next_look_) look_at_deadline();
  }
  void expires_never() { deadline_ = Clock::time_point::max(); }

  void look_at_deadline() {
    next_look_ = deadline_;
    deadline_timer_.expires_at(deadline_);
    deadline_timer_.async_wait([weak = this->weak_from_this()](beast::error_code error) {
      const auto self = weak.lock();
      if (!error && self) self->on_deadline();
    });
  }

  void on_deadline() {
    next_look_ = Clock::time_point::max();
    if (deadline_ == Clock::time_point::max()) return;
    if (Clock::now() < deadline_) return look_at_deadline();
    abort();
  }

  void abort() {
    if constexpr (is_tls) {
      stream_.abort();
    } else {
      beast::error_code ignored;
      static_cast<void>(stream_.close(ignored));
    }
  }

  static constexpr std::size_t drain_max = 4 * body_max;
  static constexpr std::size_t drain_step = 64 * 1024;
  static constexpr auto heartbeat = std::chrono::seconds(10);  // of silence
  Stream stream_;
  std::shared_ptr<Shared> shared_;
  asio::steady_timer timer_;  // of the heartbeat
  asio::steady_timer deadline_timer_;
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point next_look_ = Clock::time_point::max();  // when the timer fires, if ever
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::shared_ptr<EventFeed> feed_;
  std::string text_;  // what is being sent
  Peer peer_;
  std::size_t drain_left_ = 0;  // bytes of a refused request still read before the connection ends
  bool events_idle_ = false;    // the feed had nothing, and the timer runs
  bool more_events_ = false;    // the feed was woken since it was last asked
  bool keep_alive_ = true;
  bool answering_ = false;  // from a whole request to the end of its reply
  bool ending_ = false;     // no request is taken any more
};

}  // namespace talla::http
