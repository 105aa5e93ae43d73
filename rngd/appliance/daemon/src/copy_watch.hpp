/// \file
/// Notices that this virtual machine was resumed from a snapshot, or is a copy of another one.
///
/// A copy has the secrets of its original: pool, DRBG, sealed cards. Where the host gives the
/// machine a generation id (vmgenid) and its kernel announces a change of it (a uevent with
/// NEW_VMGENID=1), the callback is called at once. Older kernels, Debian 12's among them, stir
/// their own generator and announce nothing; without an id nobody knows. `machine_generation` says
/// which it is.
/// Believed: the kernel alone. What another process sends to the same group is passed over.
/// Threads: one of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/result.hpp"

namespace talla::rngd {

enum class CopyWatchErrc { no_news };
[[nodiscard]] std::string_view errc_name(CopyWatchErrc errc);

/// Whether one message of the kernel (its fields end with NUL) tells of a new generation id.
[[nodiscard]] bool tells_of_a_copy(std::string_view message);

/// Whether the kernel's driver has found a generation id; `sys` is where sysfs is mounted.
[[nodiscard]] bool has_generation_id(const std::string& sys = "/sys");

class CopyWatch {
 public:
  /// Listens to the kernel. `copied` is called from the watching thread, each time.
  /// Errors: no_news, where the kernel's news cannot be had.
  [[nodiscard]] static Result<std::unique_ptr<CopyWatch>> open(std::function<void()> copied);
  /// Listens at a socket of messages that is already there; it is closed at the end.
  CopyWatch(int socket, std::function<void()> copied);
  ~CopyWatch();
  CopyWatch(const CopyWatch&) = delete;
  CopyWatch& operator=(const CopyWatch&) = delete;

 private:
  void run();
  [[nodiscard]] bool take();

  int socket_;
  int wake_;
  std::function<void()> copied_;
  std::thread thread_;
};

}  // namespace talla::rngd
