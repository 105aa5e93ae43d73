/// \file
/// The core's side of `rngd-source`: starts the program, reads its frames, and is a noise source.
///
/// The child gets one end of a socket pair and nothing else: every other descriptor is closed,
/// standard input and output are /dev/null (standard error stays, for the log), the environment is
/// empty but for what the options name, signals are at their defaults. It dies with the core: end
/// of its socket, and PR_SET_PDEATHSIG.
/// Threads:  `start` belongs on a thread that lives as long as the source does: the kernel sends
///           the
///           parent-death signal when the starting *thread* ends. `read` on one thread; `stop` from
///           any.
/// Errors:   source_failed (the child's own report: code and words), process_failed (not startable,
///           died, silent at the start), malformed_frame, stopped. After the first, every read
///           gives
///           the same error.
/// Secrecy:  samples pass through; nothing is stored or logged.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "entropy/source.hpp"
#include "usb/driver.hpp"
#include "usb/source_frame.hpp"

namespace talla::usb {

struct SourceProcessCounters {
  std::uint64_t samples = 0;         ///< that came
  std::uint64_t stalls_cleared = 0;  ///< halts of an endpoint that were overcome
  std::uint64_t silences = 0;        ///< restarts after silence
  std::uint64_t blocks_dropped = 0;  ///< that were too slow to be good
  DeviceFigures figures{};
};

/// What a device's processes told of it, for pages and metrics: counts over all of them, figures of
/// the last one. All of it is hearsay of rngd-source and decides nothing. Threads: any.
class DeviceReadings {
 public:
  /// The counts of the process now running, which replace its earlier ones.
  void tell(const SourceProcessCounters& now);
  /// Another process for the same device: what was counted so far stays.
  void next_process();
  [[nodiscard]] SourceProcessCounters read() const;

 private:
  mutable std::mutex mutex_;
  SourceProcessCounters before_;  // mutex_
  SourceProcessCounters now_;     // mutex_
};

/// Which program reads which device, and as whom.
struct SourceProcessOptions {
  std::string program{};  ///< Path of rngd-source.
  /// Where a service manager starts an rngd-source for each connection, under a user of its own;
  /// empty: this process starts `program`. Root, or whoever we are ourselves, must listen there.
  std::string socket{};
  std::string device = "auto";                      ///< Selector (usb/discover.hpp).
  std::uint32_t assessed_millibits_per_sample = 0;  ///< 0: the driver's own figure.
  std::uint32_t nominal_rate_hz = 0;                ///< 0: nobody has measured it.
  std::string settings{};             ///< Of the device (usb/driver.hpp), "mode=raw,mask=3".
  unsigned wait_for_device_s = 0;     ///< Waits so long for a device to be plugged in.
  unsigned silence_ms_max = 30000;    ///< A read stream without a sample for so long is over.
  unsigned hello_timeout_ms = 10000;  ///< On top of that.
  /// "UID:GID,GID...": whom the program becomes before it touches a device, when root starts it;
  /// empty: nobody, once the device is open. Without root it stays the core's user.
  std::string user{};
  std::vector<std::string> environment{};  ///< "NAME=value"; empty in production.
  /// Set by another thread, it ends the wait for the hello.
  const std::atomic<bool>* cancelled = nullptr;
  std::shared_ptr<DeviceReadings> readings{};  ///< Is told what the process tells; may be null.
};

/// The device behind `rngd-source`, as a noise source.
class SourceProcess final : public entropy::NoiseSource {
 public:
  /// Starts the child, or asks the service manager for one, and waits for its hello.
  [[nodiscard]] static Result<std::unique_ptr<SourceProcess>> start(
      const SourceProcessOptions& options);
  /// Asks for the end; waits two seconds at most for a child, then kills and reaps it.
  ~SourceProcess() override;

  [[nodiscard]] const entropy::SourceDescription& description() const override {
    return hello_.description;
  }
  [[nodiscard]] const std::string& assessment_origin() const { return hello_.assessment_origin; }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override;
  /// Begins a new generation: what the process read before it heard of it never reaches `read`,
  /// wherever it waits.
  [[nodiscard]] Status renew() override;
  void stop() override;
  /// Of the child; -1 where a service manager started it.
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] const SourceProcessCounters& counters() const { return counters_; }

 private:
  SourceProcess(int socket, pid_t pid, unsigned silence_ms_max);
  [[nodiscard]] Status await_hello(unsigned timeout_ms, const std::atomic<bool>* cancelled);
  [[nodiscard]] Result<bool> receive(unsigned timeout_ms);
  [[nodiscard]] Result<std::optional<Frame>> next_frame(unsigned timeout_ms);
  [[nodiscard]] Status accept(Frame frame);
  void note(const NoticeFrame& notice);
  [[nodiscard]] Error death();
  [[nodiscard]] bool silent(std::int64_t asked_ns, std::int64_t now_ns);
  void end_child();

  int socket_;
  pid_t pid_;
  FrameDecoder decoder_;
  HelloFrame hello_;
  SourceProcessCounters counters_;
  std::shared_ptr<DeviceReadings> readings_;
  std::int64_t silence_ns_max_;
  std::int64_t silence_ns_ = 0;   ///< Time spent reading since the last sample.
  std::int64_t returned_ns_ = 0;  ///< When the last read ended.
  std::uint64_t generation_ = 0;  ///< The last one asked for.
  bool renewing_ = false;         ///< It has not begun: what comes is older.
  Bytes pending_;
  std::size_t pending_at_ = 0;
  std::atomic<bool> stop_{false};
  std::optional<Error> failed_;
};

}  // namespace talla::usb
