// Need: asking the appliance costs little more than asking any HTTPS server: at least 60 % of the
// requests per second that the same TLS server gives for a stored reply of the same size, over
// several kept-alive connections.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "certs/keys.hpp"
#include "config/enrolment.hpp"
#include "gateway.hpp"
#include "http/client.hpp"
#include "http/server.hpp"
#include "ratio.hpp"
#include "rig.hpp"

namespace {

namespace core = talla::core;
namespace http = talla::http;

constexpr int connections = 8;
constexpr int rounds = 11;
constexpr int round_ms = 300;
constexpr const char* static_path = "/static";

template <class T>
T must(talla::Result<T> result) {
  if (!result) {
    std::cerr << result.error().text() << "\n";
    std::abort();
  }
  return std::move(*result);
}
void must(const talla::Status& status) {
  if (!status) {
    std::cerr << status.error().text() << "\n";
    std::abort();
  }
}

http::Request get(const std::string& target) {
  return {.method = "GET",
          .target = target,
          .idempotency_key = {},
          .accept = {},
          .last_event_id = {},
          .body = {},
          .peer = {}};
}

/// Keys, an appliance with one drawn batch, and the server: gateway and service, or the stored text
/// for `/static`.
class Stack {
 public:
  Stack() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "talla-bench-http-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern + "/keys";
    const auto now = talla::SystemClock().utc_us();
    must(talla::certs::init_development_keys(
        {.folder = folder_, .origin = "talla.test/bench", .server_names = {}, .now_us = now}));
    must(talla::certs::add_development_client(
        {.folder = folder_, .id = rig_.client.id, .roles = {"table"}, .now_us = now}));
    for (const auto& client : must(talla::rngd::load_enrolment(folder_ + "/clients.toml")))
      rig_.settings.clients.push_back({client.id, client.spki, client.roles});
    rig_.restart();
    draw();
    talla::rngd::GatewayOptions options;
    options.entropy_metrics = [] { return talla::entropy::Metrics(); };
    gateway_ = std::make_unique<talla::rngd::Gateway>(rig_.service(), std::move(options));
    rig_.service().start();
    http::ServerOptions server;
    server.files = {.certificate = folder_ + "/server.pem",
                    .key = folder_ + "/server.key",
                    .trusted = folder_ + "/ca.pem"};
    server_ =
        must(http::Server::create(server, [this](http::Request request, http::Respond respond) {
          if (request.target != static_path)
            return gateway_->handle_api(std::move(request), std::move(respond));
          respond({.status = 200,
                   .content_type = "application/json",
                   .headers = {},
                   .body = stored_,
                   .feed = nullptr});
        }));
    for (int i = 0; i < connections; ++i) clients_.push_back(connect());
  }
  ~Stack() {
    server_->stop();
    rig_.service().stop();
    std::filesystem::remove_all(std::filesystem::path(folder_).parent_path());
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  /// What `/static` gives from now on: the present reply of that path.
  void store(const std::string& path) {
    const auto reply = must(clients_.front()->send(get(path)));
    if (reply.status != 200) std::abort();
    stored_ = reply.body;
  }

  /// Requests per second over all connections together.
  double rate(const std::string& path) {
    std::atomic<std::uint64_t> done{0};
    std::vector<std::thread> threads;
    const auto begin = std::chrono::steady_clock::now();
    const auto end = begin + std::chrono::milliseconds(round_ms);
    for (auto& client : clients_) {
      threads.emplace_back([&] {
        const auto request = get(path);
        while (std::chrono::steady_clock::now() < end) {
          if (must(client->send(request)).body.size() != stored_.size()) std::abort();
          ++done;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return static_cast<double>(done) / passed.count();
  }

  [[nodiscard]] std::string receipt_path() const {
    return "/v1/receipts/" + std::to_string(drawn_);
  }
  [[nodiscard]] std::string table_path() const { return "/v1/tables/" + table_; }

 private:
  void draw() {
    table_ = rig_.open_table(core::test::wheel_table);
    const auto batch = rig_.post("/v1/tables/" + table_ + "/batches", R"({"count":2})");
    const auto reply = rig_.post(
        "/v1/draws",
        rig_.draw_body({table_, batch.text({"batch", "id"}), batch.text({"batch", "root"})}, 0));
    drawn_ = static_cast<std::uint64_t>(reply.number({"draw", "seq"}));
  }
  [[nodiscard]] std::unique_ptr<http::Client> connect() const {
    http::ClientOptions options;
    options.port = server_->port();
    const std::string own = folder_ + "/clients/" + rig_.client.id;
    options.files = {
        .certificate = own + ".pem", .key = own + ".key", .trusted = folder_ + "/ca.pem"};
    return must(http::Client::create(options));
  }

  core::test::Rig rig_;
  std::string folder_;
  std::string table_;
  std::uint64_t drawn_ = 0;
  std::string stored_;
  std::unique_ptr<talla::rngd::Gateway> gateway_;
  std::unique_ptr<http::Server> server_;
  std::vector<std::unique_ptr<http::Client>> clients_;
};

void against_stored(benchmark::State& state, const char* what, std::string (Stack::*path)() const) {
  std::vector<double> ours;
  std::vector<double> peer;
  std::vector<double> ratios;
  for ([[maybe_unused]] auto run : state) {
    Stack stack;
    const auto asked = (stack.*path)();
    stack.store(asked);
    stack.rate(asked);
    stack.rate(static_path);
    for (int round = 0; round < rounds; ++round) {
      ours.push_back(stack.rate(asked));
      peer.push_back(stack.rate(static_path));
      ratios.push_back(ours.back() / peer.back());
    }
  }
  talla_bench::report(state, {.what = what, .ratio_min = 0.6}, talla_bench::median(ours),
                      talla_bench::median(peer), talla_bench::median(ratios));
}

void receipt_over_tls(benchmark::State& state) {
  against_stored(state, "GET a receipt over TLS / stored reply of its size", &Stack::receipt_path);
}
TALLA_GOAL(receipt_over_tls);

void table_over_tls(benchmark::State& state) {
  against_stored(state, "GET a table over TLS / stored reply of its size", &Stack::table_path);
}
TALLA_GOAL(table_over_tls);

}  // namespace

BENCHMARK_MAIN();
