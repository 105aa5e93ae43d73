#include "vhci_port.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>

#include "usb/errors.hpp"

namespace talla::emulator {
namespace {

// Linux Documentation/usb/usbip_protocol: every message begins with 48 bytes, big endian.
constexpr std::size_t header_bytes = 48;
enum Command : std::uint32_t { cmd_submit = 1, cmd_unlink = 2, ret_submit = 3, ret_unlink = 4 };

std::uint32_t u32_at(ByteView bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = value << 8U | bytes[at + k];
  return value;
}
void put_u32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t k = 0; k < 4; ++k)
    bytes[at + k] = static_cast<std::uint8_t>(value >> (24U - 8U * k));
}

std::int64_t now_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool read_all(int socket, std::uint8_t* into, std::size_t size) {
  while (size > 0) {
    const ssize_t got = recv(socket, into, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int socket, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<VhciPort>> VhciPort::attach(unsigned port, Model model) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
    return fail(usb::UsbErrc::unavailable, std::string("socket pair: ") + strerrordesc_np(errno));
  const unsigned speed = model->identity().high_speed ? 3 : 2;
  const std::string line = std::to_string(port) + " " + std::to_string(ends[1]) + " " +
                           std::to_string(1U << 16U | (port + 2U)) + " " + std::to_string(speed);
  std::unique_ptr<VhciPort> attached(new VhciPort(ends[0], std::move(model)));
  attached->thread_ = std::thread([self = attached.get()] { self->serve(); });
  const int file = open("/sys/devices/platform/vhci_hcd.0/attach", O_WRONLY);
  const bool written =
      file >= 0 && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const std::string why = strerrordesc_np(errno);
  if (file >= 0) close(file);
  close(ends[1]);
  if (!written) return fail(usb::UsbErrc::unavailable, "vhci attach: " + why);
  return attached;
}

VhciPort::~VhciPort() {
  shutdown(socket_, SHUT_RDWR);
  thread_.join();
  close(socket_);
}

void VhciPort::serve() {
  while (true) {
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    const bool busy = [&] {
      const std::lock_guard lock(mutex_);
      return !waiting_.empty();
    }();
    const int ready = poll(&waiting, 1, busy ? 1 : 100);
    if (ready < 0 && errno != EINTR) return;
    if (ready > 0 && !take_command()) return;
    if (!complete_waiting()) return;
  }
}

bool VhciPort::take_command() {
  std::array<std::uint8_t, header_bytes> header{};
  if (!read_all(socket_, header.data(), header.size())) return false;
  switch (u32_at(header, 0)) {
    case cmd_submit:
      return submit(header);
    case cmd_unlink:
      return unlink(header);
    default:
      return false;
  }
}

bool VhciPort::submit(ByteView header) {
  const std::uint32_t number = u32_at(header, 4);
  const bool in = u32_at(header, 12) == 1;
  const auto endpoint = static_cast<std::uint8_t>(u32_at(header, 16));
  const std::size_t size = u32_at(header, 24);
  Bytes out(in ? 0 : size);
  if (!out.empty() && !read_all(socket_, out.data(), out.size())) return false;
  const std::lock_guard lock(mutex_);
  if (endpoint == 0) {
    const ByteView raw = header.subspan(40, 8);
    const auto word = [raw](std::size_t at) {
      return static_cast<std::uint16_t>(raw[at] | raw[at + 1] << 8U);
    };
    const Setup setup{
        .type = raw[0], .request = raw[1], .value = word(2), .index = word(4), .length = word(6)};
    return answer(number, model_->control(setup, out), in, out.size());
  }
  if (!in) return answer(number, model_->bulk_out(endpoint, out), false, out.size());
  waiting_.push_back(
      {.number = number, .endpoint = static_cast<std::uint8_t>(endpoint | 0x80U), .size = size});
  return true;
}

bool VhciPort::unlink(ByteView header) {
  const std::uint32_t number = u32_at(header, 4);
  const std::uint32_t which = u32_at(header, 20);
  Bytes reply(header_bytes);
  put_u32(reply, 0, ret_unlink);
  put_u32(reply, 4, number);
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(waiting_, which, &Pending::number);
    if (found != waiting_.end()) {
      put_u32(reply, 20, static_cast<std::uint32_t>(-ECONNRESET));
      model_->cancel(found->endpoint);
      waiting_.erase(found);
      ++unlinked_;
    }
  }
  return write_all(socket_, reply);
}

bool VhciPort::answer(std::uint32_t number, const Reply& reply, bool in, std::size_t sent) {
  Bytes message(header_bytes);
  put_u32(message, 0, ret_submit);
  put_u32(message, 4, number);
  put_u32(message, 20, static_cast<std::uint32_t>(reply.status));
  const std::size_t count = reply.status != 0 ? 0 : in ? reply.bytes.size() : sent;
  put_u32(message, 24, static_cast<std::uint32_t>(count));
  if (in && reply.status == 0)
    message.insert(message.end(), reply.bytes.begin(), reply.bytes.end());
  return write_all(socket_, message);
}

/// Whatever can be answered by now, each endpoint in its order.
bool VhciPort::complete_waiting() {
  const std::lock_guard lock(mutex_);
  if (model_->wants_to_go()) return false;
  std::set<std::uint8_t> blocked;
  for (auto each = waiting_.begin(); each != waiting_.end();) {
    if (blocked.contains(each->endpoint)) {
      ++each;
      continue;
    }
    // An interrupt endpoint of a serial port has nothing to say.
    auto reply = model_->bulk_in(each->endpoint, each->size, now_ns());
    if (!reply) {
      blocked.insert(each->endpoint);
      ++each;
      continue;
    }
    if (!answer(each->number, *reply, true, 0)) return false;
    each = waiting_.erase(each);
  }
  return true;
}

}  // namespace talla::emulator
