// Goal: the appliance runs on a USB generator of a real kernel: signed shoe, the generator is pulled out, the appliance latches and
// refuses, the generator is back, and after a restart shoes are signed again.
// Method: as kernel_test.cpp; the installed programs, an emulated ChaosKey, nothing between them but the kernel.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "vhci_port.hpp"

using namespace talla;
using emulator::VhciPort;

namespace {

constexpr const char* folder = "/tmp/appliance";

struct Ran {
  int code = -1;
  std::string output;
};
Ran run(const std::string& command) {
  Ran ran;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");  // NOLINT: a test's own command line
  if (pipe == nullptr) return ran;
  std::array<char, 4096> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) ran.output += piece.data();
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

Ran talla_says(const std::string& arguments) {
  return run(std::string("TALLA_CLIENT=") + folder + "/client talla " + arguments);
}

class Daemon : public ::testing::Test {
 protected:
  void SetUp() override {
    const Ran made = run(std::string("talla keys init ") + folder + " --port 8443 --health-port 8444");
    ASSERT_EQ(made.code, 0) << made.output;
    const std::string path = std::string(folder) + "/rngd.toml";
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    std::string config = text.str();
    const std::string automatic = "kind = \"auto\"";
    ASSERT_NE(config.find(automatic), std::string::npos) << config;
    config.replace(config.find(automatic), automatic.size(),
                   "kind = \"usb\"\nmodel = \"chaoskey\"\nserial = \"0123\"");
    std::ofstream(path) << config;
  }
  void TearDown() override { stop(); }
  void plug() {
    auto attached = VhciPort::attach(0, emulator::chaoskey({.rate = 200'000}));
    ASSERT_TRUE(attached) << attached.error().text();
    port_ = std::move(*attached);
    std::this_thread::sleep_for(std::chrono::seconds(2));  // enumeration, rules, the kernel's own driver
  }
  void start() {
    daemon_ = fork();
    if (daemon_ == 0) {
      const std::string config = std::string(folder) + "/rngd.toml";
      execl("/bin/rngd", "rngd", "--config", config.c_str(), nullptr);
      _exit(127);
    }
    const Ran ready = talla_says("status --wait 90");
    ASSERT_EQ(ready.code == 0 || ready.code == 3, true) << ready.output;
  }
  void stop() {
    if (daemon_ <= 0) return;
    kill(daemon_, SIGTERM);
    waitpid(daemon_, nullptr, 0);
    daemon_ = -1;
  }
  static Ran shoe(const std::string& file) {
    return talla_says("shoe --decks 8 --deal 10 --out /tmp/" + file);
  }
  static std::string verified(const std::string& file) {
    return talla_says("--json verify /tmp/" + file + " --root " + folder + "/ca.pem").output;
  }
  std::unique_ptr<VhciPort> port_;
  pid_t daemon_ = -1;
};

}  // namespace

TEST_F(Daemon, SignsLatchesWhenTheGeneratorIsPulledOutAndSignsAgainAfterARestart) {
  plug();
  start();
  const Ran first = shoe("first.talla");
  ASSERT_EQ(first.code, 0) << first.output;
  EXPECT_NE(verified("first.talla").find("\"class\":\"certified\""), std::string::npos)
      << verified("first.talla");

  port_.reset();
  Ran refused;
  for (int k = 0; k < 50 && refused.output.find("latched") == std::string::npos; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    refused = shoe("never.talla");
  }
  EXPECT_NE(refused.code, 0);
  EXPECT_NE(refused.output.find("latched"), std::string::npos) << refused.output;

  plug();
  EXPECT_NE(shoe("never.talla").code, 0) << "a latch does not end by itself";
  stop();
  start();
  const Ran second = shoe("second.talla");
  ASSERT_EQ(second.code, 0) << second.output;
  EXPECT_NE(verified("second.talla").find("\"class\":\"certified\""), std::string::npos)
      << verified("second.talla");
}
