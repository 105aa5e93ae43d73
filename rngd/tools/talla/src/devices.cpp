// talla devices: the devices of the running appliance, and which USB generators are attached here,
// usable or not, and why not.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "app.hpp"
#include "base/clock.hpp"
#include "devices_running.hpp"
#include "devices_try.hpp"
#include "usb/discover.hpp"
#include "usb/libusb_transport.hpp"

namespace talla::cli {

namespace {

std::string device_line(const usb::FoundDevice& device) {
  std::string line = device.model + (device.info.serial.empty() ? "" : " " + device.info.serial);
  if (!device.usable()) return line + ": not usable: " + device.problem;
  return line + ": usable, " +
         std::string(entropy::source_class_name(device.description.source_class)) + ", assessed " +
         std::to_string(device.description.assessed_millibits_per_sample) +
         " millibits a sample (" + device.assessment_origin + ")";
}

void list_supported(App& app) {
  const json::Value list = usb::supported_devices_json(usb::builtin_registry());
  app.emit(list);
  for (const usb::Registry::Maker maker : usb::builtin_registry().makers()) {
    const auto driver = maker();
    const usb::StreamClaim claim = driver->claim();
    std::string ids;
    for (const usb::Match& match : driver->matches()) {
      const std::string id = fmt::format("{:04x}:{:04x}", match.id.vendor_id, match.id.product_id);
      if (ids.find(id) == std::string::npos) ids += (ids.empty() ? "" : " ") + id;
    }
    app.say(fmt::format("{} ({}): {}, {}, {} samples/s ({}); {}", driver->model(), ids,
                        entropy::source_class_name(claim.source_class),
                        claim.source_class == entropy::SourceClass::raw_physical
                            ? fmt::format("{} of {} millibits a sample", claim.millibits_per_sample,
                                          1000 * claim.bits_per_sample)
                            : "credited with nothing",
                        claim.rate_hz, claim.rate_origin, driver->quirks()));
  }
}

/// What the appliance of --client has configured; nothing without one, words when it does not
/// answer.
class Appliance {
 public:
  explicit Appliance(App& app) : app_(app) {
    if (app.client_folder.empty()) return;
    auto session = Session::open(app);
    if (session) {
      session_.emplace(std::move(*session));
    } else {
      app.say("the appliance is not asked: " + session.error().text());
    }
  }
  /// Looks once; again after half a second where the rate is not known yet.
  void show() {
    if (!session_) return;
    Status seen = devices_.look(*session_);
    if (seen && std::exchange(first_, false)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      seen = devices_.look(*session_);
    }
    if (seen) return devices_.show(app_);
    app_.say("the appliance does not answer: " + seen.error().text());
    first_ = true;
  }

 private:
  App& app_;
  std::optional<Session> session_;
  RunningDevices devices_;
  bool first_ = true;
};

/// Lists at each plugging and unplugging, and the appliance's once a second, until the program is
/// ended.
void watch(App& app, usb::Transport& transport, Appliance& appliance) {
  const std::vector<usb::UsbId> ids = usb::builtin_registry().ids();
  constexpr unsigned slice_ms = 1000;
  auto events = transport.hotplug(ids, 0);
  while (events) {
    for (const usb::HotplugEvent& event : *events) {
      app.say(fmt::format("{} {:04x}:{:04x} at {}-{}", event.arrived ? "plugged in" : "pulled out",
                          event.id.vendor_id, event.id.product_id, event.bus, event.address));
    }
    if (!events->empty()) {
      const auto found = usb::discover(transport, usb::builtin_registry());
      if (!found) return app.refuse(found.error());
      app.emit(usb::found_devices_json(*found));
      for (const usb::FoundDevice& device : *found) app.say(device_line(device));
    }
    appliance.show();
    static_cast<void>(std::fflush(stdout));
    events = transport.hotplug(ids, slice_ms);
  }
  app.refuse(events.error());
}

struct Choice {
  bool supported = false;
  bool udev = false;
  bool watch = false;
  bool tried = false;  ///< `devices try` ran instead.
};

void run_devices(App& app, const Choice& choice) {
  if (choice.tried) return;
  if (choice.supported) return list_supported(app);
  if (choice.udev) {
    fmt::print("{}", usb::udev_rules(usb::builtin_registry(), "talla-source"));
    return;
  }
  auto transport = usb::make_libusb_transport();
  if (!transport) return app.refuse(transport.error());
  const auto found = usb::discover(**transport, usb::builtin_registry());
  if (!found) return app.refuse(found.error());
  app.emit(usb::found_devices_json(*found));
  for (const usb::FoundDevice& device : *found) app.say(device_line(device));
  if (found->empty())
    app.say(
        "no supported USB generator is attached; the daemon would use the operating system's "
        "source, "
        "uncertified");
  Appliance appliance(app);
  appliance.show();
  if (choice.watch) watch(app, **transport, appliance);
}

}  // namespace

void add_devices(commandline::Command& root, App& app) {
  auto* command =
      root.add_subcommand("devices",
                          "list the USB generators attached to this machine and whether they "
                          "can be used; with --client, what the running "
                          "appliance has configured: health, rate, entropy credited");
  const auto choice = std::make_shared<Choice>();
  command->add_flag("--supported", choice->supported,
                    "list every model this build can read, attached or not");
  command->add_flag("--udev", choice->udev,
                    "print the rules for udev that let rngd-source open them");
  command->add_flag(
      "--watch", choice->watch,
      "go on: every plugging and unplugging, and the appliance's devices once a second");
  add_devices_try(*command, app, [choice] { choice->tried = true; });
  command->callback([&app, choice] { run_devices(app, *choice); });
}

}  // namespace talla::cli
