// talla devices: which USB generators are attached, usable or not, and why not.
#include "app.hpp"
#include "base/clock.hpp"
#include "usb/discover.hpp"
#include "usb/libusb_transport.hpp"

namespace talla::cli {

namespace {

std::string line_of(const usb::FoundDevice& device) {
  std::string line = device.model + (device.info.serial.empty() ? "" : " " + device.info.serial);
  if (!device.usable()) return line + ": not usable: " + device.problem;
  return line + ": usable, " + std::string(entropy::source_class_name(device.description.source_class)) +
         ", assessed " + std::to_string(device.description.assessed_millibits_per_sample) +
         " millibits a sample (" + device.assessment_origin + ")";
}

void run(App& app) {
  auto transport = usb::make_libusb_transport();
  if (!transport) return app.refuse(transport.error());
  const auto found = usb::discover(**transport, usb::builtin_registry());
  if (!found) return app.refuse(found.error());
  app.emit(usb::found_devices_json(*found));
  for (const usb::FoundDevice& device : *found) app.say(line_of(device));
  if (found->empty())
    app.say(
        "no supported USB generator is attached; the daemon would use the operating system's source, "
        "uncertified");
}

}  // namespace

void add_devices(CLI::App& root, App& app) {
  CLI::App* command = root.add_subcommand(
      "devices", "list the USB generators attached to this machine and whether they can be used");
  command->callback([&app] { run(app); });
}

}  // namespace talla::cli
