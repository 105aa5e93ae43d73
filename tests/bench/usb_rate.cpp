// Need: at least 95 % of what a device offers reaches the gate at 4 MB/s and above, and 60 kB/s
// cost less than 5 % of a core.
// Method: an emulated ChaosKey that offers bytes by the wall clock and holds 64 KiB back, below the
// real driver and stream engine; frames through a socket as rngd-source sends them, decoded, judged
// by gate and monitors as the daemon does. CPU time of both threads; the device's own noise is
// prepared before.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <random>
#include <thread>

#include "entropy/gate.hpp"
#include "monitor/quality_watch.hpp"
#include "ratio.hpp"
#include "source/forward.hpp"
#include "stats/monitor/streams.hpp"
#include "usb/chaoskey.hpp"
#include "usb/noise_source.hpp"
#include "usb/source_frame.hpp"

namespace {

using namespace talla;  // NOLINT: a program of its own

constexpr double held_bytes = 65'536;  // what the device keeps while nobody asks; the rest is lost
constexpr std::size_t noise_bytes = std::size_t{1} << 22U;

double seconds_of(clockid_t clock) {
  timespec now{};
  static_cast<void>(clock_gettime(clock, &now));
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const Bytes& converter_words() {
  static const Bytes words = [] {
    std::mt19937_64 random(1);
    std::normal_distribution<double> level(2048, 512);
    Bytes bytes;
    while (bytes.size() < noise_bytes) {
      const auto word = static_cast<unsigned>(std::clamp(level(random), 0.0, 4095.0));
      bytes.push_back(static_cast<std::uint8_t>(word & 0xFFU));
      bytes.push_back(static_cast<std::uint8_t>(word >> 8U));
    }
    return bytes;
  }();
  return words;
}

/// Yields so many bytes a second.
class PacedDevice final : public usb::Device {
 public:
  explicit PacedDevice(double rate) : rate_(rate) {
    info_.vendor_id = usb::chaoskey_id.vendor_id;
    info_.product_id = usb::chaoskey_id.product_id;
    info_.product = "ChaosKey";
    info_.serial = "bench";
    info_.interfaces = {{.number = 0,
                         .class_code = 0xFF,
                         .endpoints = {{.address = usb::chaoskey_raw_endpoint,
                                        .type = usb::TransferType::bulk,
                                        .packet_bytes_max = 64}}}};
  }
  [[nodiscard]] const usb::DeviceInfo& info() const override { return info_; }
  [[nodiscard]] Status claim(std::uint8_t /*number*/) override { return {}; }
  [[nodiscard]] Result<Bytes> control_in(const usb::ControlRequest& /*request*/,
                                         std::uint16_t /*length*/, unsigned /*ms*/) override {
    return Bytes{};
  }
  [[nodiscard]] Status control_out(const usb::ControlRequest& /*request*/, ByteView /*data*/,
                                   unsigned /*ms*/) override {
    return {};
  }
  [[nodiscard]] Result<Bytes> bulk_in(std::uint8_t /*endpoint*/, std::size_t /*length*/,
                                      unsigned /*ms*/) override {
    return Bytes{};
  }
  [[nodiscard]] Status bulk_out(std::uint8_t /*endpoint*/, ByteView /*data*/,
                                unsigned /*ms*/) override {
    return {};
  }
  [[nodiscard]] Status clear_halt(std::uint8_t /*endpoint*/) override { return {}; }
  [[nodiscard]] Status start_stream(const usb::StreamOptions& options) override {
    size_ = options.transfer_bytes;
    last_ = seconds_of(CLOCK_MONOTONIC);
    return {};
  }
  [[nodiscard]] usb::StreamEvent next(Bytes& bytes, unsigned timeout_ms) override {
    const double until = seconds_of(CLOCK_MONOTONIC) + 1e-3 * timeout_ms;
    while (true) {
      const double now = seconds_of(CLOCK_MONOTONIC);
      ready_ = std::min(held_bytes, ready_ + (now - last_) * rate_);
      last_ = now;
      if (ready_ >= static_cast<double>(size_)) break;
      if (now >= until) return usb::StreamEvent::none;
      const double wait = std::min(until - now, (static_cast<double>(size_) - ready_) / rate_);
      std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    }
    ready_ -= static_cast<double>(size_);
    if (at_ + size_ > converter_words().size()) at_ = 0;
    const auto begin = converter_words().begin() + static_cast<std::ptrdiff_t>(at_);
    bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(size_));
    at_ += size_;
    return usb::StreamEvent::data;
  }
  [[nodiscard]] Status stop_stream() override { return {}; }
  [[nodiscard]] Status restart_stream(bool /*again*/) override { return {}; }
  void interrupt() override {}

 private:
  usb::DeviceInfo info_;
  double rate_;
  double ready_ = 0;
  double last_ = 0;
  std::size_t size_ = 1024;
  std::size_t at_ = 0;
};

struct Run {
  double seconds = 0;
  double cpu_seconds = 0;  ///< both threads
  double bytes = 0;        ///< on the wire, of the samples that reached the gate
  bool alarm = false;
};

/// The core's side: frames, monitors, gate.
void judge(int socket, double end, Run& run) {
  const double begun = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  usb::FrameDecoder decoder;
  entropy::SourceDescription description;
  description.bits_per_sample = 8;
  description.assessed_millibits_per_sample = 4000;
  entropy::Gate gate(entropy::health_settings(description, 1000).value(), 0);
  stats::monitor::RawNoise noise(4000);
  rngd::QualityWatch quality;
  quality.add("chaoskey", description, 0);
  Bytes buffer(65'536);
  std::uint64_t samples = 0;
  SystemClock clock;
  while (seconds_of(CLOCK_MONOTONIC) < end) {
    const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) break;
    decoder.push(ByteView(buffer).first(static_cast<std::size_t>(got)));
    while (true) {
      const auto frame = decoder.next();
      if (!frame || !*frame) break;
      const auto* data = std::get_if<usb::SamplesFrame>(&**frame);
      if (data == nullptr) continue;
      quality.observe("chaoskey", data->samples);
      static_cast<void>(noise.observe(data->samples));
      const std::int64_t now_ns = clock.monotonic_ns();
      run.alarm = run.alarm || gate.feed(data->samples, {now_ns, now_ns}).alarm.level > 0;
      samples += data->samples.size();
    }
  }
  run.bytes = 2.0 * static_cast<double>(samples);
  run.cpu_seconds += seconds_of(CLOCK_THREAD_CPUTIME_ID) - begun;
}

Run run_for(double rate, double seconds) {
  Run run;
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) return run;
  std::atomic<double> source_cpu{0};
  const double begun = seconds_of(CLOCK_MONOTONIC);
  std::thread device([&] {
    const double cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    SystemClock clock;
    auto source = usb::UsbNoiseSource::create({.driver = usb::make_chaoskey(),
                                               .device = std::make_unique<PacedDevice>(rate),
                                               .clock = &clock,
                                               .options = {}});
    if (source) {
      const usb::HelloFrame hello{.description = (*source)->description(),
                                  .assessment_origin = "bench"};
      static_cast<void>(source::forward(**source, hello, (*source)->counters(), sockets[1]));
    }
    source_cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
  });
  judge(sockets[0], begun + seconds, run);
  run.seconds = seconds_of(CLOCK_MONOTONIC) - begun;
  ::close(sockets[0]);
  device.join();
  ::close(sockets[1]);
  run.cpu_seconds += source_cpu;
  return run;
}

void share_of(benchmark::State& state, double rate, const char* what) {
  static_cast<void>(converter_words());
  Run run;
  for ([[maybe_unused]] auto round : state) run = run_for(rate, 5);
  const double reached = run.bytes / run.seconds;
  talla_bench::report(state, {.what = what, .ratio_min = 0.95}, reached, rate, reached / rate);
  state.counters["cpu_percent"] = 100 * run.cpu_seconds / run.seconds;
  if (run.alarm) state.SkipWithError("a healthy stream raised an alarm");
}

void full_speed_4(benchmark::State& state) {
  share_of(state, 4e6, "bytes that reach the gate / offered, 4 MB/s");
}
TALLA_GOAL(full_speed_4);

void full_speed_8(benchmark::State& state) {
  share_of(state, 8e6, "bytes that reach the gate / offered, 8 MB/s");
}
TALLA_GOAL(full_speed_8);

void idle_60k(benchmark::State& state) {
  static_cast<void>(converter_words());
  Run run;
  for ([[maybe_unused]] auto round : state) run = run_for(60e3, 10);
  const double used = run.cpu_seconds / run.seconds;
  talla_bench::report(state, {.what = "5 % of a core / CPU used at 60 kB/s", .ratio_min = 1}, used,
                      0.05, 0.05 / used);
  state.counters["cpu_percent"] = 100 * used;
}
TALLA_GOAL(idle_60k);

}  // namespace

BENCHMARK_MAIN();
