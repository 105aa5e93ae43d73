#include "trial/transcript.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace talla::trial {
namespace {

constexpr std::size_t hex_shown = 48;  // bytes of one answer

std::string shown(ByteView bytes, std::size_t most = hex_shown) {
  const std::string hex = to_hex(bytes.first(std::min(bytes.size(), most)));
  if (bytes.size() <= most) return hex.empty() ? "nothing" : hex;
  return fmt::format("{}... {} bytes", hex, bytes.size());
}

std::string outcome(const Status& status) {
  return status ? "ok" : status.error().text();
}

std::string outcome(const Result<Bytes>& bytes) {
  return bytes ? shown(*bytes) : bytes.error().text();
}

std::string name_of(const usb::ControlRequest& request) {
  return fmt::format("{:02x} {:02x} {:04x} {:04x}", request.request_type, request.request,
                     request.value, request.index);
}

class RecordingDevice final : public usb::Device {
 public:
  RecordingDevice(std::unique_ptr<usb::Device> below, Transcript& transcript, bool& stall)
      : below_(std::move(below)), transcript_(transcript), stall_(stall) {}

  [[nodiscard]] const usb::DeviceInfo& info() const override { return below_->info(); }
  [[nodiscard]] Status claim(std::uint8_t interface_number) override {
    return noted(fmt::format("claim {}", interface_number), below_->claim(interface_number));
  }
  [[nodiscard]] Result<Bytes> control_in(const usb::ControlRequest& request,
                                         std::uint16_t size_bytes, unsigned timeout_ms) override {
    return noted(fmt::format("control in {} [{}]", name_of(request), size_bytes),
                 below_->control_in(request, size_bytes, timeout_ms));
  }
  [[nodiscard]] Status control_out(const usb::ControlRequest& request, ByteView data,
                                   unsigned timeout_ms) override {
    const std::string with = data.empty() ? std::string() : " " + shown(data);
    return noted("control out " + name_of(request) + with,
                 below_->control_out(request, data, timeout_ms));
  }
  [[nodiscard]] Result<Bytes> bulk_in(std::uint8_t endpoint, std::size_t size_bytes,
                                      unsigned timeout_ms) override {
    return noted(fmt::format("bulk in {:02x} [{}]", endpoint, size_bytes),
                 below_->bulk_in(endpoint, size_bytes, timeout_ms));
  }
  [[nodiscard]] Status bulk_out(std::uint8_t endpoint, ByteView data,
                                unsigned timeout_ms) override {
    return noted(fmt::format("bulk out {:02x} {}", endpoint, shown(data)),
                 below_->bulk_out(endpoint, data, timeout_ms));
  }
  [[nodiscard]] Status clear_halt(std::uint8_t endpoint) override {
    return noted(fmt::format("clear halt {:02x}", endpoint), below_->clear_halt(endpoint));
  }
  void pause(unsigned ms) override {
    transcript_.add(fmt::format("pause {} ms", ms), "ok");
    below_->pause(ms);
  }
  [[nodiscard]] Status start_stream(const usb::StreamOptions& options) override {
    if (!transcript_.streaming) transcript_.setup_exchanges = transcript_.exchanges.size();
    transcript_.streaming = true;
    return noted(fmt::format("start {:02x} [{} x {}]", options.endpoint, options.transfer_bytes,
                             options.transfers_count),
                 below_->start_stream(options));
  }
  [[nodiscard]] usb::StreamEvent next(Bytes& bytes, unsigned timeout_ms) override {
    if (std::exchange(stall_, false)) {
      bytes.clear();
      transcript_.add("a stall, as the trial pretends it", "stalled");
      return usb::StreamEvent::stalled;
    }
    const usb::StreamEvent event = below_->next(bytes, timeout_ms);
    if (event == usb::StreamEvent::data && transcript_.stream.size() < Transcript::transfers_shown)
      transcript_.stream.push_back(shown(bytes, Transcript::bytes_shown));
    return event;
  }
  [[nodiscard]] Status stop_stream() override { return noted("stop", below_->stop_stream()); }
  [[nodiscard]] Status restart_stream(bool with_clear_halt) override {
    return noted(with_clear_halt ? "restart with clear halt" : "restart",
                 below_->restart_stream(with_clear_halt));
  }
  void interrupt() override { below_->interrupt(); }

 private:
  template <class T>
  T noted(std::string asked, T answer) {
    transcript_.add(std::move(asked), outcome(answer));
    return answer;
  }
  std::unique_ptr<usb::Device> below_;
  Transcript& transcript_;
  bool& stall_;
};

}  // namespace

void Transcript::add(std::string asked, std::string answered) {
  if (!exchanges.empty() && exchanges.back().asked == asked &&
      exchanges.back().answered == answered) {
    ++exchanges.back().times;
    return;
  }
  if (exchanges.size() >= exchanges_max) {
    ++left_out;
    return;
  }
  exchanges.push_back({std::move(asked), std::move(answered)});
}

Result<std::vector<usb::DeviceInfo>> RecordingTransport::enumerate(
    std::span<const usb::UsbId> ids) {
  return below_.enumerate(ids);
}

Result<std::unique_ptr<usb::Device>> RecordingTransport::open(const usb::DeviceInfo& info) {
  auto device = below_.open(info);
  transcript_.add("open " + info.place(), device ? "ok" : device.error().text());
  if (!device) return device;
  return std::unique_ptr<usb::Device>(new RecordingDevice(std::move(*device), transcript_, stall_));
}

Result<std::vector<usb::HotplugEvent>> RecordingTransport::hotplug(std::span<const usb::UsbId> ids,
                                                                   unsigned timeout_ms) {
  return below_.hotplug(ids, timeout_ms);
}

}  // namespace talla::trial
