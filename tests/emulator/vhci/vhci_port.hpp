// Ring 3: an emulated device on a port of the kernel's virtual host controller (vhci-hcd). The
// kernel enumerates it, binds its own drivers to it and gives it to libusb like any other; closing
// the port pulls it out.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "base/result.hpp"
#include "emulator/models.hpp"

namespace talla::emulator {

class VhciPort {
 public:
  /// Ports 0 to 7. Needs root and the module vhci-hcd. Errors: text with what the system said.
  [[nodiscard]] static Result<std::unique_ptr<VhciPort>> attach(unsigned port, Model model);
  VhciPort(const VhciPort&) = delete;
  VhciPort& operator=(const VhciPort&) = delete;
  /// Pulls the device out.
  ~VhciPort();

  /// Runs `use` with the model while the bus does not.
  template <class Use>
  auto with(Use use) {
    const std::lock_guard lock(mutex_);
    return use(*model_);
  }
  /// Transfers that the host asked back (USBIP_CMD_UNLINK).
  [[nodiscard]] unsigned unlinked() const { return unlinked_; }

 private:
  struct Pending {
    std::uint32_t number = 0;
    std::uint8_t endpoint = 0;
    std::size_t size = 0;
  };
  VhciPort(int socket, Model model) : socket_(socket), model_(std::move(model)) {}
  void serve();
  bool take_command();
  bool submit(ByteView header);
  bool unlink(ByteView header);
  bool answer(std::uint32_t number, const Reply& reply, bool in, std::size_t sent);
  bool complete_waiting();

  int socket_;
  Model model_;
  std::mutex mutex_;
  std::deque<Pending> waiting_;
  std::atomic<unsigned> unlinked_{0};
  std::thread thread_;
};

}  // namespace talla::emulator
