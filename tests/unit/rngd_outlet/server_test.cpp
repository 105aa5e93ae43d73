// Goal: the EGD socket gives each client what the protocol promises, everybody his turn, and stays
// within its bounds whatever clients do.
// Method: real sockets against a server over a giver of known bytes: good, slow, silent, greedy and
// malformed clients.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "base/secret.hpp"
#include "fake_giver.hpp"
#include "outlet/egd_server.hpp"
#include "outlet/errc.hpp"

namespace talla::outlet {
namespace {

class Connection {
 public:
  explicit Connection(const std::string& path)
      : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path.copy(name.sun_path, sizeof(name.sun_path) - 1);
    good_ = connect(fd_, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0;
  }
  explicit Connection(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    good_ = connect(fd_, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(fd_); }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] int fd() const { return fd_; }
  bool send(const Bytes& bytes) const {
    return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  /// So many bytes, or fewer at the end of the connection or of the time.
  [[nodiscard]] Bytes receive(std::size_t count, int timeout_ms = 5000) const {
    Bytes all;
    while (all.size() < count) {
      pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
      if (poll(&waiting, 1, timeout_ms) <= 0) break;
      std::array<std::uint8_t, 4096> piece{};
      const ssize_t got = recv(fd_, piece.data(), std::min(piece.size(), count - all.size()), 0);
      if (got <= 0) break;
      all.insert(all.end(), piece.begin(), piece.begin() + got);
    }
    return all;
  }
  /// The other side has ended the connection.
  [[nodiscard]] bool ended(int timeout_ms = 5000) const {
    pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, timeout_ms) <= 0) return false;
    std::uint8_t byte = 0;
    return recv(fd_, &byte, 1, MSG_PEEK) <= 0;
  }

 private:
  int fd_;
  bool good_ = false;
};

class Egd : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "talla-egd-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    options_.socket_path = folder_ + "/egd.sock";
    options_.bytes_per_second = 1U << 24U;
    options_.patience_ns = 300'000'000;
  }
  void TearDown() override {
    server_.reset();
    std::filesystem::remove_all(folder_);
  }
  void start() {
    auto made = EgdServer::create(options_, giver_, clock_);
    ASSERT_TRUE(made) << made.error().text();
    server_ = std::move(*made);
  }
  bool receives_all_that_is_given(const Connection& client, std::size_t count) {
    const Bytes got = client.receive(count);
    return got.size() == count && got == giver_.given();
  }
  template <class Condition>
  static bool wait_for(Condition condition) {
    for (int k = 0; k < 500 && !condition(); ++k) usleep(10'000);
    return condition();
  }
  std::string folder_;
  EgdOptions options_;
  SystemClock clock_;
  FakeGiver giver_;
  std::unique_ptr<EgdServer> server_;
};

TEST_F(Egd, answers_every_command_in_order) {
  giver_.set_stock(640);
  start();
  const Connection client(options_.socket_path);
  ASSERT_TRUE(client.good());
  ASSERT_TRUE(client.send({0x00, 0x01, 10, 0x03, 0, 8, 2, 9, 9, 0x02, 64, 0x04}));
  EXPECT_EQ(client.receive(4), (Bytes{0, 0, 0x14, 0}));  // 640 bytes: 5,120 bits
  EXPECT_EQ(client.receive(1), Bytes{10});
  Bytes got = client.receive(10);
  const Bytes more = client.receive(64);
  got.insert(got.end(), more.begin(), more.end());
  EXPECT_EQ(got, giver_.given());
  const std::string pid = std::to_string(getpid());
  EXPECT_EQ(client.receive(1), Bytes{static_cast<std::uint8_t>(pid.size())});
  EXPECT_EQ(as_text(client.receive(pid.size())), pid);
  EXPECT_EQ(server_->counters().bytes_given, 74U);
  EXPECT_EQ(server_->counters().writes_dropped, 1U);
}

TEST_F(Egd, gives_nothing_while_there_is_nothing_and_a_waiting_read_waits) {
  giver_.set_stock(0);
  start();
  const Connection client(options_.socket_path);
  ASSERT_TRUE(client.send({0x00, 0x01, 200}));
  EXPECT_EQ(client.receive(5), (Bytes{0, 0, 0, 0, 0}));
  ASSERT_TRUE(client.send({0x02, 200}));
  EXPECT_TRUE(client.receive(1, 400).empty())
      << "longer than the patience: who waits for us owes nothing";
  EXPECT_TRUE(giver_.given().empty());
  giver_.set_stock(1024);
  EXPECT_TRUE(receives_all_that_is_given(client, 200));
}

TEST_F(Egd, a_read_without_waiting_gets_what_there_is) {
  giver_.set_stock(64);
  start();
  const Connection client(options_.socket_path);
  ASSERT_TRUE(client.send({0x01, 200}));
  EXPECT_EQ(client.receive(1), Bytes{64});
  EXPECT_TRUE(receives_all_that_is_given(client, 64));
  ASSERT_TRUE(client.send({0x01, 0, 0x02, 0, 0x01, 1}));
  EXPECT_EQ(client.receive(2), (Bytes{0, 0})) << "zero bytes are zero bytes";
}

TEST_F(Egd, keeps_to_its_rate) {
  options_.bytes_per_second = 4096;
  start();
  const Connection client(options_.socket_path);
  Bytes many;
  for (int k = 0; k < 100; ++k) many.insert(many.end(), {0x02, 128});
  ASSERT_TRUE(client.send(many));
  const std::int64_t from_ns = clock_.monotonic_ns();
  EXPECT_TRUE(receives_all_that_is_given(client, 12'800));
  // 4,096 at once, the other 8,704 take 2.125 s; nothing is said about how much longer a busy
  // machine takes.
  EXPECT_GE(clock_.monotonic_ns() - from_ns, 2'000'000'000);
}

TEST_F(Egd, a_byte_that_is_no_command_ends_that_connection_alone) {
  start();
  const Connection good(options_.socket_path);
  const Connection bad(options_.socket_path);
  ASSERT_TRUE(bad.send({0x00, 0x77}));
  EXPECT_EQ(bad.receive(4).size(), 4U) << "what came before was answered";
  EXPECT_TRUE(bad.ended());
  ASSERT_TRUE(good.send({0x02, 5}));
  EXPECT_EQ(good.receive(5).size(), 5U);
  EXPECT_EQ(server_->counters().malformed, 1U);
}

TEST_F(Egd, half_a_command_is_waited_for_and_then_no_more) {
  start();
  const Connection idle(options_.socket_path);
  const Connection slow(options_.socket_path);
  ASSERT_TRUE(slow.send({0x03, 0, 8, 200, 1, 2}));
  EXPECT_FALSE(slow.ended(100));
  EXPECT_TRUE(slow.ended());
  EXPECT_EQ(server_->counters().impatient, 1U);
  ASSERT_TRUE(idle.send({0x02, 1})) << "a client that owes nothing may stay";
  EXPECT_EQ(idle.receive(1).size(), 1U);
}

TEST_F(Egd, a_client_that_never_reads_costs_a_bounded_amount) {
  start();
  const Connection client(options_.socket_path);
  const Bytes many(8192, 0x00);  // each asks for four bytes
  std::size_t sent = 0;
  for (int k = 0; k < 2000; ++k) {
    const ssize_t more = ::send(client.fd(), many.data(), many.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (more > 0) sent += static_cast<std::size_t>(more);
    if (more < 0 && errno != EAGAIN) break;
    if (more < 0) usleep(1000);
  }
  EXPECT_LT(sent, 4U << 20U) << "it stops taking commands from who does not take answers";
  EXPECT_TRUE(wait_for([&] { return server_->counters().impatient == 1; }));
  EXPECT_TRUE(wait_for([&] { return server_->counters().clients == 0; }));
}

TEST_F(Egd, clients_beyond_the_number_are_turned_away_and_places_come_back) {
  options_.clients_max = 4;
  start();
  std::vector<std::unique_ptr<Connection>> clients;
  for (int k = 0; k < 4; ++k) {
    clients.push_back(std::make_unique<Connection>(options_.socket_path));
    ASSERT_TRUE(clients.back()->send({0x02, 1}));
    ASSERT_EQ(clients.back()->receive(1).size(), 1U);
  }
  const Connection fifth(options_.socket_path);
  EXPECT_TRUE(fifth.ended());
  EXPECT_EQ(server_->counters().refused, 1U);
  clients.pop_back();
  EXPECT_TRUE(wait_for([&] { return server_->counters().clients == 3; }));
  const Connection sixth(options_.socket_path);
  ASSERT_TRUE(sixth.send({0x02, 1}));
  EXPECT_EQ(sixth.receive(1).size(), 1U);
}

TEST_F(Egd, serves_many_clients_in_turn_and_no_byte_twice) {
  start();
  std::vector<std::unique_ptr<Connection>> clients;
  for (int k = 0; k < 30; ++k)
    clients.push_back(std::make_unique<Connection>(options_.socket_path));
  std::size_t total = 0;
  for (int round = 0; round < 20; ++round) {
    for (const auto& client : clients) ASSERT_TRUE(client->send({0x02, 100}));
    for (const auto& client : clients) {
      const Bytes got = client->receive(100);
      ASSERT_EQ(got.size(), 100U);
      total += got.size();
      const Bytes given = giver_.given();
      EXPECT_NE(std::search(given.begin(), given.end(), got.begin(), got.end()), given.end());
    }
  }
  EXPECT_EQ(giver_.given().size(), total);
}

TEST_F(Egd, clients_that_come_and_go_while_they_wait_leave_nothing_behind) {
  giver_.set_stock(0);
  start();
  for (int k = 0; k < 200; ++k) {
    const Connection client(options_.socket_path);
    ASSERT_TRUE(client.good());
    client.send({0x02, 200, 0x02});
  }
  EXPECT_TRUE(wait_for([&] { return server_->counters().clients == 0; }));
  giver_.set_stock(4096);
  const Connection client(options_.socket_path);
  ASSERT_TRUE(client.send({0x02, 32}));
  EXPECT_TRUE(receives_all_that_is_given(client, 32)) << "nobody who has gone was given anything";
}

TEST_F(Egd, listens_on_loopback_too_and_nowhere_else) {
  options_.port = 0;
  start();
  ASSERT_NE(server_->port(), 0);
  const Connection client(server_->port());
  ASSERT_TRUE(client.good());
  ASSERT_TRUE(client.send({0x02, 16}));
  EXPECT_TRUE(receives_all_that_is_given(client, 16));
  EgdOptions everywhere = options_;
  everywhere.socket_path.clear();
  everywhere.address = "0.0.0.0";
  const auto refused = EgdServer::create(everywhere, giver_, clock_);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(OutletErrc::cannot_listen));
}

TEST_F(Egd, the_socket_file_is_for_its_user_alone_and_goes_with_the_server) {
  start();
  struct stat about {};
  ASSERT_EQ(stat(options_.socket_path.c_str(), &about), 0);
  EXPECT_TRUE(S_ISSOCK(about.st_mode));
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  server_.reset();
  EXPECT_NE(stat(options_.socket_path.c_str(), &about), 0);
}

TEST_F(Egd, replaces_a_dead_socket_and_leaves_everything_else_alone) {
  // A live one.
  start();
  const auto second = EgdServer::create(options_, giver_, clock_);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().detail.find("another process listens"), std::string::npos)
      << second.error().detail;
  const Connection client(options_.socket_path);
  EXPECT_TRUE(client.good());
  server_.reset();
  // A dead one.
  {
    const int dead = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    options_.socket_path.copy(name.sun_path, sizeof(name.sun_path) - 1);
    ASSERT_EQ(bind(dead, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
    close(dead);
  }
  start();
  server_.reset();
  // No socket at all.
  std::ofstream(options_.socket_path) << "a file";
  const auto third = EgdServer::create(options_, giver_, clock_);
  ASSERT_FALSE(third);
  EXPECT_TRUE(std::filesystem::is_regular_file(options_.socket_path));
  // Paths and groups that cannot be.
  EgdOptions wrong = options_;
  wrong.socket_path = folder_ + "/" + std::string(120, 'x');
  EXPECT_FALSE(EgdServer::create(wrong, giver_, clock_));
  wrong.socket_path = folder_ + "/other.sock";
  wrong.group = "no-such-group";
  EXPECT_FALSE(EgdServer::create(wrong, giver_, clock_));
}

/// Tells how many bytes the server's thread had wiped when it last asked for the level.
class CountingGiver final : public Giver {
 public:
  [[nodiscard]] Result<entropy::GivenAway> give(std::size_t /*n_bytes*/) override {
    return fail(entropy::Errc::not_ready, "this test asks for the level alone");
  }
  [[nodiscard]] std::size_t spare_bits() const override {
    wiped_ = wiped_bytes();
    return 0;
  }
  [[nodiscard]] std::uint64_t wiped() const { return wiped_; }

 private:
  mutable std::atomic<std::uint64_t> wiped_{0};
};

/// A server over it, and one client who asks.
class EgdWipes : public Egd {
 protected:
  /// Bytes wiped by the server's thread up to the answer, the question's own byte among them.
  std::uint64_t wiped_until_answered(const Connection& asking, const Bytes& commands) {
    EXPECT_TRUE(asking.send(commands));
    EXPECT_EQ(asking.receive(4), Bytes(4, 0));
    return counting_.wiped();
  }
  void start_counting() {
    auto made = EgdServer::create(options_, counting_, clock_);
    ASSERT_TRUE(made) << made.error().text();
    server_ = std::move(*made);
  }
  void TearDown() override {
    server_.reset();
    Egd::TearDown();
  }
  /// What held the four bytes of the answer before.
  static constexpr std::uint64_t answer_block = 32;
  CountingGiver counting_;
};

TEST_F(EgdWipes, what_a_client_wrote_goes_as_soon_as_it_is_read) {
  start_counting();
  const Connection client(options_.socket_path);
  ASSERT_TRUE(client.good());
  const std::uint64_t before = wiped_until_answered(client, {0x00});
  EXPECT_EQ(wiped_until_answered(client, {0x03, 0, 8, 2, 9, 9, 0x00}) - before,
            answer_block + 6U + 1U);
}

TEST_F(EgdWipes, a_client_that_goes_leaves_nothing_in_its_place) {
  start_counting();
  const Connection asking(options_.socket_path);
  ASSERT_TRUE(asking.good());
  std::uint64_t before = 0;
  {
    const Connection going(options_.socket_path);
    ASSERT_TRUE(going.good());
    ASSERT_TRUE(wait_for([&] { return server_->counters().clients == 2; }));
    before = wiped_until_answered(asking, {0x00});
  }
  ASSERT_TRUE(wait_for([&] { return server_->counters().clients == 1; }));
  EXPECT_EQ(wiped_until_answered(asking, {0x00}) - before, answer_block + 256U + 1U)
      << "all that it could hold";
}

}  // namespace
}  // namespace talla::outlet
