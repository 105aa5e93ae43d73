/// \file
/// What one model of generator adds to the common engine: whom it fits, how it is set up, what its
/// bytes mean.
///
/// A new device is one file with one class and one line in registry.cpp (README, "A new device").
/// Threads: a driver object belongs to one open device and its thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.hpp"
#include "entropy/source.hpp"
#include "usb/transport.hpp"

namespace talla::usb {

/// One line of a match table. Ids are shared by makers and copied by others, so the product name
/// counts too.
struct Match {
  UsbId id;
  std::string_view product_prefix;  ///< The product string begins with this; never empty.
};

/// How the common engine streams from one device.
struct StreamPlan {
  std::vector<std::uint8_t> interfaces{0};  ///< Claimed in this order before `initialise`.
  StreamOptions stream;
  unsigned first_silence_ms = 3000;  ///< Patience before the first byte.
  unsigned silence_ms = 1000;        ///< Patience between bytes later; then the ring is restarted.
  unsigned retries_max = 3;  ///< Restarts in a row (stall or silence) without a byte in between.
  /// A restart stops the ring and runs `initialise` again (devices that answer requests, or lose
  /// their mode).
  bool initialise_at_restart = false;
};

/// What a driver claims of its stream, in the mode that is set.
struct StreamClaim {
  entropy::SourceClass source_class = entropy::SourceClass::conditioned_physical;
  unsigned bits_per_sample = 8;
  std::uint32_t millibits_per_sample = 8000;  ///< Min-entropy; meaningful for raw streams.
  /// Samples a second, nominal; never 0. `talla devices try` compares and nothing judges by it: the
  /// gate holds a unit to the rate that was measured on it, else to its own (entropy::RateMonitor).
  std::uint32_t rate_hz = 0;
  /// Where the rate comes from: the device's clock, its maker, or what is assumed.
  std::string_view rate_origin;
  std::string_view origin;  ///< Where the entropy figure comes from, one sentence.
};

/// What a driver measures of its device beside the samples; 0: it does not, or not yet.
struct DeviceFigures {
  /// Infinite Noise: of its multiplier, over the last 2^18 bits; 1840 as built.
  std::uint64_t gain_permille = 0;
  /// ChaosKey: of its last 4,096 converter words, in squared steps.
  std::uint64_t sample_variance = 0;
  std::uint64_t supply_millivolts = 0;  ///< TrueRNGpro: of its noise circuit, at the last set-up.
  std::uint64_t firmware_version = 0;   ///< OneRNG: as it says itself, at the last set-up.
  bool operator==(const DeviceFigures&) const = default;
};

/// What a site chooses of a device: key to value, e.g. {"mode", "raw"}. Each driver names its own.
using Settings = std::map<std::string, std::string, std::less<>>;
/// "mode=raw,mask=3": keys and values of lower-case letters, digits, '_' and '-'; each key once.
/// Empty text: none.
/// Errors: bad_option.
[[nodiscard]] Result<Settings> parse_settings(std::string_view text);

/// Values of the site that override a driver's own; 0 keeps the driver's.
struct DriverOptions {
  std::uint32_t assessed_millibits_per_sample = 0;  ///< From an assessment of this very unit.
  std::uint32_t nominal_rate_hz = 0;                ///< Measured samples per second.
  Settings settings{};
};

/// For a driver that refuses what it has just decoded: wipes the samples behind the first `kept`
/// and takes them away.
void take_back(SecretBytes& samples, std::size_t kept);

/// The driver of one model.
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  /// Stable id, e.g. "chaoskey"; what configuration and records name.
  [[nodiscard]] virtual std::string_view model() const = 0;
  [[nodiscard]] virtual std::span<const Match> matches() const = 0;
  /// The stream of the mode that is set (before `configure`: of the default).
  [[nodiscard]] virtual StreamClaim claim() const = 0;
  /// What a reader of the list should know: modes, limits, what the device does to its noise. One
  /// sentence.
  [[nodiscard]] virtual std::string_view quirks() const = 0;
  /// Takes the site's choices, before `plan`. Errors: bad_option (a key or value this model does
  /// not have).
  [[nodiscard]] virtual Status configure(const DeviceInfo& info, const Settings& settings);
  /// A setting without which an assessment of the unit says nothing (the firmware's version);
  /// empty: there is none.
  [[nodiscard]] virtual std::string_view assessed_with() const { return {}; }
  /// Every unit of this model says the same serial number: they are told apart by port alone.
  [[nodiscard]] virtual bool units_alike() const { return false; }
  /// Units of this model are sold whose product string is the bridge chip's own. With the setting
  /// product=any one that is named by serial number or port is taken without it.
  [[nodiscard]] virtual bool may_lack_product() const { return false; }
  /// Accepts or refuses a device that fits the match table by its interfaces and endpoints.
  /// Errors: impostor, saying what is different.
  [[nodiscard]] virtual Status check_layout(const DeviceInfo& info) const = 0;
  [[nodiscard]] virtual StreamPlan plan(const DeviceInfo& info) const = 0;
  /// The set-up dialogue, after claim and before the stream.
  [[nodiscard]] virtual Status initialise(Device& device) = 0;
  /// Called before each wait for a transfer: sends the request that keeps the samples coming,
  /// checks the device.
  [[nodiscard]] virtual Status feed(Device& /*device*/, std::int64_t /*now_ns*/) { return {}; }
  /// Appends the samples of one transfer (whole packets, in order) to `samples`, one byte each;
  /// perhaps none.
  /// What grows leaves nothing behind: samples stand in secret memory.
  /// Errors: nonsense, unhealthy; then nothing of this transfer was appended.
  [[nodiscard]] virtual Status decode(ByteView transfer, std::int64_t arrived_ns,
                                      SecretBytes& samples) = 0;
  /// Blocks thrown away by rule (too slow to be good), since the start.
  [[nodiscard]] virtual std::uint64_t dropped_blocks() const { return 0; }
  [[nodiscard]] virtual DeviceFigures figures() const { return {}; }

  [[nodiscard]] entropy::SourceDescription describe(const DeviceInfo& info,
                                                    const DriverOptions& options) const;
};

/// The supported models, in the order `auto` prefers them: raw physical sources first.
class Registry {
 public:
  using Maker = std::unique_ptr<Driver> (*)();
  void add(Maker maker) { makers_.push_back(maker); }
  /// Ids of all match tables, each once.
  [[nodiscard]] std::vector<UsbId> ids() const;
  /// The driver that accepts this device by id, product name and layout.
  /// Errors: no_device (no table has the id), impostor (a table has it and the device is something
  ///         else).
  [[nodiscard]] Result<std::unique_ptr<Driver>> find(const DeviceInfo& info) const;
  /// The same without a look at the product string, for models that may lack it. Errors: as `find`.
  [[nodiscard]] Result<std::unique_ptr<Driver>> find_nameless(const DeviceInfo& info) const;
  [[nodiscard]] const std::vector<Maker>& makers() const { return makers_; }

 private:
  std::vector<Maker> makers_;
};

/// All drivers of the house.
[[nodiscard]] const Registry& builtin_registry();

}  // namespace talla::usb
