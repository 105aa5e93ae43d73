// Ring 2: emulated devices under the real libusb. umockdev answers the usbfs ioctls in this
// process, without privileges.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "emulator/models.hpp"
#include "polled_clock.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): umockdev's own names
struct _UMockdevTestbed;
struct _UMockdevIoctlBase;
struct _UMockdevIoctlData;
struct _UMockdevIoctlClient;
// NOLINTEND(bugprone-reserved-identifier)

namespace talla::emulator {

/// Time is real, or a clock's that the host's polls move. Models are asked under the bus's lock, in
/// a thread of umockdev's. Beside the devices there is a root hub at address 1, as on every machine
/// with USB: libusb 1.0.26 does not start where it finds no device at all. One program at a time
/// may listen for hot-plug events; two need a bus each.
class UmockdevBus {
 public:
  /// `clock`: the devices' time, moved on by the polls of the host; none: real time. It outlives
  /// the bus.
  explicit UmockdevBus(PolledClock* clock = nullptr);
  UmockdevBus(const UmockdevBus&) = delete;
  UmockdevBus& operator=(const UmockdevBus&) = delete;
  ~UmockdevBus();

  /// Attaches a device at the next address (1-4, 1-5, ...) and sends the hot-plug event; the bus
  /// owns it.
  DeviceModel& plug(Model model);
  /// Attaches the device at port 1 of the hub at address 1. When the hub is told to take the power
  /// away the device leaves, and when it gives it back a new one, made by `make`, comes at another
  /// address; `lies`: the hub takes the requests and does nothing.
  void plug_behind_hub(std::function<Model()> make, bool lies = false);
  /// Every transfer in flight ends with "no device", later requests are refused, the hot-plug event
  /// is sent, the node goes.
  void unplug(DeviceModel& model);
  /// From here on no device leaves by itself: for whoever listens and stops before the bus does. An
  /// event that meets a listener as it closes ends the program (umockdev's sender aborts).
  void stop_announcing();
  /// Refuses claims as a driver that will not let go does.
  void hold_interfaces();
  /// Runs `use` while nobody else touches a model.
  template <class Use>
  auto with(const Use& use) {
    const std::lock_guard lock(mutex_);
    return use();
  }

  [[nodiscard]] std::string root_dir() const;
  /// What was done: "detach and claim", "release", "attach again", "clear halt", "submit N",
  ///                "discard".
  [[nodiscard]] std::vector<std::string> calls() const;
  [[nodiscard]] long count(const std::string& call) const;
  [[nodiscard]] std::size_t in_flight() const;

 private:
  class Hub;
  class Speaking;
  using Data = std::shared_ptr<_UMockdevIoctlData>;
  struct Urb {
    Data data;
    Data buffer;
    /// The open file it was submitted at, and is reaped at.
    const _UMockdevIoctlClient* owner = nullptr;
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
    bool announced = false;  ///< That it is gone.
  };
  /// The power of the port at the hub.
  struct Power {
    std::function<Model()> make;
    Port* behind_hub = nullptr;
    Hub* hub = nullptr;                  ///< Of the first port.
    std::vector<std::thread> switching;  ///< The hub answers at once; its ports follow.
    std::mutex turns;
    std::condition_variable turned;
    std::size_t switched = 0;  ///< Requests that were carried out, under `turns`.
  };
  DeviceModel& attach(Model model, std::size_t address, const std::string& path);
  void detach(Port& port);
  void switch_power(bool on);
  void forget_dead_listeners();
  void announce_leavers();
  static int on_ioctl(_UMockdevIoctlBase* handler, _UMockdevIoctlClient* client, void* port);
  bool handle(Port& port, _UMockdevIoctlClient* client);
  bool submit(Port& port, _UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  bool reap(Port& port, _UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  bool discard(Port& port, _UMockdevIoctlClient* client, _UMockdevIoctlData* argument);
  bool try_complete(Port& port, Urb& urb);
  [[nodiscard]] std::int64_t now_ns() const;
  static void do_control(Port& port, Urb& urb);
  [[nodiscard]] std::string node_of(const Port& port) const;

  PolledClock* clock_;
  _UMockdevTestbed* testbed_;
  mutable std::mutex mutex_;  ///< Everything below.
  std::list<Port> ports_;
  std::vector<std::string> calls_;
  bool held_ = false;
  std::size_t plugged_ = 0;
  Power power_;
  std::jthread sweeping_;
};

}  // namespace talla::emulator
