/// \file
/// Sends the events of one feed over a connection's stream, and a sign of life when there are
/// none, until the stream fails or is cut. Private to http.
///
/// Threads: all on the executor's strand.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "deadline.hpp"
#include "http/message.hpp"

namespace talla::http {

template <class Stream>
class EventWriter {
 public:
  /// `owner`, of which stream, deadline and writer are parts, is kept while something is under way.
  /// A write may take `idle`.
  EventWriter(Stream& stream, Deadline& deadline, std::chrono::seconds idle)
      : stream_(stream), deadline_(deadline), idle_(idle), timer_(stream.get_executor()) {}

  /// Once. `head` goes before the first event.
  void start(std::weak_ptr<void> owner, std::shared_ptr<EventFeed> feed, std::string head) {
    owner_ = std::move(owner);
    feed_ = std::move(feed);
    text_ = std::move(head);
    feed_->watch([this, weak = owner_] {
      if (auto self = weak.lock()) {
        boost::asio::post(stream_.get_executor(), [this, self] { wake(); });
      }
    });
    write();
  }
  [[nodiscard]] bool is_started() const { return feed_ != nullptr; }

 private:
  using ErrorCode = boost::system::error_code;
  static constexpr auto heartbeat = std::chrono::seconds(10);  // of silence

  /// There may be more to send; while something is being sent it is remembered.
  void wake() {
    more_ = true;
    if (waiting_) timer_.cancel();
  }

  void write() {
    deadline_.set(idle_);
    boost::asio::async_write(stream_, boost::asio::buffer(text_),
                             [this, self = owner_.lock()](ErrorCode error, std::size_t /*size*/) {
                               if (!error) next();
                             });
  }

  void next() {
    more_ = false;
    text_ = feed_->next();
    if (!text_.empty()) return write();
    deadline_.drop();
    waiting_ = true;
    timer_.expires_after(heartbeat);
    timer_.async_wait([this, self = owner_.lock()](ErrorCode /*error*/) { end_wait(); });
  }

  void end_wait() {
    waiting_ = false;
    if (more_) return next();
    text_ = ":\n\n";  // a comment keeps proxies and dead peers honest
    write();
  }

  Stream& stream_;
  Deadline& deadline_;
  const std::chrono::seconds idle_;
  boost::asio::steady_timer timer_;  // of the heartbeat
  std::weak_ptr<void> owner_;
  std::shared_ptr<EventFeed> feed_;
  std::string text_;      // what is being sent
  bool waiting_ = false;  // the feed had nothing, and the timer runs
  bool more_ = false;     // the feed was woken since it was last asked
};

}  // namespace talla::http
