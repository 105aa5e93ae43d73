/// \file
/// One HTTP connection over a stream, plain or TLS: read a request, hand it on, write its reply,
/// repeat.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "deadline.hpp"
#include "event_writer.hpp"
#include "http/message.hpp"
#include "reply_text.hpp"
#include "request_head.hpp"
#include "serving.hpp"
#include "tls.hpp"
#include "tls_socket.hpp"

namespace talla::http {

namespace beast = boost::beast;
namespace asio = boost::asio;

template <class Stream>
class Connection final : public Occupant, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  /// What the stream is made of comes last.
  template <class... Parts>
  Connection(std::shared_ptr<Shared> shared, std::shared_ptr<const Names> names, Parts&&... parts)
      : stream_(std::forward<Parts>(parts)...),
        shared_(std::move(shared)),
        names_(std::move(names)),
        deadline_(stream_.get_executor()),
        events_(stream_, deadline_, shared_->idle) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override { shared_->places.leave(this); }

  /// Once it has entered the places. Who is not known within its time is cut, however it spends it.
  void start() {
    deadline_.watch(this->weak_from_this(), [this] {
      if (!known_) ++shared_->traffic->strangers_late;
      abort();
    });
    deadline_.set(shared_->stranger);
    if constexpr (is_tls) {
      stream_.async_wait_bytes([self = this->shared_from_this()](beast::error_code error) {
        if (!error && !self->ending_) self->begin_handshake();
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
      if (!self->answering_ || self->events_.is_started()) self->abort();
    });
  }

  void cut() override {
    asio::post(stream_.get_executor(), [weak = this->weak_from_this()] {
      const auto self = weak.lock();
      if (!self) return;
      self->ending_ = true;
      self->abort();
    });
  }

 private:
  static constexpr bool is_tls = std::is_same_v<Stream, TlsSocket>;
  static constexpr std::size_t head_max = 16 * 1024;
  static constexpr std::size_t body_max = 1024 * 1024;
  using Parser = beast::http::request_parser<beast::http::string_body>;

  /// Its caller has said something. What a handshake costs is spent from here on.
  void begin_handshake()
    requires is_tls
  {
    if (!shared_->places.speaks(this, true)) return abort();
    stream_.async_handshake(
        [self = this->shared_from_this()](beast::error_code error, std::size_t /*size*/) {
          if (error || self->ending_) return;
          self->peer_ = peer_of(self->stream_.native_handle());
          if (self->shared_->certificates && !self->is_let_in()) return;
          self->read();
        });
  }

  /// From now on it is known, by its certificate or its address; else it has been refused.
  bool is_let_in() {
    const auto full = shared_->places.settle(this, peer_.spki);
    if (full) {
      refuse(429, "too_many_connections",
             "the connections of this " + std::string(share_name(*full)) + " are all taken");
      return false;
    }
    known_ = true;
    return true;
  }

  void read() {
    answering_ = false;
    this->rest();
    parser_.emplace();
    parser_->header_limit(head_max);
    parser_->body_limit(body_max);
    parser_->eager(true);
    looked_at_ = 0;
    if (known_) deadline_.set(shared_->idle);
    read_head();
  }

  /// The head is looked at as a whole, before anything is made of it.
  void read_head() {
    const std::string_view text(static_cast<const char*>(buffer_.data().data()), buffer_.size());
    const std::size_t size = head_size(text, looked_at_);
    looked_at_ = text.size();
    if (std::max(size, size == 0 ? text.size() : 0) > head_max)
      return refuse(431, "head_too_large", "the head may have at most 16 KiB");
    if (size == 0) return read_more([](Connection& self) { self.read_head(); });
    const auto fault = head_fault(text.substr(0, size));
    if (!fault.empty()) {
      ++shared_->traffic->malformed;
      return refuse(400, "malformed_http", fault);
    }
    parse();
  }

  /// Some bytes more, then the next step.
  void read_more(void (*then)(Connection&)) {
    stream_.async_read_some(
        buffer_.prepare(read_step),
        [self = this->shared_from_this(), then](beast::error_code error, std::size_t size) {
          if (error == asio::error::eof && self->buffer_.size() == 0 && !self->parser_->got_some())
            return self->close();
          if (error == asio::error::eof)
            return self->refuse(400, "malformed_http", "the connection ended within a request");
          if (error) return;
          self->buffer_.commit(size);
          if (!is_tls && !self->known_)
            static_cast<void>(self->shared_->places.speaks(self.get(), false));
          then(*self);
        });
  }

  void parse() {
    namespace http = beast::http;
    beast::error_code error;
    while (!parser_->is_done() && buffer_.size() > 0) {
      const std::size_t used = parser_->put(buffer_.data(), error);
      buffer_.consume(used);
      if (error == http::error::need_more) error = {};
      if (error || used == 0) break;
    }
    if (error == http::error::body_limit)
      return refuse(413, "body_too_large", "the body may have at most 1 MiB");
    if (error) {
      ++shared_->traffic->malformed;
      return refuse(400, "malformed_http", error.message());
    }
    if (!parser_->is_done()) return read_more([](Connection& self) { self.parse(); });
    answer();
  }

  void answer() {
    namespace http = beast::http;
    const auto& message = parser_->get();
    const auto text = [&message](auto name) { return std::string(message[name]); };
    if (!known_ && !is_let_in()) return;
    if (names_ && !is_named(message[http::field::host], *names_)) {
      ++shared_->traffic->misdirected;
      return refuse(421, "misdirected_request", "Host must be " + alternatives(*names_));
    }
    keep_alive_ = message.keep_alive() && !ending_;
    answering_ = true;
    this->work();
    Request request{.method = std::string(message.method_string()),
                    .target = std::string(message.target()),
                    .idempotency_key = text("Idempotency-Key"),
                    .accept = text(http::field::accept),
                    .last_event_id = text("Last-Event-ID"),
                    .body = std::move(parser_->get().body()),
                    .peer = peer_,
                    .content_type = text(http::field::content_type),
                    .accept_language = text(http::field::accept_language),
                    .host = text(http::field::host),
                    .origin = text(http::field::origin),
                    .fetch_site = text("Sec-Fetch-Site"),
                    .fetch_mode = text("Sec-Fetch-Mode"),
                    .fetch_dest = text("Sec-Fetch-Dest"),
                    .authorization = text(http::field::authorization)};
    deadline_.drop();
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
    write(refusal(status, code, detail));
  }

  void write(Reply reply) {
    keep_alive_ = keep_alive_ && !ending_;
    if (ending_ && reply.feed) return abort();
    if (reply.feed) {
      if (const auto full = shared_->places.stream(this))
        return refuse(429, "too_many_streams",
                      "the streams of this " + std::string(share_name(*full)) + " are all taken");
    }
    text_ = head_of(reply);
    if (known_) deadline_.set(shared_->idle);
    if (reply.feed) {
      text_ += "Connection: close\r\n\r\n";
      return events_.start(this->weak_from_this(), std::move(reply.feed), std::move(text_));
    }
    text_ += "Content-Length: " + std::to_string(reply.body.size());
    text_ += keep_alive_ ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n";
    text_ += reply.body;
    asio::async_write(
        stream_, asio::buffer(text_),
        [self = this->shared_from_this()](beast::error_code error, std::size_t /*size*/) {
          if (error) return;
          if (self->keep_alive_ && !self->ending_) return self->read();
          self->rest();
          self->deadline_.set(std::chrono::seconds(2));
          self->drain();
        });
  }

  /// What a refused client is still sending is read and dropped, within bounds of size and time:
  /// closing on unread bytes would reset the connection and take the refusal away from it.
  void drain() {
    if (drain_left_ == 0) return close();
    buffer_.clear();
    stream_.async_read_some(
        buffer_.prepare(drain_step),
        [self = this->shared_from_this()](beast::error_code error, std::size_t size) {
          self->drain_left_ -= std::min(self->drain_left_, size);
          if (error) return;
          self->drain();
        });
  }

  void close() {
    if constexpr (is_tls) {
      deadline_.set(std::chrono::seconds(2));
      stream_.async_shutdown([self = this->shared_from_this()](beast::error_code, std::size_t) {});
    } else {
      beast::error_code ignored;
      static_cast<void>(stream_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored));
    }
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
  static constexpr std::size_t read_step = 16 * 1024;
  Stream stream_;
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<const Names> names_;  // null: Host may say anything
  Deadline deadline_;
  EventWriter<Stream> events_;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::string text_;  // what is being sent
  Peer peer_;
  std::size_t drain_left_ = 0;  // bytes of a refused request still read before the connection ends
  std::size_t looked_at_ = 0;   // bytes of the buffer in which the end of a head was looked for
  bool known_ = false;          // it has a place of its own
  bool keep_alive_ = true;
  bool answering_ = false;  // from a whole request to the end of its reply
  bool ending_ = false;     // no request is taken any more
};

}  // namespace talla::http
