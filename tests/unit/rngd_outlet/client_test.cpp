// Goal: the provider's client brings whole answers or a clear error in its time, whatever is at the
// other end.
// Method: against the real server over a giver of known bytes, and against sockets that are absent,
// silent, hasty or foreign.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "fake_giver.hpp"
#include "outlet/egd_server.hpp"
#include "provider/egd_client.hpp"

namespace talla::provider {
namespace {

class Client : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "talla-client-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    options_ = {.socket_path = folder_ + "/egd.sock", .timeout_ms = 3000};
  }
  void TearDown() override {
    server_.reset();
    std::filesystem::remove_all(folder_);
  }
  void serve(std::uint32_t bytes_per_second = 1U << 24U) {
    auto made = outlet::EgdServer::create(
        {.socket_path = options_.socket_path, .bytes_per_second = bytes_per_second}, giver_,
        clock_);
    ASSERT_TRUE(made) << made.error().text();
    server_ = std::move(*made);
  }
  /// One connection is accepted, its first command read, answered by `answer` and closed.
  std::jthread serve_once(Bytes answer) {
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    options_.socket_path.copy(name.sun_path, sizeof(name.sun_path) - 1);
    EXPECT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
    EXPECT_EQ(listen(listener, 1), 0);
    return std::jthread([listener, answer = std::move(answer)] {
      const int one = accept(listener, nullptr, nullptr);
      std::array<std::uint8_t, 2> command{};
      static_cast<void>(recv(one, command.data(), command.size(), MSG_WAITALL));
      static_cast<void>(send(one, answer.data(), answer.size(), MSG_NOSIGNAL));
      close(one);
      close(listener);
    });
  }
  std::string folder_;
  ClientOptions options_;
  SystemClock clock_;
  outlet::FakeGiver giver_;
  std::unique_ptr<outlet::EgdServer> server_;
};

TEST_F(Client, brings_what_was_given_in_order_and_in_pieces) {
  serve();
  const auto bytes = fetch_entropy(options_, 1000);
  ASSERT_TRUE(bytes) << bytes.error().text();
  EXPECT_EQ(Bytes(bytes->begin(), bytes->end()), giver_.given());
}

TEST_F(Client, waits_for_a_slow_appliance_within_its_time) {
  serve(1024);
  const auto bytes = fetch_entropy(options_, 2048);
  ASSERT_TRUE(bytes) << bytes.error().text();
  EXPECT_EQ(bytes->size(), 2048U);
}

TEST_F(Client, says_that_the_appliance_is_not_there) {
  const auto none = fetch_entropy(options_, 32);
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().is(ClientErrc::appliance_absent));
  EXPECT_NE(none.error().detail.find(options_.socket_path), std::string::npos);
  options_.socket_path = std::string(200, 'x');
  EXPECT_TRUE(fetch_entropy(options_, 32).error().is(ClientErrc::appliance_absent));
}

TEST_F(Client, says_that_the_appliance_gives_nothing) {
  giver_.set_stock(0);
  serve();
  options_.timeout_ms = 200;
  const auto none = fetch_entropy(options_, 32);
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().is(ClientErrc::appliance_silent)) << none.error().text();
}

TEST_F(Client, refuses_half_an_answer_and_one_that_is_too_long) {
  {
    const auto thread = serve_once({32, 1, 2, 3});
    const auto half = fetch_entropy(options_, 32);
    ASSERT_FALSE(half);
    EXPECT_TRUE(half.error().is(ClientErrc::appliance_broke_off)) << half.error().text();
  }
  std::filesystem::remove(options_.socket_path);
  const auto thread = serve_once(Bytes(200, 33));
  const auto much = fetch_entropy(options_, 32);
  ASSERT_FALSE(much);
  EXPECT_TRUE(much.error().is(ClientErrc::appliance_broke_off)) << much.error().text();
}

}  // namespace
}  // namespace talla::provider
