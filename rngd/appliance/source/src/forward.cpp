#include "source/forward.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/secret.hpp"
#include "usb/errors.hpp"

namespace talla::source {
namespace {

constexpr unsigned read_slice_ms = 100;
constexpr int send_slice_ms = 100;
constexpr std::size_t samples_per_read = 4096;

/// Everything or nothing; false when the reader is gone, or asked for the end while it does not
/// read.
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

/// Tells of stalls and silences that were overcome, blocks that were dropped, and once a second of
/// what was measured.
class Notices {
 public:
  Notices(int socket, const usb::StreamCounters& now) : socket_(socket), now_(now) {}
  /// False when the reader is gone.
  [[nodiscard]] bool send() {
    const bool told = tell(What::stall_cleared, now_.stalls + now_.failures, cleared_) &&
                      tell(What::restarted_after_silence, now_.silences, silences_) &&
                      tell(What::blocks_dropped, now_.dropped_blocks, dropped_);
    if (!told || now_.figures == figures_ || clock_.monotonic_ns() < next_ns_) return told;
    next_ns_ = clock_.monotonic_ns() + figures_every_ns;
    return tell(What::gain_permille, now_.figures.gain_permille, figures_.gain_permille) &&
           tell(What::sample_variance, now_.figures.sample_variance, figures_.sample_variance) &&
           tell(What::supply_millivolts, now_.figures.supply_millivolts,
                figures_.supply_millivolts) &&
           tell(What::firmware_version, now_.figures.firmware_version, figures_.firmware_version);
  }

 private:
  using What = usb::NoticeFrame::What;
  static constexpr std::int64_t figures_every_ns = 1'000'000'000;
  [[nodiscard]] bool tell(What what, std::uint64_t now, std::uint64_t& told) const {
    if (now == told || now == 0) return true;
    told = now;
    return send_frame(socket_, usb::NoticeFrame{.what = what, .count = now});
  }
  int socket_;
  const usb::StreamCounters& now_;
  SystemClock clock_;
  std::uint64_t cleared_ = 0, silences_ = 0, dropped_ = 0;
  usb::DeviceFigures figures_;
  std::int64_t next_ns_ = 0;
};

}  // namespace

namespace {

/// What the reader wishes next, still on the socket: a generation, the end, or neither.
struct Wish {
  bool end = false;
  std::optional<std::uint64_t> generation{};
};

Wish wish_on(int socket) {
  pollfd waiting{.fd = socket, .events = POLLIN | POLLRDHUP, .revents = 0};
  if (poll(&waiting, 1, 0) <= 0) return {};
  if ((waiting.revents & ~POLLIN) != 0) return {.end = true};
  std::array<std::uint8_t, usb::renew_bytes> bytes{};
  const ssize_t got = recv(socket, bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (got <= 0) return {.end = true};
  const auto generation = usb::decode_renew(ByteView(bytes).first(static_cast<std::size_t>(got)));
  return {.end = !generation, .generation = generation};  // anything else comes from a stranger
}

}  // namespace

bool end_asked(int socket) {
  return wish_on(socket).end;
}

void report_failure(int socket, const Error& error) {
  static_cast<void>(
      send_frame(socket, usb::ErrorFrame{.code = std::string(error.code), .detail = error.detail}));
}

Status take_wish(int socket, usb::SourceWish& wish) {
  constexpr std::int64_t patience_ns = 5'000'000'000;
  SystemClock clock;
  const std::int64_t until_ns = clock.monotonic_ns() + patience_ns;
  std::string line;
  while (clock.monotonic_ns() < until_ns && line.size() < usb::wish_bytes_max) {
    pollfd waiting{.fd = socket, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, read_slice_ms) <= 0) continue;
    char next = 0;  // one at a time: what comes behind the line is the reader's
    const ssize_t got = recv(socket, &next, 1, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) break;
    if (next != '\n') {
      line.push_back(next);
      continue;
    }
    TALLA_TRY(wish, usb::decode_wish(line));
    return {};
  }
  return fail(usb::UsbErrc::process_failed, "nobody says what is wanted");
}

Ending forward(entropy::NoiseSource& source, const usb::HelloFrame& hello,
               const usb::StreamCounters& counters, int socket) {
  if (!send_frame(socket, hello)) return Ending::asked;
  Notices notices(socket, counters);
  std::array<std::uint8_t, samples_per_read> samples{};
  for (Wish wish = wish_on(socket); !wish.end; wish = wish_on(socket)) {
    if (wish.generation) {
      std::array<std::uint8_t, usb::renew_bytes> taken{};
      static_cast<void>(recv(socket, taken.data(), taken.size(), MSG_DONTWAIT));
      if (auto renewed = source.renew(); !renewed) {
        report_failure(socket, renewed.error());
        return Ending::source_lost;
      }
      if (!send_frame(socket, usb::RenewedFrame{.generation = *wish.generation}))
        return Ending::asked;
    }
    auto got = source.read(samples, read_slice_ms);
    if (!notices.send()) return Ending::asked;
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
