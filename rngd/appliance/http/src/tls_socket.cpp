#include "tls_socket.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <cerrno>
#include <limits>
#include <new>

namespace talla::http {

namespace {

namespace asio = boost::asio;

bool later(ssize_t done) {
  return done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

int descriptor_of(BIO* bio) {
  return *static_cast<const int*>(BIO_get_data(bio));
}

// OpenSSL's own socket BIO writes with write(2): a peer that is gone would raise SIGPIPE.
int write_socket(BIO* bio, const char* from, int size) {
  BIO_clear_retry_flags(bio);
  const ssize_t done =
      ::send(descriptor_of(bio), from, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (later(done)) BIO_set_retry_write(bio);
  return static_cast<int>(done);
}

int read_socket(BIO* bio, char* to, int size) {
  BIO_clear_retry_flags(bio);
  const ssize_t done = ::recv(descriptor_of(bio), to, static_cast<std::size_t>(size), 0);
  if (later(done)) BIO_set_retry_read(bio);
  return static_cast<int>(done);
}

long control_socket(BIO* /*bio*/, int command, long /*number*/, void* /*pointer*/) {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

const BIO_METHOD* socket_method() {
  static const BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (made == nullptr) throw std::bad_alloc();
    BIO_meth_set_write(made, write_socket);
    BIO_meth_set_read(made, read_socket);
    BIO_meth_set_ctrl(made, control_socket);
    return made;
  }();
  return method;
}

int bounded(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

}  // namespace

TlsSocket::TlsSocket(asio::ip::tcp::socket socket, asio::ssl::context& context)
    : socket_(std::move(socket)),
      descriptor_(socket_.native_handle()),
      ssl_(SSL_new(context.native_handle())) {
  BIO* const bio = BIO_new(socket_method());
  if (!ssl_ || bio == nullptr) {
    BIO_free(bio);
    throw std::bad_alloc();
  }
  BIO_set_data(bio, &descriptor_);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_mode(ssl_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                               SSL_MODE_RELEASE_BUFFERS);
  SSL_set_read_ahead(ssl_.get(), 1);  // one call for a record's head and body
  ErrorCode ignored;
  static_cast<void>(socket_.native_non_blocking(true, ignored));
}

void TlsSocket::abort() {
  ErrorCode ignored;
  static_cast<void>(socket_.close(ignored));
}

template <class Call>
TlsSocket::Tried TlsSocket::tried(Call call) {
  if (!socket_.is_open())
    return {.error = asio::error::operation_aborted};  // its number may be another one's by now
  ERR_clear_error();
  errno = 0;
  const int done = call();
  if (done > 0) return {.size = static_cast<std::size_t>(done)};
  const int system = errno;
  switch (SSL_get_error(ssl_.get(), done)) {
    case SSL_ERROR_WANT_READ:
      return {.now = Now::wants_read};
    case SSL_ERROR_WANT_WRITE:
      return {.now = Now::wants_write};
    case SSL_ERROR_ZERO_RETURN:
      return {.error = asio::error::eof};
    case SSL_ERROR_SSL:
      return {.error =
                  ErrorCode(static_cast<int>(ERR_get_error()), asio::error::get_ssl_category())};
    default:
      if (system != 0) return {.error = ErrorCode(system, boost::system::system_category())};
      return {.error = asio::ssl::error::stream_truncated};
  }
}

TlsSocket::Tried TlsSocket::try_handshake() {
  return tried([this] { return SSL_accept(ssl_.get()); });
}

TlsSocket::Tried TlsSocket::try_read(asio::mutable_buffer to) {
  if (to.size() == 0) return {};
  return tried([&] { return SSL_read(ssl_.get(), to.data(), bounded(to.size())); });
}

TlsSocket::Tried TlsSocket::try_write(asio::const_buffer from) {
  if (from.size() == 0) return {};
  return tried([&] { return SSL_write(ssl_.get(), from.data(), bounded(from.size())); });
}

TlsSocket::Tried TlsSocket::try_shutdown() {
  return tried([this] {
    const int done = SSL_shutdown(ssl_.get());
    return done == 0 ? SSL_shutdown(ssl_.get()) : done;  // 0: said, not heard yet
  });
}

}  // namespace talla::http
