/// \file
/// Many kept-alive HTTPS connections on one thread, as a load that costs little itself: OpenSSL
/// over sockets that do not block, epoll.
///
/// Threads: one Links and its Link objects belong to one thread. A broken connection or a reply
///          that cannot be read aborts: a bench has no use for half a load.
#pragma once

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace talla_bench {

[[noreturn]] inline void give_up(const std::string& why) {
  std::cerr << why << "\n";
  ERR_print_errors_fp(stderr);
  std::abort();
}

class Link {
 public:
  using OnReply = std::function<void(int status, std::string_view body)>;

  Link(int poll, std::uint16_t port, const std::string& own, const std::string& root)
      : poll_(poll) {
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()),
                                                              SSL_CTX_free);
    const bool good =
        SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION) == 1 &&
        SSL_CTX_use_certificate_chain_file(context.get(), (own + ".pem").c_str()) == 1 &&
        SSL_CTX_use_PrivateKey_file(context.get(), (own + ".key").c_str(), SSL_FILETYPE_PEM) == 1 &&
        SSL_CTX_load_verify_locations(context.get(), root.c_str(), nullptr) == 1;
    if (!good) give_up(own + ": no TLS with these files");
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) !=
        0)  // NOLINT: the sockets interface
      give_up("cannot connect");
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ssl_ = SSL_new(context.get());
    SSL_set_fd(ssl_, socket_);
    SSL_set1_host(ssl_, "localhost");
    SSL_clear_mode(
        ssl_, SSL_MODE_AUTO_RETRY);  // what is no data of HTTP (a ticket) does not wait for some
    if (SSL_connect(ssl_) != 1) give_up(own + ": TLS");
    struct epoll_event event {};
    event.events = EPOLLIN;
    event.data.ptr = this;
    if (::epoll_ctl(poll_, EPOLL_CTL_ADD, socket_, &event) != 0) give_up("epoll");
  }
  ~Link() {
    SSL_free(ssl_);
    ::close(socket_);
  }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  [[nodiscard]] bool busy() const { return static_cast<bool>(on_reply_); }
  void post(const std::string& path, const std::string& key, const std::string& body,
            OnReply on_reply) {
    if (busy()) give_up("two requests on one connection");
    on_reply_ = std::move(on_reply);
    const std::string text =
        "POST " + path +
        " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: " +
        key + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    // Small against the socket's room: a write that would block is none of these loads.
    if (SSL_write(ssl_, text.data(), static_cast<int>(text.size())) !=
        static_cast<int>(text.size()))
      give_up("cannot send");
  }
  /// Something can be read.
  void read() {
    for (;;) {
      std::array<char, 16384> piece{};
      const int size = SSL_read(ssl_, piece.data(), static_cast<int>(piece.size()));
      if (size <= 0 && SSL_get_error(ssl_, size) == SSL_ERROR_WANT_READ) return;
      if (size <= 0) give_up("the connection broke");
      text_.append(piece.data(), static_cast<std::size_t>(size));
      take();
      if (SSL_pending(ssl_) > 0) continue;
      char one = 0;
      if (::recv(socket_, &one, 1, MSG_PEEK | MSG_DONTWAIT) <= 0) return;
    }
  }

 private:
  void take() {
    const auto head = text_.find("\r\n\r\n");
    if (head == std::string::npos) return;
    constexpr std::string_view name = "Content-Length: ";
    const auto at = text_.find(name);
    std::size_t length = 0;
    if (at == std::string::npos || at > head)
      give_up("a reply without length:\n" + text_.substr(0, head));
    std::from_chars(text_.data() + at + name.size(), text_.data() + head, length);
    if (text_.size() < head + 4 + length) return;
    int status = 0;
    std::from_chars(text_.data() + 9, text_.data() + 12, status);
    const std::string reply = std::move(text_);
    text_.clear();
    const OnReply call = std::move(on_reply_);
    on_reply_ = nullptr;
    call(status, std::string_view(reply).substr(head + 4, length));
  }

  int poll_;
  int socket_ = -1;
  SSL* ssl_ = nullptr;
  std::string text_;
  OnReply on_reply_;
};

class Links {
 public:
  Links() : poll_(::epoll_create1(EPOLL_CLOEXEC)) {}
  ~Links() {
    all_.clear();
    ::close(poll_);
  }
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;
  Link& add(std::uint16_t port, const std::string& own, const std::string& root) {
    return *all_.emplace_back(std::make_unique<Link>(poll_, port, own, root));
  }
  [[nodiscard]] Link& at(std::size_t i) { return *all_[i]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  /// Reads what has come, waiting at most so long for it.
  void turn(int wait_ms) {
    std::array<struct epoll_event, 256> events{};
    const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), wait_ms);
    for (int i = 0; i < count; ++i)
      static_cast<Link*>(events.at(static_cast<std::size_t>(i)).data.ptr)->read();
  }

 private:
  int poll_;
  std::vector<std::unique_ptr<Link>> all_;
};

}  // namespace talla_bench
