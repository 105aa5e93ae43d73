// Runs a program among emulated USB generators: umockdev plays the kernel's usbfs for it, without
// privileges. usage: emulated_usb DEVICE[,KEY=VALUE]... -- PROGRAM [ARGUMENT...]
//   DEVICE  a name of the bench, or hub:NAME (behind a hub that switches the power of its port),
//           liar:NAME (behind one that only says so)
//   KEY     serial, seed, rate (bytes a second), silent (falls silent after so many bytes), stall,
//           gone (the same), ailment (a number of the noise's list), onset (healthy samples before
//           it), permille, later (1: is plugged in at the first SIGUSR1, pulled out at the second,
//           and so on)
// Ends with the program's code. A signal to end is handed on.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "umockdev_bus.hpp"

namespace {

using namespace talla::emulator;  // NOLINT: a program of its own

std::atomic<pid_t> child{0};  // NOLINT: a signal handler reaches nothing else

void hand_on(int number) {
  if (child.load() > 0) kill(child.load(), number);
}

struct Device {
  const BenchEntry* entry = nullptr;
  std::string where;  // "", "hub", "liar"
  ModelOptions options;
  Faults faults;
  bool later = false;
};

bool set(Device& device, const std::string& key, const std::string& value) {
  if (key == "serial") {
    device.options.serial = value;
    return true;
  }
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(value.c_str(), &end, 10);
  if (value.empty() || *end != '\0') return false;
  if (key == "seed") device.options.noise.seed = number;
  if (key == "rate") device.options.rate = number;
  if (key == "ailment") device.options.noise.ailment = static_cast<Ailment>(number);
  if (key == "onset") device.options.noise.onset = number;
  if (key == "permille") device.options.noise.permille = static_cast<unsigned>(number);
  if (key == "silent") device.faults.silent_after = number;
  if (key == "stall") device.faults.stall_after = number;
  if (key == "gone") device.faults.gone_after = number;
  if (key == "later") device.later = number != 0;
  static const std::vector<std::string> known = {"seed",   "rate",  "ailment", "onset", "permille",
                                                 "silent", "stall", "gone",    "later"};
  return std::find(known.begin(), known.end(), key) != known.end();
}

bool parse(const std::string& text, Device& device) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  std::string name = parts[0];
  if (const auto colon = name.find(':'); colon != std::string::npos) {
    device.where = name.substr(0, colon);
    name = name.substr(colon + 1);
    if (device.where != "hub" && device.where != "liar") return false;
  }
  for (const BenchEntry& entry : bench()) {
    if (name == entry.name) device.entry = &entry;
  }
  if (device.entry == nullptr) return false;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = parts[i].find('=');
    if (equals == std::string::npos ||
        !set(device, parts[i].substr(0, equals), parts[i].substr(equals + 1)))
      return false;
  }
  return device.where.empty() || !device.later;
}

void plug(UmockdevBus& bus, const Device& about) {
  const auto make = [device = Device(about), seed = about.options.noise.seed]() mutable {
    device.options.noise.seed = seed++;  // another power-up is another noise
    Model model = device.entry->make(device.options);
    model->set_faults(device.faults);
    return model;
  };
  if (about.where.empty()) {
    bus.plug(std::decay_t<decltype(make)>(make)());
  } else {
    bus.plug_behind_hub(make, about.where == "liar");
  }
}

sigset_t usr1() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  return set;
}

/// Comes and goes as SIGUSR1 says, which every thread must have blocked.
void come_and_go(const std::stop_token& stop, UmockdevBus& bus, const Device& about) {
  const sigset_t signals = usr1();
  const timespec slice{.tv_sec = 0, .tv_nsec = 50'000'000};
  DeviceModel* plugged = nullptr;
  while (!stop.stop_requested()) {
    if (sigtimedwait(&signals, nullptr, &slice) != SIGUSR1) continue;
    if (plugged != nullptr) {
      bus.unplug(*std::exchange(plugged, nullptr));
      continue;
    }
    Model model = about.entry->make(about.options);
    model->set_faults(about.faults);
    plugged = &bus.plug(std::move(model));
  }
}

int run(char** arguments) {
  struct sigaction action {};
  action.sa_handler = hand_on;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  pid_t pid = 0;
  if (const int error = posix_spawnp(&pid, arguments[0], nullptr, nullptr, arguments, environ);
      error != 0) {
    static_cast<void>(
        std::fprintf(stderr, "emulated_usb: %s: %s\n", arguments[0], strerrordesc_np(error)));
    return 126;
  }
  child = pid;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  const sigset_t signals = usr1();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  UmockdevBus bus;
  std::jthread visitor;
  int at = 1;
  for (; at < argc && std::strcmp(argv[at], "--") != 0; ++at) {
    Device device;
    if (!parse(argv[at], device)) {
      static_cast<void>(
          std::fprintf(stderr, "emulated_usb: %s: no such device or key\n", argv[at]));
      return 125;
    }
    if (!device.later) {
      plug(bus, device);
    } else if (!visitor.joinable()) {
      visitor = std::jthread(
          [&bus, device](const std::stop_token& stop) { come_and_go(stop, bus, device); });
    } else {
      static_cast<void>(std::fprintf(stderr, "emulated_usb: one device at most comes later\n"));
      return 125;
    }
  }
  if (at + 1 >= argc) {
    static_cast<void>(std::fprintf(
        stderr, "usage: emulated_usb DEVICE[,KEY=VALUE]... -- PROGRAM [ARGUMENT...]\n"));
    return 125;
  }
  // NOLINTBEGIN(concurrency-mt-unsafe): the visitor asks for no variable
  setenv("LD_PRELOAD", "libumockdev-preload.so.0", 1);
  setenv("UMOCKDEV_DIR", bus.root_dir().c_str(), 1);
  setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
  // NOLINTEND(concurrency-mt-unsafe)
  return run(argv + at + 1);
}
