#include "postgres_server.hpp"

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

namespace talla::certs::testing {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void give_up(const std::string& why) {
  std::cerr << "postgres: " << why << '\n';
  std::abort();
}

/// The newest installation of Debian's packages.
std::string programs() {
  std::error_code ignored;
  std::string newest;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const std::string folder = entry.path().string() + "/bin";
    if (fs::exists(folder + "/initdb") && fs::exists(folder + "/postgres"))
      newest = std::max(newest, folder);
  }
  return newest;
}

/// Whom root becomes; null: nobody else.
const passwd* other_user() {
  if (::geteuid() != 0) return nullptr;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  const passwd* const postgres = ::getpwnam("postgres");
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  return postgres != nullptr ? postgres : ::getpwnam("nobody");
}

bool roomy(const char* folder) {
  struct statvfs state {};
  return ::access(folder, W_OK) == 0 && ::statvfs(folder, &state) == 0 &&
         std::uint64_t{state.f_bavail} * state.f_frsize > (std::uint64_t{512} << 20);
}

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

}  // namespace

std::string PostgresServer::absent() {
  if (programs().empty()) return "no PostgreSQL server in /usr/lib/postgresql";
  if (::geteuid() == 0 && other_user() == nullptr)
    return "root, and no user postgres or nobody to start a server as";
  return {};
}

PostgresServer::PostgresServer() {
  const fs::path base = roomy("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
  std::string pattern = (base / "talla-pg-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) give_up("no folder");
  folder_ = pattern;
  const passwd* const user = other_user();
  if (user != nullptr && ::chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0)
    give_up("no chown");
  pid_t child = -1;
  spawn({programs() + "/initdb", "-D", folder_ + "/data", "-U", "talla", "-A", "trust", "--no-sync",
         "--no-locale", "-E", "UTF8", "--wal-segsize=1"},
        child);
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0)
    give_up("initdb failed, see " + folder_ + "/log");
}

PostgresServer::~PostgresServer() {
  stop();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void PostgresServer::spawn(const std::vector<std::string>& command, pid_t& child) const {
  const passwd* const user = other_user();
  std::vector<char*> words;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): execv only reads them
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const std::string log = folder_ + "/log";
  child = ::fork();
  if (child != 0) return;
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (out < 0 || ::dup2(out, 1) < 0 || ::dup2(out, 2) < 0 || ::chdir("/") != 0) ::_exit(126);
  if (user != nullptr &&
      (::fchown(out, user->pw_uid, user->pw_gid) != 0 || ::setgroups(0, nullptr) != 0 ||
       ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0))
    ::_exit(126);
  static_cast<void>(::prctl(PR_SET_PDEATHSIG, SIGQUIT));  // behind setuid, which forgets it
  static_cast<void>(::setenv("LC_ALL", "C", 1));  // NOLINT(concurrency-mt-unsafe): one thread
  ::execv(words[0], words.data());
  ::_exit(127);
}

void PostgresServer::start() {
  spawn({programs() + "/postgres", "-D", folder_ + "/data", "-k", folder_, "-h", "", "-c",
         "shared_buffers=16MB", "-c", "max_connections=40", "-c", "max_wal_size=64MB", "-c",
         "min_wal_size=2MB", "-c", "wal_buffers=1MB"},
        pid_);
  for (int i = 0; i < 3000; ++i) {
    const Connection probe(PQconnectdb(connection().c_str()), &PQfinish);
    if (PQstatus(probe.get()) == CONNECTION_OK) return;
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_)
      give_up("the server ended, see " + folder_ + "/log");
    ::usleep(10'000);
  }
  give_up("no answer, see " + folder_ + "/log");
}

void PostgresServer::finish(int signal) {
  if (pid_ <= 0) return;
  static_cast<void>(::kill(pid_, signal));
  static_cast<void>(::waitpid(pid_, nullptr, 0));
  pid_ = -1;
}

void PostgresServer::crash() {
  finish(SIGQUIT);
}

void PostgresServer::stop() {
  finish(SIGINT);
}

void PostgresServer::become_standby_of(const PostgresServer& other) {
  fs::remove_all(folder_ + "/data");
  pid_t child = -1;
  spawn({"/bin/cp", "-a", other.folder() + "/data", folder_ + "/data"}, child);
  static_cast<void>(::waitpid(child, nullptr, 0));
  spawn({"/usr/bin/touch", folder_ + "/data/standby.signal"}, child);
  static_cast<void>(::waitpid(child, nullptr, 0));
}

std::string PostgresServer::connection(const std::string& socket_folder) const {
  return "host=" + (socket_folder.empty() ? folder_ : socket_folder) +
         " user=talla dbname=postgres";
}

std::string PostgresServer::ask(const std::string& sql) const {
  const Connection link(PQconnectdb(connection().c_str()), &PQfinish);
  PQsetNoticeProcessor(
      link.get(), [](void* /*arg*/, const char* /*text*/) {}, nullptr);
  const Answer answer(PQexec(link.get(), sql.c_str()), &PQclear);
  const ExecStatusType status = PQresultStatus(answer.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
    give_up(sql + ": " + PQerrorMessage(link.get()));
  return PQntuples(answer.get()) > 0 ? PQgetvalue(answer.get(), 0, 0) : "";
}

void PostgresServer::run(const std::string& sql) const {
  static_cast<void>(ask(sql));
}

void PostgresServer::configure(const std::string& name, const std::string& value) const {
  run("ALTER SYSTEM SET " + name + " = " + value);
  run("SELECT pg_reload_conf()");
  for (int i = 0; i < 500 && ask("SHOW " + name) != value; ++i) ::usleep(10'000);
}

}  // namespace talla::certs::testing
