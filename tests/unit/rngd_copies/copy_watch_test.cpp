// Goal: a new generation id of the virtual machine is noticed, each time, and nothing else passes
//   for one.
// Method: messages as the kernel writes them (drivers/virt/vmgenid.c) over a socket pair; trees of
//   sysfs with and without the driver's device; the kernel's own socket is opened and closed.
#include "copy_watch.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <future>
#include <string>

namespace talla::rngd {
namespace {

using namespace std::string_literals;

const std::string place = "/devices/LNXSYSTM:00/LNXSYBUS:00/QEMUVGID:00";
const std::string announcement = "change@" + place + "\0ACTION=change\0DEVPATH="s + place +
                                 "\0SUBSYSTEM=acpi\0NEW_VMGENID=1\0SEQNUM=1207\0"s;

TEST(CopyWatch, knows_the_kernels_announcement_and_nothing_else) {
  EXPECT_TRUE(tells_of_a_copy(announcement));
  EXPECT_TRUE(tells_of_a_copy("change@/devices/platform/vmgenid\0NEW_VMGENID=1"s));
  const auto with = [](const std::string& field) {
    return "change@" + place + "\0ACTION=change\0"s + field + "\0SEQNUM=1\0"s;
  };
  EXPECT_FALSE(tells_of_a_copy(with("NEW_VMGENID=0")));
  EXPECT_FALSE(tells_of_a_copy(with("NEW_VMGENID=10")));
  EXPECT_FALSE(tells_of_a_copy(with("NEW_VMGENID=")));
  EXPECT_FALSE(tells_of_a_copy(with("SYNTH_ARG_NEW_VMGENID=1")))
      << "what root writes into a uevent file";
  EXPECT_FALSE(tells_of_a_copy(with("NAME=x NEW_VMGENID=1")));
  EXPECT_FALSE(tells_of_a_copy("add@" + place + "\0NEW_VMGENID=1\0"s));
  EXPECT_FALSE(tells_of_a_copy("libudev\0change@x\0NEW_VMGENID=1\0"s));
  EXPECT_FALSE(tells_of_a_copy(""));
  EXPECT_FALSE(tells_of_a_copy("change@"));
  EXPECT_FALSE(tells_of_a_copy(std::string(16, '\0')));
}

TEST(CopyWatch, calls_for_each_announcement_and_for_no_other_message) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  std::array<std::promise<void>, 2> called;
  std::atomic<std::size_t> count{0};
  {
    const CopyWatch watch(ends[0], [&] {
      const std::size_t number = count++;
      if (number < called.size()) called.at(number).set_value();
    });
    const auto send = [&](const std::string& message) {
      ASSERT_EQ(::send(ends[1], message.data(), message.size(), MSG_NOSIGNAL),
                static_cast<ssize_t>(message.size()));
    };
    send("change@/devices/x\0ACTION=change\0"s);
    send(announcement);
    called[0].get_future().wait();
    send("remove@/devices/x\0NEW_VMGENID=1\0"s);
    send(announcement);
    called[1].get_future().wait();
  }
  EXPECT_EQ(count, 2U);
  ::close(ends[1]);
}

TEST(CopyWatch, ends_where_nobody_speaks_and_where_the_other_end_has_gone) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  {
    const CopyWatch watch(ends[0], [] { ADD_FAILURE() << "nobody said anything"; });
    ::close(ends[1]);
  }
  auto kernel = CopyWatch::open([] {});
  EXPECT_TRUE(kernel || kernel.error().is(CopyWatchErrc::no_news));
}

TEST(CopyWatch, finds_the_drivers_device) {
  namespace fs = std::filesystem;
  const fs::path sys = fs::temp_directory_path() / ("copy_watch." + std::to_string(::getpid()));
  const fs::path driver = sys / "bus/acpi/drivers/vmgenid";
  EXPECT_FALSE(has_generation_id(sys));
  fs::create_directories(driver);
  fs::create_symlink("../../../../module/vmgenid", driver / "module");
  fs::create_directories(driver / "uevent");
  EXPECT_FALSE(has_generation_id(sys)) << "the driver is there, and no device";
  fs::create_symlink("../../../../devices/LNXSYSTM:00/QEMUVGID:00", driver / "QEMUVGID:00");
  EXPECT_TRUE(has_generation_id(sys));
  fs::remove_all(sys);
}

}  // namespace
}  // namespace talla::rngd
