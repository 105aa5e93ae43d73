#include "mock_bus.hpp"

#include <glib-object.h>
#include <linux/usbdevice_fs.h>
#include <sys/ioctl.h>
#include <umockdev.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#pragma GCC diagnostic ignored "-Wold-style-cast"  // GObject's macros and the kernel's _IOR

namespace talla::usb::test {
namespace {

constexpr const char* node = "/dev/bus/usb/001/004";
constexpr const char* sys_path = "/sys/devices/usb1";
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

void append_u16(Bytes& bytes, unsigned value) {
  bytes.push_back(static_cast<std::uint8_t>(value & 0xFFU));
  bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
}

/// Device, configuration, interface and endpoint descriptors (USB 2.0 tables 9-8, 9-10, 9-12, 9-13).
Bytes descriptors(const MockDescription& description) {
  Bytes bytes{18, 1, 0x00, 0x02, 0, 0, 0, 64};
  append_u16(bytes, description.vendor_id);
  append_u16(bytes, description.product_id);
  append_u16(bytes, 0x0001);
  bytes.insert(bytes.end(), {1, 2, 3, 1});
  const std::size_t endpoints = description.bulk_endpoints.size();
  bytes.insert(bytes.end(), {9, 2});
  append_u16(bytes, static_cast<unsigned>(18 + 7 * endpoints));
  bytes.insert(bytes.end(), {1, 1, 0, 0xC0, 50});
  bytes.insert(bytes.end(), {9, 4, 0, 0, static_cast<std::uint8_t>(endpoints), 0xFF, 0, 0, 0});
  for (const std::uint8_t endpoint : description.bulk_endpoints) {
    bytes.insert(bytes.end(), {7, 5, endpoint, 2});
    append_u16(bytes, description.packet_bytes);
    bytes.push_back(0);
  }
  return bytes;
}

usbdevfs_urb& urb_of(const std::shared_ptr<_UMockdevIoctlData>& data) {
  return *reinterpret_cast<usbdevfs_urb*>(data->data);
}

}  // namespace

MockBus::MockBus() : testbed_(umockdev_testbed_new()), handler_(umockdev_ioctl_base_new()) {
  g_signal_connect_after(handler_, "handle-ioctl", G_CALLBACK(&MockBus::on_ioctl), this);
}

MockBus::~MockBus() {
  umockdev_testbed_detach_ioctl(testbed_, node, nullptr);
  flying_.clear();
  g_object_unref(handler_);
  g_object_unref(testbed_);
}

void MockBus::plug(const MockDescription& description) {
  {
    const std::lock_guard lock(mutex_);
    description_ = description;
    gone_ = false;
    halted_ = false;
  }
  umockdev_testbed_attach_ioctl(testbed_, node, handler_, nullptr);
  const std::string device =
      "P: /devices/usb1\nN: bus/usb/001/004\nE: SUBSYSTEM=usb\nE: DRIVER=usb\nE: BUSNUM=001\nE: DEVNUM=004\n"
      "E: DEVNAME=/dev/bus/usb/001/004\nE: DEVTYPE=usb_device\nA: bConfigurationValue=1\\n\nA: busnum=1\\n\n"
      "A: devnum=4\\n\nA: speed=12\\n\nH: descriptors=" +
      to_hex(descriptors(description)) + "\n";
  if (umockdev_testbed_add_from_string(testbed_, device.c_str(), nullptr) == FALSE) std::abort();
}

void MockBus::unplug() {
  {
    const std::lock_guard lock(mutex_);
    gone_ = true;
  }
  umockdev_testbed_uevent(testbed_, sys_path, "remove");
}

void MockBus::reply(Reply reply) {
  const std::lock_guard lock(mutex_);
  replies_.push_back(std::move(reply));
}
void MockBus::set_endless(std::function<Bytes(std::size_t)> endless) {
  const std::lock_guard lock(mutex_);
  endless_ = std::move(endless);
}
void MockBus::hold_interface() {
  const std::lock_guard lock(mutex_);
  held_ = true;
}
long MockBus::count(const std::string& call) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::count(calls_, call);
}
std::vector<std::string> MockBus::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}
std::size_t MockBus::in_flight() const {
  const std::lock_guard lock(mutex_);
  return flying_.size();
}
std::string MockBus::root_dir() const {
  gchar* path = umockdev_testbed_get_root_dir(testbed_);
  std::string text = path;
  g_free(path);
  return text;
}

int MockBus::on_ioctl(UMockdevIoctlBase* /*handler*/, UMockdevIoctlClient* client, void* self) {
  auto& bus = *static_cast<MockBus*>(self);
  const std::lock_guard lock(bus.mutex_);
  return bus.handle(client) ? TRUE : FALSE;
}

bool MockBus::handle(UMockdevIoctlClient* client) {
  UMockdevIoctlData* argument = umockdev_ioctl_client_get_arg(client);
  const auto done = [client](long result, int error) {
    umockdev_ioctl_client_complete(client, result, error);
    return true;
  };
  switch (umockdev_ioctl_client_get_request(client)) {
    case USBDEVFS_GET_CAPABILITIES: {
      const Data data = adopt(umockdev_ioctl_data_resolve(argument, 0, sizeof(guint32), nullptr));
      if (!data) return give_up(client);
      *reinterpret_cast<guint32*>(data->data) = USBDEVFS_CAP_NO_PACKET_SIZE_LIM |
                                                USBDEVFS_CAP_REAP_AFTER_DISCONNECT |
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
    case USBDEVFS_CLEAR_HALT:
      calls_.emplace_back("clear halt");
      halted_ = false;
      return gone_ ? done(-1, ENODEV) : done(0, 0);
    case USBDEVFS_SUBMITURB:
      return submit(client, argument);
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY:
      return reap(client, argument);
    case USBDEVFS_DISCARDURB:
      return discard(client, argument);
    default:
      return false;
  }
}

bool MockBus::submit(UMockdevIoctlClient* client, UMockdevIoctlData* argument) {
  if (gone_) {
    umockdev_ioctl_client_complete(client, -1, ENODEV);
    return true;
  }
  Urb urb;
  urb.data = adopt(umockdev_ioctl_data_resolve(argument, 0, sizeof(usbdevfs_urb), nullptr));
  if (!urb.data) return give_up(client);
  const auto size = static_cast<std::size_t>(urb_of(urb.data).buffer_length);
  if (size > 0) {
    urb.buffer =
        adopt(umockdev_ioctl_data_resolve(urb.data.get(), offsetof(usbdevfs_urb, buffer), size, nullptr));
    if (!urb.buffer) return give_up(client);
  }
  if (urb_of(urb.data).type == USBDEVFS_URB_TYPE_BULK) {
    calls_.push_back("submit " + std::to_string(urb_of(urb.data).endpoint));
  }
  flying_.push_back(std::move(urb));
  umockdev_ioctl_client_complete(client, 0, 0);
  return true;
}

bool MockBus::reap(UMockdevIoctlClient* client, UMockdevIoctlData* argument) {
  const auto ready = std::ranges::find_if(flying_, [this](Urb& urb) { return try_complete(urb); });
  if (ready == flying_.end()) {
    umockdev_ioctl_client_complete(client, -1, gone_ ? ENODEV : EAGAIN);
    return true;
  }
  const Data pointer = adopt(umockdev_ioctl_data_resolve(argument, 0, sizeof(gpointer), nullptr));
  if (!pointer) return give_up(client);
  umockdev_ioctl_data_set_ptr(pointer.get(), 0, ready->data.get());
  umockdev_ioctl_client_complete(client, 0, 0);
  flying_.erase(ready);
  return true;
}

/// Fills in what the transfer got; false while it stays in flight.
bool MockBus::try_complete(Urb& urb) {
  usbdevfs_urb& about = urb_of(urb.data);
  about.actual_length = 0;
  if (urb.discarded || gone_) {
    about.status = gone_ ? -ESHUTDOWN : -ENOENT;
    return true;
  }
  if (about.type == USBDEVFS_URB_TYPE_CONTROL) {
    answer_control(urb);
    return true;
  }
  if (halted_) {
    about.status = -EPIPE;
    return true;
  }
  const auto size = static_cast<std::size_t>(about.buffer_length);
  Reply reply;
  if (!replies_.empty()) {
    reply = std::move(replies_.front());
    replies_.pop_front();
  } else if (endless_) {
    reply.bytes = endless_(size);
  } else {
    return false;
  }
  halted_ = reply.status == -EPIPE;
  about.status = reply.status;
  const std::size_t count = std::min(size, reply.bytes.size());
  if (count > 0) std::copy_n(reply.bytes.begin(), count, urb.buffer->data);
  about.actual_length = static_cast<int>(count);
  return true;
}

void MockBus::answer_control(Urb& urb) {
  usbdevfs_urb& about = urb_of(urb.data);
  const guint8* setup = urb.buffer->data;
  const bool asks_string = setup[0] == 0x80 && setup[1] == 6 && setup[3] == 3;
  const Bytes answer = asks_string ? string_descriptor(setup[2]) : Bytes{};
  about.status = answer.empty() ? -EPIPE : 0;
  const std::size_t count =
      std::min(answer.size(), static_cast<std::size_t>(about.buffer_length) - setup_bytes);
  std::copy_n(answer.begin(), count, urb.buffer->data + setup_bytes);
  about.actual_length = static_cast<int>(count);
}

Bytes MockBus::string_descriptor(unsigned index) const {
  const std::string& text = index == 1   ? description_.manufacturer
                            : index == 2 ? description_.product
                                         : description_.serial;
  Bytes bytes{static_cast<std::uint8_t>(2 + 2 * text.size()), 3};
  for (const char c : text) append_u16(bytes, static_cast<std::uint8_t>(c));
  return bytes;
}

bool MockBus::discard(UMockdevIoctlClient* client, UMockdevIoctlData* argument) {
  const auto address = *reinterpret_cast<gulong*>(argument->data);
  const auto found = std::ranges::find_if(
      flying_, [address](const Urb& urb) { return urb.data->client_addr == address && !urb.discarded; });
  if (found != flying_.end()) found->discarded = true;
  calls_.emplace_back("discard");
  umockdev_ioctl_client_complete(client, found != flying_.end() ? 0 : -1,
                                 found != flying_.end() ? 0 : EINVAL);
  return true;
}

}  // namespace talla::usb::test
