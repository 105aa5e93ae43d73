#include "mock_bus.hpp"

#include <algorithm>
#include <cerrno>

namespace talla::usb::test {

/// Answers whole transfers from the script; a stall halts the endpoint until it is cleared.
class MockBus::Scripted final : public emulator::DeviceModel {
 public:
  Scripted(emulator::Identity identity, Script& script)
      : DeviceModel(std::move(identity), 0), script_(script) {}
  [[nodiscard]] std::optional<Reply> bulk_in(std::uint8_t /*endpoint*/, std::size_t size,
                                             std::int64_t /*now_ns*/) override {
    if (halted_) return stall();
    Reply reply;
    if (!script_.replies.empty()) {
      reply = std::move(script_.replies.front());
      script_.replies.pop_front();
    } else if (script_.endless) {
      reply.bytes = script_.endless(size);
    } else {
      return std::nullopt;
    }
    halted_ = reply.status == -EPIPE;
    return reply;
  }
  void clear_halt(std::uint8_t /*endpoint*/) override { halted_ = false; }

 protected:
  [[nodiscard]] Reply on_control(const emulator::Setup& /*setup*/, ByteView /*out*/) override {
    return stall();
  }
  [[nodiscard]] Reply on_bulk_out(std::uint8_t /*endpoint*/, ByteView /*data*/) override {
    return stall();
  }
  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t /*endpoint*/,
                                                 std::int64_t /*now_ns*/) override {
    return std::nullopt;
  }

 private:
  Script& script_;
  bool halted_ = false;
};

void MockBus::plug(const MockDescription& description) {
  emulator::Identity identity{.vendor_id = description.vendor_id,
                              .product_id = description.product_id,
                              .manufacturer = description.manufacturer,
                              .product = description.product,
                              .serial = description.serial,
                              .interfaces = {{.number = 0, .endpoints = {}}}};
  for (const std::uint8_t endpoint : description.bulk_endpoints) {
    identity.interfaces[0].endpoints.push_back({endpoint, 2, description.packet_bytes});
  }
  device_ = &bus_.plug(std::make_unique<Scripted>(std::move(identity), script_));
}

void MockBus::reply(Reply reply) {
  bus_.with([&] { script_.replies.push_back(std::move(reply)); });
}

void MockBus::set_endless(std::function<Bytes(std::size_t)> endless) {
  bus_.with([&] { script_.endless = std::move(endless); });
}

}  // namespace talla::usb::test
