// Goal: the server speaks HTTP/1.1 only to clients whose certificate leads to its root, keeps its
//       limits, and streams events.
// Method: the real server and the real client over loopback; certificates are made by the openssl
//         command for each run.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "http/client.hpp"
#include "http/server.hpp"

using namespace talla;  // NOLINT: test file

namespace {

class Certificates {
 public:
  Certificates()
      : folder_(std::filesystem::temp_directory_path() /
                ("talla-http-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    root("root");
    root("other");
    issue("server", "root", "DNS:localhost");
    issue("client", "root", "URI:talla:client:one");
    issue("stranger", "other", "URI:talla:client:one");
    issue("twofold", "root", "URI:talla:client:one,URI:talla:client:two");
  }
  ~Certificates() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] http::TlsFiles files(const std::string& who,
                                     const std::string& trusted = "root") const {
    return {.certificate = path(who + ".pem"),
            .key = path(who + ".key"),
            .trusted = path(trusted + ".pem")};
  }
  /// Another certificate and key under the same names.
  void renew_server() const { issue("server", "root", "DNS:localhost"); }

 private:
  void run(const std::string& command) const {
    // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c): one thread
    ASSERT_EQ(std::system(("cd " + folder_.string() + " && " + command + " 2>/dev/null").c_str()),
              0)
        << command;
  }
  void root(const std::string& name) const {
    run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=" +
        name + " -keyout " + name + ".key -out " + name + ".pem");
  }
  void issue(const std::string& name, const std::string& issuer,
             const std::string& alternative) const {
    std::ofstream(folder_ / (name + ".ext")) << "subjectAltName=" << alternative << "\n";
    run("openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=" + name +
        " -keyout " + name + ".key -out " + name + ".csr");
    run("openssl x509 -req -days 2 -in " + name + ".csr -CA " + issuer + ".pem -CAkey " + issuer +
        ".key -CAcreateserial -extfile " + name + ".ext -out " + name + ".pem");
  }
  std::filesystem::path folder_;
};

class CountingFeed final : public http::EventFeed {
 public:
  [[nodiscard]] std::string next() override {
    return ++count_ <= 3 ? "id: " + std::to_string(count_) + "\ndata: x\n\n" : "";
  }
  void watch(std::function<void()> /*wake*/) override {}

 private:
  int count_ = 0;
};

/// Has one event more every few milliseconds, from a thread of its own.
class PushedFeed final : public http::EventFeed {
 public:
  ~PushedFeed() override {
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] std::string next() override {
    const int there = made_.load();
    return given_ < there ? "id: " + std::to_string(++given_) + "\ndata: x\n\n" : "";
  }
  void watch(std::function<void()> wake) override {
    thread_ = std::thread([this, wake = std::move(wake)] {
      for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++made_;
        wake();
      }
    });
  }

 private:
  std::atomic<int> made_{0};
  int given_ = 0;
  std::thread thread_;
};

class Http : public ::testing::Test {
 protected:
  static constexpr std::size_t large_size = std::size_t{6} << 20;
  static void SetUpTestSuite() { certificates_ = std::make_unique<Certificates>(); }
  static void TearDownTestSuite() { certificates_.reset(); }

  void SetUp() override {
    http::ServerOptions options;
    options.files = certificates_->files("server");
    options.threads = 2;
    options.idle_seconds = 2;
    auto server =
        http::Server::create(options, [this](const http::Request& request, http::Respond respond) {
          handle(request, std::move(respond));
        });
    ASSERT_TRUE(server) << server.error().text();
    server_ = std::move(*server);
  }

  void handle(const http::Request& request, http::Respond respond) {
    if (request.target == "/later") {
      late_ = std::thread([respond] {
        respond({.status = 202,
                 .content_type = "text/plain",
                 .headers = {},
                 .body = "late",
                 .feed = nullptr});
        respond({.status = 500,
                 .content_type = "text/plain",
                 .headers = {},
                 .body = "twice",
                 .feed = nullptr});
      });
      return;
    }
    if (request.target == "/held") {
      const std::scoped_lock lock(held_mutex_);
      held_ = std::move(respond);
      return;
    }
    http::Reply reply;
    reply.headers.emplace_back("Retry-After", "7");
    reply.body = request.method + " " + request.target + " " + request.idempotency_key + " " +
                 request.peer.id + " " + std::to_string(request.peer.spki.size()) + " " +
                 request.body;
    if (request.target == "/large") reply.body = std::string(large_size, 'y');
    if (request.target == "/events") reply.feed = std::make_shared<CountingFeed>();
    if (request.target == "/pushed") reply.feed = std::make_shared<PushedFeed>();
    respond(std::move(reply));
  }

  void TearDown() override {
    if (late_.joinable()) late_.join();
    if (server_) server_->stop();
  }

  [[nodiscard]] std::unique_ptr<http::Client> client(const std::string& who,
                                                     const std::string& trusted = "root") const {
    http::ClientOptions options;
    options.port = server_->port();
    options.files = certificates_->files(who, trusted);
    options.timeout_seconds = 5;
    auto made = http::Client::create(options);
    EXPECT_TRUE(made) << made.error().text();
    return std::move(*made);
  }
  static http::Request ask(const std::string& target, std::string body = "") {
    return {.method = body.empty() ? "GET" : "POST",
            .target = target,
            .idempotency_key = "k1",
            .accept = {},
            .last_event_id = {},
            .body = std::move(body),
            .peer = {}};
  }

  /// What a shell command that knows the client's files prints.
  [[nodiscard]] std::string printed(const std::string& command) const {
    // NOLINTNEXTLINE(cert-env33-c): a command of the test
    FILE* pipe = ::popen(command.c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    std::string text;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    static_cast<void>(::pclose(pipe));
    return text;
  }
  [[nodiscard]] std::string curl(const std::string& options, const std::string& path) const {
    return printed("curl -s " + options + " --cert " + certificates_->path("client.pem") +
                   " --key " + certificates_->path("client.key") + " --cacert " +
                   certificates_->path("root.pem") +
                   " https://localhost:" + std::to_string(server_->port()) + path);
  }
  /// What a client reads of a stream within two seconds.
  [[nodiscard]] std::string streamed(const std::string& path) const {
    return curl("--max-time 2", path);
  }
  /// What the server says to text that comes over TLS as the shell command gives it.
  [[nodiscard]] std::string answered(const std::string& said) const {
    return printed("{ " + said + "; } | openssl s_client -quiet -connect 127.0.0.1:" +
                   std::to_string(server_->port()) + " -cert " + certificates_->path("client.pem") +
                   " -key " + certificates_->path("client.key") + " 2>/dev/null");
  }

  static std::unique_ptr<Certificates> certificates_;
  std::unique_ptr<http::Server> server_;
  std::thread late_;
  std::mutex held_mutex_;
  http::Respond held_;  // held_mutex_; of the request under way
};

std::unique_ptr<Certificates> Http::certificates_;

TEST_F(Http, hands_on_method_target_key_body_and_the_id_of_the_certificate) {
  const auto one = client("client");
  for (int i = 0; i < 3; ++i) {
    const auto reply = one->send(ask("/v1/x?y=1", "{}"));
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_EQ(reply->status, 200U);
    EXPECT_EQ(reply->body, "POST /v1/x?y=1 k1 talla:client:one 64 {}");
    EXPECT_EQ(reply->retry_after, "7");
  }
}

TEST_F(Http, an_end_of_line_in_a_field_is_not_sent) {
  const auto one = client("client");
  const std::string more = "k1\r\nIdempotency-Key: k2";
  std::vector<http::Request> wrong(4, ask("/v1/x", "{}"));
  wrong[0].idempotency_key = more;
  wrong[1].last_event_id = more;
  wrong[2].target = "/v1/x HTTP/1.1\r\nHost: other";
  wrong[3].method = "GET /";
  for (const auto& request : wrong) {
    const auto reply = one->send(request);
    ASSERT_FALSE(reply);
    EXPECT_TRUE(reply.error().is(http::Errc::bad_request)) << reply.error().text();
    EXPECT_FALSE(one->listen(request));
  }
  const auto reply = one->send(ask("/v1/x", "{}"));
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->body, "POST /v1/x k1 talla:client:one 64 {}");
}

TEST_F(Http, a_client_of_another_root_gets_nothing) {
  EXPECT_FALSE(client("stranger")->send(ask("/")));
}

TEST_F(Http, a_client_refuses_a_server_of_another_root) {
  const auto reply = client("client", "other")->send(ask("/"));
  ASSERT_FALSE(reply);
  EXPECT_TRUE(reply.error().is(http::Errc::cannot_connect));
}

TEST_F(Http, two_names_in_one_certificate_name_nobody) {
  const auto reply = client("twofold")->send(ask("/"));
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->body, "GET / k1  64 ");
}

TEST_F(Http, a_body_over_one_mebibyte_is_refused) {
  const auto one = client("client");
  EXPECT_TRUE(one->send(ask("/", std::string(1024 * 1024, 'x'))));
  const auto reply = client("client")->send(ask("/", std::string(1024 * 1024 + 1, 'x')));
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->status, 413U);
}

TEST_F(Http, a_late_answer_from_another_thread_arrives_once) {
  const auto one = client("client");
  const auto reply = one->send(ask("/later"));
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->status, 202U);
  EXPECT_EQ(reply->body, "late");
  late_.join();
  EXPECT_EQ(one->send(ask("/again"))->body, "GET /again k1 talla:client:one 64 ");
}

TEST_F(Http, many_connections_are_served_at_once) {
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto one = client("client");
      for (int k = 0; k < 20; ++k) good += one->send(ask("/"))->status == 200 ? 1 : 0;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good.load(), 160);
}

TEST_F(Http, events_are_streamed_with_their_ids) {
  EXPECT_EQ(streamed("/events"), "id: 1\ndata: x\n\nid: 2\ndata: x\n\nid: 3\ndata: x\n\n");
}

TEST_F(Http, a_feed_that_is_woken_is_sent_at_once) {
  // The comment of a silent stream comes after ten seconds, this one ends after two.
  EXPECT_EQ(
      streamed("/pushed"),
      "id: 1\ndata: x\n\nid: 2\ndata: x\n\nid: 3\ndata: x\n\nid: 4\ndata: x\n\nid: 5\ndata: x\n\n");
}

TEST_F(Http, a_large_reply_reaches_a_reader_that_is_slower_than_the_server) {
  EXPECT_EQ(curl("--limit-rate 5M", "/large"), std::string(large_size, 'y'));
}

TEST_F(Http, requests_that_came_together_are_answered_in_turn) {
  const std::string answers = answered(
      "printf 'GET /1 HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\nGET /2 HTTP/1.1\\r\\nHost: "
      "localhost\\r\\n\\r\\n'; "
      "sleep 1");
  const auto first = answers.find("GET /1 ");
  EXPECT_NE(first, std::string::npos) << answers;
  EXPECT_NE(answers.find("GET /2 ", first), std::string::npos) << answers;
}

TEST_F(Http, a_request_that_comes_in_pieces_is_whole) {
  EXPECT_NE(
      answered(
          "printf 'GET /pie'; sleep 0.3; printf 'ces HTTP/1.1\\r\\nHo'; sleep 0.3; printf 'st: "
          "localhost\\r\\n\\r\\n'; sleep 0.5")
          .find("GET /pieces "),
      std::string::npos);
}

TEST_F(Http, a_connection_is_cut_after_its_idle_time) {
  const std::string answer = answered(
      "sleep 1; printf 'GET /awake HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'; sleep 1; printf "
      "'GET /half "
      "HTTP'; "
      "sleep 4; "
      "printf '/1.1\\r\\nHost: localhost\\r\\n\\r\\n'; sleep 1");
  EXPECT_NE(answer.find("GET /awake "), std::string::npos) << answer;  // one second before its time
  EXPECT_EQ(answer.find("/half"), std::string::npos) << answer;        // some bytes are no request
}

TEST_F(Http, older_tls_is_refused) {
  const std::string command =
      "openssl s_client -connect 127.0.0.1:" + std::to_string(server_->port()) + " -tls1_2 -cert " +
      certificates_->path("client.pem") + " -key " + certificates_->path("client.key") +
      " </dev/null >/dev/null 2>&1";
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c): one thread
  EXPECT_NE(std::system(command.c_str()), 0);
}

TEST_F(Http, a_renewed_certificate_is_shown_and_open_connections_end) {
  const auto one = client("client");
  ASSERT_TRUE(one->send(ask("/1")));
  const auto shown = [this] {
    return printed("openssl s_client -connect 127.0.0.1:" + std::to_string(server_->port()) +
                   " -cert " + certificates_->path("client.pem") + " -key " +
                   certificates_->path("client.key") +
                   " </dev/null 2>/dev/null | openssl x509 -noout -serial");
  };
  const std::string before = shown();
  ASSERT_EQ(before.rfind("serial=", 0), 0U) << before;
  certificates_->renew_server();
  EXPECT_EQ(shown(), before) << "nobody has asked yet";
  ASSERT_TRUE(server_->renew_tls());
  EXPECT_NE(shown(), before);
  EXPECT_FALSE(one->send(ask("/2"))) << "its connection was judged before";
  EXPECT_TRUE(one->send(ask("/3")));
}

TEST_F(Http, a_request_under_way_is_answered_behind_a_renewal) {
  const auto one = client("client");
  std::thread answering([this] {
    while (true) {
      {
        const std::scoped_lock lock(held_mutex_);
        if (held_) break;
      }
      std::this_thread::yield();
    }
    EXPECT_TRUE(server_->renew_tls());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    held_({.status = 200,
           .content_type = "text/plain",
           .headers = {},
           .body = "held",
           .feed = nullptr});
  });
  const auto reply = one->send(ask("/held"));
  answering.join();
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->body, "held");
  EXPECT_TRUE(one->send(ask("/1"))) << "the reply said that the connection ends";
}

TEST_F(Http, a_stream_of_events_ends_with_a_renewal) {
  const auto one = client("client");
  ASSERT_TRUE(one->listen(ask("/events")));
  ASSERT_TRUE(server_->renew_tls());
  bool over = false;
  for (int i = 0; i < 50 && !over; ++i) over = !one->more(std::chrono::milliseconds(100));
  EXPECT_TRUE(over);
}

TEST_F(Http, a_client_that_waits_for_events_may_listen_anew) {
  const auto one = client("client");
  for (int times = 0; times < 2; ++times) {
    const auto head = one->listen(ask("/events"));
    ASSERT_TRUE(head) << head.error().text();
    std::string read;
    for (std::string piece = "-"; !piece.empty(); read += piece) {
      auto more = one->more(std::chrono::milliseconds(200));
      ASSERT_TRUE(more) << more.error().text();
      piece = std::move(*more);
    }
    EXPECT_NE(read.find("id: 3\n"), std::string::npos) << read;
  }
}

TEST_F(Http, files_that_are_not_whole_are_refused_and_the_old_ones_serve_on) {
  const auto one = client("client");
  ASSERT_TRUE(one->send(ask("/1")));
  const auto path = certificates_->path("server.pem");
  std::filesystem::rename(path, path + ".away");
  std::ofstream(path) << "no certificate\n";
  const auto renewed = server_->renew_tls();
  std::filesystem::rename(path + ".away", path);
  ASSERT_FALSE(renewed);
  EXPECT_TRUE(renewed.error().is(http::Errc::bad_tls_files));
  EXPECT_TRUE(one->send(ask("/2"))) << "on the same connection";
  EXPECT_TRUE(client("client")->send(ask("/3")));
}

TEST_F(Http, renewals_beside_requests_lose_nobody_for_good) {
  std::atomic<bool> stop{false};
  std::thread renewing([&] {
    while (!stop) EXPECT_TRUE(server_->renew_tls());
  });
  const auto one = client("client");
  int good = 0;
  for (int i = 0; i < 2000 && good < 20; ++i) good += one->send(ask("/")) ? 1 : 0;
  stop = true;
  renewing.join();
  EXPECT_EQ(good, 20);
  EXPECT_TRUE(client("client")->send(ask("/")));
}

TEST_F(Http, missing_files_and_taken_ports_are_named) {
  http::ServerOptions options;
  options.files = {.certificate = "/nowhere.pem", .key = "", .trusted = ""};
  const auto handler = [](const http::Request&, const http::Respond&) {};
  EXPECT_NE(http::Server::create(options, handler).error().detail.find("/nowhere.pem"),
            std::string::npos);
  options.files = certificates_->files("server");
  options.port = server_->port();
  EXPECT_TRUE(http::Server::create(options, handler).error().is(http::Errc::cannot_listen));
}

}  // namespace
