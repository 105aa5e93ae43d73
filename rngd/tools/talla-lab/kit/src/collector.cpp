#include "lab_kit/collector.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/secret.hpp"

namespace talla::lab {
namespace {

constexpr unsigned read_slice_ms = 200;
constexpr unsigned poll_ms = 20;
constexpr std::int64_t leave_ns = 3'000'000'000;
constexpr std::int64_t return_ns = 15'000'000'000;
constexpr std::size_t read_samples =
    65'536;  // a whole transfer, so that a gap lies between two reads
constexpr std::uint64_t again_max = 10;
constexpr std::uint64_t short_pieces_max = 1'000;

std::uint64_t gaps(const usb::StreamCounters& counters) {
  return counters.stalls + counters.failures + counters.silences + counters.dropped_blocks;
}

/// One wish being fulfilled.
class Collecting {
 public:
  Collecting(const Wish& wish, const Effects& effects)
      : wish_(wish), effects_(effects), buffer_(read_samples) {}
  Collecting(const Collecting&) = delete;
  Collecting& operator=(const Collecting&) = delete;
  ~Collecting() { wipe(buffer_.data(), buffer_.size()); }

  Result<Collection> run() {
    TALLA_TRY_STATUS(check());
    result_.began_us = effects_.clock.utc_us();
    TALLA_TRY_STATUS(choose());
    auto collected = wish_.purpose == Purpose::restart ? matrix() : sequence();
    if (!collected) return pass(std::move(collected));
    result_.ended_us = effects_.clock.utc_us();
    return std::move(result_);
  }

 private:
  Status check() const {
    const bool restart = wish_.purpose == Purpose::restart;
    if (!restart && (wish_.samples < piece_samples_min || wish_.samples > samples_max))
      return fail(LabErrc::bad_wish, fmt::format("{} samples: {} to {} can be collected",
                                                 wish_.samples, piece_samples_min, samples_max));
    constexpr std::size_t side_max = 100'000;
    if (restart && (wish_.rows < 1 || wish_.rows > side_max || wish_.columns < 1 ||
                    wish_.columns > side_max || wish_.rows * wish_.columns > samples_max))
      return fail(LabErrc::bad_wish,
                  "rows and columns of a restart matrix are 1 to 100,000, 2^28 samples in all");
    return {};
  }

  /// Opens the device that the wish names, looks at its stream and closes it again.
  Status choose() {
    TALLA_TRY_STATUS(usb::check_selector(wish_.selector));
    TALLA_TRY(const auto found, usb::discover(effects_.transport, effects_.registry));
    TALLA_TRY(result_.device, usb::select_device(found, wish_.selector));
    if (wish_.purpose == Purpose::restart) TALLA_TRY_STATUS(only_one(found));
    TALLA_TRY(const auto source, open_now());
    result_.device.info = source->device_info();
    result_.device.description = source->description();
    result_.origin = source->assessment_origin();
    TALLA_TRY(const auto driver, effects_.registry.find(source->device_info()));
    result_.quirks = driver->quirks();
    const bool raw = source->description().source_class == entropy::SourceClass::raw_physical;
    if (raw == (wish_.purpose != Purpose::conditioned)) return {};
    return fail(
        LabErrc::wrong_stream,
        raw ? "the stream of this device and mode is raw: a data set of conditioned output needs a "
              "conditioned one"
            : "the stream of this device and mode is conditioned: it is no raw noise (choose a raw "
              "mode by "
              "--settings, or --conditioned)");
  }

  Status only_one(const std::vector<usb::FoundDevice>& found) const {
    if (std::ranges::count_if(found, [this](const auto& each) { return same(each); }) <= 1)
      return {};
    return fail(LabErrc::ambiguous,
                "several attached " + result_.device.model + " with the serial number \"" +
                    result_.device.info.serial +
                    "\": after a restart nobody could tell which one came back");
  }

  [[nodiscard]] bool same(const usb::FoundDevice& other) const {
    return other.model == result_.device.model && other.info.serial == result_.device.info.serial;
  }

  /// The chosen device as it is attached now, if it is.
  Result<std::optional<usb::FoundDevice>> look() {
    TALLA_TRY(const auto found, usb::discover(effects_.transport, effects_.registry));
    for (const auto& each : found) {
      if (each.usable() && same(each)) return std::optional(each);
    }
    return std::optional<usb::FoundDevice>();
  }

  Result<std::unique_ptr<usb::UsbNoiseSource>> open_now() {
    TALLA_TRY(std::unique_ptr<usb::Device> device, effects_.transport.open(result_.device.info));
    TALLA_TRY(std::unique_ptr<usb::Driver> driver, effects_.registry.find(device->info()));
    return usb::UsbNoiseSource::create({.driver = std::move(driver),
                                        .device = std::move(device),
                                        .clock = &effects_.clock,
                                        .options = wish_.options});
  }

  /// Until the device is there and can be opened; node and rights may come a moment after it.
  Result<std::unique_ptr<usb::UsbNoiseSource>> open_patiently() {
    const std::int64_t until_ns = effects_.clock.monotonic_ns() + return_ns;
    while (true) {
      TALLA_TRY_STATUS(not_cancelled());
      TALLA_TRY(const auto found, look());
      if (found) {
        result_.device.info = found->info;
        auto source = open_now();
        const bool passing = !source && !source.error().is(usb::UsbErrc::unhealthy) &&
                             !source.error().is(usb::UsbErrc::nonsense) &&
                             !source.error().is(usb::UsbErrc::bad_option);
        if (!passing || effects_.clock.monotonic_ns() >= until_ns) return source;
      } else if (effects_.clock.monotonic_ns() >= until_ns) {
        return fail(LabErrc::no_restart, "the device did not come back within 15 s");
      }
      effects_.sleep(poll_ms);
    }
  }

  [[nodiscard]] Status not_cancelled() const {
    if (!effects_.cancelled()) return {};
    return fail(
        LabErrc::interrupted,
        fmt::format("interrupted after {} samples; nothing was written", result_.samples.size()));
  }

  /// Reads `wanted` samples without a gap, or fewer when there was one.
  Result<bool> read_set(usb::UsbNoiseSource& source, std::size_t wanted, Bytes& set) {
    set.clear();
    const std::int64_t begun_ns = effects_.clock.monotonic_ns();
    while (set.size() < wanted) {
      TALLA_TRY_STATUS(not_cancelled());
      const std::uint64_t before = gaps(source.counters());
      auto got = source.read(buffer_, read_slice_ms);
      if (!got) {
        Error error = got.error();
        error.detail = fmt::format("after {} samples: {}; nothing was written",
                                   result_.samples.size() + set.size(), error.detail);
        return tl::unexpected<Error>(std::move(error));
      }
      if (gaps(source.counters()) != before) {
        result_.streamed_ns += effects_.clock.monotonic_ns() - begun_ns;
        return false;
      }
      const std::size_t part = std::min(*got, wanted - set.size());
      set.insert(set.end(), buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(part));
      effects_.progress(result_.samples.size() + set.size());
    }
    result_.streamed_ns += effects_.clock.monotonic_ns() - begun_ns;
    return true;
  }

  void add_counters(const usb::StreamCounters& more) {
    auto& all = result_.stream;
    all.transfers += more.transfers;
    all.samples += more.samples;
    all.stalls += more.stalls;
    all.failures += more.failures;
    all.silences += more.silences;
    all.dropped_blocks += more.dropped_blocks;
  }

  void keep(const Bytes& set) {
    result_.samples.insert(result_.samples.end(), set.begin(), set.end());
    result_.pieces.push_back(set.size());
  }

  Status sequence() {
    TALLA_TRY(const auto source, open_now());
    const bool pieces = wish_.pieces;
    Bytes set;
    while (result_.samples.size() < wish_.samples) {
      TALLA_TRY(const bool whole,
                read_set(*source,
                         std::max(wish_.samples - result_.samples.size(), piece_samples_min), set));
      if (whole || (pieces && set.size() >= piece_samples_min)) {
        keep(set);
        continue;
      }
      ++result_.begun_again;
      if (result_.begun_again > (pieces ? short_pieces_max : again_max)) {
        return fail(
            LabErrc::not_consecutive,
            fmt::format("the stream had a gap {} times before {} consecutive samples were there "
                        "({} stalls, {} "
                        "failed transfers, {} silences, {} dropped blocks); nothing was written{}",
                        result_.begun_again, pieces ? piece_samples_min : wish_.samples,
                        source->counters().stalls, source->counters().failures,
                        source->counters().silences, source->counters().dropped_blocks,
                        pieces ? "" : " (--pieces concatenates sets of at least 1,000)"));
      }
    }
    add_counters(source->counters());
    return {};
  }

  Status matrix() {
    result_.method = wish_.method;
    const std::uint64_t repeats_max = std::max<std::uint64_t>(again_max, wish_.rows / 10);
    Bytes row;
    while (result_.pieces.size() < wish_.rows) {
      TALLA_TRY_STATUS(restart());
      TALLA_TRY(const auto source, open_patiently());
      TALLA_TRY(const bool whole, read_set(*source, wish_.columns, row));
      add_counters(source->counters());
      if (whole) {
        keep(row);
      } else if (++result_.begun_again > repeats_max) {
        return fail(LabErrc::not_consecutive,
                    fmt::format("{} restarts had a gap in their first {} samples; "
                                "nothing was written",
                                result_.begun_again, wish_.columns));
      }
    }
    return {};
  }

  Status restart() {
    if (result_.method) return restart_by(*result_.method);
    for (const RestartMethod method :
         {RestartMethod::port_power, RestartMethod::port_reset, RestartMethod::reopen}) {
      auto restarted = restart_by(method);
      if (restarted) {
        result_.method = method;
        return {};
      }
      // The device is away, or somebody wants to end: no other method helps.
      if (restarted.error().is(LabErrc::interrupted) || lost_) return restarted;
      result_.weaker_because += (result_.weaker_because.empty() ? "" : "; ") +
                                std::string(method_name(method)) + ": " + restarted.error().text();
    }
    return fail(LabErrc::no_restart, result_.weaker_because);
  }

  Status restart_by(RestartMethod method) {
    switch (method) {
      case RestartMethod::port_power:
        return switch_power();
      case RestartMethod::port_reset:
        return effects_.ports.reset(result_.device.info);
      case RestartMethod::reopen:
        return {};
    }
    return {};
  }

  Status switch_power() {
    if (!port_) {
      TALLA_TRY(port_, effects_.ports.switchable_port(result_.device.info));
    }
    TALLA_TRY_STATUS(effects_.ports.set_power(*port_, false));
    auto left = wait_until_gone();
    if (left && *left) effects_.sleep(wish_.off_ms);
    auto on = effects_.ports.set_power(*port_, true);
    lost_ = !on;
    if (!on) return on;
    if (!left) return pass(std::move(left));
    if (!*left)
      return fail(LabErrc::no_restart,
                  "the hub took the request and the device stayed: it does not switch the power of "
                  "this port");
    return {};
  }

  Result<bool> wait_until_gone() {
    const std::int64_t until_ns = effects_.clock.monotonic_ns() + leave_ns;
    while (effects_.clock.monotonic_ns() < until_ns) {
      TALLA_TRY_STATUS(not_cancelled());
      TALLA_TRY(const auto found, look());
      if (!found) return true;
      effects_.sleep(poll_ms);
    }
    return false;
  }

  const Wish& wish_;
  const Effects& effects_;
  Collection result_;
  Bytes buffer_;
  std::optional<usb::HubPort> port_;
  bool lost_ = false;  ///< The port stayed without power.
};

}  // namespace

std::string_view errc_name(LabErrc errc) {
  switch (errc) {
    case LabErrc::wrong_stream:
      return "lab_wrong_stream";
    case LabErrc::not_consecutive:
      return "lab_not_consecutive";
    case LabErrc::interrupted:
      return "lab_interrupted";
    case LabErrc::ambiguous:
      return "lab_ambiguous_device";
    case LabErrc::no_restart:
      return "lab_no_restart";
    case LabErrc::file_exists:
      return "lab_file_exists";
    case LabErrc::file_io:
      return "lab_file_io";
    case LabErrc::bad_wish:
      return "lab_bad_wish";
  }
  return "lab_unknown";
}

std::string_view purpose_name(Purpose purpose) {
  switch (purpose) {
    case Purpose::sequential:
      return "sequential";
    case Purpose::conditioned:
      return "conditioned";
    case Purpose::restart:
      return "restart";
  }
  return "unknown";
}

std::string_view method_name(RestartMethod method) {
  switch (method) {
    case RestartMethod::port_power:
      return "port-power";
    case RestartMethod::port_reset:
      return "port-reset";
    case RestartMethod::reopen:
      return "reopen";
  }
  return "unknown";
}

std::string_view restart_set_verdict(RestartMethod method) {
  switch (method) {
    case RestartMethod::port_power:
      return "yes";
    case RestartMethod::port_reset:
      return "undecided";
    case RestartMethod::reopen:
      break;
  }
  return "no";
}

std::string_view restart_set_words(RestartMethod method) {
  switch (method) {
    case RestartMethod::port_power:
      return "the device lost its power before each row";
    case RestartMethod::port_reset:
      return "the device's port was reset before each row and its power stayed on: the laboratory "
             "decides "
             "whether "
             "that restarts the noise source";
    case RestartMethod::reopen:
      break;
  }
  return "not a 90B restart set: the device was only closed and opened again";
}

Result<Collection> collect(const Wish& wish, const Effects& effects) {
  return Collecting(wish, effects).run();
}

}  // namespace talla::lab
