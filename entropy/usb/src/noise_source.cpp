#include "usb/noise_source.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/secret.hpp"

namespace talla::usb {
namespace {

/// Faults of the bus that may not be there at the next try.
bool passing(const Error& error) {
  return error.is(UsbErrc::timed_out) || error.is(UsbErrc::stalled) ||
         error.is(UsbErrc::transfer_failed);
}

}  // namespace

Result<std::unique_ptr<UsbNoiseSource>> UsbNoiseSource::create(Parts parts) {
  TALLA_CHECK(parts.driver != nullptr);
  TALLA_CHECK(parts.device != nullptr);
  TALLA_CHECK(parts.clock != nullptr);
  TALLA_TRY_STATUS(parts.driver->check_layout(parts.device->info()));
  TALLA_TRY_STATUS(parts.driver->configure(parts.device->info(), parts.options.settings));
  const entropy::SourceDescription described =
      parts.driver->describe(parts.device->info(), parts.options);
  if (described.assessed_millibits_per_sample > 1000 * described.bits_per_sample) {
    return fail(
        UsbErrc::bad_option,
        "assessed entropy above " + std::to_string(described.bits_per_sample) + " bits per sample");
  }
  StreamPlan plan = parts.driver->plan(parts.device->info());
  for (const std::uint8_t number : plan.interfaces) TALLA_TRY_STATUS(parts.device->claim(number));
  // A first answer that fails is no end: the same patience as later on.
  Status ready = parts.driver->initialise(*parts.device);
  for (unsigned k = 0; !ready && passing(ready.error()) && k < plan.retries_max; ++k) {
    TALLA_TRY_STATUS(parts.device->clear_halt(plan.stream.endpoint));
    ready = parts.driver->initialise(*parts.device);
  }
  TALLA_TRY_STATUS(std::move(ready));
  TALLA_TRY_STATUS(parts.device->start_stream(plan.stream));
  return std::unique_ptr<UsbNoiseSource>(new UsbNoiseSource(std::move(parts), std::move(plan)));
}

UsbNoiseSource::UsbNoiseSource(Parts parts, StreamPlan plan)
    : driver_(std::move(parts.driver)),
      device_(std::move(parts.device)),
      clock_(parts.clock),
      plan_(std::move(plan)),
      description_(driver_->describe(device_->info(), parts.options)),
      origin_(parts.options.assessed_millibits_per_sample != 0 ? "configured at this site"
                                                               : driver_->claim().origin) {
  counters_.figures = driver_->figures();
}

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
  if (auto fed = driver_->feed(*device_, clock_->monotonic_ns()); !fed)
    return unanswered(fed.error());
  const StreamEvent event = device_->next(
      transfer_, static_cast<unsigned>(std::min<std::int64_t>(timeout_ms, patience_left_ms)));
  waited_ms_ += now_ms() - before_ms;
  switch (event) {
    case StreamEvent::data:
      if (!transfer_.empty()) TALLA_TRY_STATUS(take_transfer());
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
  const std::size_t before = pending_.size();
  auto decoded = driver_->decode(transfer_, clock_->monotonic_ns(), pending_);
  wipe(transfer_.data(), transfer_.size());
  if (!decoded) return decoded;
  ++counters_.transfers;
  counters_.dropped_blocks = driver_->dropped_blocks();
  counters_.figures = driver_->figures();
  if (pending_.size() == before)
    return {};  // status bytes, or part of an answer: no sign of life by itself
  had_byte_ = true;
  waited_ms_ = 0;
  retries_ = 0;
  return {};
}

/// A request that the device did not take: like a stall of the stream, within the same patience.
Status UsbNoiseSource::unanswered(const Error& error) {
  if (!error.is(UsbErrc::timed_out) && !error.is(UsbErrc::stalled))
    return tl::unexpected<Error>(error);
  ++counters_.failures;
  return recover(error.is(UsbErrc::stalled) ? UsbErrc::stalled : UsbErrc::timed_out, error.detail);
}

Status UsbNoiseSource::recover(UsbErrc reason, const std::string& what) {
  if (retries_ >= plan_.retries_max) {
    return fail(reason, device_->info().place() + ": " + what + ", after " +
                            std::to_string(retries_) + " restarts");
  }
  ++retries_;
  waited_ms_ = 0;
  return restart(reason == UsbErrc::stalled || reason == UsbErrc::transfer_failed);
}

Status UsbNoiseSource::renew() {
  if (failed_) return tl::unexpected<Error>(*failed_);
  wipe(pending_.data(), pending_.size());
  pending_.clear();
  pending_at_ = 0;
  waited_ms_ = 0;
  had_byte_ = false;
  retries_ = 0;
  auto begun = restart(false);
  if (!begun) failed_ = std::make_unique<Error>(begun.error());
  return begun;
}

Status UsbNoiseSource::restart(bool halted) {
  if (!plan_.initialise_at_restart) return device_->restart_stream(halted);
  TALLA_TRY_STATUS(device_->stop_stream());
  if (halted) TALLA_TRY_STATUS(device_->clear_halt(plan_.stream.endpoint));
  auto ready = driver_->initialise(*device_);
  while (!ready && passing(ready.error()) && retries_ < plan_.retries_max) {
    ++retries_;
    ++counters_.failures;
    TALLA_TRY_STATUS(device_->clear_halt(plan_.stream.endpoint));
    ready = driver_->initialise(*device_);
  }
  if (!ready) return ready;
  return device_->start_stream(plan_.stream);
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
