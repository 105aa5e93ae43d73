// rngd-source: opens one USB generator and hands its raw samples to the core over a framed socket.
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/clock.hpp"
#include "commandline/command.hpp"
#include "source/forward.hpp"
#include "source/harden.hpp"
#include "usb/discover.hpp"
#include "usb/libusb_transport.hpp"
#include "usb/source_wish.hpp"

#if defined(__SANITIZE_ADDRESS__)
// The leak checker attaches to its own process, which a process that cannot be traced forbids.
extern "C" int __lsan_is_turned_off();  // NOLINT: the sanitizer's name
extern "C" int __lsan_is_turned_off() {
  return 1;
}  // NOLINT
#endif

namespace {

using namespace talla;

enum Exit : int { orderly = 0, failure = 1, usage = 2, device_lost = 3 };

struct Arguments {
  int socket = -1;
  std::string device = "auto";
  usb::DriverOptions options;
  std::string settings;
  std::string user;
  unsigned wait_s = 0;
  bool list = false;
  bool asked = false;  // by a service manager's connection: the wish comes over the socket
  usb::SourceWish wish;

  void follow_wish() {
    device = wish.device;
    options.assessed_millibits_per_sample = wish.assessed_millibits_per_sample;
    options.nominal_rate_hz = wish.nominal_rate_hz;
    settings = wish.settings;
    wait_s = wish.wait_for_device_s;
  }
};

/// The folder of an emulated bus, which stays open to the program; only that of the tests knows
/// one.
std::string emulated_bus() {
#ifdef TALLA_EMULATED_BUS
  const char* folder =
      std::getenv("TALLA_EMULATED_BUS");  // NOLINT(concurrency-mt-unsafe): one thread yet
  return folder == nullptr ? "" : folder;
#else
  return {};
#endif
}

int complain(const Error& error) {
  fmt::print(stderr, "rngd-source: {}\n", error.text());
  return Exit::failure;
}

int list_devices() {
  auto transport = usb::make_libusb_transport();
  if (!transport) return complain(transport.error());
  const auto found = usb::discover(**transport, usb::builtin_registry());
  if (!found) return complain(found.error());
  fmt::print("{}\n", json::canonical(usb::found_devices_json(*found)));
  return Exit::orderly;
}

/// Opens the device; with `--wait`, tries again after each plugging until the time is over or the
/// core ends.
Result<std::unique_ptr<usb::UsbNoiseSource>> open_device(usb::Transport& transport,
                                                         const Arguments& arguments, Clock& clock) {
  constexpr unsigned slice_ms = 200;
  const usb::Registry& registry = usb::builtin_registry();
  const std::vector<usb::UsbId> ids = registry.ids();
  const std::int64_t until_ns =
      clock.monotonic_ns() + std::int64_t{arguments.wait_s} * 1'000'000'000;
  const std::int64_t freed_ns = clock.monotonic_ns() + (arguments.asked ? 3'000'000'000 : 0);
  if (arguments.wait_s >
      0) {  // the watch starts before the first look, so that nothing is missed in between
    TALLA_TRY(const auto earlier, transport.hotplug(ids, 0));
    static_cast<void>(earlier);
  }
  while (true) {
    auto source = usb::open_source(transport, registry, arguments.device, arguments.options, clock);
    // The one before, which nobody waits for, may be about to let the device go.
    if (!source && source.error().is(usb::UsbErrc::busy) && clock.monotonic_ns() < freed_ns) {
      static_cast<void>(::poll(nullptr, 0, 100));
      continue;
    }
    if (source || arguments.wait_s == 0 || !source.error().is(usb::UsbErrc::no_device))
      return source;
    bool arrived = false;
    while (!arrived) {
      if (clock.monotonic_ns() >= until_ns || source::end_asked(arguments.socket)) return source;
      TALLA_TRY(const auto events, transport.hotplug(ids, slice_ms));
      for (const usb::HotplugEvent& event : events) arrived = arrived || event.arrived;
    }
  }
}

Result<source::Ending> serve(Arguments& arguments, pid_t parent) {
  SystemClock clock;
  TALLA_TRY_STATUS(source::harden_early());
  if (!arguments.user.empty()) {
    TALLA_TRY(const source::User user, source::parse_user(arguments.user));
    TALLA_TRY_STATUS(source::become_user(user));
  }
  // A service manager stays; the connection tells that the core has gone.
  if (!arguments.asked) TALLA_TRY_STATUS(source::die_with_parent(parent));
  TALLA_TRY(const bool confined, source::confine_files(emulated_bus()));
  if (!confined)
    fmt::print(stderr, "rngd-source: this kernel has no Landlock, files are not confined\n");
  TALLA_TRY_STATUS(source::filter_setup());
  TALLA_TRY_STATUS(usb::check_selector(arguments.device));
  TALLA_TRY(arguments.options.settings, usb::parse_settings(arguments.settings));
  TALLA_TRY(const auto transport, usb::make_libusb_transport());
  TALLA_TRY(const auto source, open_device(*transport, arguments, clock));
  TALLA_TRY_STATUS(source::drop_privileges());
  if (!arguments.asked) TALLA_TRY_STATUS(source::die_with_parent(parent));
  TALLA_TRY_STATUS(source::filter_stream());
  const usb::HelloFrame hello{.description = source->description(),
                              .assessment_origin = std::string(source->assessment_origin())};
  return source::forward(*source, hello, source->counters(), arguments.socket);
}

bool is_socket(int descriptor) {
  struct stat about {};
  return descriptor > STDERR_FILENO && fstat(descriptor, &about) == 0 && S_ISSOCK(about.st_mode);
}

int run(Arguments& arguments) {
  const pid_t parent = getppid();
  if (arguments.list) return list_devices();
  if (!is_socket(arguments.socket)) {
    fmt::print(
        stderr,
        "rngd-source: --fd wants the number of an inherited socket; rngd starts this program\n");
    return Exit::usage;
  }
  if (arguments.asked) {
    if (const Status wished = source::take_wish(arguments.socket, arguments.wish); !wished) {
      source::report_failure(arguments.socket, wished.error());
      return complain(wished.error());
    }
    arguments.follow_wish();
  }
  const auto ending = serve(arguments, parent);
  if (!ending) {
    source::report_failure(arguments.socket, ending.error());
    // Nobody came while it waited: the core knows, and will ask again.
    const bool waited = arguments.wait_s > 0 && ending.error().is(usb::UsbErrc::no_device);
    if (!waited) static_cast<void>(complain(ending.error()));
    return Exit::device_lost;
  }
  return *ending == source::Ending::asked ? Exit::orderly : Exit::device_lost;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Arguments arguments;
    commandline::Program app(
        "Reads raw noise from one USB generator and hands it to rngd. Has no keys and no ledger.");
    app.version(TALLA_VERSION);
    auto* list =
        app.add_flag("--list", arguments.list, "print the attached generators as JSON and end");
    app.add_option("--fd", arguments.socket, "inherited stream socket that takes the frames")
        ->excludes(list);
    app.add_flag("--asked", arguments.asked,
                 "what is wanted comes over the socket: a service manager started this")
        ->excludes(list);
    app.add_option("--device", arguments.device,
                   "auto, MODEL, MODEL:SERIAL, MODEL@PORT or serial:SERIAL")
        ->capture_default_str();
    app.add_option("--assessed-millibits", arguments.options.assessed_millibits_per_sample,
                   "assessed min-entropy of one sample in thousandths of a bit, instead of the "
                   "driver's figure")
        ->range(1, 8000);
    app.add_option("--rate", arguments.options.nominal_rate_hz,
                   "measured samples per second of this unit");
    app.add_option("--settings", arguments.settings,
                   "choices of this device, KEY=VALUE separated by commas; talla devices "
                   "--supported lists them");
    app.add_option(
        "--user", arguments.user,
        "UID:GID,GID...: whom to become, before any device is touched, when started by root");
    app.add_option("--wait", arguments.wait_s, "seconds to wait for a device to be plugged in")
        ->range(0, 86400);
    if (const auto code = app.parse(argc, argv)) return *code;
    return run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "rngd-source: {}\n", error.what());
    return Exit::failure;
  }
}
