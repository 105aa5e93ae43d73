// What a case of the conformance suite (conformance_test.cpp) needs of the ring it runs in: a
// transport of the house on simulated time (ring_1.cpp). It knows no more of it, so that another
// ring can take its place.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "conformance.hpp"

namespace talla::usb::test {

/// How much a case reads and when its faults strike: real time is dearer than simulated time.
struct RingFigures {
  std::size_t many;           ///< samples, where nothing goes wrong
  std::size_t fault_at;       ///< bytes on the wire from now on
  std::size_t behind;         ///< samples that are read past a fault
  std::size_t healthy;        ///< samples without an alarm
  std::size_t ill_from;       ///< samples before an illness
  std::size_t ill_to;         ///< by then it was noticed
  std::size_t piece;          ///< bytes within which a random fault strikes
  std::size_t round;          ///< samples of one round of random faults
  std::uint64_t silence_max;  ///< ms, of a random silence
  std::uint64_t rate;         ///< bytes a second, of a device that has one
  bool time_is_cheap;         ///< seconds of small packets cost next to nothing
};
[[nodiscard]] const RingFigures& ring_figures();

class Ring {
 public:
  Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  virtual ~Ring() = default;
  virtual emulator::DeviceModel& plug(const emulator::ModelOptions& options) = 0;
  /// The transport of the ring, perhaps a new one for each call.
  [[nodiscard]] virtual Result<std::reference_wrapper<Transport>> transport() = 0;
  [[nodiscard]] virtual Clock& clock() = 0;
  /// Runs `use` while nobody else touches a model.
  virtual void alone(const std::function<void()>& use) = 0;
  virtual void unplug(emulator::DeviceModel& model) = 0;

  [[nodiscard]] Result<std::unique_ptr<UsbNoiseSource>> open(const std::string& selector = "auto",
                                                             const DriverOptions& options = {}) {
    TALLA_TRY(const auto found, transport());
    return open_source(found.get(), builtin_registry(), selector, options, clock());
  }
  std::uint64_t sent(emulator::DeviceModel& model) {
    std::uint64_t sent = 0;
    alone([&] { sent = model.sent(); });
    return sent;
  }
  void set_faults(emulator::DeviceModel& model, const emulator::Faults& faults) {
    alone([&] { model.set_faults(faults); });
  }
  std::size_t pieces(const Bytes& samples, emulator::DeviceModel& model) {
    std::size_t pieces = 0;
    alone([&] { pieces = segments(samples, model.truth()); });
    return pieces;
  }
};
/// The instances of a suite are called as the devices of the bench are.
[[nodiscard]] inline std::string device_name(
    const ::testing::TestParamInfo<emulator::BenchEntry>& about) {
  return about.param.name;
}

[[nodiscard]] std::unique_ptr<Ring> make_ring(const emulator::BenchEntry& entry);

}  // namespace talla::usb::test
