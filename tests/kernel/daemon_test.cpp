// Goal: the appliance runs on a USB generator of a real kernel: signed shoe, the generator is
// pulled out, the appliance latches and refuses; the generator is back and the latch stays, until
// two persons reset it and the start-up tests pass: signed shoe.
// Method: as kernel_test.cpp; the installed programs, an emulated ChaosKey, nothing between them
//         but the kernel.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
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
    const Ran made =
        run(std::string("talla keys init ") + folder + " --port 8443 --health-port 8444");
    ASSERT_EQ(made.code, 0) << made.output;
    const std::string path = std::string(folder) + "/rngd.toml";
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    std::string config = text.str();
    const std::string automatic = "kind = \"auto\"";
    ASSERT_NE(config.find(automatic), std::string::npos) << config;
    config.replace(config.find(automatic), automatic.size(),
                   "kind = \"usb\"\nmodel = \"chaoskey\"\nserial = \"0123\"\n"
                   "assessed_millibits = 4000\nassessment_kind = \"type\"\n"
                   "assessment_file = \"certificate\"\nassessment = \""
                   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"");
    config += "\n[limits]\ndisk_reserve_mib = 1\n";  // the whole guest is a small memory disk
    std::ofstream(std::string(folder) + "/certificate") << "abc";  // its digest is in FIPS 180-4
    std::ofstream(path) << config;
  }
  void TearDown() override { stop(); }
  void plug() {
    auto attached = VhciPort::attach(0, emulator::chaoskey({.rate = 200'000}));
    ASSERT_TRUE(attached) << attached.error().text();
    port_ = std::move(*attached);
    std::this_thread::sleep_for(
        std::chrono::seconds(2));  // enumeration, rules, the kernel's own driver
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
  /// Whether the evidence holds, and its commitment says that the device counted. Certified it is
  /// not: no laboratory and no regulator have signed for this appliance.
  static ::testing::AssertionResult rests_on_the_device(const std::string& file) {
    const std::string verdict = verified(file);
    std::stringstream evidence;
    evidence << std::ifstream("/tmp/" + file).rdbuf();
    if (verdict.find("\"class\":\"uncertified\"") != std::string::npos &&
        evidence.str().find(R"(\"uncertified\":false)") != std::string::npos)
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << verdict;
  }
  std::unique_ptr<VhciPort> port_;
  pid_t daemon_ = -1;
};

}  // namespace

namespace {

Ran as(const std::string& who, const std::string& arguments) {
  return run(std::string("talla --client ") + folder + "/" + who + " " + arguments);
}

/// The number behind `"name":` in a line of the log; -1 when it is not there.
double number_in(const std::string& text, const std::string& name) {
  const auto at = text.find("\"" + name + "\":");
  return at == std::string::npos ? -1 : std::strtod(text.c_str() + at + name.size() + 3, nullptr);
}

double now_ms() {
  timespec now{};
  EXPECT_EQ(clock_gettime(CLOCK_REALTIME, &now), 0);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// The kernel's messages from now on.
class KernelMessages {
 public:
  KernelMessages() : file_(open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    static_cast<void>(lseek(file_, 0, SEEK_END));
  }
  KernelMessages(const KernelMessages&) = delete;
  KernelMessages& operator=(const KernelMessages&) = delete;
  ~KernelMessages() { close(file_); }
  /// When a message with these words came, of the wall clock in milliseconds; negative: not within
  /// two seconds.
  double when(const std::string& words) const {
    std::array<char, 8192> line{};
    for (const double end = now_ms() + 2000; now_ms() < end;) {
      const ssize_t size = read(file_, line.data(), line.size());
      if (size > 0 && std::string_view(line.data(), static_cast<std::size_t>(size)).find(words) !=
                          std::string_view::npos)
        return now_ms();
      if (size <= 0) std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return -1;
  }

 private:
  int file_;
};

/// Prints how long after the kernel's notice the alarm and with it the latch came. No assertion: a
/// virtual machine without hardware help is no clock.
void print_recovery(double noticed_ms) {
  const Ran alarm =
      run(std::string("talla --client ") + folder +
          "/auditor log tail --raw --limit 1000 | busybox grep HEALTH | busybox tail -n 1");
  const double alarm_us = number_in(alarm.output, "alarm_us");
  if (noticed_ms < 0 || alarm_us < 0) {
    std::printf("recovery: not measured\n");
  } else {
    std::printf("recovery: kernel's notice to latch %.1f ms (goal: within 100 ms)\n",
                alarm_us / 1e3 - noticed_ms);
  }
}

/// Until the appliance says so of its first source, at most so many tries.
bool source_is(const std::string& member, const std::string& value, int tries = 60) {
  for (int k = 0; k < tries; ++k) {
    const Ran status = talla_says("--json status");
    if (status.output.find("\"" + member + "\":" + value) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return false;
}

std::string act_id(const std::string& output) {
  const auto at = output.find("act-");
  return at == std::string::npos ? "none" : output.substr(at, output.find(':', at) - at);
}

}  // namespace

TEST_F(Daemon, signs_latches_when_the_generator_is_pulled_out_and_signs_again_after_a_reset) {
  plug();
  start();
  const Ran first = shoe("first.talla");
  ASSERT_EQ(first.code, 0) << first.output;
  EXPECT_TRUE(rests_on_the_device("first.talla"));
  const Ran devices = talla_says("devices");
  EXPECT_NE(devices.output.find("in use: chaoskey 0123: good"), std::string::npos)
      << devices.output;

  const KernelMessages messages;
  port_.reset();
  const double noticed_ms = messages.when("USB disconnect");
  Ran refused;
  for (int k = 0; k < 50 && refused.output.find("latched") == std::string::npos; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    refused = shoe("never.talla");
  }
  EXPECT_NE(refused.code, 0);
  EXPECT_NE(refused.output.find("latched"), std::string::npos) << refused.output;
  EXPECT_TRUE(source_is("lost", "true"));
  print_recovery(noticed_ms);

  plug();
  EXPECT_TRUE(source_is("lost", "false")) << "the device is back in its place";
  EXPECT_NE(shoe("never.talla").code, 0) << "a latch does not end by itself";
  const Ran asked = as("officer", "act ask latch-reset");
  ASSERT_EQ(asked.code, 0) << asked.output;
  const std::string act = act_id(asked.output);
  EXPECT_NE(as("officer", "act confirm " + act).code, 0) << "one person is not two";
  const Ran confirmed = as("inspector", "act confirm " + act);
  ASSERT_EQ(confirmed.code, 0) << confirmed.output;
  EXPECT_NE(confirmed.output.find("done"), std::string::npos) << confirmed.output;
  const Ran second = shoe("second.talla");
  ASSERT_EQ(second.code, 0) << second.output;
  EXPECT_TRUE(rests_on_the_device("second.talla"));
}
