// Ring 2: emulated devices under the real libusb. umockdev answers the usbfs ioctls in this process, without privileges.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "emulator/models.hpp"

struct _UMockdevTestbed;
struct _UMockdevIoctlBase;
struct _UMockdevIoctlData;
struct _UMockdevIoctlClient;

namespace talla::emulator {

/// Time is real. Models are asked under the bus's lock, in a thread of umockdev's.
class UmockdevBus {
 public:
  UmockdevBus();
  UmockdevBus(const UmockdevBus&) = delete;
  UmockdevBus& operator=(const UmockdevBus&) = delete;
  ~UmockdevBus();

  /// Attaches a device at the next address (1-4, 1-5, ...) and sends the hot-plug event; the bus owns it.
  DeviceModel& plug(Model model);
  /// Attaches a hub at address 1 and the device at its port 1. When the hub is told to take the power away the device
  /// leaves, and when it gives it back a new one, made by `make`, comes at another address; `lies`: the hub takes the
  /// requests and does nothing.
  void plug_behind_hub(std::function<Model()> make, bool lies = false);
  /// Every transfer in flight ends with "no device", later requests are refused, the hot-plug event is sent.
  void unplug(DeviceModel& model);
  /// Refuses claims as a driver that will not let go does.
  void hold_interfaces();
  /// Runs `use` while nobody else touches a model.
  template <class Use>
  auto with(Use use) {
    const std::lock_guard lock(mutex_);
    return use();
  }

  [[nodiscard]] std::string root_dir() const;
  /// What was done: "detach and claim", "release", "attach again", "clear halt", "submit N", "discard".
  [[nodiscard]] std::vector<std::string> calls() const;
  [[nodiscard]] long count(const std::string& call) const;
  [[nodiscard]] std::size_t in_flight() const;

 private:
  class Hub;
  using Data = std::shared_ptr<_UMockdevIoctlData>;
  struct Urb {
    Data data;
    Data buffer;
    bool discarded = false;
  };
  struct Port {
    UmockdevBus* bus = nullptr;
    Model model;
    std::size_t address = 0;
    std::string path{};  ///< In sysfs.
    _UMockdevIoctlBase* handler = nullptr;
    std::list<Urb> flying{};
    bool gone = false;
  };
  DeviceModel& attach(Model model, std::size_t address, const std::string& path);
  void detach(Port& port);
  void switch_power(bool on);
  static int on_ioctl(_UMockdevIoctlBase* handler, _UMockdevIoctlClient* client, void* port);
  bool handle(Port& port, _UMockdevIoctlClient* client);
  bool submit(Port& port, _UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  bool reap(Port& port, _UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  bool discard(Port& port, _UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  static bool try_complete(Port& port, Urb& urb);
  static void do_control(Port& port, Urb& urb);
  [[nodiscard]] std::string node_of(const Port& port) const;

  _UMockdevTestbed* testbed_;
  mutable std::mutex mutex_;  ///< Everything below.
  std::list<Port> ports_;
  std::vector<std::string> calls_;
  bool held_ = false;
  std::size_t plugged_ = 0;
  std::function<Model()> make_;
  Port* behind_hub_ = nullptr;
  std::vector<std::thread> switching_;  ///< The hub answers at once; its ports follow.
};

}  // namespace talla::emulator
