// Goal: the core gets samples from a real rngd-source, and every way that process can fail is a
//       clear error.
// Method: the built program over libusb and an emulated usbfs; scripts in its place for what it
//         never does.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "mock_bus.hpp"
#include "usb/source_process.hpp"
#include "usb/source_wish.hpp"

using namespace talla;
using namespace talla::usb;
using talla::usb::test::MockBus;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "talla-source-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] std::string script(const std::string& body) const {
    const fs::path file = path_ / "source";
    std::ofstream(file) << "#!/bin/sh\n" << body << '\n';
    chmod(file.c_str(), 0755);
    return file.string();
  }
  [[nodiscard]] fs::path path() const { return path_; }

 private:
  fs::path path_;
};

std::map<std::string, std::string> status_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  std::map<std::string, std::string> fields;
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(":\t");
    if (colon != std::string::npos) fields[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return fields;
}

/// True when the process is gone, or dead and not yet reaped by whoever inherited it.
bool ends_within(pid_t pid, int seconds) {
  for (int k = 0; k < seconds * 50; ++k) {
    const auto fields = status_of(pid);
    if (fields.empty() || fields.at("State").starts_with('Z')) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

Error start_error(const SourceProcessOptions& options) {
  const auto process = SourceProcess::start(options);
  EXPECT_FALSE(process);
  return process ? Error(UsbErrc::stopped, "it started") : process.error();
}

class SourceOnMockBus : public ::testing::Test {
 protected:
  [[nodiscard]] SourceProcessOptions options() const {
    return {.program = RNGD_SOURCE_PROGRAM,
            .environment = {
                "LD_PRELOAD=libumockdev-preload.so.0", "UMOCKDEV_DIR=" + bus_.root_dir(),
                "TALLA_EMULATED_BUS=" + bus_.root_dir(), "ASAN_OPTIONS=verify_asan_link_order=0"}};
  }
  void stream_counter() {
    bus_.set_endless([counter = 0U](std::size_t size) mutable {
      Bytes bytes;
      for (std::size_t k = 0; k < size / 2; ++k, ++counter) {
        bytes.push_back(static_cast<std::uint8_t>((counter << 1U) & 0xFFU));
        bytes.push_back(static_cast<std::uint8_t>((counter >> 7U) & 0x01U));
      }
      return bytes;
    });
  }
  /// Reads samples that count up by one until there are `count`.
  void expect_counter(SourceProcess& process, unsigned& next, unsigned count) {
    Bytes samples(700);
    const unsigned until = next + count;
    while (next < until) {
      const auto got = process.read(samples, 5000);
      ASSERT_TRUE(got) << got.error().text();
      ASSERT_GT(*got, 0U);
      for (std::size_t k = 0; k < *got; ++k, ++next) ASSERT_EQ(samples[k], next & 0xFFU) << next;
    }
  }
  Error read_to_the_end(SourceProcess& process) {
    Bytes samples(65536);
    for (int k = 0; k < 100000; ++k) {
      const auto got = process.read(samples, 2000);
      if (got) continue;
      EXPECT_EQ(process.read(samples, 10).error().number, got.error().number);
      return got.error();
    }
    return {UsbErrc::stopped, "no error came"};
  }
  MockBus bus_;
};

TEST_F(SourceOnMockBus, samples_reach_the_core_once_and_in_order) {
  bus_.plug();
  stream_counter();
  const auto process = SourceProcess::start(options());
  ASSERT_TRUE(process) << process.error().text();
  EXPECT_EQ((*process)->description().model, "chaoskey");
  EXPECT_EQ((*process)->description().serial, "0123");
  EXPECT_EQ((*process)->description().source_class, entropy::SourceClass::raw_physical);
  EXPECT_EQ((*process)->description().assessed_millibits_per_sample, 4000U);
  EXPECT_NE((*process)->assessment_origin().find("assumed"), std::string::npos);
  unsigned next = 0;
  expect_counter(**process, next, 100'000);
  EXPECT_EQ((*process)->counters().samples, next);
}

TEST_F(SourceOnMockBus, the_sites_figures_reach_the_description) {
  bus_.plug();
  SourceProcessOptions with = options();
  with.device = "chaoskey:0123";
  with.assessed_millibits_per_sample = 6100;
  with.nominal_rate_hz = 123456;
  const auto process = SourceProcess::start(with);
  ASSERT_TRUE(process) << process.error().text();
  EXPECT_EQ((*process)->description().assessed_millibits_per_sample, 6100U);
  EXPECT_EQ((*process)->description().nominal_rate_hz, 123456U);
  EXPECT_EQ((*process)->assessment_origin(), "configured at this site");
}

/// What a service manager does for `Accept=yes`: one rngd-source for each connection, its socket as
/// number 3.
class Listener {
 public:
  Listener(std::string path, SourceProcessOptions how)
      : path_(std::move(path)),
        how_(std::move(how)),
        socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, path_.size());
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(listen(socket_, 8), 0);
    thread_ = std::thread([this] { run(); });
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() {
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
    for (const pid_t pid : started_) waitpid(pid, nullptr, 0);
  }
  [[nodiscard]] pid_t last() {
    const std::scoped_lock lock(mutex_);
    return started_.empty() ? -1 : started_.back();
  }
  [[nodiscard]] std::size_t count() {
    const std::scoped_lock lock(mutex_);
    return started_.size();
  }

 private:
  void run() {
    while (true) {
      const int connection = accept(socket_, nullptr, nullptr);
      if (connection < 0) return;
      std::vector<char*> environment;
      for (std::string& one : how_.environment) environment.push_back(one.data());
      environment.push_back(nullptr);
      std::array<std::string, 4> words{how_.program, "--fd", "3", "--asked"};
      std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(),
                                     words[3].data(), nullptr};
      const pid_t pid = fork();
      if (pid == 0) {
        if (connection == 3) fcntl(3, F_SETFD, 0);
        if (connection != 3 && dup2(connection, 3) != 3) _exit(127);
        execve(how_.program.c_str(), arguments.data(), environment.data());
        _exit(127);
      }
      close(connection);
      const std::scoped_lock lock(mutex_);
      started_.push_back(pid);
    }
  }
  std::string path_;
  SourceProcessOptions how_;
  int socket_ = -1;
  std::thread thread_;
  std::mutex mutex_;
  std::vector<pid_t> started_;  // mutex_
};

TEST_F(SourceOnMockBus, a_service_manager_starts_it_and_the_wish_comes_over_the_socket) {
  bus_.plug();
  stream_counter();
  const Folder folder;
  Listener listener((folder.path() / "socket").string(), options());
  SourceProcessOptions asked{.socket = (folder.path() / "socket").string()};
  asked.device = "chaoskey:0123";
  asked.assessed_millibits_per_sample = 6100;
  asked.nominal_rate_hz = 123456;
  {
    const auto process = SourceProcess::start(asked);
    ASSERT_TRUE(process) << process.error().text();
    EXPECT_EQ((*process)->pid(), -1) << "no child of ours: nothing to signal either way";
    EXPECT_EQ((*process)->description().assessed_millibits_per_sample, 6100U);
    EXPECT_EQ((*process)->description().nominal_rate_hz, 123456U);
    unsigned next = 0;
    expect_counter(**process, next, 50'000);
    EXPECT_EQ(status_of(listener.last()).at("PPid"), std::to_string(getpid()));
  }
  EXPECT_TRUE(ends_within(listener.last(), 5)) << "the end of the connection ends it";
  const auto again = SourceProcess::start(asked);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(listener.count(), 2U) << "each connection has a process of its own";
  kill(listener.last(), SIGKILL);
  EXPECT_TRUE(read_to_the_end(**again).is(UsbErrc::process_failed));
}

TEST_F(SourceOnMockBus, where_nobody_starts_a_source_and_what_is_no_wish_is_said) {
  const Folder folder;
  SourceProcessOptions asked{.socket = (folder.path() / "socket").string()};
  EXPECT_NE(start_error(asked).detail.find("no rngd-source is started here"), std::string::npos);
  asked.socket = "/" + std::string(200, 'x');
  EXPECT_NE(start_error(asked).detail.find("too long"), std::string::npos);
  asked.socket = (folder.path() / "socket").string();
  Listener listener(asked.socket, options());
  asked.device = "no such thing";
  const Error error = start_error(asked);
  EXPECT_TRUE(error.is(UsbErrc::source_failed)) << error.text();
  EXPECT_TRUE(ends_within(listener.last(), 5));
}

TEST(SourceWish, is_the_same_both_ways_and_nothing_else_is_taken) {
  const SourceWish wish{.device = "onerng@1-2",
                        .assessed_millibits_per_sample = 2000,
                        .nominal_rate_hz = 43'750,
                        .settings = "firmware=2",
                        .wait_for_device_s = 2};
  std::string line = encode_wish(wish);
  ASSERT_EQ(line.back(), '\n');
  line.pop_back();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto again = decode_wish(line);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, wish);
  for (const std::string& other :
       {std::string(), std::string("{}"), line + "x", "[" + line + "]",
        std::string(5000, ' ') + line,
        std::string(R"({"assessed_millibits":9000,"device":"a","rate":0,"settings":"","wait":0})"),
        std::string(R"({"assessed_millibits":1,"device":"a","rate":-1,"settings":"","wait":0})"),
        std::string(
            R"({"assessed_millibits":1,"device":"a","rate":0,"settings":"","wait":0,"user":"0"})")})
    EXPECT_FALSE(decode_wish(other)) << other;
}

TEST_F(SourceOnMockBus, a_slow_reader_slows_the_device_and_loses_nothing) {
  bus_.plug();
  stream_counter();
  const auto process = SourceProcess::start(options());
  ASSERT_TRUE(process) << process.error().text();
  unsigned next = 0;
  expect_counter(**process, next, 1000);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  expect_counter(**process, next, 200'000);
}

TEST_F(SourceOnMockBus, a_stall_that_was_cleared_is_told_and_the_stream_goes_on) {
  bus_.plug();
  bus_.reply({.status = -EPIPE});
  stream_counter();
  const auto process = SourceProcess::start(options());
  ASSERT_TRUE(process) << process.error().text();
  unsigned next = 0;
  expect_counter(**process, next, 1000);
  EXPECT_EQ((*process)->counters().stalls_cleared, 1U);
}

TEST_F(SourceOnMockBus, unplugging_is_reported_by_the_process_in_words) {
  bus_.plug();
  stream_counter();
  const auto process = SourceProcess::start(options());
  ASSERT_TRUE(process) << process.error().text();
  unsigned next = 0;
  expect_counter(**process, next, 1000);
  bus_.unplug();
  const Error error = read_to_the_end(**process);
  EXPECT_TRUE(error.is(UsbErrc::source_failed)) << error.text();
  EXPECT_NE(error.detail.find("usb_gone"), std::string::npos) << error.text();
}

TEST_F(SourceOnMockBus, nonsense_from_the_device_is_reported) {
  bus_.plug();
  bus_.reply({.bytes = Bytes(64, 0xFF)});
  const auto process = SourceProcess::start(options());
  ASSERT_TRUE(process) << process.error().text();
  const Error error = read_to_the_end(**process);
  EXPECT_NE(error.detail.find("usb_nonsense"), std::string::npos) << error.text();
}

TEST_F(SourceOnMockBus, a_killed_process_is_an_error_that_names_the_signal) {
  bus_.plug();
  stream_counter();
  const auto process = SourceProcess::start(options());
  ASSERT_TRUE(process) << process.error().text();
  unsigned next = 0;
  expect_counter(**process, next, 1000);
  const pid_t pid = (*process)->pid();
  ASSERT_GT(pid, 0) << "it is dead already, and a signal to -1 is one to everybody";
  ASSERT_EQ(kill(pid, SIGKILL), 0);
  const Error error = read_to_the_end(**process);
  EXPECT_TRUE(error.is(UsbErrc::process_failed)) << error.text();
  EXPECT_NE(error.detail.find("signal 9"), std::string::npos) << error.text();
}

TEST_F(SourceOnMockBus, stop_ends_a_waiting_read_and_the_process_closes_its_device_in_order) {
  bus_.plug();
  auto process = SourceProcess::start(options());
  ASSERT_TRUE(process) << process.error().text();
  const pid_t pid = (*process)->pid();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    (*process)->stop();
  });
  Bytes samples(10);
  const auto got = (*process)->read(samples, 30000);
  other.join();
  ASSERT_FALSE(got);
  EXPECT_TRUE(got.error().is(UsbErrc::stopped)) << got.error().text();
  process->reset();
  EXPECT_TRUE(status_of(pid).empty());
  EXPECT_EQ(bus_.count("release"), 1);
  EXPECT_EQ(bus_.count("attach again"), 1);
}

TEST_F(SourceOnMockBus, the_process_holds_no_privilege_and_no_descriptor_of_the_core) {
  bus_.plug();
  const Folder folder;
  const std::string secret = (folder.path() / "ledger").string();
  const int inheritable =
      open(secret.c_str(), O_CREAT | O_RDWR, 0600);  // without O_CLOEXEC, on purpose
  ASSERT_GE(inheritable, 0);
  const auto process = SourceProcess::start(options());
  close(inheritable);
  ASSERT_TRUE(process) << process.error().text();
  const auto fields = status_of((*process)->pid());
  EXPECT_EQ(fields.at("NoNewPrivs"), "1");
  EXPECT_EQ(fields.at("CapEff"), "0000000000000000");
  EXPECT_EQ(fields.at("CapPrm"), "0000000000000000");
  if (geteuid() == 0) {
    EXPECT_EQ(fields.at("Uid"), "65534\t65534\t65534\t65534");
  }
  const fs::path descriptors = "/proc/" + std::to_string((*process)->pid()) + "/fd";
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(descriptors, unreadable)) {
    EXPECT_NE(fs::read_symlink(entry, unreadable).string(), secret);
  }
}

TEST_F(SourceOnMockBus, the_process_waits_for_a_device_to_be_plugged_in) {
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    bus_.plug();
  });
  SourceProcessOptions waiting = options();
  waiting.wait_for_device_s = 20;
  const auto process = SourceProcess::start(waiting);
  other.join();
  ASSERT_TRUE(process) << process.error().text();
  EXPECT_EQ((*process)->description().serial, "0123");
}

TEST_F(SourceOnMockBus, an_impostor_is_no_device_and_the_error_says_why) {
  bus_.plug({.product = "Keyboard"});
  const Error error = start_error(options());
  EXPECT_TRUE(error.is(UsbErrc::source_failed)) << error.text();
  EXPECT_NE(error.detail.find("usb_no_device"), std::string::npos) << error.text();
  EXPECT_NE(error.detail.find("usb_impostor"), std::string::npos) << error.text();
}

TEST_F(SourceOnMockBus, the_process_does_not_outlive_the_core) {
  bus_.plug();
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  const pid_t core = fork();
  ASSERT_GE(core, 0);
  if (core == 0) {
    const auto process = SourceProcess::start(options());
    const pid_t pid = process ? (*process)->pid() : 0;
    static_cast<void>(write(pipe_ends[1], &pid, sizeof(pid)) == 0);
    pause();
    _exit(0);
  }
  pid_t source = 0;
  ASSERT_EQ(read(pipe_ends[0], &source, sizeof(source)), static_cast<ssize_t>(sizeof(source)));
  ASSERT_GT(source, 0);
  ASSERT_EQ(kill(core, SIGKILL), 0);
  ASSERT_EQ(waitpid(core, nullptr, 0), core);
  EXPECT_TRUE(ends_within(source, 5));
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(SourceProcess, a_serial_that_is_not_there_is_no_device) {
  const Error error =
      start_error({.program = RNGD_SOURCE_PROGRAM, .device = "serial:no such generator"});
  EXPECT_TRUE(error.is(UsbErrc::source_failed)) << error.text();
  EXPECT_TRUE(error.detail.starts_with("usb_no_device") ||
              error.detail.starts_with("usb_unavailable"))
      << error.text();
}

TEST(SourceProcess, a_bad_selector_is_refused_in_words) {
  const Error error = start_error({.program = RNGD_SOURCE_PROGRAM, .device = "auto:7"});
  EXPECT_NE(error.detail.find("usb_bad_selector"), std::string::npos) << error.text();
}

TEST(SourceProcess, a_program_that_is_missing_or_ends_at_once_is_process_failed) {
  const Error missing = start_error({.program = "/nonexistent/rngd-source"});
  EXPECT_TRUE(missing.is(UsbErrc::process_failed));
  EXPECT_NE(missing.detail.find("exit code 127"), std::string::npos) << missing.text();
  const Error ended = start_error({.program = "/bin/false"});
  EXPECT_TRUE(ended.is(UsbErrc::process_failed));
  EXPECT_NE(ended.detail.find("exit code 1"), std::string::npos) << ended.text();
}

TEST(SourceProcess, a_program_that_says_nothing_is_given_up) {
  const Folder folder;
  const Error error =
      start_error({.program = folder.script("exec sleep 30"), .hello_timeout_ms = 300});
  EXPECT_TRUE(error.is(UsbErrc::process_failed));
  EXPECT_NE(error.detail.find("says nothing"), std::string::npos) << error.text();
}

TEST(SourceProcess, a_program_that_speaks_another_language_is_malformed) {
  const Folder folder;
  EXPECT_TRUE(
      start_error({.program = folder.script("echo hello >&3")}).is(UsbErrc::malformed_frame));
}

TEST(SourceProcess, death_in_the_middle_of_a_frame_is_named) {
  const Folder folder;
  const Error error = start_error({.program = folder.script("printf 'TS' >&3; exit 7")});
  EXPECT_TRUE(error.is(UsbErrc::process_failed));
  EXPECT_NE(error.detail.find("middle of a frame"), std::string::npos) << error.text();
  EXPECT_NE(error.detail.find("exit code 7"), std::string::npos) << error.text();
}

TEST(SourceProcess, the_environment_of_the_core_stays_behind) {
  ASSERT_EQ(setenv("TALLA_TEST_SECRET", "x", 1), 0);  // NOLINT(concurrency-mt-unsafe): one thread
  const Folder folder;
  const Error error =
      start_error({.program = folder.script("test -z \"$TALLA_TEST_SECRET\" || exit 9; exit 0")});
  EXPECT_NE(error.detail.find("exit code 0"), std::string::npos) << error.text();
}

}  // namespace
