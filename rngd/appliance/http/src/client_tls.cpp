// A client's connection over TLS.
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "client_stream.hpp"
#include "tls.hpp"

namespace talla::http {

namespace {

namespace ssl = boost::asio::ssl;

class TlsStream final : public ClientStream {
 public:
  TlsStream(boost::asio::io_context& context, ssl::context& tls) : stream_(context, tls) {}
  [[nodiscard]] boost::beast::tcp_stream& tcp() override { return stream_.next_layer(); }
  [[nodiscard]] bool expect(const std::string& server_name) override {
    ErrorCode ignored;
    static_cast<void>(
        stream_.set_verify_callback(ssl::host_name_verification(server_name), ignored));
    return name_server(stream_.native_handle(), server_name);
  }
  void secure(Done done) override {
    stream_.async_handshake(ssl::stream_base::client,
                            [done = std::move(done)](ErrorCode error) { done(error, 0); });
  }
  void read_some(boost::asio::mutable_buffer to, Done done) override {
    stream_.async_read_some(to, std::move(done));
  }
  void write(boost::asio::const_buffer from, Done done) override {
    boost::asio::async_write(stream_, from, std::move(done));
  }

 private:
  ssl::stream<boost::beast::tcp_stream> stream_;
};

}  // namespace

std::unique_ptr<ClientStream> make_tls_stream(boost::asio::io_context& context, ssl::context& tls) {
  return std::make_unique<TlsStream>(context, tls);
}

}  // namespace talla::http
