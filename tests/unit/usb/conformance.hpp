// One emulated device of the bench below the real driver and engine, and the comparison with what
// its noise yielded.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "emulator/emulated_transport.hpp"
#include "usb/discover.hpp"

namespace talla::usb::test {

struct EmulatedRig {
  explicit EmulatedRig(const emulator::BenchEntry& about) : entry(about) {}
  emulator::DeviceModel& plug(const emulator::ModelOptions& options = {}) {
    return bus.plug(entry.make(options));
  }
  Result<std::unique_ptr<UsbNoiseSource>> open(const std::string& selector = "auto",
                                               const DriverOptions& options = {}) {
    return open_source(transport, builtin_registry(), selector, options, bus.clock());
  }
  emulator::BenchEntry entry;
  emulator::EmulatedBus bus;
  emulator::EmulatedTransport transport{bus};
};

/// Into how many unbroken pieces of the truth the samples fall, in order and without overlap; a
/// number above any bound when a piece of them is nowhere behind the one before.
inline std::size_t segments(const Bytes& samples, const Bytes& truth) {
  constexpr std::size_t never = 1'000'000;
  constexpr std::size_t key = 96;  // samples that name a place: long enough for one-bit samples too
  std::size_t pieces = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at < samples.size();) {
    const std::size_t length = std::min(key, samples.size() - at);
    const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(at);
    const auto found = std::search(truth.begin() + static_cast<std::ptrdiff_t>(from), truth.end(),
                                   begin, begin + static_cast<std::ptrdiff_t>(length));
    if (found == truth.end()) {
      // A short piece between two gaps: shorten until it fits.
      std::size_t fits = length;
      auto place = truth.end();
      while (fits > 1 && place == truth.end()) {
        --fits;
        place = std::search(truth.begin() + static_cast<std::ptrdiff_t>(from), truth.end(), begin,
                            begin + static_cast<std::ptrdiff_t>(fits));
      }
      if (place == truth.end()) return never;
      ++pieces;
      at += fits;
      from = static_cast<std::size_t>(place - truth.begin()) + fits;
      continue;
    }
    ++pieces;
    std::size_t place = static_cast<std::size_t>(found - truth.begin());
    while (at < samples.size() && place < truth.size() && samples[at] == truth[place]) {
      ++at;
      ++place;
    }
    from = place;
  }
  return pieces;
}

}  // namespace talla::usb::test
