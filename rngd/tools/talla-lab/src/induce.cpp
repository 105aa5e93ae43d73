// talla-lab induce: every health test made to fail on purpose on a copy of the source path, and
// what came of it.
#include "lab_kit/induce.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "app.hpp"
#include "certs/openssl_hashes.hpp"
#include "device_options.hpp"
#include "entropy_lab/faulty_source.hpp"
#include "entropy_lab/model_source.hpp"
#include "input.hpp"
#include "lab_kit/manifest.hpp"
#include "usb/libusb_transport.hpp"

namespace talla::lab {
namespace {

/// A recording begins again at its end: it must be longer than what the gate remembers.
constexpr std::size_t recording_least = 150'000;
constexpr std::size_t recording_most = std::size_t{256} << 20U;

struct InduceOptions {
  bool device = false;
  std::string recording;
  std::string out;
  unsigned bits = 8;
  std::uint64_t seed = 1;
  DeviceChoice choice;
};

/// What was tried, for report and manifest.
struct Subject {
  json::Object about;  ///< kind and what belongs to it
  std::string words;
  entropy::SourceDescription description;
  std::uint32_t rate_hz = 0;
  std::vector<InducedCase> cases;
};

void say_case(const InducedCase& one) {
  if (!one.left_out.empty()) {
    fmt::print("  {:<24} left out: {}\n", one.name, one.left_out);
    return;
  }
  std::string alarms;
  for (const std::string& alarm : one.alarms) alarms += (alarms.empty() ? "" : ", ") + alarm;
  fmt::print("  {:<24} {}  {}\n{:28}alarms: {}{}\n", one.name, one.passed() ? "latched" : "FAILED ",
             one.fault, "", alarms.empty() ? "none" : alarms,
             one.expected_alarm ? "" : " (not the one that was meant)");
  if (one.latch.empty()) {
    fmt::print("{:28}NO LATCH\n", "");
    return;
  }
  fmt::print("{:28}{} after {} samples, {:.3f} s; then {}; {}\n", "", one.latch,
             one.samples_to_latch, static_cast<double>(one.ns_to_latch) * 1e-9,
             one.nothing_after ? "nothing was given" : "BITS WERE GIVEN",
             one.works_again ? "works again without the fault" : "DOES NOT WORK AGAIN");
}

InduceEffects effects_with(Clock& clock, const App& app) {
  return {.clock = clock,
          .cancelled = [] { return StopSignals::came(); },
          .on_case =
              [&app](const InducedCase& one) {
                if (!app.json) say_case(one);
              }};
}

entropy::SourceDescription described(const InduceOptions& options) {
  entropy::SourceDescription description;
  description.model = "emulated";
  description.serial = "0";
  description.source_class = entropy::SourceClass::lab;
  description.bits_per_sample = options.bits;
  description.assessed_millibits_per_sample =
      options.choice.millibits != 0 ? options.choice.millibits : 875 * options.bits;
  description.nominal_rate_hz = options.choice.rate != 0 ? options.choice.rate : 100'000;
  return description;
}

void begin(const Subject& subject, const App& app) {
  if (app.json) return;
  fmt::print("{}: {} bits a sample, {} thousandths of a bit assessed\n", subject.words,
             subject.description.bits_per_sample,
             subject.description.assessed_millibits_per_sample);
}

Status on_emulated(const InduceOptions& options, const App& app, Subject& subject) {
  subject.description = described(options);
  subject.rate_hz = subject.description.nominal_rate_hz;
  subject.words = "emulated noise";
  subject.about = {{"kind", "emulated"}, {"seed", std::to_string(options.seed)}};
  ManualClock clock;
  entropy::ModelOptions model;
  model.description = subject.description;
  model.seed = options.seed;
  entropy::ModelSource source(model, &clock);
  begin(subject, app);
  TALLA_TRY(subject.cases,
            induce_behind_driver(source, subject.rate_hz, options.seed, effects_with(clock, app)));
  return {};
}

Status on_recording(const InduceOptions& options, const App& app, Subject& subject) {
  const auto refuse = [&](const std::string& why) {
    return fail(LabErrc::bad_wish, options.recording + ": " + why);
  };
  auto input = Input::open(options.recording);
  if (!input) return fail(LabErrc::file_io, input.error().detail);
  auto samples = input->read_all(recording_most);
  if (!samples) return fail(LabErrc::file_io, samples.error().detail);
  if (samples->size() < recording_least)
    return refuse(
        fmt::format("{} samples, at least {} are needed", samples->size(), recording_least));
  for (std::size_t i = 0; i < samples->size(); ++i) {
    if (((*samples)[i] >> options.bits) != 0)
      return refuse(fmt::format("sample {} is {}, which has more than {} bits", i, (*samples)[i],
                                options.bits));
  }
  subject.description = described(options);
  subject.description.model = "recording";
  subject.rate_hz = subject.description.nominal_rate_hz;
  subject.words = options.recording;
  subject.about = {
      {"kind", "recording"},
      {"seed", std::to_string(options.seed)},
      {"file", json::Object{{"name", std::filesystem::path(options.recording).filename().string()},
                            {"bytes", samples->size()},
                            {"sha256", to_hex(certs::OpensslHashes().sha256({*samples}))}}}};
  ManualClock clock;
  entropy::RecordedSource source(subject.description, std::move(*samples), clock);
  begin(subject, app);
  TALLA_TRY(subject.cases,
            induce_behind_driver(source, subject.rate_hz, options.seed, effects_with(clock, app)));
  subject.about["begun_again"] = source.rounds();
  return {};
}

/// The chosen device as it says what it is, under a selector that names it alone.
Status describe_device(usb::Transport& transport, const InduceOptions& options,
                       const usb::DriverOptions& driver, std::string& selector, Subject& subject) {
  TALLA_TRY(const auto found, usb::discover(transport, usb::builtin_registry()));
  TALLA_TRY(usb::FoundDevice device, usb::select_device(found, options.choice.selector));
  selector = device.info.serial.empty() ? device.model : device.model + ":" + device.info.serial;
  SystemClock clock;
  TALLA_TRY(const auto source,
            usb::open_source(transport, usb::builtin_registry(), selector, driver, clock));
  device.description = source->description();
  subject.description = source->description();
  subject.words = device.model + " " + device.info.serial;
  json::Object about = device_json(device);
  about["assessment_origin"] = source->assessment_origin();
  subject.about = {
      {"kind", "device"}, {"device", std::move(about)}, {"settings", settings_json(driver)}};
  subject.rate_hz = options.choice.rate;
  subject.about["rate_from"] = subject.rate_hz != 0 ? "the command line" : "measured";
  if (subject.rate_hz != 0) return {};
  TALLA_TRY(subject.rate_hz, measured_rate(*source, clock));
  return {};
}

Status on_device(const InduceOptions& options, const App& app, Subject& subject) {
  TALLA_TRY_STATUS(usb::check_selector(options.choice.selector));
  TALLA_TRY(const usb::DriverOptions driver, driver_options(options.choice));
  TALLA_TRY(const auto transport, usb::make_libusb_transport());
  std::string selector;
  TALLA_TRY_STATUS(describe_device(*transport, options, driver, selector, subject));
  begin(subject, app);
  SystemClock clock;
  const InduceEffects effects = effects_with(clock, app);
  const usb::Registry& registry = usb::builtin_registry();
  {
    TALLA_TRY(const auto source, usb::open_source(*transport, registry, selector, driver, clock));
    TALLA_TRY(subject.cases, induce_behind_driver(*source, subject.rate_hz, options.seed, effects));
  }
  const DriverParts parts{
      .transport = *transport,
      .registry = registry,
      .selector = selector,
      .options = driver,
      .sleep = [](unsigned ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }};
  TALLA_TRY(auto before, induce_before_driver(parts, subject.description.model, effects));
  for (InducedCase& one : before) subject.cases.push_back(std::move(one));
  return {};
}

Result<json::Value> manifest(const Subject& subject, std::int64_t began_us, std::int64_t ended_us,
                             bool passed) {
  TALLA_TRY(json::Value cutoffs, cutoffs_json(subject.description));
  return json::Value(json::Object{
      {"kind", "talla-lab induced failures"},
      {"format", 1},
      {"standard", "SP 800-90B"},
      {"software", software_json(certs::OpensslHashes())},
      {"time", json::Object{{"began", utc_text(began_us)}, {"ended", utc_text(ended_us)}}},
      {"source", subject.about},
      {"bits_per_sample", subject.description.bits_per_sample},
      {"assessed_millibits_per_sample", subject.description.assessed_millibits_per_sample},
      {"rate_hz", subject.rate_hz},
      {"cutoffs", std::move(cutoffs)},
      {"tests", cases_json(subject.cases)},
      {"passed", passed}});
}

Status run_induce(const InduceOptions& options, App& app) {
  if (!options.out.empty()) TALLA_TRY_STATUS(check_absent(options.out));
  const StopSignals signals;
  SystemClock clock;
  Subject subject;
  const std::int64_t began_us = clock.utc_us();
  TALLA_TRY_STATUS(options.device               ? on_device(options, app, subject)
                   : !options.recording.empty() ? on_recording(options, app, subject)
                                                : on_emulated(options, app, subject));
  std::size_t passed = 0;
  std::size_t left_out = 0;
  for (const InducedCase& one : subject.cases) {
    left_out += one.left_out.empty() ? 0U : 1U;
    passed += one.left_out.empty() && one.passed() ? 1U : 0U;
  }
  const std::size_t tried = subject.cases.size() - left_out;
  TALLA_TRY(const json::Value value, manifest(subject, began_us, clock.utc_us(), passed == tried));
  if (!options.out.empty()) {
    const std::string text = json::canonical(value) + "\n";
    TALLA_TRY_STATUS(write_new(options.out, as_bytes(text)));
  }
  if (app.json) {
    fmt::print("{}\n", json::canonical(value));
  } else {
    fmt::print(
        "{} of {} tests failed on purpose, latched, gave nothing afterwards and worked again; {} "
        "left out\n",
        passed, tried, left_out);
  }
  app.exit = passed == tried ? exit_ok : exit_not_consistent;
  return {};
}

}  // namespace

void add_induce(commandline::Command& root, App& app) {
  auto options = std::make_shared<InduceOptions>();
  auto* command = root.add_subcommand(
      "induce",
      "makes every health test fail on purpose on a copy of the source path and shows the latch");
  auto* recording = command->add_option("--recording", options->recording,
                                        "recorded samples, one a byte (default: emulated noise)");
  auto* bits = command
                   ->add_option("--bits", options->bits,
                                "of a sample of the recording or of the emulated noise")
                   ->range(1, 8)
                   ->capture_default_str();
  command->add_option("--seed", options->seed, "of emulated noise and of the faults")
      ->capture_default_str();
  command->add_option("--out", options->out, "file for the manifest; it must not exist");
  add_device_options(*command, options->choice);
  auto* device = command->get_option("--device");
  device->description("a USB generator: auto, MODEL, MODEL:SERIAL, MODEL@PORT or serial:SERIAL")
      ->excludes(recording)
      ->excludes(bits);
  command->get_option("--settings")->needs(device);
  command->callback([options, device, &app] {
    options->device = device->count() > 0;
    if (const auto done = run_induce(*options, app); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
