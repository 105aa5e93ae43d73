#include "source/forward.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "base/secret.hpp"

namespace talla::source {
namespace {

constexpr unsigned read_slice_ms = 100;
constexpr int send_slice_ms = 100;
constexpr std::size_t samples_per_read = 4096;

/// Everything or nothing; false when the reader is gone, or asked for the end while it does not read.
bool send_all(int socket, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return false;
    pollfd waiting{.fd = socket, .events = POLLOUT, .revents = 0};
    const int ready = poll(&waiting, 1, send_slice_ms);
    if (ready == 0 && end_asked(socket)) return false;
  }
  return true;
}

bool send_frame(int socket, const usb::Frame& frame) {
  return send_all(socket, usb::encode_frame(frame));
}

/// Tells of stalls and silences that were overcome, and blocks that were dropped, since `told`.
bool send_notices(int socket, const usb::StreamCounters& now, usb::StreamCounters& told) {
  using What = usb::NoticeFrame::What;
  const std::uint64_t cleared = now.stalls + now.failures;
  if (cleared != told.stalls + told.failures &&
      !send_frame(socket, usb::NoticeFrame{.what = What::stall_cleared, .count = cleared})) {
    return false;
  }
  if (now.silences != told.silences &&
      !send_frame(socket, usb::NoticeFrame{.what = What::restarted_after_silence, .count = now.silences})) {
    return false;
  }
  if (now.dropped_blocks != told.dropped_blocks &&
      !send_frame(socket, usb::NoticeFrame{.what = What::blocks_dropped, .count = now.dropped_blocks})) {
    return false;
  }
  told = now;
  return true;
}

}  // namespace

bool end_asked(int socket) {
  pollfd waiting{.fd = socket, .events = POLLIN | POLLRDHUP, .revents = 0};
  const int ready = poll(&waiting, 1, 0);
  // The core sends nothing: whatever can be read is the end, or a stranger.
  return ready > 0;
}

void report_failure(int socket, const Error& error) {
  static_cast<void>(
      send_frame(socket, usb::ErrorFrame{.code = std::string(error.code), .detail = error.detail}));
}

Ending forward(entropy::NoiseSource& source, const usb::HelloFrame& hello,
               const usb::StreamCounters& counters, int socket) {
  if (!send_frame(socket, hello)) return Ending::asked;
  usb::StreamCounters told;
  std::array<std::uint8_t, samples_per_read> samples{};
  while (!end_asked(socket)) {
    auto got = source.read(samples, read_slice_ms);
    if (!send_notices(socket, counters, told)) return Ending::asked;
    if (!got) {
      report_failure(socket, got.error());
      return Ending::source_lost;
    }
    if (*got == 0) continue;
    Bytes frame = usb::encode_samples(ByteView(samples).first(*got));
    wipe(samples.data(), *got);
    const bool sent = send_all(socket, frame);
    wipe(frame.data(), frame.size());
    if (!sent) return Ending::asked;
  }
  static_cast<void>(send_frame(socket, usb::ByeFrame{}));
  return Ending::asked;
}

}  // namespace talla::source
