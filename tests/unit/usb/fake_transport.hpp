// A scripted USB bus: what each call meets is queued beforehand, what each call did is written
//                     down.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "usb/transport.hpp"

namespace talla::usb::test {

struct Step {
  StreamEvent event = StreamEvent::data;
  Bytes bytes;
  std::int64_t takes_ms = 0;  ///< Time that passes before the step happens.
};

/// What the fakes share with the test, which outlives them.
struct FakeBus {
  ManualClock clock;
  std::vector<DeviceInfo> attached;
  std::deque<Step> script;  ///< When empty, `next` lets its whole timeout pass and says none.
  std::vector<std::string> calls;
  std::function<void()> on_next;      ///< Runs at each `next`, before the script.
  std::vector<Error> restart_errors;  ///< Taken from the back, one per restart.
  std::vector<Error> claim_errors;
  std::deque<Bytes> answers;  ///< Of `bulk_in`, in order; afterwards empty ones.

  void data(Bytes bytes, std::int64_t takes_ms = 0) {
    script.push_back({StreamEvent::data, std::move(bytes), takes_ms});
  }
  void event(StreamEvent event) { script.push_back({event, {}, 0}); }
  [[nodiscard]] long count(const std::string& call) const;
};

DeviceInfo chaoskey_info(const std::string& serial = "S1");

class FakeDevice final : public Device {
 public:
  FakeDevice(FakeBus& bus, DeviceInfo info) : bus_(bus), info_(std::move(info)) {}
  ~FakeDevice() override { bus_.calls.emplace_back("close"); }
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] Status claim(std::uint8_t interface_number) override;
  [[nodiscard]] Result<Bytes> control_in(const ControlRequest& request, std::uint16_t size_bytes,
                                         unsigned timeout_ms) override;
  [[nodiscard]] Status control_out(const ControlRequest& request, ByteView data,
                                   unsigned timeout_ms) override;
  [[nodiscard]] Result<Bytes> bulk_in(std::uint8_t endpoint, std::size_t size_bytes,
                                      unsigned timeout_ms) override;
  [[nodiscard]] Status bulk_out(std::uint8_t endpoint, ByteView data, unsigned timeout_ms) override;
  [[nodiscard]] Status clear_halt(std::uint8_t endpoint) override;
  [[nodiscard]] Status start_stream(const StreamOptions& options) override;
  [[nodiscard]] StreamEvent next(Bytes& bytes, unsigned timeout_ms) override;
  [[nodiscard]] Status stop_stream() override;
  [[nodiscard]] Status restart_stream(bool with_clear_halt) override;
  void interrupt() override { bus_.calls.emplace_back("interrupt"); }

 private:
  FakeBus& bus_;
  DeviceInfo info_;
};

class FakeTransport final : public Transport {
 public:
  explicit FakeTransport(FakeBus& bus) : bus_(bus) {}
  [[nodiscard]] Result<std::vector<DeviceInfo>> enumerate(std::span<const UsbId> ids) override;
  [[nodiscard]] Result<std::unique_ptr<Device>> open(const DeviceInfo& info) override;
  [[nodiscard]] Result<std::vector<HotplugEvent>> hotplug(std::span<const UsbId> ids,
                                                          unsigned timeout_ms) override;

 private:
  FakeBus& bus_;
};

}  // namespace talla::usb::test
