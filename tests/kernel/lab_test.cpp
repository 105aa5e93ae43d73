// Goal: the laboratory collects data sets and induces failures on a generator of a real kernel, and
// its bus resets are real ones.
// Method: as kernel_test.cpp; the installed talla-lab, an emulated ChaosKey, nothing between them
// but the kernel. The virtual hub says that it switches the power of single ports and does not: the
// device stays, which must be noticed.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "../unit/usb/conformance.hpp"
#include "vhci_port.hpp"

using namespace talla;
using emulator::VhciPort;

namespace {

struct Ran {
  int code = -1;
  std::string output;
};
Ran lab(const std::string& arguments) {
  Ran ran;
  // NOLINTNEXTLINE(cert-env33-c): one thread
  FILE* pipe = popen(("talla-lab " + arguments + " 2>&1").c_str(),
                     "r");  // NOLINT: a test's own command line
  if (pipe == nullptr) return ran;
  std::array<char, 4096> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) ran.output += piece.data();
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Lab : public ::testing::Test {
 protected:
  void SetUp() override {
    auto attached = VhciPort::attach(0, emulator::chaoskey({.rate = 400'000}));
    ASSERT_TRUE(attached) << attached.error().text();
    port_ = std::move(*attached);
    std::this_thread::sleep_for(
        std::chrono::seconds(2));  // enumeration, rules, the kernel's own driver
  }
  void TearDown() override {
    port_.reset();
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  std::unique_ptr<VhciPort> port_;
};

}  // namespace

TEST_F(Lab, consecutive_samples_are_those_that_the_device_sent) {
  const Ran ran = lab("collect --raw --samples 50000 --out /tmp/raw.bin");
  ASSERT_EQ(ran.code, 0) << ran.output;
  const std::string text = content("/tmp/raw.bin");
  const Bytes samples(text.begin(), text.end());
  ASSERT_EQ(samples.size(), 50'000U);
  const std::size_t pieces = port_->with([&](const emulator::DeviceModel& model) {
    return usb::test::segments(samples, model.truth());
  });
  EXPECT_EQ(pieces, 1U);
  EXPECT_NE(content("/tmp/raw.bin.manifest.json").find("\"serial\":\"0123\""), std::string::npos);
}

TEST_F(Lab, a_hub_that_does_not_switch_is_found_out_and_the_port_is_reset) {
  const Ran ran = lab("collect --restart --rows 4 --columns 200 --out /tmp/rows.bin");
  ASSERT_EQ(ran.code, 0) << ran.output;
  EXPECT_NE(ran.output.find("by port-reset"), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("the device stayed"), std::string::npos) << ran.output;
  EXPECT_EQ(content("/tmp/rows.bin").size(), 800U);
  EXPECT_NE(content("/tmp/rows.bin.manifest.json").find("\"sp800_90b_restart_set\":\"undecided\""),
            std::string::npos);
}

TEST_F(Lab, every_test_and_check_fails_on_purpose) {
  const Ran ran = lab("induce --device chaoskey");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_NE(ran.output.find("17 of 17 tests failed on purpose"), std::string::npos) << ran.output;
}
