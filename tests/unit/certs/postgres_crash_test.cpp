// Goal: nothing acknowledged is lost whatever dies: the client, the server, the way between; an
// unknown outcome latches and the next open reads the truth.
// Method: children killed at random, a server that crashes, backends that are ended, locks that are
// not given, and a proxy that keeps back the answer to a COMMIT.
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <thread>

#include "postgres_fixture.hpp"

namespace talla::certs::testing {
namespace {

class PostgresCrash : public ::testing::Test {
 protected:
  [[nodiscard]] PostgresLedgerOptions options() const { return options_of(origin_); }
  Folder folder_;
  std::string origin_ = fresh_origin();
};

/// A socket of a server that hands everything on both ways until it is told to keep back the answer
/// to the next COMMIT; then it waits until the server has said it, and breaks the connection.
class Proxy {
 public:
  Proxy() : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_un place = address(folder_ / ".s.PGSQL.5432");
    if (::bind(listener_, reinterpret_cast<const sockaddr*>(&place), sizeof(place)) != 0 ||
        ::listen(listener_, 8) != 0)
      std::abort();
    accepting_ = std::thread([this] { accept_all(); });
  }
  ~Proxy() {
    static_cast<void>(::shutdown(listener_, SHUT_RDWR));
    accepting_.join();
    for (std::thread& one : carrying_) one.join();
    static_cast<void>(::close(listener_));
  }
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;
  [[nodiscard]] std::string connection() const { return server().connection(folder_.path()); }
  void keep_back_the_next_commit() { keep_ = true; }

 private:
  static sockaddr_un address(const std::string& path) {
    sockaddr_un out{};
    out.sun_family = AF_UNIX;
    path.copy(out.sun_path, sizeof(out.sun_path) - 1);
    return out;
  }
  void accept_all() {
    for (;;) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      const int real = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_un place = address(server().folder() + "/.s.PGSQL.5432");
      if (::connect(real, reinterpret_cast<const sockaddr*>(&place), sizeof(place)) != 0)
        std::abort();
      carrying_.emplace_back([this, client, real] { carry(client, real); });
    }
  }
  static bool hand_on(int from, int to, std::string* kept) {
    std::array<char, 65536> block{};
    const ssize_t got = ::read(from, block.data(), block.size());
    if (got <= 0) return false;
    if (kept != nullptr) {
      kept->append(block.data(), static_cast<std::size_t>(got));
      return kept->find("COMMIT") == std::string::npos;
    }
    return ::write(to, block.data(), static_cast<std::size_t>(got)) == got;
  }
  void carry(int client, int real) {
    std::string kept;
    std::array<pollfd, 2> both = {pollfd{client, POLLIN, 0}, pollfd{real, POLLIN, 0}};
    for (bool going = true; going && ::poll(both.data(), both.size(), -1) > 0;) {
      if (both[0].revents != 0) going = hand_on(client, real, nullptr);
      if (going && both[1].revents != 0) going = hand_on(real, client, keep_ ? &kept : nullptr);
    }
    static_cast<void>(::close(client));
    static_cast<void>(::close(real));
  }
  Folder folder_;
  std::atomic<bool> keep_{false};
  int listener_ = -1;
  std::thread accepting_;
  std::vector<std::thread> carrying_;
};

TEST_F(PostgresCrash,
       when_the_answer_to_a_commit_is_lost_the_outcome_is_unknown_and_the_next_open_reads_it) {
  std::uint64_t acknowledged = 0;
  {
    Proxy proxy;
    auto through = options();
    through.connection = proxy.connection();
    ServerAppliance appliance(folder_, through);
    acknowledged = must(appliance.add(3));
    proxy.keep_back_the_next_commit();
    const auto lost = appliance.add(2);
    ASSERT_FALSE(lost);
    EXPECT_TRUE(lost.error().is(Errc::ledger_io)) << lost.error().text();
    EXPECT_NE(lost.error().detail.find("unknown"), std::string::npos) << lost.error().text();
    EXPECT_TRUE(appliance.log->latched());
    EXPECT_EQ(appliance.log->size(), acknowledged) << "nothing is acknowledged";
    EXPECT_FALSE(appliance.ledger->commit(group_of({record_of(3)})));
  }
  EXPECT_EQ(must(open_again(folder_, options(), true)), acknowledged + 2) << "the server had it";
}

/// Holds a lock that a commit needs, from a connection of its own.
class Holder {
 public:
  explicit Holder(const std::string& origin) {
    const std::string name = postgres_schema(origin) + ".records";
    thread_ = std::thread([this, name] {
      server().run(
          "BEGIN; LOCK TABLE " + name +
          " IN ACCESS EXCLUSIVE MODE; DO $$ BEGIN WHILE NOT pg_try_advisory_lock(77) LOOP PERFORM "
          "pg_sleep(0.02);"
          " END LOOP; END $$; COMMIT");
      done_ = true;
    });
    while (server().ask("SELECT count(*) FROM pg_locks WHERE relation = '" + name +
                        "'::regclass AND mode = 'AccessExclusiveLock' AND granted") != "1")
      ::usleep(5'000);
  }
  ~Holder() { thread_.join(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

 private:
  std::thread thread_;
  std::atomic<bool> done_{false};
};

/// A session lock that the holder waits for.
class Gate {
 public:
  Gate() : link_(PQconnectdb(server().connection().c_str()), &PQfinish) {
    ask("SELECT pg_advisory_lock(77)");
  }
  void open() { ask("SELECT pg_advisory_unlock(77)"); }

 private:
  void ask(const char* sql) { PQclear(PQexec(link_.get(), sql)); }
  std::unique_ptr<PGconn, decltype(&PQfinish)> link_;
};

TEST_F(PostgresCrash, a_commit_without_an_answer_in_time_latches) {
  auto hasty = options();
  hasty.commit_limit = std::chrono::seconds(2);
  ServerAppliance appliance(folder_, hasty);
  must(appliance.add(3));
  Gate gate;
  {
    const Holder holder(origin_);
    const auto late = appliance.add(1);
    ASSERT_FALSE(late);
    EXPECT_TRUE(late.error().is(Errc::ledger_io)) << late.error().text();
    EXPECT_NE(late.error().detail.find("no answer in time"), std::string::npos)
        << late.error().text();
    EXPECT_TRUE(appliance.log->latched());
    gate.open();
  }
  const std::uint64_t size = must(open_again(folder_, options(), true));
  EXPECT_TRUE(size == 3 || size == 4) << size << ": whole or not at all";
}

TEST_F(PostgresCrash, a_connection_that_is_ended_in_a_commit_latches_and_readers_come_back) {
  ServerAppliance appliance(folder_, options());
  must(appliance.add(3));
  Gate gate;
  {
    const Holder holder(origin_);
    Result<std::uint64_t> outcome = 0;
    std::thread committing([&] { outcome = appliance.add(1); });
    while (
        server().ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'talla' AND "
                     "wait_event_type = 'Lock'") != "1")
      ::usleep(5'000);
    server().run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'talla'");
    committing.join();
    ASSERT_FALSE(outcome);
    EXPECT_TRUE(outcome.error().is(Errc::ledger_io)) << outcome.error().text();
    EXPECT_TRUE(appliance.log->latched());
    gate.open();
  }
  EXPECT_EQ(must(appliance.ledger->records(0, 10)).size(), 3U) << "readers connect again";
  EXPECT_FALSE(appliance.add(0)) << "the writer never does";
  EXPECT_EQ(must(open_again(folder_, options(), true)), 3U);
}

TEST_F(PostgresCrash, a_writer_whose_connection_was_ended_at_rest_never_connects_again_by_itself) {
  ServerAppliance appliance(folder_, options());
  must(appliance.add(3));
  server().run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'talla'");
  const auto refused = appliance.add(1);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::ledger_io)) << refused.error().text();
  EXPECT_TRUE(appliance.log->latched());
}

TEST_F(PostgresCrash, a_reader_goes_back_to_no_server_that_has_less_or_that_another_daemon_writes) {
  const auto ledger = must(open_postgres_ledger(options()));
  ASSERT_TRUE(ledger->commit(group_of({record_of(0), record_of(1)})));
  const auto end_all = [] {
    server().run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'talla'");
  };
  end_all();
  server().run("UPDATE " + postgres_schema(origin_) + ".fence SET size = 1");
  const auto shorter = ledger->record(0);
  ASSERT_FALSE(shorter);
  EXPECT_TRUE(shorter.error().is(Errc::ledger_shorter)) << shorter.error().text();
  server().run("UPDATE " + postgres_schema(origin_) + ".fence SET size = 2, epoch = epoch + 1");
  const auto fenced = ledger->record(0);
  ASSERT_FALSE(fenced);
  EXPECT_TRUE(fenced.error().is(Errc::ledger_fenced)) << fenced.error().text();
  server().run("UPDATE " + postgres_schema(origin_) + ".fence SET epoch = epoch - 1");
  EXPECT_TRUE(ledger->record(0));
}

/// A child that commits groups of three for ever and tells each one after it is durable.
class Child {
 public:
  Child(const Folder& folder, const PostgresLedgerOptions& options) {
    if (::pipe(ends_.data()) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ServerAppliance appliance(folder, options);
      for (;;) {
        const auto size = appliance.add(3);
        if (!size || ::write(ends_[1], &*size, sizeof(*size)) != sizeof(*size)) ::_exit(3);
      }
    }
    static_cast<void>(::close(ends_[1]));
  }
  /// The last size it tells before it ends, after at least so many.
  std::uint64_t listen(int groups, const std::function<void()>& end_it) {
    std::uint64_t size = 0;
    std::uint64_t last = 0;
    for (int i = 0; ::read(ends_[0], &size, sizeof(size)) == sizeof(size); ++i) {
      last = size;
      if (i == groups) end_it();
    }
    static_cast<void>(::close(ends_[0]));
    static_cast<void>(::waitpid(pid_, nullptr, 0));
    return last;
  }
  void kill() const { static_cast<void>(::kill(pid_, SIGKILL)); }

 private:
  std::array<int, 2> ends_{};
  pid_t pid_ = -1;
};

TEST_F(PostgresCrash, killed_at_random_moments_loses_nothing_acknowledged) {
  must(open_again(folder_, options()));
  std::uint64_t least = 0;
  const bool long_run = std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  for (int round = 0; round < (long_run ? 200 : 8); ++round) {
    Child child(folder_, options());
    const std::uint64_t told = child.listen(2 * round, [&] { child.kill(); });
    const auto found = open_again(folder_, options(), true);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_GE(*found, told);
    EXPECT_GT(told, least);
    EXPECT_EQ(*found % 3, 0U) << "groups are whole";
    least = *found;
  }
  EXPECT_TRUE(check_postgres_ledger(options()));
}

TEST_F(PostgresCrash, a_server_that_crashes_loses_nothing_acknowledged) {
  must(open_again(folder_, options()));
  std::uint64_t least = 0;
  for (int round = 0; round < 3; ++round) {
    Child child(folder_, options());
    const std::uint64_t told = child.listen(10, [&] { server().crash(); });
    server().start();
    const auto found = open_again(folder_, options(), true);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_GE(*found, told);
    EXPECT_GT(told, least);
    EXPECT_EQ(*found % 3, 0U);
    least = *found;
  }
}

}  // namespace
}  // namespace talla::certs::testing
