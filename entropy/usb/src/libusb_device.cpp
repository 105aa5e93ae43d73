#include "libusb_device.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <tuple>

#include "base/check.hpp"
#include "base/secret.hpp"

namespace talla::usb {
namespace {

constexpr unsigned reap_patience_ms = 2000;
constexpr unsigned reap_slice_ms = 50;

}  // namespace

LibusbDevice::LibusbDevice(std::shared_ptr<LibusbContext> context, libusb_device_handle* handle,
                           DeviceInfo info)
    : context_(std::move(context)), handle_(handle), info_(std::move(info)) {}

LibusbDevice::~LibusbDevice() {
  if (!drain()) {
    context_->keep = true;
    for (auto& slot : ring_)
      std::ignore = slot.release();  // NOLINT: the kernel may still write there
    return;
  }
  free_ring();
  // The last first: a serial port's driver comes back at its control interface and needs the data
  //                 interface free by then.
  for (const std::uint8_t number : std::views::reverse(claimed_))
    libusb_release_interface(handle_, number);
  libusb_close(handle_);
}

void LibusbDevice::free_ring() {
  for (auto& slot : ring_) {
    wipe(slot->buffer.data(), slot->buffer.size());
    libusb_free_transfer(slot->transfer);
  }
  ring_.clear();
}

Status LibusbDevice::claim(std::uint8_t interface_number) {
  // Detaching may be unsupported or refused; the claim then says so itself.
  static_cast<void>(libusb_set_auto_detach_kernel_driver(handle_, 1));
  const int code = libusb_claim_interface(handle_, interface_number);
  if (code != 0) {
    return tl::unexpected<Error>(libusb_error(
        code, "claim of interface " + std::to_string(interface_number) + " of " + info_.place()));
  }
  claimed_.push_back(interface_number);
  return {};
}

Result<Bytes> LibusbDevice::control_in(const ControlRequest& request, std::uint16_t size_bytes,
                                       unsigned timeout_ms) {
  TALLA_CHECK((request.request_type & LIBUSB_ENDPOINT_IN) != 0);
  Bytes answer(size_bytes);
  const int got =
      libusb_control_transfer(handle_, request.request_type, request.request, request.value,
                              request.index, answer.data(), size_bytes, timeout_ms);
  if (got < 0)
    return tl::unexpected<Error>(libusb_error(got, "control request to " + info_.place()));
  answer.resize(static_cast<std::size_t>(got));
  return answer;
}

Status LibusbDevice::control_out(const ControlRequest& request, ByteView data,
                                 unsigned timeout_ms) {
  TALLA_CHECK((request.request_type & LIBUSB_ENDPOINT_IN) == 0);
  TALLA_CHECK(data.size() <= UINT16_MAX);
  Bytes copy(data.begin(), data.end());
  const int sent = libusb_control_transfer(handle_, request.request_type, request.request,
                                           request.value, request.index, copy.data(),
                                           static_cast<std::uint16_t>(copy.size()), timeout_ms);
  if (sent < 0)
    return tl::unexpected<Error>(libusb_error(sent, "control request to " + info_.place()));
  if (static_cast<std::size_t>(sent) != data.size()) {
    return fail(UsbErrc::transfer_failed, "control request to " + info_.place() + " was cut short");
  }
  return {};
}

Result<Bytes> LibusbDevice::bulk_in(std::uint8_t endpoint, std::size_t size_bytes,
                                    unsigned timeout_ms) {
  TALLA_CHECK((endpoint & LIBUSB_ENDPOINT_IN) != 0);
  TALLA_CHECK(size_bytes <= 65536);
  Bytes answer(size_bytes);
  int got = 0;
  const int code = libusb_bulk_transfer(handle_, endpoint, answer.data(),
                                        static_cast<int>(size_bytes), &got, timeout_ms);
  if (code != 0 && (code != LIBUSB_ERROR_TIMEOUT || got == 0)) {
    return tl::unexpected<Error>(libusb_error(code, "bulk read from " + info_.place()));
  }
  answer.resize(static_cast<std::size_t>(got));
  return answer;
}

Status LibusbDevice::bulk_out(std::uint8_t endpoint, ByteView data, unsigned timeout_ms) {
  TALLA_CHECK((endpoint & LIBUSB_ENDPOINT_IN) == 0);
  TALLA_CHECK(data.size() <= 65536);
  Bytes copy(data.begin(), data.end());
  int sent = 0;
  const int code = libusb_bulk_transfer(handle_, endpoint, copy.data(),
                                        static_cast<int>(copy.size()), &sent, timeout_ms);
  if (code != 0) return tl::unexpected<Error>(libusb_error(code, "bulk write to " + info_.place()));
  if (static_cast<std::size_t>(sent) != data.size()) {
    return fail(UsbErrc::transfer_failed, "bulk write to " + info_.place() + " was cut short");
  }
  return {};
}

Status LibusbDevice::clear_halt(std::uint8_t endpoint) {
  const int code = libusb_clear_halt(handle_, endpoint);
  if (code != 0) return tl::unexpected<Error>(libusb_error(code, "clear-halt of " + info_.place()));
  return {};
}

Status LibusbDevice::start_stream(const StreamOptions& options) {
  TALLA_CHECK(ring_.empty());
  TALLA_CHECK((options.endpoint & LIBUSB_ENDPOINT_IN) != 0);
  TALLA_CHECK(options.transfer_bytes >= 1 && options.transfer_bytes <= 65536);
  TALLA_CHECK(options.transfers_count >= 1 && options.transfers_count <= 64);
  endpoint_ = options.endpoint;
  for (unsigned k = 0; k < options.transfers_count; ++k) {
    auto slot = std::make_unique<Slot>();
    slot->owner = this;
    slot->buffer.resize(options.transfer_bytes);
    slot->transfer = libusb_alloc_transfer(0);
    TALLA_CHECK(slot->transfer != nullptr);
    libusb_fill_bulk_transfer(slot->transfer, handle_, endpoint_, slot->buffer.data(),
                              static_cast<int>(slot->buffer.size()), &LibusbDevice::on_complete,
                              slot.get(), 0);
    ring_.push_back(std::move(slot));
  }
  return submit_ring();
}

void LIBUSB_CALL LibusbDevice::on_complete(libusb_transfer* transfer) {
  auto* slot = static_cast<Slot*>(transfer->user_data);
  slot->in_flight = false;
  --slot->owner->in_flight_;
  slot->owner->completed_.push_back(slot);
}

int LibusbDevice::submit(Slot& slot) {
  const int code = libusb_submit_transfer(slot.transfer);
  if (code == 0) {
    slot.in_flight = true;
    ++in_flight_;
  }
  return code;
}

Status LibusbDevice::submit_ring() {
  standing_ = StreamEvent::none;
  fault_after_ = StreamEvent::none;
  for (auto& slot : ring_) {
    const int code = submit(*slot);
    if (code == 0) continue;
    standing_ = code == LIBUSB_ERROR_NO_DEVICE ? StreamEvent::gone : StreamEvent::failed;
    return tl::unexpected<Error>(libusb_error(code, "read request to " + info_.place()));
  }
  return {};
}

StreamEvent LibusbDevice::next(Bytes& bytes, unsigned timeout_ms) {
  TALLA_CHECK(!ring_.empty());
  bytes.clear();
  const std::int64_t until_ns =
      context_->clock.monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
  while (true) {
    if (standing_ != StreamEvent::none) return standing_;
    if (!completed_.empty()) {
      Slot* slot = completed_.front();
      completed_.pop_front();
      return take(*slot, bytes);
    }
    if (fault_after_ != StreamEvent::none) return standing_ = fault_after_;
    if (interrupted_.exchange(false)) return StreamEvent::none;
    const std::int64_t left_ns = until_ns - context_->clock.monotonic_ns();
    const auto left_ms =
        static_cast<unsigned>(std::max<std::int64_t>(0, (left_ns + 999'999) / 1'000'000));
    const int code = context_->handle_events(left_ms);
    if (code == LIBUSB_ERROR_NO_DEVICE) standing_ = StreamEvent::gone;
    if (code < 0 && code != LIBUSB_ERROR_NO_DEVICE && code != LIBUSB_ERROR_INTERRUPTED) {
      standing_ = StreamEvent::failed;
    }
    if (left_ns <= 0 && completed_.empty() && standing_ == StreamEvent::none)
      return StreamEvent::none;
  }
}

StreamEvent LibusbDevice::take(Slot& slot, Bytes& bytes) {
  switch (slot.transfer->status) {
    case LIBUSB_TRANSFER_COMPLETED: {
      const auto size = static_cast<std::size_t>(slot.transfer->actual_length);
      bytes.assign(slot.buffer.begin(), slot.buffer.begin() + static_cast<std::ptrdiff_t>(size));
      const int code = submit(slot);
      // The bytes in hand are good, and so are those that completed after them: the fault waits for
      // its turn.
      if (code != 0)
        fault_after_ = code == LIBUSB_ERROR_NO_DEVICE ? StreamEvent::gone : StreamEvent::failed;
      return StreamEvent::data;
    }
    case LIBUSB_TRANSFER_STALL:
      standing_ = StreamEvent::stalled;
      break;
    case LIBUSB_TRANSFER_NO_DEVICE:
      standing_ = StreamEvent::gone;
      break;
    default:
      standing_ = StreamEvent::failed;
      break;
  }
  return standing_;
}

bool LibusbDevice::drain() {
  for (auto& slot : ring_) {
    // NOT_FOUND: it has completed already and waits to be reaped.
    if (slot->in_flight) static_cast<void>(libusb_cancel_transfer(slot->transfer));
  }
  const std::int64_t until_ns =
      context_->clock.monotonic_ns() + std::int64_t{reap_patience_ms} * 1'000'000;
  while (in_flight_ > 0 && context_->clock.monotonic_ns() < until_ns) {
    static_cast<void>(context_->handle_events(reap_slice_ms));
  }
  if (in_flight_ > 0) return false;
  if (std::ranges::any_of(completed_, [](const Slot* slot) {
        return slot->transfer->status == LIBUSB_TRANSFER_NO_DEVICE;
      })) {
    standing_ = StreamEvent::gone;
  }
  completed_.clear();
  return true;
}

Status LibusbDevice::quiet() {
  TALLA_CHECK(!ring_.empty());
  if (!drain())
    return fail(UsbErrc::transfer_failed,
                "a read request of " + info_.place() + " does not come back");
  if (standing_ == StreamEvent::gone || fault_after_ == StreamEvent::gone)
    return fail(UsbErrc::gone, info_.place() + " was unplugged");
  return {};
}

Status LibusbDevice::stop_stream() {
  TALLA_TRY_STATUS(quiet());
  free_ring();
  standing_ = StreamEvent::none;
  fault_after_ = StreamEvent::none;
  return {};
}

Status LibusbDevice::restart_stream(bool with_clear_halt) {
  TALLA_TRY_STATUS(quiet());
  if (with_clear_halt) TALLA_TRY_STATUS(clear_halt(endpoint_));
  return submit_ring();
}

void LibusbDevice::interrupt() {
  interrupted_ = true;
  libusb_interrupt_event_handler(context_->handle);
}

}  // namespace talla::usb
