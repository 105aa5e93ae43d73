#include "usb_lab/faulty_transport.hpp"

#include <array>

namespace talla::usb {
namespace {

constexpr unsigned late_ms = 6;
constexpr unsigned comparators = 0x12;  // bits 1 and 4
constexpr std::uint8_t quantis_status = 0x13;
constexpr std::size_t ftdi_packet_bytes = 64;
constexpr std::size_t ftdi_status_bytes = 2;
constexpr std::size_t swiftrng_answer_bytes = 16'001;

class FaultyDevice final : public Device {
 public:
  FaultyDevice(std::unique_ptr<Device> inner, std::shared_ptr<WireFault> fault,
               std::function<void(unsigned)> sleep)
      : inner_(std::move(inner)), fault_(std::move(fault)), sleep_(std::move(sleep)) {}

  [[nodiscard]] const DeviceInfo& info() const override { return inner_->info(); }
  [[nodiscard]] Status claim(std::uint8_t number) override { return inner_->claim(number); }
  [[nodiscard]] Result<Bytes> control_in(const ControlRequest& request, std::uint16_t size_bytes,
                                         unsigned timeout_ms) override {
    auto answer = inner_->control_in(request, size_bytes, timeout_ms);
    if (*fault_ == WireFault::bad_status && request.request == quantis_status && answer &&
        !answer->empty())
      (*answer)[0] = 0;
    return answer;
  }
  [[nodiscard]] Status control_out(const ControlRequest& request, ByteView data,
                                   unsigned timeout_ms) override {
    return inner_->control_out(request, data, timeout_ms);
  }
  [[nodiscard]] Result<Bytes> bulk_in(std::uint8_t endpoint, std::size_t size_bytes,
                                      unsigned timeout_ms) override {
    return inner_->bulk_in(endpoint, size_bytes, timeout_ms);
  }
  [[nodiscard]] Status bulk_out(std::uint8_t endpoint, ByteView data,
                                unsigned timeout_ms) override {
    return inner_->bulk_out(endpoint, data, timeout_ms);
  }
  [[nodiscard]] Status clear_halt(std::uint8_t endpoint) override {
    return inner_->clear_halt(endpoint);
  }
  [[nodiscard]] Status start_stream(const StreamOptions& options) override {
    answered_ = 0;
    return inner_->start_stream(options);
  }
  [[nodiscard]] StreamEvent next(Bytes& bytes, unsigned timeout_ms) override {
    const StreamEvent event = inner_->next(bytes, timeout_ms);
    if (*fault_ == WireFault::halted) return StreamEvent::stalled;
    if (*fault_ == WireFault::gone) return StreamEvent::gone;
    if (event != StreamEvent::data) return event;
    answered_ += bytes.size();
    spoil(bytes);
    const bool ends = answered_ == swiftrng_answer_bytes;
    if (answered_ >= swiftrng_answer_bytes) answered_ = 0;
    if (*fault_ == WireFault::bad_status && ends) bytes.back() = 1;
    if (*fault_ != WireFault::silent) return event;
    bytes.clear();
    sleep_(1);  // a ring that is always full would be turned round in no time
    return StreamEvent::none;
  }
  [[nodiscard]] Status stop_stream() override { return inner_->stop_stream(); }
  [[nodiscard]] Status restart_stream(bool with_clear_halt) override {
    return inner_->restart_stream(with_clear_halt);
  }
  void interrupt() override { inner_->interrupt(); }

 private:
  void spoil(Bytes& bytes) {
    switch (*fault_) {
      case WireFault::flat:
        for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
          bytes[at] = static_cast<std::uint8_t>(bytes[at] & 0x1FU);
          bytes[at + 1] = 0x08;
        }
        break;
      case WireFault::wide_words:
        for (std::size_t at = 1; at < bytes.size(); at += 2)
          bytes[at] = static_cast<std::uint8_t>(bytes[at] | 0x10U);
        break;
      case WireFault::late:
        sleep_(late_ms);
        break;
      case WireFault::lost_byte:
        if (!bytes.empty()) bytes.erase(bytes.begin());
        break;
      case WireFault::equal_bits:
      case WireFault::fair_bits:
      case WireFault::tied_bits:
        spoil_comparators(bytes);
        break;
      default:
        break;
    }
  }
  void spoil_comparators(Bytes& bytes) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (at % ftdi_packet_bytes < ftdi_status_bytes) continue;
      bool one = true;
      if (*fault_ == WireFault::fair_bits) one = coin();
      if (*fault_ == WireFault::tied_bits) {
        // Both comparators get the bit that the driver would take at an even and an odd place
        // alike.
        one = place_ % 4 == 3 ? !last_
                              : ((unsigned{bytes[at]} >> (place_ % 2 == 1 ? 4U : 1U)) & 1U) != 0;
      }
      ++place_;
      last_ = one;
      bytes[at] = static_cast<std::uint8_t>((static_cast<unsigned>(bytes[at]) & ~comparators) |
                                            (one ? comparators : 0U));
    }
  }
  bool coin() {  // splitmix64
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return ((z ^ (z >> 31U)) >> 63U) != 0;
  }
  std::unique_ptr<Device> inner_;
  std::shared_ptr<WireFault> fault_;
  std::function<void(unsigned)> sleep_;
  std::uint64_t state_ = 1;
  std::uint64_t place_ = 0;
  bool last_ = false;
  std::size_t answered_ = 0;  ///< Bytes of the answer that has come so far.
};

}  // namespace

std::vector<DriverCheck> driver_checks(std::string_view model) {
  struct Line {
    std::string_view model;  ///< Empty: all of them.
    DriverCheck check;
  };
  static constexpr std::string_view own_tests = "the device's own tests say that they failed";
  static constexpr std::array<Line, 13> table{
      {{"chaoskey",
        {"variance", WireFault::flat, "usb_unhealthy", "converter words that hardly vary"}},
       {"chaoskey",
        {"word width", WireFault::wide_words, "usb_nonsense", "words of more than 12 bits"}},
       {"infnoise",
        {"long run", WireFault::equal_bits, "usb_unhealthy", "more than 20 equal bits"}},
       {"infnoise",
        {"gain too high", WireFault::fair_bits, "usb_unhealthy",
         "a fair coin's bits: a gain of 2"}},
       {"infnoise",
        {"gain too low", WireFault::tied_bits, "usb_unhealthy",
         "each fourth bit follows from the one before"}},
       {"infnoise",
        {"slow blocks", WireFault::late, "usb_silent", "every block later than 5 ms: all dropped"}},
       {"truerng-pro",
        {"order of bytes", WireFault::lost_byte, "usb_nonsense",
         "a byte of each transfer is missing"}},
       {"swiftrng", {"status", WireFault::bad_status, "usb_unhealthy", own_tests}},
       {"swiftrng-cdc", {"status", WireFault::bad_status, "usb_unhealthy", own_tests}},
       {"quantis-usb", {"status", WireFault::bad_status, "usb_unhealthy", own_tests}},
       {"", {"silence", WireFault::silent, "usb_silent", "no data"}},
       {"", {"halt", WireFault::halted, "usb_stalled", "an endpoint that halts again and again"}},
       {"", {"unplugged", WireFault::gone, "usb_gone", "the device left the bus"}}}};
  std::vector<DriverCheck> checks;
  checks.reserve(table.size());
  for (const Line& line : table) {
    if (line.model.empty() || line.model == model) checks.push_back(line.check);
  }
  return checks;
}

Result<std::unique_ptr<Device>> FaultyTransport::open(const DeviceInfo& info) {
  TALLA_TRY(std::unique_ptr<Device> inner, inner_.open(info));
  return std::unique_ptr<Device>(std::make_unique<FaultyDevice>(std::move(inner), fault_, sleep_));
}

}  // namespace talla::usb
