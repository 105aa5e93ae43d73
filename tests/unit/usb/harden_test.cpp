// Goal: what rngd-source has given up is really gone.
// Method: each case in a forked child that gives it up, tries, and says by its exit code what
// happened; a call that kills shows as SIGSYS.
#include "source/harden.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/usbdevice_fs.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <functional>

using namespace talla;

namespace {

constexpr int gave_up_failed = 99;

/// The child's wait status; `act` gives the exit code.
int in_child(const std::function<Status()>& give_up, const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    if (!source::harden_early() || !give_up()) _exit(gave_up_failed);
    _exit(act());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

int code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// 0 when it worked, else errno.
int outcome(long result) {
  return result >= 0 ? 0 : errno;
}

int setup(const std::function<int()>& act) {
  return code_of(in_child([] { return source::filter_setup(); }, act));
}
int stream(const std::function<int()>& act) {
  const auto both = []() -> Status {
    TALLA_TRY_STATUS(source::filter_setup());
    return source::filter_stream();
  };
  return code_of(in_child(both, act));
}

bool has_landlock() {
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, 1U) >= 1;
}
int confined(const std::function<int()>& act) {
  const auto confine = []() -> Status {
    TALLA_TRY(const bool done, source::confine_files());
    if (!done) return fail(usb::UsbErrc::process_failed, "no Landlock");
    return {};
  };
  return code_of(in_child(confine, act));
}

}  // namespace

TEST(HardenSeccomp, hostile_calls_kill_in_both_stages) {
  for (const auto& stage : {std::function(setup), std::function(stream)}) {
    EXPECT_EQ(stage([] {
                execl("/bin/true", "true", nullptr);
                return 0;
              }),
              -SIGSYS);
    EXPECT_EQ(stage([] { return fork() == 0 ? 0 : 1; }), -SIGSYS);
    EXPECT_EQ(stage([] { return outcome(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }), -SIGSYS);
    EXPECT_EQ(stage([] { return outcome(syscall(SYS_mount, nullptr, "/", nullptr, 0, nullptr)); }),
              -SIGSYS);
    EXPECT_EQ(stage([] { return outcome(syscall(SYS_bpf, 0, nullptr, 0)); }), -SIGSYS);
  }
}

TEST(HardenSeccomp, what_the_work_does_not_need_is_refused) {
  for (const auto& stage : {std::function(setup), std::function(stream)}) {
    EXPECT_EQ(stage([] { return outcome(socket(AF_INET, SOCK_STREAM, 0)); }), EPERM);
    EXPECT_EQ(stage([] { return outcome(ioctl(STDERR_FILENO, TIOCSTI, "x")); }), EPERM);
    EXPECT_EQ(stage([] { return outcome(kill(getppid(), 0)); }), EPERM);
    EXPECT_EQ(stage([] { return outcome(syscall(SYS_tgkill, getppid(), getppid(), 0)); }), EPERM);
    EXPECT_EQ(stage([] { return outcome(syscall(SYS_tkill, getppid(), 0)); }), EPERM);
    EXPECT_EQ(stage([] { return outcome(syscall(SYS_tgkill, getpid(), getpid(), 0)); }), 0);
    // An owner of a descriptor gets signals for it, of any number; so does who is over a limit.
    EXPECT_EQ(stage([] { return outcome(fcntl(STDERR_FILENO, F_SETOWN, getppid())); }), EPERM);
    EXPECT_EQ(stage([] {
                const f_owner_ex owner{.type = F_OWNER_PID, .pid = getppid()};
                return outcome(fcntl(STDERR_FILENO, F_SETOWN_EX, &owner));
              }),
              EPERM);
    EXPECT_EQ(stage([] { return outcome(fcntl(STDERR_FILENO, F_SETSIG, SIGKILL)); }), EPERM);
    EXPECT_EQ(stage([] { return outcome(fcntl(STDERR_FILENO, F_GETFL)); }), 0);
    EXPECT_EQ(stage([] {
                const rlimit none{.rlim_cur = 0, .rlim_max = 0};
                return outcome(prlimit(getppid(), RLIMIT_FSIZE, &none, nullptr));
              }),
              EPERM);
    EXPECT_EQ(stage([] { return outcome(unlink("/tmp/nothing")); }), EPERM);
    EXPECT_EQ(stage([] { return outcome(chmod("/tmp", 0777)); }), EPERM);
    EXPECT_EQ(stage([] {
                void* memory =
                    mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                return memory == MAP_FAILED ? errno : 0;
              }),
              EPERM);
  }
}

TEST(HardenSeccomp, with_the_device_open_nothing_can_be_opened_any_more) {
  const auto opens = [] { return outcome(open("/sys", O_RDONLY | O_CLOEXEC)); };
  const auto connects = [] { return outcome(socket(AF_UNIX, SOCK_STREAM, 0)); };
  const auto changes = [] { return outcome(syscall(SYS_setresuid, 1, 1, 1)); };
  EXPECT_EQ(setup(opens), 0);
  EXPECT_EQ(setup(connects), 0);
  EXPECT_EQ(stream(opens), EPERM);
  EXPECT_EQ(stream(connects), EPERM);
  EXPECT_EQ(stream(changes), EPERM);
}

TEST(HardenSeccomp, the_work_itself_goes_on) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  EXPECT_EQ(stream([&] {
              if (send(ends[0], "noise", 5, MSG_NOSIGNAL) != 5) return 1;
              pollfd waiting{.fd = ends[1], .events = POLLIN, .revents = 0};
              if (poll(&waiting, 1, 1000) != 1) return 2;
              // Not a USB device: usbfs' request reaches it and is answered as such.
              std::uint32_t capabilities = 0;
              if (ioctl(ends[0], USBDEVFS_GET_CAPABILITIES, &capabilities) == 0 || errno == EPERM)
                return 3;
              void* memory = mmap(nullptr, 1U << 20U, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              return memory == MAP_FAILED ? 4 : 0;
            }),
            0);
  close(ends[0]);
  close(ends[1]);
}

TEST(HardenSeccomp, threads_that_started_before_are_filtered_too) {
  EXPECT_EQ(code_of(in_child([] { return source::filter_setup(); },
                             [] {
                               static std::array<int, 2> go{};
                               if (pipe2(go.data(), O_CLOEXEC) != 0) return 1;
                               pthread_t thread{};
                               const auto body = [](void*) -> void* {
                                 char byte = 0;
                                 static_cast<void>(!read(go[0], &byte, 1));
                                 const bool refused =
                                     open("/sys", O_RDONLY | O_CLOEXEC) < 0 && errno == EPERM;
                                 return refused ? nullptr : go.data();
                               };
                               if (pthread_create(&thread, nullptr, body, nullptr) != 0) return 2;
                               if (!source::filter_stream()) return 3;
                               if (write(go[1], "x", 1) != 1) return 4;
                               void* result = nullptr;
                               if (pthread_join(thread, &result) != 0) return 5;
                               return result == nullptr ? 0 : 6;
                             })),
            0);
}

TEST(HardenLandlock, only_the_bus_and_what_describes_it_can_be_touched) {
  if (!has_landlock()) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(
      confined([] { return outcome(open("/sys/kernel", O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }), 0);
  EXPECT_EQ(confined([] { return outcome(open("/etc/passwd", O_RDONLY | O_CLOEXEC)); }), EACCES);
  EXPECT_EQ(confined([] { return outcome(open("/proc/1/status", O_RDONLY | O_CLOEXEC)); }), EACCES);
  EXPECT_EQ(
      confined([] { return outcome(open("/tmp/new-file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600)); }),
      EACCES);
  EXPECT_EQ(confined([] {
              execl("/bin/true", "true", nullptr);
              return errno;
            }),
            EACCES);
}

TEST(HardenLimits, no_core_few_descriptors_no_new_privileges) {
  const auto nothing = []() -> Status { return {}; };
  EXPECT_EQ(code_of(in_child(nothing,
                             [] {
                               rlimit core{};
                               rlimit files{};
                               if (getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_max != 0)
                                 return 1;
                               if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_max > 64)
                                 return 2;
                               if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return 3;
                               return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : 4;
                             })),
            0);
}

TEST(HardenUser, is_read_strictly_and_is_never_root) {
  const auto user = source::parse_user("1000:1001,1002");
  ASSERT_TRUE(user);
  EXPECT_EQ(user->uid, 1000U);
  EXPECT_EQ(user->groups, (std::vector<gid_t>{1001, 1002}));
  for (const char* wrong : {"", "0:0", "1000", "1000:", "1000:0", "0:1000", "1000:1000,",
                            "1000:1000,0", "x:1", "1:x", "-1:1", "4294967295:1", "1:1 ", "1;1"}) {
    EXPECT_FALSE(source::parse_user(wrong)) << wrong;
  }
}

TEST(HardenUser, root_becomes_that_user_with_its_groups_and_no_capability) {
  if (geteuid() != 0) {
    EXPECT_TRUE(source::become_user({.uid = geteuid(), .groups = {getegid()}}));
    EXPECT_FALSE(source::become_user({.uid = geteuid() + 1, .groups = {getegid()}}));
    return;
  }
  EXPECT_EQ(code_of(in_child(
                [] {
                  return source::become_user({.uid = 4242, .groups = {4243, 4244}});
                },
                [] {
                  std::array<gid_t, 8> groups{};
                  if (getuid() != 4242 || geteuid() != 4242 || getgid() != 4243) return 1;
                  if (getgroups(8, groups.data()) != 2 || groups[1] != 4244) return 2;
                  if (setuid(0) == 0) return 3;
                  return prctl(PR_CAPBSET_READ, 0, 0, 0, 0) >= 0 ? 0 : 4;
                })),
            0);
}
