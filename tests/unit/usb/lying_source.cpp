// A source process that lies: it knows every byte it sends, and says whatever LIE in its
// environment names. No test of its own.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/bytes.hpp"
#include "usb/source_frame.hpp"

using namespace talla;
using namespace talla::usb;

namespace {

constexpr int core = 3;

bool send_all(ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(core, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

/// The whole secret of this source: anybody can compute it.
struct KnownNoise {
  std::uint64_t state = 42;
  std::uint8_t next() {
    state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return static_cast<std::uint8_t>((z ^ (z >> 31U)) >> 56U);
  }
  Bytes take(std::size_t count) {
    Bytes bytes(count);
    for (auto& byte : bytes) byte = next();
    return bytes;
  }
};

HelloFrame hello_of(const std::string& lie) {
  HelloFrame hello{.description = {.model = "chaoskey",
                                   .serial = "0123",
                                   .source_class = entropy::SourceClass::raw_physical,
                                   .bits_per_sample = 8,
                                   .assessed_millibits_per_sample = 4000,
                                   .nominal_rate_hz = 0},
                   .assessment_origin = "measured by the best laboratory of the world"};
  if (lie == "claims-more") hello.description.assessed_millibits_per_sample = 8000;
  if (lie == "claims-rate") hello.description.nominal_rate_hz = 5;
  if (lie == "claims-bits") hello.description.bits_per_sample = 7;
  if (lie == "other-serial") hello.description.serial = "9999";
  if (lie == "other-model") {
    hello.description.model = "onerng";
    hello.description.assessed_millibits_per_sample = 2000;
  }
  if (lie == "raw-alea") hello.description.model = "alea";
  if (lie == "unknown-model") hello.description.model = "dice";
  return hello;
}

void pause_for_ever() {
  while (true) pause();
}

/// What follows 100,000 good samples; false: the core has gone.
bool lie_now(const std::string& lie, KnownNoise& noise) {
  if (lie == "stuck") return send_all(encode_samples(Bytes(8192, 7)));
  if (lie == "periodic") {
    KnownNoise same;
    return send_all(encode_samples(same.take(64)));
  }
  if (lie == "biased") {
    Bytes bytes = noise.take(8192);
    for (std::size_t i = 0; i < bytes.size(); i += 4) bytes[i] = 0;
    return send_all(encode_samples(bytes));
  }
  if (lie == "exits") std::exit(0);  // NOLINT: one thread
  if (lie == "crashes") std::abort();
  if (lie == "silent") pause_for_ever();
  if (lie == "closes-and-lives") {
    close(core);
    pause_for_ever();
  }
  if (lie == "bye") {
    send_all(encode_frame(ByeFrame{}));
    pause_for_ever();
  }
  if (lie == "error") {
    send_all(encode_frame(ErrorFrame{.code = "certified", .detail = "all is well \x1b[31m"}));
    pause_for_ever();
  }
  if (lie == "hello-again") return send_all(encode_frame(hello_of("other-serial")));
  if (lie == "notices") {
    static std::uint64_t count = 0;
    return send_all(
        encode_frame(NoticeFrame{.what = NoticeFrame::What::stall_cleared, .count = ++count}));
  }
  if (lie == "huge-length") return send_all(Bytes{0x54, 0x53, 1, 2, 0xff, 0xff, 0xff, 0xff});
  if (lie == "wrong-magic") return send_all(Bytes{0x00, 0x11, 0x22, 0x33});
  if (lie == "empty-samples") return send_all(Bytes{0x54, 0x53, 1, 2, 0, 0, 0, 0});
  if (lie == "random-bytes") return send_all(noise.take(4096));
  if (lie == "drip") {  // a frame that never becomes whole
    send_all(Bytes{0x54, 0x53, 1, 2, 0, 0, 0x40, 0});
    for (int k = 0; k < 16'000 && send_all(Bytes{1}); ++k) usleep(100'000);
    return false;
  }
  return send_all(encode_samples(
      noise.take(8192)));  // "flood", and the liar that nobody can tell from a good one
}

}  // namespace

int main() {
  const char* name = std::getenv("LIE");  // NOLINT(concurrency-mt-unsafe): one thread
  const std::string lie = name == nullptr ? "flood" : name;
  if (lie == "no-hello") {
    send_all(encode_samples(Bytes(100, 1)));
    pause_for_ever();
  }
  if (lie == "drips-hello") {
    for (const std::uint8_t byte : encode_frame(hello_of(lie))) {
      if (!send_all(ByteView(&byte, 1))) return 0;
      usleep(100'000);
    }
  } else if (!send_all(encode_frame(hello_of(lie)))) {
    return 0;
  }
  KnownNoise noise;
  for (int k = 0; k < 25; ++k) {
    if (!send_all(encode_samples(noise.take(4000)))) return 0;
  }
  while (lie_now(lie, noise)) {
  }
  return 0;
}
