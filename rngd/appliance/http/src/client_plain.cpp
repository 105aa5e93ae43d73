// A client's connection over plain TCP.
#include <boost/asio/write.hpp>
#include <utility>

#include "client_stream.hpp"

namespace talla::http {

namespace {

class PlainStream final : public ClientStream {
 public:
  explicit PlainStream(boost::asio::io_context& context) : stream_(context) {}
  [[nodiscard]] boost::beast::tcp_stream& tcp() override { return stream_; }
  [[nodiscard]] bool expect(const std::string& /*server_name*/) override { return true; }
  void secure(Done done) override { done({}, 0); }
  void read_some(boost::asio::mutable_buffer to, Done done) override {
    stream_.async_read_some(to, std::move(done));
  }
  void write(boost::asio::const_buffer from, Done done) override {
    boost::asio::async_write(stream_, from, std::move(done));
  }

 private:
  boost::beast::tcp_stream stream_;
};

}  // namespace

std::unique_ptr<ClientStream> make_plain_stream(boost::asio::io_context& context) {
  return std::make_unique<PlainStream>(context);
}

void connect(boost::beast::tcp_stream& tcp,
             const boost::asio::ip::tcp::resolver::results_type& endpoints,
             ClientStream::Done done) {
  tcp.async_connect(
      endpoints, [done = std::move(done)](ClientStream::ErrorCode error, const auto& /*endpoint*/) {
        done(error, 0);
      });
}

}  // namespace talla::http
