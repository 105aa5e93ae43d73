/// \file
/// The real daemon with its own keys, ledger and N enrolled tables in a temporary folder, watched
/// from outside by /proc.
#pragma once

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "certs/keys.hpp"
#include "tls_link.hpp"

namespace talla_bench {

inline void need(const talla::Status& status) {
  if (!status) give_up(status.error().text());
}

/// Sync of one small write, as a ledger's group needs at the least: times in milliseconds,
/// ascending.
inline std::vector<double> bare_syncs(const std::string& folder, int count) {
  const int file = ::open((folder + "/sync").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const std::vector<char> page(4096, 'x');
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    // Over and over the same place: the ledger's log is laid out ahead too.
    if (::pwrite(file, page.data(), page.size(), 4096L * (i % 64)) != 4096 ||
        ::fdatasync(file) != 0)
      give_up("sync");
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  ::close(file);
  std::sort(times.begin(), times.end());
  return times;
}

inline double cpu_seconds(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream rest(line.substr(line.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) rest >> skipped;
  double user = 0;
  double system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

class LoadAppliance {
 public:
  explicit LoadAppliance(int tables) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "talla-bench-load-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) give_up("no temporary folder");
    folder_ = pattern;
    const auto now = talla::SystemClock().utc_us();
    need(talla::certs::init_development_keys({.folder = folder_ + "/keys",
                                              .origin = "talla.test/load",
                                              .server_names = {},
                                              .now_us = now}));
    for (int i = 0; i < tables; ++i)
      need(talla::certs::add_development_client(
          {.folder = folder_ + "/keys", .id = id(i), .roles = {"table"}, .now_us = now}));
    configure();
    start();
  }
  ~LoadAppliance() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  LoadAppliance(const LoadAppliance&) = delete;
  LoadAppliance& operator=(const LoadAppliance&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string own(int i) const { return folder_ + "/keys/clients/" + id(i); }
  [[nodiscard]] std::string root() const { return folder_ + "/keys/ca.pem"; }
  /// Processor time of the daemon so far.
  [[nodiscard]] double cpu() const { return cpu_seconds(process_); }
  /// The most memory it ever had, MB of 10^6 bytes.
  [[nodiscard]] double memory_max() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) * 1024 / 1e6;
    }
    give_up("no VmHWM");
  }

 private:
  static std::string id(int i) { return "talla:table-" + std::to_string(i); }

  void configure() const {
    std::ofstream(folder_ + "/rngd.toml")
        << "profile = \"development\"\norigin = \"talla.test/load\"\ndata = "
           "\"data\"\n[api]\naddress = "
           "\"127.0.0.1\"\nport = 0\n"
           "certificate = \"keys/server.pem\"\nkey = \"keys/server.key\"\nclient_roots = "
           "\"keys/ca.pem\"\nenrolment = \"keys/clients.toml\"\n"
           "[health]\nenabled = false\n[source]\nkind = \"system\"\n[keys]\nlog_key = "
           "\"keys/log.key\"\nlog_statement = \"keys/log-key.json\"\n"
           "sealing_key = \"keys/sealing.key\"\n[limits]\nconnections = "
           "2048\nconnections_per_address = 2048\ndisk_reserve_mib = "
           "1\n";
  }

  void start() {
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a bench that gives up leaves no daemon behind
      const int log = ::open((folder_ + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
      ::dup2(log, STDOUT_FILENO);
      ::dup2(log, STDERR_FILENO);
      const std::string config = folder_ + "/rngd.toml";
      ::execl(TALLA_RNGD, "rngd", "--config", config.c_str(), nullptr);
      ::_exit(127);
    }
    for (int tries = 0; tries < 3000; ++tries) {
      std::stringstream text;
      text << std::ifstream(folder_ + "/log").rdbuf();
      const std::string log = text.str();
      const auto at = log.find("api_listening address=127.0.0.1 port=");
      if (at != std::string::npos && log.find("notice ready") != std::string::npos) {
        port_ = static_cast<std::uint16_t>(std::strtoul(log.c_str() + at + 37, nullptr, 10));
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    give_up("rngd does not start");
  }

  std::string folder_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace talla_bench
