#include "usb/noise_source.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/secret.hpp"

namespace talla::usb {

Result<std::unique_ptr<UsbNoiseSource>> UsbNoiseSource::create(Parts parts) {
  TALLA_CHECK(parts.driver != nullptr);
  TALLA_CHECK(parts.device != nullptr);
  TALLA_CHECK(parts.clock != nullptr);
  TALLA_TRY_STATUS(parts.driver->check_layout(parts.device->info()));
  const entropy::SourceDescription described = parts.driver->describe(parts.device->info(), parts.options);
  if (described.assessed_millibits_per_sample > 1000 * described.bits_per_sample) {
    return fail(UsbErrc::bad_option,
                "assessed entropy above " + std::to_string(described.bits_per_sample) + " bits per sample");
  }
  const StreamPlan plan = parts.driver->plan(parts.device->info());
  TALLA_TRY_STATUS(parts.device->claim(plan.interface_number));
  TALLA_TRY_STATUS(parts.driver->initialise(*parts.device));
  TALLA_TRY_STATUS(parts.device->start_stream(plan.stream));
  return std::unique_ptr<UsbNoiseSource>(new UsbNoiseSource(std::move(parts), plan));
}

UsbNoiseSource::UsbNoiseSource(Parts parts, StreamPlan plan)
    : driver_(std::move(parts.driver)),
      device_(std::move(parts.device)),
      clock_(parts.clock),
      plan_(plan),
      description_(driver_->describe(device_->info(), parts.options)),
      origin_(parts.options.assessed_millibits_per_sample != 0 ? "configured at this site"
                                                               : driver_->assessment_origin()) {}

UsbNoiseSource::~UsbNoiseSource() {
  wipe(pending_.data(), pending_.size());
  wipe(transfer_.data(), transfer_.size());
}

Result<std::size_t> UsbNoiseSource::read(std::span<std::uint8_t> samples, unsigned timeout_ms) {
  const std::int64_t until_ms = now_ms() + timeout_ms;
  while (true) {
    if (failed_) return tl::unexpected<Error>(*failed_);
    if (stop_) return fail(UsbErrc::stopped, "the source was stopped");
    if (pending_at_ < pending_.size()) return hand_out(samples);
    const std::int64_t left_ms = until_ms - now_ms();
    if (left_ms < 0 || samples.empty()) return std::size_t{0};
    auto pumped = pump(static_cast<unsigned>(left_ms));
    if (!pumped) failed_ = std::make_unique<Error>(std::move(pumped).error());
    if (left_ms == 0 && pending_at_ == pending_.size() && !failed_) return std::size_t{0};
  }
}

void UsbNoiseSource::stop() {
  stop_ = true;
  device_->interrupt();
}

Status UsbNoiseSource::pump(unsigned timeout_ms) {
  const unsigned patience_ms = had_byte_ ? plan_.silence_ms : plan_.first_silence_ms;
  const std::int64_t patience_left_ms = std::max<std::int64_t>(patience_ms - waited_ms_, 1);
  const std::int64_t before_ms = now_ms();
  const StreamEvent event =
      device_->next(transfer_, static_cast<unsigned>(std::min<std::int64_t>(timeout_ms, patience_left_ms)));
  waited_ms_ += now_ms() - before_ms;
  switch (event) {
    case StreamEvent::data:
      if (!transfer_.empty()) return take_transfer();
      break;
    case StreamEvent::none:
      break;
    case StreamEvent::stalled:
      ++counters_.stalls;
      return recover(UsbErrc::stalled, "the endpoint halts again and again");
    case StreamEvent::failed:
      ++counters_.failures;
      return recover(UsbErrc::transfer_failed, "transfers fail again and again");
    case StreamEvent::gone:
      return fail(UsbErrc::gone, device_->info().place() + " was unplugged");
  }
  if (waited_ms_ < patience_ms) return {};
  ++counters_.silences;
  return recover(UsbErrc::silent, "no data for " + std::to_string(waited_ms_) + " ms");
}

Status UsbNoiseSource::take_transfer() {
  auto decoded = driver_->decode(transfer_, pending_);
  wipe(transfer_.data(), transfer_.size());
  if (!decoded) return decoded;
  ++counters_.transfers;
  had_byte_ = true;
  waited_ms_ = 0;
  retries_ = 0;
  return {};
}

Status UsbNoiseSource::recover(UsbErrc reason, const std::string& what) {
  if (retries_ >= plan_.retries_max) {
    return fail(reason,
                device_->info().place() + ": " + what + ", after " + std::to_string(retries_) + " restarts");
  }
  ++retries_;
  waited_ms_ = 0;
  return device_->restart_stream(reason != UsbErrc::silent);
}

std::size_t UsbNoiseSource::hand_out(std::span<std::uint8_t> samples) {
  const std::size_t count = std::min(samples.size(), pending_.size() - pending_at_);
  std::uint8_t* from = pending_.data() + pending_at_;
  std::copy_n(from, count, samples.begin());
  wipe(from, count);
  pending_at_ += count;
  counters_.samples += count;
  if (pending_at_ == pending_.size()) {
    pending_.clear();
    pending_at_ = 0;
  }
  return count;
}

std::int64_t UsbNoiseSource::now_ms() {
  return clock_->monotonic_ns() / 1'000'000;
}

}  // namespace talla::usb
