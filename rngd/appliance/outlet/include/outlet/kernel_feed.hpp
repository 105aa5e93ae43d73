/// \file
/// Entropy for the Linux kernel's pool: RNDADDENTROPY on /dev/random, a little at a time.
///
/// Credit:  per 64 bytes at most what the generator assessed of them, and at most what the
///          configuration allows a byte; an uncertified source credits nothing (its bytes are still
///          mixed in).
/// Fails:   nothing to spare: it waits. The kernel refuses: it says so once and feeds no more;
///          draws go on.
/// Loop:    the kernel's bytes come back into the seeds, credited 0 there as always.
/// Threads: `start` and `stop` on one; the counters from any. Secrecy: what was fed is wiped.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/clock.hpp"
#include "outlet/giver.hpp"

namespace talla::outlet {

/// The kernel's pool, behind a face that tests can play.
class KernelPool {
 public:
  KernelPool() = default;
  KernelPool(const KernelPool&) = delete;
  KernelPool& operator=(const KernelPool&) = delete;
  virtual ~KernelPool() = default;
  /// Mixes in 1 to 64 bytes and credits at most 8 bits for each. Errors: kernel_refused.
  [[nodiscard]] virtual Status add(std::span<const std::uint8_t> bytes,
                                   std::uint32_t credited_bits) = 0;
};

/// /dev/random of this machine. Errors of `open`: no_permission (needs CAP_SYS_ADMIN; tried with no
/// bytes).
class LinuxKernelPool final : public KernelPool {
 public:
  [[nodiscard]] static Result<std::unique_ptr<LinuxKernelPool>> open();
  ~LinuxKernelPool() override;
  [[nodiscard]] Status add(std::span<const std::uint8_t> bytes,
                           std::uint32_t credited_bits) override;

 private:
  explicit LinuxKernelPool(int device) : device_(device) {}
  int device_;
};

/// How much the kernel gets, and what it is told that is worth.
struct KernelFeedOptions {
  std::uint32_t bytes_per_second = 64;
  std::uint32_t credit_bits_per_byte = 8;  ///< 0 to 8.
};

/// What the kernel has got since the start.
struct KernelFeedCounters {
  std::uint64_t bytes_fed = 0;      ///< Credited or not.
  std::uint64_t bits_credited = 0;  ///< By RNDADDENTROPY.
  bool failed = false;
};

/// Feeds the kernel, with a thread of its own.
class KernelFeed {
 public:
  /// `giver`, `pool` and `clock` must outlive it. `say` (event, detail) is called at most once,
  /// from its thread.
  KernelFeed(const KernelFeedOptions& options, Giver& giver, KernelPool& pool, Clock& clock,
             std::function<void(const std::string&, const std::string&)> say);
  KernelFeed(const KernelFeed&) = delete;
  KernelFeed& operator=(const KernelFeed&) = delete;
  ~KernelFeed();
  void start();
  void stop();
  /// Feeds what may go now; what `start` does again and again.
  void step();
  [[nodiscard]] KernelFeedCounters counters() const;

 private:
  void run();
  const KernelFeedOptions options_;
  Giver& giver_;
  KernelPool& pool_;
  Clock& clock_;
  std::function<void(const std::string&, const std::string&)> say_;
  Allowance allowance_;
  std::atomic<std::uint64_t> bytes_fed_{0};
  std::atomic<std::uint64_t> bits_credited_{0};
  std::atomic<bool> failed_{false};
  std::mutex lock_;
  std::condition_variable wake_;
  bool ending_ = false;  ///< Under lock_.
  std::thread thread_;
};

}  // namespace talla::outlet
