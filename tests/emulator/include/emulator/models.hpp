// The emulated devices, one for each row of the supported list, and the bench that names them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "emulator/device_model.hpp"
#include "emulator/noise.hpp"

namespace talla::emulator {

/// What an emulated model is made with.
struct ModelOptions {
  NoiseOptions noise{};
  std::uint64_t rate = 0;  ///< bytes a second on the wire; 0: as many as are asked for
  std::string serial = "0123";
  std::string product{};          ///< instead of the model's own; empty: its own
  unsigned firmware_version = 2;  ///< of a OneRNG; 0: it does not answer
};
using Model = std::unique_ptr<DeviceModel>;

/// The emulated models.
[[nodiscard]] Model chaoskey(const ModelOptions& options);
[[nodiscard]] Model alea(const ModelOptions& options);
[[nodiscard]] Model infnoise(const ModelOptions& options);
/// The gain of the multiplier in thousandths; 1840 as built.
[[nodiscard]] Model infnoise_with_gain(const ModelOptions& options, unsigned gain_permille);
[[nodiscard]] Model bitbabbler_white(const ModelOptions& options);
[[nodiscard]] Model bitbabbler_black(const ModelOptions& options);
[[nodiscard]] Model onerng(const ModelOptions& options);
[[nodiscard]] Model truerng(const ModelOptions& options);
[[nodiscard]] Model truerng_pro(const ModelOptions& options);
[[nodiscard]] Model truerng_pro_v2(const ModelOptions& options);
/// With a supply of so many millivolts.
[[nodiscard]] Model truerng_pro_at(const ModelOptions& options, unsigned millivolts);
[[nodiscard]] Model swiftrng(const ModelOptions& options);
[[nodiscard]] Model swiftrng_cdc(const ModelOptions& options);
[[nodiscard]] Model quantis(const ModelOptions& options);
/// Its modules are off until it is disabled and enabled; a read within a second of that fails them
/// for good.
[[nodiscard]] Model quantis_asleep(const ModelOptions& options);
[[nodiscard]] Model neug(const ModelOptions& options);

/// An emulated model, and what must be true of it.
struct BenchEntry {
  const char* name;
  const char* driver;  ///< the model that must serve it
  Model (*make)(const ModelOptions&);
  bool raw;           ///< its default stream may be credited
  unsigned bits;      ///< of a sample
  bool has_nonsense;  ///< its protocol can be broken
};
/// Every emulated device.
[[nodiscard]] const std::vector<BenchEntry>& bench();

}  // namespace talla::emulator
