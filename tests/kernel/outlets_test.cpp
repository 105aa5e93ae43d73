// Goal: entropy of the appliance reaches a real kernel both ways: as /dev/hwrng of a virtual
// machine whose QEMU asks the EGD socket of an appliance on the host, and by RNDADDENTROPY from an
// appliance inside.
// Method: runs as root in a virtual machine (tests/kernel/outlets_test.py starts the host's
// appliance and the machine).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/bytes.hpp"
#include "outlet/errc.hpp"
#include "outlet/kernel_feed.hpp"
#include "vhci_port.hpp"

using namespace talla;
using emulator::VhciPort;

namespace {

constexpr const char* folder = "/tmp/appliance";

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string run(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");  // NOLINT: a test's own command line
  if (pipe == nullptr) return output;
  std::array<char, 4096> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) output += piece.data();
  static_cast<void>(pclose(pipe));
  return output;
}

int entropy_avail() {
  return std::stoi(text_of("/proc/sys/kernel/random/entropy_avail"));
}

/// The value of a line of /metrics of the appliance in here; -1: there is none.
double metric(const std::string& name) {
  std::istringstream lines(run("busybox wget -q -O - http://127.0.0.1:8444/metrics"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + " ")) return std::stod(line.substr(name.size()));
  }
  return -1;
}

}  // namespace

TEST(KernelPool, takes_what_it_is_fed_from_root_and_from_nobody_else) {
  auto pool = outlet::LinuxKernelPool::open();
  ASSERT_TRUE(pool) << pool.error().text();
  const Bytes bytes(64, 0x5a);
  const int before = entropy_avail();
  EXPECT_TRUE((*pool)->add(bytes, 0));
  const int uncredited = entropy_avail();
  EXPECT_TRUE((*pool)->add(bytes, 512));
  std::printf(
      "entropy_avail %d before, %d after 64 bytes without credit, %d after 512 credited bits\n",
      before, uncredited, entropy_avail());
  EXPECT_LT(uncredited - before, 64)
      << "bytes without credit count nothing; only the kernel's own sources add a little";
  EXPECT_EQ(entropy_avail(), 256) << "the kernel counts up to 256";
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(3);
    const auto refused = outlet::LinuxKernelPool::open();
    _exit(!refused && refused.error().is(outlet::OutletErrc::no_permission) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Hwrng, is_the_hosts_appliance) {
  // Not before: the kernel fills its own pool from it at once.
  ASSERT_EQ(run("busybox insmod /modules/virtio-rng.ko"), "");
  EXPECT_NE(text_of("/sys/class/misc/hw_random/rng_current").find("virtio_rng"), std::string::npos)
      << text_of("/sys/class/misc/hw_random/rng_available");
  const int device = open("/dev/hwrng", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(device, 0);
  Bytes bytes;
  std::array<std::uint8_t, 4096> piece{};
  while (bytes.size() < 65'536) {
    const ssize_t got = read(device, piece.data(), piece.size());
    ASSERT_GT(got, 0) << errno;
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + got);
  }
  close(device);
  // 524,288 bits: six standard deviations are 2,172 ones, which fair bits exceed once in 5 * 10^8
  // runs.
  long ones = 0;
  for (const std::uint8_t byte : bytes) ones += std::popcount(byte);
  EXPECT_NEAR(static_cast<double>(ones), 262'144, 2'172);
  std::printf("read %zu bytes of /dev/hwrng\n", bytes.size());
}

TEST(KernelFeed, the_daemon_feeds_the_kernel_and_credits_what_was_assessed) {
  auto port = VhciPort::attach(0, emulator::chaoskey({.rate = 200'000}));
  ASSERT_TRUE(port) << port.error().text();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const std::string made =
      run(std::string("talla keys init ") + folder + " --port 8443 --health-port 8444");
  const std::string path = std::string(folder) + "/rngd.toml";
  std::string config = text_of(path);
  const std::string automatic = "kind = \"auto\"";
  ASSERT_NE(config.find(automatic), std::string::npos) << made;
  config.replace(config.find(automatic), automatic.size(),
                 "kind = \"usb\"\nmodel = \"chaoskey\"\nserial = \"0123\"\n"
                 "assessed_millibits = 4000\nassessment_kind = \"type\"\n"
                 "assessment_file = \"certificate\"\nassessment = \""
                 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"");
  config += "\n[kernel_feed]\nenabled = true\nbytes_per_second = 640\ncredit_bits_per_byte = 4\n";
  std::ofstream(std::string(folder) + "/certificate") << "abc";  // its digest is in FIPS 180-4
  std::ofstream(path) << config;
  const pid_t daemon = fork();
  if (daemon == 0) {
    execl("/bin/rngd", "rngd", "--config", path.c_str(), nullptr);
    _exit(127);
  }
  double fed = 0;
  for (int k = 0; k < 600 && fed < 2048; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    fed = metric("talla_kernel_feed_bytes_total");
  }
  EXPECT_GE(fed, 2048);
  EXPECT_GE(metric("talla_kernel_feed_credited_bits_total"), 4 * 2048);
  EXPECT_EQ(metric("talla_kernel_feed_failed"), 0);
  std::printf("fed %.0f bytes, entropy_avail %d\n", fed, entropy_avail());
  kill(daemon, SIGTERM);
  waitpid(daemon, nullptr, 0);
}
