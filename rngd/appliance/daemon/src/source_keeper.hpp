/// \file
/// Brings USB generators back: when the stream of one is over, waits until a device of the same
/// model and serial number is plugged in, starts a new rngd-source for it and hands its stream to
/// the generator, which tests it first.
///
/// Another serial number is never opened; another kind or assessment is refused by the generator,
/// with a record. A latch stays until two persons reset it. A device that failed its health tests
/// for good, but still talks, is not touched.
/// Threads: one of its own, which lives until destruction: the kernel ends an rngd-source with the
/// thread that started it, so destroy the keeper after the generator. All members from the thread
/// that made it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/supply.hpp"
#include "usb/source_process.hpp"

namespace talla::rngd {

/// One configured USB generator: its place in the generator, and how it was started, serial number
/// included.
struct UsbPlace {
  std::size_t index = 0;
  usb::SourceProcessOptions options;
};

class SourceKeeper {
 public:
  using Wrap =
      std::function<std::unique_ptr<entropy::NoiseSource>(std::unique_ptr<entropy::NoiseSource>)>;

  explicit SourceKeeper(std::vector<UsbPlace> places);
  SourceKeeper(const SourceKeeper&) = delete;
  SourceKeeper& operator=(const SourceKeeper&) = delete;
  ~SourceKeeper();

  /// Begins. `supply` must live until `release`; `wrap` sees each new stream first.
  void keep(core::GeneratorSupply& supply, Wrap wrap);
  /// Touches the generator no more. Safe to call twice.
  void release();

 private:
  void run();
  void look();
  [[nodiscard]] bool lost(std::size_t index);
  void bring_back(std::size_t at);

  std::vector<UsbPlace> places_;
  std::vector<std::int64_t> not_before_ms_;  // the thread's own: when the place is tried again
  Wrap wrap_;
  std::mutex supply_mutex_;
  core::GeneratorSupply* supply_ = nullptr;  // supply_mutex_
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;  // mutex_
  std::atomic<bool> released_{false};
  std::thread thread_;
};

}  // namespace talla::rngd
