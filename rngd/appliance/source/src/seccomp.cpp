// Which system calls rngd-source may still make (seccomp).
#include <fcntl.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>

#include "source/harden.hpp"

namespace talla::source {
namespace {

/// What no honest turn of this program leads to: the process ends on the spot, and the core sees it
/// die.
constexpr std::array hostile{SCMP_SYS(execve),
                             SCMP_SYS(execveat),
                             SCMP_SYS(fork),
                             SCMP_SYS(vfork),
                             SCMP_SYS(ptrace),
                             SCMP_SYS(mount),
                             SCMP_SYS(umount2),
                             SCMP_SYS(pivot_root),
                             SCMP_SYS(chroot),
                             SCMP_SYS(init_module),
                             SCMP_SYS(finit_module),
                             SCMP_SYS(delete_module),
                             SCMP_SYS(kexec_load),
                             SCMP_SYS(reboot),
                             SCMP_SYS(bpf),
                             SCMP_SYS(perf_event_open),
                             SCMP_SYS(add_key),
                             SCMP_SYS(keyctl),
                             SCMP_SYS(request_key),
                             SCMP_SYS(unshare),
                             SCMP_SYS(setns),
                             SCMP_SYS(userfaultfd),
                             SCMP_SYS(io_uring_setup),
                             SCMP_SYS(open_by_handle_at),
                             SCMP_SYS(process_vm_writev)};

/// What passing samples on needs, and ending in order.
constexpr std::array streaming{SCMP_SYS(read),
                               SCMP_SYS(readv),
                               SCMP_SYS(write),
                               SCMP_SYS(writev),
                               SCMP_SYS(pread64),
                               SCMP_SYS(close),
                               SCMP_SYS(poll),
                               SCMP_SYS(ppoll),
                               SCMP_SYS(epoll_wait),
                               SCMP_SYS(epoll_pwait),
                               SCMP_SYS(epoll_ctl),
                               SCMP_SYS(select),
                               SCMP_SYS(pselect6),
                               SCMP_SYS(sendto),
                               SCMP_SYS(sendmsg),
                               SCMP_SYS(recvfrom),
                               SCMP_SYS(recvmsg),
                               SCMP_SYS(shutdown),
                               SCMP_SYS(futex),
                               SCMP_SYS(clock_gettime),
                               SCMP_SYS(clock_getres),
                               SCMP_SYS(clock_nanosleep),
                               SCMP_SYS(nanosleep),
                               SCMP_SYS(gettimeofday),
                               SCMP_SYS(time),
                               SCMP_SYS(timerfd_settime),
                               SCMP_SYS(timerfd_gettime),
                               SCMP_SYS(munmap),
                               SCMP_SYS(mremap),
                               SCMP_SYS(brk),
                               SCMP_SYS(madvise),
                               SCMP_SYS(mlock),
                               SCMP_SYS(fstat),
                               SCMP_SYS(lseek),
                               SCMP_SYS(getpid),
                               SCMP_SYS(gettid),
                               SCMP_SYS(getppid),
                               SCMP_SYS(exit),
                               SCMP_SYS(exit_group),
                               SCMP_SYS(rt_sigreturn),
                               SCMP_SYS(rt_sigaction),
                               SCMP_SYS(rt_sigprocmask),
                               SCMP_SYS(sigaltstack),
                               SCMP_SYS(restart_syscall),
                               SCMP_SYS(sched_yield),
                               SCMP_SYS(set_robust_list),
                               SCMP_SYS(rseq),
                               SCMP_SYS(getrandom)};

/// What finding and opening a device, threads and giving up the user need on top.
constexpr std::array setting_up{
    SCMP_SYS(open),           SCMP_SYS(openat),      SCMP_SYS(stat),
    SCMP_SYS(lstat),          SCMP_SYS(newfstatat),  SCMP_SYS(statx),
    SCMP_SYS(statfs),         SCMP_SYS(fstatfs),     SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),     SCMP_SYS(access),      SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),     SCMP_SYS(getdents64),  SCMP_SYS(getcwd),
    SCMP_SYS(bind),           SCMP_SYS(connect),     SCMP_SYS(getsockopt),
    SCMP_SYS(setsockopt),     SCMP_SYS(getsockname), SCMP_SYS(getpeername),
    SCMP_SYS(pipe2),          SCMP_SYS(eventfd2),    SCMP_SYS(epoll_create1),
    SCMP_SYS(timerfd_create), SCMP_SYS(dup),         SCMP_SYS(dup2),
    SCMP_SYS(dup3),           SCMP_SYS(getuid),      SCMP_SYS(geteuid),
    SCMP_SYS(getgid),         SCMP_SYS(getegid),     SCMP_SYS(setresuid),
    SCMP_SYS(setresgid),      SCMP_SYS(setgroups),   SCMP_SYS(capset),
    SCMP_SYS(capget),         SCMP_SYS(prctl),       SCMP_SYS(getrlimit),
    SCMP_SYS(uname),          SCMP_SYS(sysinfo),     SCMP_SYS(sched_getaffinity),
    SCMP_SYS(seccomp)};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/// The sanitizers try addresses by writing them into a pipe, and a thread that begins reads its
/// attributes (its affinity among them) when the streaming filter may already hold.
constexpr std::array sanitizers{SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(process_vm_readv),
                                SCMP_SYS(sched_getaffinity)};
#else
constexpr std::array<int, 0> sanitizers{};
#endif

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

bool allow_calls(scmp_filter_ctx filter, std::span<const int> calls) {
  return std::ranges::all_of(
      calls, [&](int call) { return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0; });
}

/// Rules that look at arguments; the same in both stages.
bool allow_with_care(scmp_filter_ctx filter) {
  constexpr std::uint64_t usbfs = 'U';
  // ioctl: requests of usbfs alone (bits 8 to 15 are the driver's letter).
  bool good = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFF00U, usbfs << 8U)) == 0;
  // Memory, but none that can be executed.
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)}) {
    good = good && seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1,
                                    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0;
  }
  for (const int call : hostile)
    good = good && seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, call, 0) == 0;
  // A signal to a thread of its own (abort): nobody else gets one, whoever owns it.
  const auto own = static_cast<std::uint64_t>(getpid());
  good = good && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                                  SCMP_A0(SCMP_CMP_EQ, own)) == 0;
  // Nor by the back door: the owner of a descriptor gets SIGIO, or whatever F_SETSIG says.
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC}) {
    good = good && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                                    SCMP_A1(SCMP_CMP_EQ, static_cast<std::uint64_t>(command))) == 0;
  }
  // clone3 hides its flags from a filter: the library then uses clone.
  return good && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
         seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(clone), 1,
                          SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)) == 0;
}

Status load(const Filter& filter, bool complete) {
  // All threads at once, and libseccomp's own no_new_privs is ours already.
  const bool good = complete && seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1) == 0;
  const int error = good ? -seccomp_load(filter.get()) : EINVAL;
  if (error == 0) return {};
  return fail(usb::UsbErrc::process_failed,
              std::string("filtering system calls: ") + strerrordesc_np(error));
}

}  // namespace

Status filter_setup() {
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release);
  bool good = filter != nullptr && allow_calls(filter.get(), streaming) &&
              allow_calls(filter.get(), sanitizers) && allow_calls(filter.get(), setting_up) &&
              allow_with_care(filter.get());
  good = good && seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                                  SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) == 0;
  // Limits of its own: those of another process of its user would end that one by SIGXCPU.
  good = good && seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                                  SCMP_A0(SCMP_CMP_EQ, 0)) == 0;
  for (const int family : {AF_UNIX, AF_NETLINK}) {
    good = good && seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(socket), 1,
                                    SCMP_A0(SCMP_CMP_EQ, static_cast<std::uint64_t>(family))) == 0;
  }
  return load(filter, good);
}

Status filter_stream() {
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release);
  const bool good = filter != nullptr && allow_calls(filter.get(), streaming) &&
                    allow_calls(filter.get(), sanitizers) && allow_with_care(filter.get());
  return load(filter, good);
}

}  // namespace talla::source
