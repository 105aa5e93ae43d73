// Goal: no device can crash a driver or the engine above it, make it run for ever, or hand out a
//       sample wider than it said.
// Method: one device of the bench, all of whose answers are the input's bytes; when they are used
//         up it leaves the bus.
#include <cstdint>

#include "base/check.hpp"
#include "emulator/emulated_transport.hpp"
#include "usb/discover.hpp"

namespace {

using namespace talla;

class LyingModel final : public emulator::DeviceModel {
 public:
  LyingModel(emulator::Identity identity, ByteView data)
      : DeviceModel(std::move(identity), 0), data_(data) {}

 protected:
  [[nodiscard]] emulator::Reply on_control(const emulator::Setup& setup,
                                           ByteView /*out*/) override {
    if ((setup.type & 0x80U) == 0) return next() % 16 == 0 ? stall() : emulator::Reply{};
    return {.status = 0, .bytes = take(next() % 8U)};
  }
  [[nodiscard]] emulator::Reply on_bulk_out(std::uint8_t /*endpoint*/, ByteView /*data*/) override {
    return next() % 16 == 0 ? stall() : emulator::Reply{};
  }
  [[nodiscard]] std::optional<Bytes> next_packet(std::uint8_t endpoint,
                                                 std::int64_t /*now_ns*/) override {
    const unsigned kind = next();
    if (kind % 8 == 0) return std::nullopt;
    return take(kind % 8 == 1 ? packet_bytes(endpoint) : next() % (packet_bytes(endpoint) + 1));
  }

 private:
  std::uint8_t next() {
    if (data_.empty()) {
      leave();
      return 2;
    }
    const std::uint8_t byte = data_.front();
    data_ = data_.subspan(1);
    return byte;
  }
  Bytes take(std::size_t size) {
    const ByteView some = data_.first(std::min(size, data_.size()));
    data_ = data_.subspan(some.size());
    if (data_.empty()) leave();
    return {some.begin(), some.end()};
  }
  ByteView data_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto& entry = emulator::bench()[data[0] % emulator::bench().size()];
  emulator::EmulatedBus bus;
  bus.set_step_ns(50'000'000);
  bus.plug(
      std::make_unique<LyingModel>(entry.make({})->identity(), ByteView(data, size).subspan(1)));
  emulator::EmulatedTransport transport(bus);
  auto source = usb::open_source(transport, usb::builtin_registry(), entry.driver, {}, bus.clock());
  if (!source) return 0;
  Bytes samples(512);
  for (unsigned reads = 0; reads < 1000; ++reads) {
    const auto got = (*source)->read(samples, 100);
    if (!got) return 0;
    for (std::size_t k = 0; k < *got; ++k)
      TALLA_CHECK(samples[k] >> (*source)->description().bits_per_sample == 0);
  }
  return 0;
}
