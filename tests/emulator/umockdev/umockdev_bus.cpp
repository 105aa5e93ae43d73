#include "umockdev_bus.hpp"

#include <fmt/format.h>
#include <glib-object.h>
#include <linux/usbdevice_fs.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <umockdev.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#pragma GCC diagnostic ignored "-Wold-style-cast"  // GObject's macros and the kernel's _IOR

namespace talla::emulator {
namespace {

constexpr std::size_t first_address = 4;
constexpr std::size_t setup_bytes = 8;

/// Empty when the client died in the middle of its call.
std::shared_ptr<_UMockdevIoctlData> adopt(UMockdevIoctlData* data) {
  if (data == nullptr) return {};
  return {data, &umockdev_ioctl_data_unref};
}

bool give_up(UMockdevIoctlClient* client) {
  umockdev_ioctl_client_abort(client);
  return true;
}

usbdevfs_urb& urb_of(const std::shared_ptr<_UMockdevIoctlData>& data) {
  return *reinterpret_cast<usbdevfs_urb*>(data->data);
}

}  // namespace

std::int64_t UmockdevBus::now_ns() const {
  if (clock_ != nullptr) return clock_->device_ns();
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// umockdev sends hot-plug events as whoever UMOCKDEV_DIR names: the bus that was made last, unless
/// told otherwise.
class UmockdevBus::Speaking {
 public:
  Speaking() : lock_(one_at_a_time()) {}  ///< Only keeps others from speaking.
  explicit Speaking(const UmockdevBus& bus) : lock_(one_at_a_time()) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one at a time speaks, and nobody else asks for it
    setenv("UMOCKDEV_DIR", bus.root_dir().c_str(), 1);
  }

 private:
  static std::mutex& one_at_a_time() {
    static std::mutex mutex;
    return mutex;
  }
  std::scoped_lock<std::mutex> lock_;
};

/// Where a listener's socket was left behind, nobody else can listen: a confined program may not
/// remove the file. A real kernel's netlink sockets end with their process.
void UmockdevBus::forget_dead_listeners() {
  namespace fs = std::filesystem;
  const Speaking turn;  // an event that is on its way must not find a file that goes
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root_dir(), ignored)) {
    const std::string path = entry.path();
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    if (!entry.path().filename().string().starts_with("event") ||
        path.size() >= sizeof(address.sun_path))
      continue;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    const int probe = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool dead =
        connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 &&
        errno == ECONNREFUSED;
    close(probe);
    if (dead) fs::remove(path, ignored);
  }
}

/// Devices that left by themselves (Faults::gone_after).
void UmockdevBus::announce_leavers() {
  std::vector<Port*> leavers;
  {
    const std::lock_guard lock(mutex_);
    for (Port& port : ports_) {
      if (port.model && port.model->wants_to_go() && !port.announced) leavers.push_back(&port);
    }
  }
  for (Port* port : leavers) detach(*port);
}

/// A hub of one port, as far as a host that switches its power talks to it (USB 2.0 tables 11-13,
/// 11-15).
class UmockdevBus::Hub final : public DeviceModel {
 public:
  explicit Hub(UmockdevBus& bus)
      : DeviceModel({.vendor_id = 0x1d6b,
                     .product_id = 0x0002,
                     .manufacturer = "emulated",
                     .product = "hub",
                     .serial = "1",
                     .interfaces = {{.number = 0, .class_code = 9, .endpoints = {}}},
                     .high_speed = true},
                    0),
        bus_(bus) {}
  void lie() { lies_ = true; }

 protected:
  Reply on_control(const Setup& setup, ByteView /*out*/) override {
    constexpr std::uint16_t power = 8;
    if (setup.type == 0xA0 && setup.request == 6 && setup.value == 0x2900)
      return {.status = 0, .bytes = {9, 0x29, 1, 0x01, 0x00, 50, 0, 0, 0xFF}};
    const bool switches = setup.type == 0x23 && (setup.request == 1 || setup.request == 3);
    if (!switches || setup.value != power || setup.index != 1) return stall();
    if (!lies_) {
      bus_.power_.switching.emplace_back(
          [bus = &bus_, on = setup.request == 3, turn = bus_.power_.switching.size()] {
            std::unique_lock lock(
                bus->power_.turns);  // in the order of the requests, however the threads are woken
            bus->power_.turned.wait(lock, [&] { return bus->power_.switched == turn; });
            bus->switch_power(on);
            ++bus->power_.switched;
            bus->power_.turned.notify_all();
          });
    }
    return {};
  }
  Reply on_bulk_out(std::uint8_t /*endpoint*/, ByteView /*data*/) override { return stall(); }
  std::optional<Bytes> next_packet(std::uint8_t /*endpoint*/, std::int64_t /*now_ns*/) override {
    return {};
  }

 private:
  UmockdevBus& bus_;
  bool lies_ = false;
};

UmockdevBus::UmockdevBus(PolledClock* clock) : clock_(clock), testbed_(umockdev_testbed_new()) {
  auto hub = std::make_unique<Hub>(*this);
  power_.hub = hub.get();
  attach(std::move(hub), 1, "/devices/usb1");
  sweeping_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex own;
    std::unique_lock lock(own);
    std::condition_variable_any nobody;  // only the end wakes it
    while (!stop.stop_requested()) {
      announce_leavers();
      forget_dead_listeners();
      nobody.wait_for(lock, stop, std::chrono::milliseconds(20), [] { return false; });
    }
  });
}

void UmockdevBus::stop_announcing() {
  sweeping_.request_stop();
  if (sweeping_.joinable()) sweeping_.join();
}

UmockdevBus::~UmockdevBus() {
  stop_announcing();
  for (std::thread& each : power_.switching) each.join();
  for (Port& port : ports_) {
    umockdev_testbed_detach_ioctl(testbed_, node_of(port).c_str(), nullptr);
    port.flying.clear();
    g_object_unref(port.handler);
  }
  g_object_unref(testbed_);
}

std::string UmockdevBus::node_of(const Port& port) const {
  return fmt::format("/dev/bus/usb/001/{:03}", port.address);
}

DeviceModel& UmockdevBus::plug(Model model) {
  std::size_t address = 0;
  {
    const std::lock_guard lock(mutex_);
    address = first_address + plugged_++;
  }
  return attach(std::move(model), address, fmt::format("/devices/usb{}", address));
}

DeviceModel& UmockdevBus::attach(Model model, std::size_t address, const std::string& path) {
  Port* port = nullptr;
  {
    const std::lock_guard lock(mutex_);
    ports_.push_back({.bus = this, .model = std::move(model), .address = address, .path = path});
    port = &ports_.back();
  }
  port->handler = umockdev_ioctl_base_new();
  g_signal_connect_after(port->handler, "handle-ioctl", G_CALLBACK(&UmockdevBus::on_ioctl), port);
  umockdev_testbed_attach_ioctl(testbed_, node_of(*port).c_str(), port->handler, nullptr);
  const Identity& identity = port->model->identity();
  Bytes descriptors = device_descriptor(identity);
  const Bytes configuration = configuration_descriptor(identity);
  descriptors.insert(descriptors.end(), configuration.begin(), configuration.end());
  const std::string device = fmt::format(
      "P: {3}\nN: bus/usb/001/{0:03}\nE: SUBSYSTEM=usb\nE: DRIVER=usb\nE: BUSNUM=001\nE: "
      "DEVNUM={0:03}\n"
      "E: DEVNAME=/dev/bus/usb/001/{0:03}\nE: DEVTYPE=usb_device\nA: bConfigurationValue=1\\n\nA: "
      "busnum=1\\n\n"
      "A: devnum={0}\\n\nA: speed={1}\\n\nH: descriptors={2}\n",
      port->address, identity.high_speed ? 480 : 12, to_hex(descriptors), path);
  const Speaking turn(*this);
  if (umockdev_testbed_add_from_string(testbed_, device.c_str(), nullptr) == FALSE) std::abort();
  return *port->model;
}

void UmockdevBus::unplug(DeviceModel& model) {
  Port* found = nullptr;
  {
    const std::lock_guard lock(mutex_);
    for (Port& port : ports_) {
      if (port.model.get() == &model) found = &port;
    }
  }
  if (found != nullptr) detach(*found);
}

void UmockdevBus::detach(Port& port) {
  {
    const std::lock_guard lock(mutex_);
    port.gone = true;
    if (std::exchange(port.announced, true)) return;
  }
  const Speaking turn(*this);
  umockdev_testbed_uevent(testbed_, ("/sys" + port.path).c_str(), "remove");
  umockdev_testbed_remove_device(testbed_, ("/sys" + port.path).c_str());
}

void UmockdevBus::plug_behind_hub(std::function<Model()> make, bool lies) {
  power_.make = std::move(make);
  if (lies) power_.hub->lie();
  switch_power(true);
}

void UmockdevBus::switch_power(bool on) {
  Port* port = nullptr;
  std::size_t address = 0;
  {
    const std::lock_guard lock(mutex_);
    port = power_.behind_hub;
    if (on == (port != nullptr)) return;
    address = first_address + plugged_;
    if (on) ++plugged_;
  }
  if (on) {
    // The hub's node is 1 and its one port too; below it, each plugging has an address of its own.
    attach(power_.make(), address, "/devices/usb1/1-1");
  } else {
    detach(*port);
  }
  const std::lock_guard lock(mutex_);
  power_.behind_hub = on ? &ports_.back() : nullptr;
}

void UmockdevBus::hold_interfaces() {
  const std::lock_guard lock(mutex_);
  held_ = true;
}
std::vector<std::string> UmockdevBus::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}
long UmockdevBus::count(const std::string& call) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::count(calls_, call);
}
std::size_t UmockdevBus::in_flight() const {
  const std::lock_guard lock(mutex_);
  std::size_t all = 0;
  for (const Port& port : ports_) all += port.flying.size();
  return all;
}
std::string UmockdevBus::root_dir() const {
  gchar* path = umockdev_testbed_get_root_dir(testbed_);
  std::string text = path;
  g_free(path);
  return text;
}

int UmockdevBus::on_ioctl(UMockdevIoctlBase* /*handler*/, UMockdevIoctlClient* client, void* port) {
  auto& mine = *static_cast<Port*>(port);
  const std::lock_guard lock(mine.bus->mutex_);
  return mine.bus->handle(mine, client) ? TRUE : FALSE;
}

bool UmockdevBus::handle(Port& port, UMockdevIoctlClient* client) {
  UMockdevIoctlData* argument = umockdev_ioctl_client_get_arg(client);
  const auto done = [client](long result, int error) {
    umockdev_ioctl_client_complete(client, result, error);
    return true;
  };
  port.gone = port.gone || port.model->wants_to_go();
  switch (umockdev_ioctl_client_get_request(client)) {
    case USBDEVFS_GET_CAPABILITIES: {
      const Data data = adopt(umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), nullptr));
      if (!data) return give_up(client);
      *reinterpret_cast<guint32*>(data->data) =
          USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT |
          USBDEVFS_CAP_BULK_CONTINUATION | USBDEVFS_CAP_ZERO_PACKET;
      return done(0, 0);
    }
    case USBDEVFS_DISCONNECT_CLAIM:
      calls_.emplace_back("detach and claim");
      return held_ ? done(-1, EBUSY) : done(0, 0);
    case USBDEVFS_RELEASEINTERFACE:
      calls_.emplace_back("release");
      return done(0, 0);
    case USBDEVFS_IOCTL:
      calls_.emplace_back("attach again");
      return done(1, 0);
    case USBDEVFS_CLEAR_HALT: {
      calls_.emplace_back("clear halt");
      const Data data = adopt(umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), nullptr));
      if (!data) return give_up(client);
      port.model->clear_halt(static_cast<std::uint8_t>(*reinterpret_cast<guint32*>(data->data)));
      return port.gone ? done(-1, ENODEV) : done(0, 0);
    }
    case USBDEVFS_RESET:
      calls_.emplace_back("reset");
      return port.gone ? done(-1, ENODEV) : done(0, 0);
    case USBDEVFS_SUBMITURB:
      return submit(port, client, argument);
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY:
      return reap(port, client, argument);
    case USBDEVFS_DISCARDURB:
      return discard(port, client, argument);
    default:
      return false;
  }
}

bool UmockdevBus::submit(Port& port, UMockdevIoctlClient* client, UMockdevIoctlData* argument) {
  if (port.gone) {
    umockdev_ioctl_client_complete(client, -1, ENODEV);
    return true;
  }
  Urb urb;
  urb.owner = client;
  urb.data = adopt(umockdev_ioctl_data_resolve(argument, 0, sizeof(usbdevfs_urb), nullptr));
  if (!urb.data) return give_up(client);
  const auto size = static_cast<std::size_t>(urb_of(urb.data).buffer_length);
  if (size > 0) {
    urb.buffer = adopt(
        umockdev_ioctl_data_resolve(urb.data.get(), offsetof(usbdevfs_urb, buffer), size, nullptr));
    if (!urb.buffer) return give_up(client);
  }
  if (urb_of(urb.data).type == USBDEVFS_URB_TYPE_BULK) {
    calls_.push_back("submit " + std::to_string(urb_of(urb.data).endpoint));
  }
  port.flying.push_back(std::move(urb));
  umockdev_ioctl_client_complete(client, 0, 0);
  return true;
}

bool UmockdevBus::reap(Port& port, UMockdevIoctlClient* client, UMockdevIoctlData* argument) {
  // The transfers of an endpoint complete in their order: behind one that waits, the others wait
  // too.
  std::set<unsigned> waiting;
  auto ready = port.flying.end();
  for (auto each = port.flying.begin(); each != port.flying.end() && ready == port.flying.end();
       ++each) {
    if (each->owner != client) continue;
    const unsigned endpoint = urb_of(each->data).endpoint;
    const bool ended = each->discarded || port.gone;
    if (!ended && waiting.contains(endpoint)) continue;
    if (try_complete(port, *each)) {
      ready = each;
    } else {
      waiting.insert(endpoint);
    }
  }
  if (clock_ != nullptr) ready == port.flying.end() ? clock_->idle() : clock_->busy();
  if (ready == port.flying.end()) {
    umockdev_ioctl_client_complete(client, -1, port.gone ? ENODEV : EAGAIN);
    return true;
  }
  const Data pointer = adopt(umockdev_ioctl_data_resolve(argument, 0, sizeof(gpointer), nullptr));
  if (!pointer) return give_up(client);
  umockdev_ioctl_data_set_ptr(pointer.get(), 0, ready->data.get());
  umockdev_ioctl_client_complete(client, 0, 0);
  port.flying.erase(ready);
  return true;
}

/// Fills in what the transfer got; false while it stays in flight.
bool UmockdevBus::try_complete(Port& port, Urb& urb) {
  usbdevfs_urb& about = urb_of(urb.data);
  about.actual_length = 0;
  if (urb.discarded || port.gone) {
    about.status = port.gone ? -ESHUTDOWN : -ENOENT;
    if (!port.gone) port.model->cancel(about.endpoint);
    return true;
  }
  if (about.type == USBDEVFS_URB_TYPE_CONTROL) {
    do_control(port, urb);
    return true;
  }
  const auto size = static_cast<std::size_t>(about.buffer_length);
  if ((about.endpoint & 0x80U) == 0) {
    const Reply reply = port.model->bulk_out(about.endpoint, ByteView(urb.buffer->data, size));
    about.status = reply.status;
    about.actual_length = reply.status == 0 ? about.buffer_length : 0;
    return true;
  }
  const auto reply = port.model->bulk_in(about.endpoint, size, now_ns());
  if (!reply) return false;
  about.status = reply->status;
  const std::size_t count = std::min(size, reply->bytes.size());
  if (count > 0) std::copy_n(reply->bytes.begin(), count, urb.buffer->data);
  about.actual_length = static_cast<int>(count);
  return true;
}

void UmockdevBus::do_control(Port& port, Urb& urb) {
  usbdevfs_urb& about = urb_of(urb.data);
  const guint8* raw = urb.buffer->data;
  const auto word = [raw](std::size_t at) {
    return static_cast<std::uint16_t>(raw[at] | raw[at + 1] << 8U);
  };
  const Setup setup{
      .type = raw[0], .request = raw[1], .value = word(2), .index = word(4), .length = word(6)};
  const auto size = static_cast<std::size_t>(about.buffer_length) - setup_bytes;
  const bool in = (setup.type & 0x80U) != 0;
  const Reply reply =
      port.model->control(setup, in ? ByteView() : ByteView(raw + setup_bytes, size));
  about.status = reply.status;
  const std::size_t count = in ? std::min(reply.bytes.size(), size) : size;
  if (in) std::copy_n(reply.bytes.begin(), count, urb.buffer->data + setup_bytes);
  about.actual_length = reply.status == 0 ? static_cast<int>(count) : 0;
}

bool UmockdevBus::discard(Port& port, UMockdevIoctlClient* client, UMockdevIoctlData* argument) {
  const auto address = *reinterpret_cast<gulong*>(argument->data);
  const auto found = std::ranges::find_if(port.flying, [address, client](const Urb& urb) {
    return urb.owner == client && urb.data->client_addr == address && !urb.discarded;
  });
  if (found != port.flying.end()) found->discarded = true;
  calls_.emplace_back("discard");
  umockdev_ioctl_client_complete(client, found != port.flying.end() ? 0 : -1,
                                 found != port.flying.end() ? 0 : EINVAL);
  return true;
}

}  // namespace talla::emulator
