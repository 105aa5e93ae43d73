// talla devices try: a real generator tried in a minute and a half, reported in words and as a file
// to send in.
#include "devices_try.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <cstdio>
#include <memory>

#include "app.hpp"
#include "base/clock.hpp"
#include "trial/trial.hpp"
#include "usb/libusb_transport.hpp"

namespace talla::cli {

namespace {

struct TryChoice {
  trial::Options options{};
  std::uint32_t seconds = 10;
  std::string out;
  bool no_unplug = false;
};

std::string this_machine() {
  struct utsname about {};
  if (::uname(&about) != 0) return "talla " TALLA_VERSION;
  return fmt::format("talla {}, {} {} {}", TALLA_VERSION, &about.sysname[0], &about.release[0],
                     &about.machine[0]);
}

/// "talla-try-chaoskey-0001.json"; of a serial number what a file name may hold.
std::string file_for(const trial::Report& report) {
  std::string name = "talla-try-" + (report.model.empty() ? std::string("device") : report.model);
  if (!report.device.serial.empty()) name += "-" + report.device.serial;
  for (char& c : name) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    if (!plain) c = '_';
  }
  return name + ".json";
}

void run_try(App& app, TryChoice choice) {
  choice.options.stage_ms = choice.seconds * 1000;
  choice.options.unplug = !choice.no_unplug;
  choice.options.machine = this_machine();
  auto settings = usb::parse_settings(choice.options.settings);
  if (!settings) return app.refuse(settings.error());
  choice.options.driver.settings = std::move(*settings);
  if (const Status known = usb::check_selector(choice.options.device); !known)
    return app.refuse(known.error());
  auto transport = usb::make_libusb_transport();
  if (!transport) return app.refuse(transport.error());
  SystemClock clock;
  const trial::Report report = trial::try_device(**transport, usb::builtin_registry(), clock,
                                                 choice.options, [&app](const std::string& what) {
                                                   app.say(what);
                                                   static_cast<void>(std::fflush(stdout));
                                                 });
  const json::Value all = report.to_json();
  app.emit(all);
  for (const std::string& line : report.words()) app.say(line);
  const std::string file = choice.out.empty() ? file_for(report) : choice.out;
  if (const Status written = write_file(file, json::canonical(all) + "\n"); !written)
    return app.refuse(written.error());
  app.say("all of it stands in " + file +
          ": send it to whoever keeps your Talla, with the name that is printed on the device. "
          "It holds the serial number "
          "and some noise.");
  if (report.verdict() == trial::Verdict::failed) app.exit = exit_refused;
}

}  // namespace

void add_devices_try(commandline::Command& devices, App& app, std::function<void()> chosen) {
  auto* command = devices.add_subcommand(
      "try",
      "try a real generator, ten seconds a stage: enumerate, detach, raw read, rate, health, "
      "estimate, stall, "
      "unplug; says in plain words what it found and writes a file to send in");
  const auto choice = std::make_shared<TryChoice>();
  command
      ->add_option("--device", choice->options.device,
                   "auto, MODEL, MODEL:SERIAL, MODEL@PORT or serial:SERIAL")
      ->capture_default_str();
  command->add_option("--settings", choice->options.settings,
                      "choices of this device, KEY=VALUE with commas between");
  command
      ->add_option("--assessed-millibits", choice->options.driver.assessed_millibits_per_sample,
                   "claim to hold against it, instead of the driver's")
      ->range(1U, 8000U);
  command->add_option("--seconds", choice->seconds, "of each stage")
      ->range(1U, 600U)
      ->capture_default_str();
  command->add_option("--out", choice->out, "the file; default talla-try-MODEL-SERIAL.json here");
  command->add_flag("--no-unplug", choice->no_unplug, "do not ask for the device to be pulled out");
  command->footer(
      "It opens the device itself: stop the appliance first, and draw nothing from the device "
      "meanwhile. Exit codes: 0 it "
      "works, perhaps otherwise than the emulation; 1 it does not.");
  command->callback([&app, choice, chosen = std::move(chosen)] {
    chosen();
    run_try(app, *choice);
  });
}

}  // namespace talla::cli
