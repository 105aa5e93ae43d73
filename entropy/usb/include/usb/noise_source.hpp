/// \file
/// A USB generator as a noise source of the house: transport, driver and one policy for stalls and
/// silence.
///
/// Policy: a halted endpoint, or one whose transfer failed on the bus, is cleared and the ring
/// restarted; a silent device gets its ring restarted, or is set up anew where its driver asks for
/// that; at most `StreamPlan::retries_max` times in a row without a byte in between, then the
/// source fails for good. Old ChaosKey firmware that stalls or times out at the first read is
/// covered by the same rule. Bytes in flight at a restart are dropped, never delivered out of order
/// or twice. Errors: gone, stalled, silent, transfer_failed, nonsense; after the first, every read
/// gives the same error.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/clock.hpp"
#include "entropy/source.hpp"
#include "usb/driver.hpp"
#include "usb/transport.hpp"

namespace talla::usb {

struct StreamCounters {
  std::uint64_t transfers = 0;  ///< Completed with data.
  std::uint64_t samples = 0;
  std::uint64_t stalls = 0;          ///< Endpoint halts, each answered by clear-halt.
  std::uint64_t failures = 0;        ///< Transfers that failed otherwise, answered the same way.
  std::uint64_t silences = 0;        ///< Restarts after silence.
  std::uint64_t dropped_blocks = 0;  ///< Thrown away by the driver's rule.
  DeviceFigures figures{};
};

/// A USB generator that is open.
class UsbNoiseSource final : public entropy::NoiseSource {
 public:
  struct Parts {
    std::unique_ptr<Driver> driver;
    std::unique_ptr<Device> device;
    Clock* clock = nullptr;  ///< Outlives the source.
    DriverOptions options;
  };
  /// Checks the layout, claims, initialises and starts the stream.
  /// Errors: impostor, busy, access_denied, gone, and what the set-up dialogue met.
  [[nodiscard]] static Result<std::unique_ptr<UsbNoiseSource>> create(Parts parts);
  ~UsbNoiseSource() override;

  [[nodiscard]] const entropy::SourceDescription& description() const override {
    return description_;
  }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override;
  /// What was decoded or is in flight is dropped; the ring begins anew, set up again where the
  /// driver asks for that.
  [[nodiscard]] Status renew() override;
  void stop() override;
  [[nodiscard]] std::string_view assessment_origin() const { return origin_; }
  [[nodiscard]] const StreamCounters& counters() const { return counters_; }
  [[nodiscard]] const DeviceInfo& device_info() const { return device_->info(); }

 private:
  UsbNoiseSource(Parts parts, StreamPlan plan);
  [[nodiscard]] Status pump(unsigned timeout_ms);
  [[nodiscard]] Status take_transfer();
  [[nodiscard]] Status unanswered(const Error& error);
  [[nodiscard]] Status recover(UsbErrc reason, const std::string& what);
  [[nodiscard]] Status restart(bool halted);
  [[nodiscard]] std::size_t hand_out(std::span<std::uint8_t> samples);
  [[nodiscard]] std::int64_t now_ms();

  std::unique_ptr<Driver> driver_;
  std::unique_ptr<Device> device_;
  Clock* clock_;
  StreamPlan plan_;
  entropy::SourceDescription description_;
  std::string_view origin_;
  StreamCounters counters_;
  Bytes transfer_;
  SecretBytes pending_;  ///< Decoded samples not yet handed out; wiped as they go.
  std::size_t pending_at_ = 0;
  std::int64_t waited_ms_ = 0;  ///< Spent waiting since the last byte or restart.
  unsigned retries_ = 0;
  bool had_byte_ = false;
  std::atomic<bool> stop_{false};
  std::unique_ptr<Error> failed_;
};

}  // namespace talla::usb
