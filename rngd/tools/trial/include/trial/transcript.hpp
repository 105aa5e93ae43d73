/// \file
/// What was said between the host and one device, word for word, and a transport that writes it
/// down.
///
/// Wraps any transport of the house; nothing is changed on the way but what `stall_once` asks for.
/// The dialogue before the stream is kept whole (at most 600 lines), of the stream the first
/// transfers' first bytes. These bytes are noise of a device on trial: nothing may be drawn from it
/// meanwhile.
/// Threads: those of the transport that is wrapped.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "usb/transport.hpp"

namespace talla::trial {

/// One request and its answer; repeated ones are counted.
struct Exchange {
  /// "control in c0 05 0000 0001 [2]", "bulk out 02 aa87", "claim 0", "start 81 [4096 x 8]".
  std::string asked;
  /// Hex of what came ("faaa", "0160... 512 bytes"), "ok", or the error's code and words.
  std::string answered;
  unsigned times = 1;
  bool operator==(const Exchange& other) const = default;
};

/// What went over the bus, in bounds.
struct Transcript {
  static constexpr std::size_t exchanges_max = 600;
  static constexpr std::size_t transfers_shown = 8;
  static constexpr std::size_t bytes_shown = 64;

  std::vector<Exchange> exchanges;
  /// Hex of the first bytes of the first transfers, with their lengths.
  std::vector<std::string> stream;
  std::size_t left_out = 0;  ///< Exchanges beyond the first `exchanges_max`.
  /// So many stand before the stream began for the first time, if it has.
  std::size_t setup_exchanges = 0;
  bool streaming = false;  ///< It has begun.

  void add(std::string asked, std::string answered);
  /// How many exchanges are set-up: all of them where the stream never began.
  [[nodiscard]] std::size_t setup() const { return streaming ? setup_exchanges : exchanges.size(); }
  void clear() { *this = {}; }
};

/// A transport that writes down what passes.
class RecordingTransport final : public usb::Transport {
 public:
  /// Both outlive it and the devices it opens.
  RecordingTransport(usb::Transport& below, Transcript& transcript)
      : below_(below), transcript_(transcript) {}

  [[nodiscard]] Result<std::vector<usb::DeviceInfo>> enumerate(
      std::span<const usb::UsbId> ids) override;
  [[nodiscard]] Result<std::unique_ptr<usb::Device>> open(const usb::DeviceInfo& info) override;
  [[nodiscard]] Result<std::vector<usb::HotplugEvent>> hotplug(std::span<const usb::UsbId> ids,
                                                               unsigned timeout_ms) override;
  /// The next wait for the stream ends as if the endpoint had halted; what answers a halt is then
  /// done in earnest.
  void stall_once() { stall_ = true; }

 private:
  usb::Transport& below_;
  Transcript& transcript_;
  bool stall_ = false;
};

}  // namespace talla::trial
