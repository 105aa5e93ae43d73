// A TPM 2 in software (swtpm) in a folder of its own, for tests of what a TPM keeps. Absent swtpm:
// `present()` is false.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "fixture.hpp"

namespace talla::certs::testing {

class SoftTpm {
 public:
  // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c): one thread
  static bool present() { return std::system("command -v swtpm >/dev/null") == 0; }

  SoftTpm() { start(); }
  ~SoftTpm() {
    stop();
    release();
  }
  SoftTpm(const SoftTpm&) = delete;
  SoftTpm& operator=(const SoftTpm&) = delete;

  [[nodiscard]] std::string tcti() const {
    return "swtpm:host=127.0.0.1,port=" + std::to_string(port_);
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Its NV memory outlives a stop, as that of a machine that is switched off.
  void stop() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  void start() {
    for (int port = 10000 + ::getpid() * 2 % 1900; port < 12000;
         port += 2) {  // below the choices of the kernel and of the end-to-end tests
      if (started(static_cast<std::uint16_t>(port))) return;
    }
    static_cast<void>(std::fputs("no pair of free ports for swtpm\n", stderr));
    std::abort();
  }

 private:
  /// Whether swtpm runs at this port with its control channel, as the TCTI wants, at the next one.
  /// Tests run beside one another: a pair is taken under a lock, and a server that could not have
  /// it ends, which sends us to the next pair.
  [[nodiscard]] bool started(std::uint16_t port) {
    if (!claim(port)) return false;
    port_ = port;
    const std::string server = "type=tcp,bindaddr=127.0.0.1,port=" + std::to_string(port);
    const std::string control = "type=tcp,bindaddr=127.0.0.1,port=" + std::to_string(port + 1);
    std::vector<std::string> words{
        "swtpm", "socket", "--tpm2", "--tpmstate", "dir=" + folder_.path(),      "--server",
        server,  "--ctrl", control,  "--flags",    "not-need-init,startup-clear"};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (::posix_spawnp(&pid_, "swtpm", nullptr, nullptr, arguments.data(), environ) != 0)
      std::abort();
    for (int i = 0; i < 1500; ++i) {
      if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {  // somebody else has a port of the pair
        pid_ = 0;
        break;
      }
      if (answers()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    stop();
    return false;
  }
  /// A name in the abstract socket namespace is one process's until it lets go or ends, and leaves
  /// no file behind.
  [[nodiscard]] bool claim(std::uint16_t port) {
    release();
    claim_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    const std::string text = "talla-swtpm-" + std::to_string(port);
    text.copy(&name.sun_path[1], text.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    return ::bind(claim_, reinterpret_cast<const sockaddr*>(&name), size) == 0;
  }
  void release() {
    if (claim_ >= 0) ::close(claim_);
    claim_ = -1;
  }
  /// Both of its ports: it opens one after the other.
  [[nodiscard]] bool answers() const { return listens(port_) && listens(port_ + 1); }
  [[nodiscard]] static bool listens(int port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool good =
        ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return good;
  }

  Folder folder_;
  std::uint16_t port_ = 0;
  int claim_ = -1;
  pid_t pid_ = 0;
};

}  // namespace talla::certs::testing
