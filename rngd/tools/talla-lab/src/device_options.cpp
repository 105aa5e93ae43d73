#include "device_options.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace talla::lab {
namespace {

constexpr std::array<int, 3> ending_signals{SIGINT, SIGTERM, SIGHUP};
std::atomic<bool> stop_came{false};  // NOLINT: a signal handler reaches nothing else
std::array<struct sigaction, ending_signals.size()> old_actions{};  // NOLINT

void on_signal(int /*number*/) {
  stop_came.store(true);
}

}  // namespace

void add_device_options(commandline::Command& command, DeviceChoice& choice) {
  command
      .add_option("--device", choice.selector,
                  "auto, MODEL, MODEL:SERIAL, MODEL@PORT or serial:SERIAL")
      ->capture_default_str();
  command.add_option("--settings", choice.settings,
                     "choices of this device, KEY=VALUE separated by commas; talla devices "
                     "--supported lists them");
  command
      .add_option("--assessed-millibits", choice.millibits,
                  "assessed min-entropy of a sample in thousandths of a bit, instead of the "
                  "driver's figure")
      ->range(1, 8000);
  command.add_option("--rate", choice.rate, "measured samples per second of this unit")
      ->range(1U, 1'000'000'000U);
}

Result<usb::DriverOptions> driver_options(const DeviceChoice& choice) {
  usb::DriverOptions options;
  options.assessed_millibits_per_sample = choice.millibits;
  options.nominal_rate_hz = choice.rate;
  TALLA_TRY(options.settings, usb::parse_settings(choice.settings));
  return options;
}

StopSignals::StopSignals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (std::size_t i = 0; i < ending_signals.size(); ++i)
    static_cast<void>(sigaction(ending_signals[i], &action, &old_actions[i]));
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < ending_signals.size(); ++i)
    static_cast<void>(sigaction(ending_signals[i], &old_actions[i], nullptr));
}

bool StopSignals::came() {
  return stop_came.load();
}

}  // namespace talla::lab
