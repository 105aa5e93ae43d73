#include "usb/source_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/check.hpp"
#include "base/clock.hpp"
#include "base/secret.hpp"
#include "claim_check.hpp"
#include "usb/source_wish.hpp"

namespace talla::usb {
namespace {

constexpr int child_socket = 3;
constexpr unsigned end_patience_ms = 2000;
constexpr unsigned death_patience_ms = 200;
constexpr unsigned poll_slice_ms = 100;
constexpr std::int64_t own_pause_ns = 500'000'000;
/// Noise that waits in the socket is old noise: little is allowed to.
constexpr int socket_buffer_bytes = 32768;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Between fork and exec: system calls only, no allocation, no locks.
[[noreturn]] void become_source(int socket, pid_t parent, const char* program,
                                char* const* arguments, char* const* environment) {
  constexpr int not_startable = 127;
  // Out of the way first: a core without standard streams may hold the socket in their place.
  const int moved = fcntl(socket, F_DUPFD, child_socket + 1);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  const bool set_up = moved >= 0 && null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
                      dup2(null, STDOUT_FILENO) >= 0 && dup2(moved, child_socket) >= 0 &&
                      syscall(SYS_close_range, child_socket + 1, ~0U, 0) == 0;
  if (!set_up) _exit(not_startable);
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number < NSIG; ++number) {
    static_cast<void>(signal(
        number, SIG_DFL));  // NOLINT: KILL, STOP and the library's own refuse, as they should
  }
  if (pthread_sigmask(SIG_SETMASK, &none, nullptr) != 0) _exit(not_startable);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(not_startable);
  execve(program, arguments, environment);
  _exit(not_startable);
}

/// The core's end of a socket, and the child at the other one; -1: it is no child.
struct Connection {
  int socket;
  pid_t pid;
};

Result<Connection> start_child(const SourceProcessOptions& options) {
  std::vector<std::string> arguments{options.program, "--fd", std::to_string(child_socket),
                                     "--device", options.device};
  if (options.assessed_millibits_per_sample != 0) {
    arguments.insert(arguments.end(), {"--assessed-millibits",
                                       std::to_string(options.assessed_millibits_per_sample)});
  }
  if (options.nominal_rate_hz != 0) {
    arguments.insert(arguments.end(), {"--rate", std::to_string(options.nominal_rate_hz)});
  }
  if (!options.settings.empty())
    arguments.insert(arguments.end(), {"--settings", options.settings});
  if (!options.user.empty()) arguments.insert(arguments.end(), {"--user", options.user});
  if (options.wait_for_device_s != 0) {
    arguments.insert(arguments.end(), {"--wait", std::to_string(options.wait_for_device_s)});
  }
  std::vector<std::string> environment = options.environment;
  const std::vector<char*> argument_list = pointers(arguments);
  const std::vector<char*> environment_list = pointers(environment);

  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail(UsbErrc::process_failed, std::string("socket pair: ") + strerrordesc_np(errno));
  }
  static_cast<void>(setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &socket_buffer_bytes,
                               sizeof(socket_buffer_bytes)));
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child == 0) {
    become_source(ends[1], self, options.program.c_str(), argument_list.data(),
                  environment_list.data());
  }
  const int fork_errno = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return fail(UsbErrc::process_failed, std::string("fork: ") + strerrordesc_np(fork_errno));
  }
  return Connection{ends[0], child};
}

/// Nobody but root (the service manager) or this user itself may play the source.
bool trusted_listener(int socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == 0 || peer.uid == geteuid());
}

Result<Connection> ask_service_manager(const SourceProcessOptions& options) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (options.socket.size() >= sizeof(address.sun_path))
    return fail(UsbErrc::process_failed, options.socket + ": too long for a socket");
  options.socket.copy(address.sun_path, options.socket.size());
  const int own = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto refused = [&](const std::string& why) {
    if (own >= 0) close(own);
    return fail(UsbErrc::process_failed, options.socket + ": " + why);
  };
  if (own < 0 || connect(own, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    return refused(std::string("no rngd-source is started here: ") + strerrordesc_np(errno));
  if (!trusted_listener(own)) return refused("neither root nor this user listens here");
  const std::string wish =
      encode_wish({.device = options.device,
                   .assessed_millibits_per_sample = options.assessed_millibits_per_sample,
                   .nominal_rate_hz = options.nominal_rate_hz,
                   .settings = options.settings,
                   .wait_for_device_s = options.wait_for_device_s});
  if (send(own, wish.data(), wish.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(wish.size()))
    return refused("takes no wishes");
  return Connection{own, -1};
}

}  // namespace

void DeviceReadings::tell(const SourceProcessCounters& now) {
  const std::scoped_lock lock(mutex_);
  now_ = now;
}

void DeviceReadings::next_process() {
  const SourceProcessCounters all = read();
  const std::scoped_lock lock(mutex_);
  before_ = all;
  before_.figures = {};
  now_ = {};
}

SourceProcessCounters DeviceReadings::read() const {
  const std::scoped_lock lock(mutex_);
  SourceProcessCounters all = now_;
  all.samples += before_.samples;
  all.stalls_cleared += before_.stalls_cleared;
  all.silences += before_.silences;
  all.blocks_dropped += before_.blocks_dropped;
  return all;
}

SourceProcess::SourceProcess(int socket, pid_t pid, unsigned silence_ms_max)
    : socket_(socket), pid_(pid), silence_ns_max_(std::int64_t{silence_ms_max} * 1'000'000) {}

Result<std::unique_ptr<SourceProcess>> SourceProcess::start(const SourceProcessOptions& options) {
  TALLA_TRY(const Connection connection,
            options.socket.empty() ? start_child(options) : ask_service_manager(options));
  std::unique_ptr<SourceProcess> process(
      new SourceProcess(connection.socket, connection.pid, options.silence_ms_max));
  TALLA_TRY_STATUS(process->await_hello(options.hello_timeout_ms + 1000 * options.wait_for_device_s,
                                        options.cancelled));
  DriverOptions own{.assessed_millibits_per_sample = options.assessed_millibits_per_sample,
                    .nominal_rate_hz = options.nominal_rate_hz};
  TALLA_TRY(own.settings, parse_settings(options.settings));
  TALLA_TRY_STATUS(check_claim(options.device, own, builtin_registry(), process->hello_));
  process->readings_ = options.readings;
  if (options.readings) options.readings->next_process();
  return process;
}

SourceProcess::~SourceProcess() {
  end_child();
  close(socket_);
  wipe(pending_.data(), pending_.size());
}

void SourceProcess::stop() {
  stop_ = true;
  // Ends the child in order and wakes a waiting read, whose next poll slice sees the flag.
  static_cast<void>(shutdown(socket_, SHUT_WR));
}

Status SourceProcess::renew() {
  if (failed_) return tl::unexpected<Error>(*failed_);
  wipe(pending_.data(), pending_.size());
  pending_.clear();
  pending_at_ = 0;
  renewing_ = true;
  const Bytes wish = encode_frame(RenewedFrame{.generation = ++generation_});
  if (send(socket_, wish.data(), wish.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
      static_cast<ssize_t>(wish.size()))
    return {};
  failed_ = Error(UsbErrc::process_failed, "the source process takes no wishes");
  return tl::unexpected<Error>(*failed_);
}

Status SourceProcess::await_hello(unsigned timeout_ms, const std::atomic<bool>* cancelled) {
  std::optional<Frame> frame;
  for (unsigned waited_ms = 0; !frame && waited_ms < timeout_ms; waited_ms += poll_slice_ms) {
    if (cancelled != nullptr && *cancelled)
      return fail(UsbErrc::stopped, "the start was called off");
    TALLA_TRY(frame, next_frame(poll_slice_ms));
  }
  if (!frame) {
    return fail(UsbErrc::process_failed,
                "the source process says nothing for " + std::to_string(timeout_ms) + " ms");
  }
  if (auto* hello = std::get_if<HelloFrame>(&*frame)) {
    hello_ = std::move(*hello);
    return {};
  }
  return accept(std::move(*frame));  // the decoder lets nothing but an error stand here
}

/// The core counts silence itself: whatever the process says instead of samples is no sample.
/// Between two reads it counts too (a stream among several is read in short turns), unless nobody
/// read for long.
bool SourceProcess::silent(std::int64_t asked_ns, std::int64_t now_ns) {
  const bool in_turn = returned_ns_ != 0 && asked_ns - returned_ns_ < own_pause_ns;
  silence_ns_ += std::max<std::int64_t>(now_ns - (in_turn ? returned_ns_ : asked_ns), 0);
  returned_ns_ = now_ns;
  return silence_ns_ >= silence_ns_max_;
}

Result<std::size_t> SourceProcess::read(std::span<std::uint8_t> samples, unsigned timeout_ms) {
  SystemClock clock;
  const std::int64_t from_ns = clock.monotonic_ns();
  const std::int64_t until_ns = from_ns + std::int64_t{timeout_ms} * 1'000'000;
  for (bool first = true; pending_at_ == pending_.size(); first = false) {
    if (stop_) return fail(UsbErrc::stopped, "the source was stopped");
    if (failed_) return tl::unexpected<Error>(*failed_);
    if (samples.empty()) return std::size_t{0};
    const std::int64_t now_ns = clock.monotonic_ns();
    // Frames without samples do not prolong a read.
    const bool over = !first && now_ns >= until_ns;
    auto frame = over ? Result<std::optional<Frame>>(std::optional<Frame>())
                      : next_frame(static_cast<unsigned>(
                            std::max<std::int64_t>((until_ns - now_ns + 999'999) / 1'000'000, 0)));
    if (!frame) {
      failed_ = frame.error();
      continue;
    }
    std::optional<Frame>& whole = *frame;
    if (!whole) {
      if (!silent(from_ns, clock.monotonic_ns())) return std::size_t{0};
      failed_ = Error(UsbErrc::silent, "the source process gives no samples");
      continue;
    }
    if (auto status = accept(std::move(*whole)); !status) failed_ = status.error();
  }
  if (stop_) return fail(UsbErrc::stopped, "the source was stopped");
  silence_ns_ = 0;
  returned_ns_ = clock.monotonic_ns();
  const std::size_t count = std::min(samples.size(), pending_.size() - pending_at_);
  std::copy_n(pending_.data() + pending_at_, count, samples.begin());
  wipe(pending_.data() + pending_at_, count);
  pending_at_ += count;
  counters_.samples += count;
  return count;
}

/// The next frame; nothing when none is complete within the time.
Result<std::optional<Frame>> SourceProcess::next_frame(unsigned timeout_ms) {
  SystemClock clock;
  const std::int64_t until_ns = clock.monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
  while (true) {
    TALLA_TRY(std::optional<Frame> frame, decoder_.next());
    if (frame) return frame;
    if (stop_) return fail(UsbErrc::stopped, "the source was stopped");
    const std::int64_t left_ms =
        std::max<std::int64_t>((until_ns - clock.monotonic_ns() + 999'999) / 1'000'000, 0);
    TALLA_TRY(const bool received,
              receive(static_cast<unsigned>(std::min<std::int64_t>(left_ms, poll_slice_ms))));
    if (!received && left_ms == 0) return std::optional<Frame>();
  }
}

/// Waits for bytes and feeds the decoder; false when none came.
Result<bool> SourceProcess::receive(unsigned timeout_ms) {
  pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
  const int ready = poll(&waiting, 1, static_cast<int>(timeout_ms));
  if (ready == 0 || (ready < 0 && errno == EINTR)) return false;
  std::array<std::uint8_t, 16384> chunk;  // NOLINT: filled by recv
  const ssize_t got = ready < 0 ? -1 : recv(socket_, chunk.data(), chunk.size(), MSG_DONTWAIT);
  if (got > 0) {
    decoder_.push(ByteView(chunk).first(static_cast<std::size_t>(got)));
    wipe(chunk.data(), static_cast<std::size_t>(got));
    return true;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  return tl::unexpected<Error>(death());
}

void SourceProcess::note(const NoticeFrame& notice) {
  using What = NoticeFrame::What;
  std::uint64_t* const place =
      notice.what == What::stall_cleared             ? &counters_.stalls_cleared
      : notice.what == What::restarted_after_silence ? &counters_.silences
      : notice.what == What::blocks_dropped          ? &counters_.blocks_dropped
      : notice.what == What::gain_permille           ? &counters_.figures.gain_permille
      : notice.what == What::sample_variance         ? &counters_.figures.sample_variance
      : notice.what == What::supply_millivolts       ? &counters_.figures.supply_millivolts
                                                     : &counters_.figures.firmware_version;
  *place = notice.count;
  if (readings_) readings_->tell(counters_);
}

Status SourceProcess::accept(Frame frame) {
  if (auto* samples = std::get_if<SamplesFrame>(&frame)) {
    if (renewing_) {
      wipe(samples->samples.data(), samples->samples.size());
      return {};
    }
    pending_ = std::move(samples->samples);
    pending_at_ = 0;
    return {};
  }
  if (const auto* notice = std::get_if<NoticeFrame>(&frame)) {
    note(*notice);
    return {};
  }
  if (const auto* renewed = std::get_if<RenewedFrame>(&frame)) {
    if (renewed->generation == 0 || renewed->generation > generation_)
      return fail(UsbErrc::malformed_frame,
                  "frame of the source process: a generation that nobody asked for");
    if (renewed->generation == generation_) renewing_ = false;
    return {};
  }
  if (const auto* error = std::get_if<ErrorFrame>(&frame)) {
    return fail(UsbErrc::source_failed, error->code + ": " + error->detail);
  }
  return fail(UsbErrc::process_failed, "the source process ended by itself");
}

/// The socket ended without bye or error: finds out how the child died.
Error SourceProcess::death() {
  std::string how = decoder_.partial() ? "died in the middle of a frame" : "died";
  if (pid_ > 0) {
    int status = 0;
    pid_t reaped = 0;
    for (unsigned waited_ms = 0; reaped == 0 && waited_ms < death_patience_ms; waited_ms += 10) {
      reaped = waitpid(pid_, &status, WNOHANG);
      if (reaped == 0) static_cast<void>(poll(nullptr, 0, 10));
    }
    if (reaped == 0) {  // it closed its socket and lives on: it is of no use to anybody
      static_cast<void>(kill(pid_, SIGKILL));
      reaped = waitpid(pid_, &status, 0);
    }
    if (reaped == pid_) {
      pid_ = -1;
      if (WIFSIGNALED(status)) how += ", signal " + std::to_string(WTERMSIG(status));
      if (WIFEXITED(status)) how += ", exit code " + std::to_string(WEXITSTATUS(status));
    }
  }
  return {UsbErrc::process_failed, "the source process " + how};
}

void SourceProcess::end_child() {
  if (pid_ <= 0) return;
  static_cast<void>(shutdown(socket_, SHUT_RDWR));
  for (unsigned waited_ms = 0; waited_ms < end_patience_ms; waited_ms += 10) {
    if (waitpid(pid_, nullptr, WNOHANG) != 0) {
      pid_ = -1;
      return;
    }
    static_cast<void>(poll(nullptr, 0, 10));
  }
  static_cast<void>(kill(pid_, SIGKILL));
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

}  // namespace talla::usb
