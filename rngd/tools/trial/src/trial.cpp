#include "trial/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/secret.hpp"
#include "entropy/gate.hpp"
#include "stats/sp800_90b/non_iid.hpp"
#include "usb/errors.hpp"

namespace talla::trial {
namespace {

constexpr std::size_t read_samples = 4096;
constexpr unsigned read_ms = 100;
constexpr std::uint32_t years_per_false_alarm = 1000;  // as the appliance
constexpr std::int64_t first_sample_ms = 30'000;
constexpr unsigned stalls_max = 10;
constexpr std::int64_t stall_patience_ms =
    10'000;  // behind the stage, for a device that is set up slowly
constexpr std::int64_t ms_ns = 1'000'000;

/// What a person can do about it.
std::string advice(const Error& error) {
  if (error.is(usb::UsbErrc::access_denied))
    return "this user may not open it: install the rules of `talla devices --udev`, or try as root";
  if (error.is(usb::UsbErrc::busy))
    return "another program holds it: stop the appliance (systemctl stop rngd) or the vendor's "
           "daemon";
  if (error.is(usb::UsbErrc::impostor))
    return "its id is a generator's and the rest is not: send the report in, with the name that "
           "stands on the device";
  if (error.is(usb::UsbErrc::gone)) return "it left the bus: look at the cable, and at `dmesg`";
  if (error.is(usb::UsbErrc::unhealthy))
    return "the device's own check failed: let it warm up and try once more";
  if (error.is(usb::UsbErrc::nonsense) || error.is(usb::UsbErrc::stalled) ||
      error.is(usb::UsbErrc::timed_out) || error.is(usb::UsbErrc::silent))
    return "it answers otherwise than the emulation: the bytes stand below, send the report in";
  return {};
}

class Trial {
 public:
  Trial(usb::Transport& transport, const usb::Registry& registry, Clock& clock,
        const Options& options, const Tell& tell)
      : recording_(transport, report_.transcript),
        registry_(registry),
        clock_(clock),
        options_(options),
        tell_(tell) {
    report_.machine = options.machine;
    report_.settings = options.settings;
    samples_.reserve(options.samples_max);  // what grows would leave noise behind
  }
  ~Trial() { wipe(samples_.data(), samples_.size()); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  Report run() {
    const auto stages = std::to_array<std::pair<const char*, bool (Trial::*)(Stage&)>>(
        {{"enumerate", &Trial::enumerate},
         {"detach", &Trial::detach},
         {"raw read", &Trial::raw_read},
         {"rate", &Trial::rate},
         {"health", &Trial::health},
         {"estimate", &Trial::estimate},
         {"stall", &Trial::stall},
         {"unplug", &Trial::unplug}});
    bool going = true;
    for (const auto& [name, work] : stages) {
      Stage stage{.name = name, .verdict = Verdict::not_tried, .words = {}, .figures = {}};
      if (going) {
        tell_(fmt::format("{} ...", name));
        going = (this->*work)(stage);
      } else {
        stage.words.emplace_back("not tried, because of what failed before");
      }
      report_.stages.push_back(std::move(stage));
    }
    source_.reset();
    if (report_.device.vendor_id != 0)
      report_.differences =
          differences(report_.model, report_.device, report_.transcript, options_.settings.empty());
    return std::move(report_);
  }

 private:
  [[nodiscard]] std::int64_t now_ms() { return clock_.monotonic_ns() / ms_ns; }
  static bool fail_with(Stage& stage, const Error& error) {
    stage.verdict = Verdict::failed;
    stage.words.push_back(error.text());
    if (std::string what = advice(error); !what.empty()) stage.words.push_back(std::move(what));
    stage.figures["error"] = error.code;
    return false;
  }

  bool enumerate(Stage& stage) {
    auto found = usb::discover(recording_, registry_);
    if (!found) return fail_with(stage, found.error());
    for (const usb::FoundDevice& each : *found) {
      stage.words.push_back(fmt::format("{} {} at {}{}: {}", each.model, each.info.serial,
                                        each.info.place(),
                                        each.info.port.empty() ? "" : ", port " + each.info.port,
                                        each.usable() ? "usable" : each.problem));
    }
    stage.figures["attached"] = found->size();
    auto chosen = usb::select_device(*found, options_.device);
    const usb::FoundDevice* meant = chosen               ? &*chosen
                                    : found->size() == 1 ? &found->front()
                                                         : nullptr;
    if (meant != nullptr) {
      report_.device = meant->info;
      report_.model = meant->model;
      for (std::string& line : self_description(meant->info))
        stage.words.push_back(std::move(line));
    }
    if (!chosen && !options_.driver.settings.contains("product"))
      return fail_with(stage, chosen.error());
    stage.verdict = Verdict::good;
    return true;
  }

  bool detach(Stage& stage) {
    const std::int64_t begun_ms = now_ms();
    auto opened = open();
    if (!opened) return fail_with(stage, opened.error());
    const std::int64_t took_ms = now_ms() - begun_ms;
    const entropy::SourceDescription& about = source_->description();
    report_.device = source_->device_info();
    report_.model = about.model;
    stage.verdict = Verdict::good;
    stage.words.push_back(fmt::format(
        "the kernel's driver let go and the set-up dialogue of {} requests went through in {} ms",
        report_.transcript.setup_exchanges, took_ms));
    stage.words.push_back(fmt::format("read as {} ({}), samples of {} bit{}",
                                      about.source_class == entropy::SourceClass::raw_physical
                                          ? "raw noise"
                                          : "a stream that the device has conditioned",
                                      source_class_name(about.source_class), about.bits_per_sample,
                                      about.bits_per_sample == 1 ? "" : "s"));
    stage.figures["setup_ms"] = took_ms;
    stage.figures["setup_exchanges"] = report_.transcript.setup_exchanges;
    return true;
  }

  [[nodiscard]] Status open() {
    TALLA_TRY(source_,
              usb::open_source(recording_, registry_, options_.device, options_.driver, clock_));
    return {};
  }

  /// Reads for a stage's time; `take` gets each piece with the times of its read. Errors: the
  /// source's.
  template <class Take>
  [[nodiscard]] Status read_for(unsigned time_ms, Take take) {
    const std::int64_t until_ns = clock_.monotonic_ns() + std::int64_t{time_ms} * ms_ns;
    Bytes piece(read_samples);
    Status read;
    while (read && clock_.monotonic_ns() < until_ns) {
      const std::int64_t asked_ns = clock_.monotonic_ns();
      auto got = source_->read(piece, read_ms);
      if (!got) {
        read = tl::unexpected<Error>(got.error());
        break;
      }
      take(std::span<const std::uint8_t>(piece).first(*got), asked_ns);
    }
    wipe(piece.data(), piece.size());
    return read;
  }

  /// The first sample may take its time, which is no part of a stage's.
  [[nodiscard]] Status first_sample(Stage& stage) {
    const std::int64_t begun_ms = now_ms();
    while (source_->counters().samples == 0 && now_ms() - begun_ms < first_sample_ms) {
      TALLA_TRY_STATUS(read_for(1, [](std::span<const std::uint8_t>, std::int64_t) {}));
    }
    stage.figures["first_sample_ms"] = now_ms() - begun_ms;
    stage.words.push_back(fmt::format("the first sample came after {} ms", now_ms() - begun_ms));
    return {};
  }

  bool raw_read(Stage& stage) {
    if (const Status first = first_sample(stage); !first) return fail_with(stage, first.error());
    std::uint64_t count = 0;
    const Status read =
        read_for(options_.stage_ms, [&](std::span<const std::uint8_t> piece, std::int64_t) {
          count += piece.size();
          keep(piece);
        });
    stage.figures["samples"] = count;
    if (!read) return fail_with(stage, read.error());
    const usb::StreamCounters& counters = source_->counters();
    stage.figures["stalls"] = counters.stalls;
    stage.figures["silences"] = counters.silences;
    stage.figures["dropped_blocks"] = counters.dropped_blocks;
    stage.words.push_back(fmt::format(
        "{} samples in {} s; stalls {}, silences {}, blocks dropped by rule {}", count,
        options_.stage_ms / 1000, counters.stalls, counters.silences, counters.dropped_blocks));
    add_figures(stage, counters.figures);
    stage.verdict = count > 0 ? Verdict::good : Verdict::failed;
    if (count == 0) stage.words.emplace_back("nothing came, and no error either");
    return count > 0;
  }

  static void add_figures(Stage& stage, const usb::DeviceFigures& figures) {
    struct Named {
      const char* name;
      std::uint64_t value;
      const char* before;
      const char* behind;
    };
    for (const Named& each :
         {Named{"gain_permille", figures.gain_permille, "the driver measured a gain of ",
                " thousandths"},
          Named{"sample_variance", figures.sample_variance, "the driver measured a variance of ",
                " of the converter's words"},
          Named{"supply_millivolts", figures.supply_millivolts, "the device says: supply ", " mV"},
          Named{"firmware_version", figures.firmware_version, "the device says: firmware version ",
                ""}}) {
      if (each.value == 0) continue;
      stage.figures[each.name] = each.value;
      stage.words.push_back(fmt::format("{}{}{}", each.before, each.value, each.behind));
    }
  }

  void keep(std::span<const std::uint8_t> piece) {
    const std::size_t room = options_.samples_max - std::min(options_.samples_max, samples_.size());
    const auto taken = piece.first(std::min(room, piece.size()));
    samples_.insert(samples_.end(), taken.begin(), taken.end());
  }

  /// What the model's driver states of the rate, with these settings, beside the measured one.
  [[nodiscard]] std::string against_stated(std::uint64_t mean) const {
    for (const usb::Registry::Maker maker : registry_.makers()) {
      const auto driver = maker();
      if (driver->model() != report_.model) continue;
      if (!driver->configure(report_.device, options_.driver.settings)) continue;
      const usb::StreamClaim claim = driver->claim();
      return fmt::format("{} % of the {}/s that its driver states ({}); nothing judges by that",
                         mean * 100 / std::max(claim.rate_hz, 1U), claim.rate_hz,
                         claim.rate_origin);
    }
    return "its driver states no rate with these settings";
  }

  bool rate(Stage& stage) {
    constexpr unsigned slices = 10;
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;
    std::uint64_t total = 0;
    const std::int64_t begun_ns = clock_.monotonic_ns();
    for (unsigned k = 0; k < slices; ++k) {
      const std::int64_t from_ns = clock_.monotonic_ns();
      std::uint64_t count = 0;
      const Status read = read_for(options_.stage_ms / slices,
                                   [&](std::span<const std::uint8_t> piece, std::int64_t) {
                                     count += piece.size();
                                     keep(piece);
                                   });
      if (!read) return fail_with(stage, read.error());
      const auto passed_ns =
          static_cast<std::uint64_t>(std::max<std::int64_t>(clock_.monotonic_ns() - from_ns, 1));
      const std::uint64_t hertz = count * 1'000'000'000 / passed_ns;
      least = std::min(least, hertz);
      most = std::max(most, hertz);
      total += count;
    }
    const auto passed_ns =
        static_cast<std::uint64_t>(std::max<std::int64_t>(clock_.monotonic_ns() - begun_ns, 1));
    const std::uint64_t mean = total * 1'000'000'000 / passed_ns;
    stage.figures["samples_per_second"] = mean;
    stage.figures["least"] = least;
    stage.figures["most"] = most;
    stage.words.push_back(fmt::format("{} samples/s; of {} slices the slowest {}, the fastest {}",
                                      mean, slices, least, most));
    const std::uint64_t nominal = source_->description().nominal_rate_hz;
    const bool off = nominal != 0 && (10 * mean < 9 * nominal || 10 * mean > 11 * nominal);
    if (nominal == 0) {
      stage.words.push_back(against_stated(mean));
      stage.words.push_back(fmt::format(
          "with rate = {} in its configuration the appliance would hold it to that within a tenth",
          mean));
    } else {
      stage.words.push_back(
          fmt::format("its rate is said to be {}/s{}", nominal,
                      off ? ", more than a tenth away: the rate monitor would alarm" : ""));
    }
    stage.verdict = mean == 0 ? Verdict::failed : off ? Verdict::differs : Verdict::good;
    return mean > 0;
  }

  bool health(Stage& stage) {
    const entropy::SourceDescription& about = source_->description();
    const auto settings = entropy::health_settings(about, years_per_false_alarm);
    if (!settings) return fail_with(stage, settings.error());
    entropy::Gate gate(*settings, about.nominal_rate_hz, !entropy::answers_on_request(about));
    std::vector<std::string> alarms;
    bool startup = false;
    const Status read = read_for(
        options_.stage_ms, [&](std::span<const std::uint8_t> piece, std::int64_t asked_ns) {
          const entropy::GateReport told =
              gate.feed(piece, {.asked_ns = asked_ns, .came_ns = clock_.monotonic_ns()});
          startup = startup || told.startup_passed;
          if (told.alarm.level > 0 && alarms.size() < 20)
            alarms.push_back(fmt::format(
                "{} at level {}", entropy::health_test_name(told.alarm.test), told.alarm.level));
          if (gate.green_samples() == 0) return;
          SecretBytes green;  // nobody wants it
          green.reserve(gate.green_samples());
          static_cast<void>(gate.take(gate.green_samples(), green));
        });
    const entropy::GateCounts& counts = gate.counts();
    stage.figures["windows_green"] = counts.green_windows;
    stage.figures["windows_red"] = counts.dropped_windows;
    stage.figures["alarms_level_1"] = counts.level1_events;
    stage.figures["alarms_level_2"] = counts.level2_events;
    stage.figures["startup_passed"] = startup;
    if (!read) return fail_with(stage, read.error());
    stage.words.push_back(
        fmt::format("the appliance's gate with {} millibits a sample: start-up test {}, {} windows "
                    "of {} samples green, {} red",
                    about.assessed_millibits_per_sample, startup ? "passed" : "not passed",
                    counts.green_windows, entropy::gate_window_samples, counts.dropped_windows));
    for (const std::string& each : alarms) stage.words.push_back("alarm: " + each);
    if (!startup && alarms.empty())
      stage.words.emplace_back(
          "too few samples came for the start-up test: a longer trial (--seconds) shows more");
    stage.verdict = !alarms.empty() ? Verdict::failed : startup ? Verdict::good : Verdict::differs;
    return true;  // an ill device has more to show
  }

  bool estimate(Stage& stage) {
    namespace sp = stats::sp800_90b;
    const entropy::SourceDescription& about = source_->description();
    auto samples = sp::Samples::create(samples_, about.bits_per_sample);
    auto found = samples ? sp::assess(*samples, sp::Options{})
                         : stats::Result<sp::Assessment>(tl::unexpected(samples.error()));
    stage.figures["samples"] = samples_.size();
    if (!found) {
      stage.verdict = Verdict::failed;
      stage.words.push_back("the estimators cannot judge it: " + found.error().detail);
      return true;
    }
    const auto millibits = static_cast<std::uint64_t>(1000 * found->min_entropy);
    stage.figures["millibits"] = millibits;
    stage.figures["claimed"] = about.assessed_millibits_per_sample;
    stage.words.push_back(fmt::format("{} samples look like {} millibits each of {}",
                                      samples_.size(), millibits, 1000 * about.bits_per_sample));
    if (about.source_class != entropy::SourceClass::raw_physical) {
      stage.words.emplace_back(
          "the stream is conditioned inside the device: the figure says nothing, and it is not "
          "credited");
      stage.verdict = Verdict::good;
      return true;
    }
    const bool enough = millibits >= about.assessed_millibits_per_sample;
    stage.words.push_back(
        fmt::format("the claim is {}: {}", about.assessed_millibits_per_sample,
                    enough ? "these samples do not contradict it" : "these samples CONTRADICT it"));
    stage.words.emplace_back(
        "this is no assessment: talla-lab collect and talla-lab assess make one");
    stage.verdict = enough ? Verdict::good : Verdict::failed;
    return true;
  }

  bool stall(Stage& stage) {
    const std::int64_t until_ms = now_ms() + options_.stage_ms;
    const std::uint64_t stalls_before = source_->counters().stalls;
    std::int64_t longest_ms = 0;
    unsigned done = 0;
    while (done < stalls_max && now_ms() < until_ms) {
      const std::uint64_t samples_before = source_->counters().samples;
      const std::int64_t begun_ms = now_ms();
      const auto answered = [&] {
        const usb::StreamCounters& counters = source_->counters();
        return counters.stalls > stalls_before + done && counters.samples > samples_before;
      };
      recording_.stall_once();
      while (!answered() &&
             now_ms() - begun_ms < std::int64_t{options_.stage_ms} + stall_patience_ms) {
        const Status read = read_for(1, [](std::span<const std::uint8_t>, std::int64_t) {});
        if (!read) return fail_with(stage, read.error());
      }
      if (!answered()) break;
      longest_ms = std::max(longest_ms, now_ms() - begun_ms);
      ++done;
    }
    stage.figures["stalls"] = done;
    stage.figures["longest_ms"] = longest_ms;
    stage.words.push_back(
        fmt::format("{} halts were pretended, and answered as real ones are (stop, clear the halt, "
                    "set up, start): samples came again after {} ms at most",
                    done, longest_ms));
    stage.verdict = done > 0 ? Verdict::good : Verdict::failed;
    return done > 0;
  }

  bool unplug(Stage& stage) {
    if (!options_.unplug) {
      stage.words.emplace_back("not asked for");
      return true;
    }
    tell_(fmt::format("pull the device out now ({} s)", options_.stage_ms / 1000));
    const Status read =
        read_for(options_.stage_ms, [](std::span<const std::uint8_t>, std::int64_t) {});
    if (read) {
      stage.words.emplace_back("nobody pulled it out");
      return true;
    }
    stage.figures["error"] = read.error().code;
    if (!read.error().is(usb::UsbErrc::gone)) return fail_with(stage, read.error());
    stage.words.emplace_back("the stream ended at once and for good, as it must: " +
                             read.error().detail);
    stage.verdict = Verdict::good;
    return true;
  }

  Report report_;
  RecordingTransport recording_;
  const usb::Registry& registry_;
  Clock& clock_;
  const Options& options_;
  const Tell& tell_;
  std::unique_ptr<usb::UsbNoiseSource> source_;
  Bytes samples_;
};

}  // namespace

Report try_device(usb::Transport& transport, const usb::Registry& registry, Clock& clock,
                  const Options& options, const Tell& tell) {
  return Trial(transport, registry, clock, options, tell).run();
}

}  // namespace talla::trial
