#include "source_keeper.hpp"

#include "log.hpp"
#include "usb/errors.hpp"

namespace talla::rngd {

namespace {

constexpr unsigned look_ms = 100;
constexpr unsigned wait_for_device_s = 2;
/// After a start that failed otherwise than for want of a device, and after a device that was
/// refused.
constexpr std::int64_t failed_pause_ms = 2'000;
constexpr std::int64_t refused_pause_ms = 60'000;

std::int64_t now_ms() {
  SystemClock clock;
  return clock.monotonic_ns() / 1'000'000;
}

}  // namespace

SourceKeeper::SourceKeeper(std::vector<UsbPlace> places)
    : places_(std::move(places)), not_before_ms_(places_.size(), 0) {
  for (UsbPlace& place : places_) {
    place.options.wait_for_device_s = wait_for_device_s;
    place.options.cancelled = &released_;
  }
}

SourceKeeper::~SourceKeeper() {
  release();
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SourceKeeper::keep(core::GeneratorSupply& supply, Wrap wrap) {
  {
    const std::scoped_lock lock(supply_mutex_);
    supply_ = &supply;
  }
  wrap_ = std::move(wrap);
  thread_ = std::thread([this] { run(); });
}

void SourceKeeper::release() {
  released_ = true;
  wake_.notify_all();
  const std::scoped_lock lock(supply_mutex_);
  supply_ = nullptr;
}

void SourceKeeper::run() {
  while (!released_) {
    look();
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::milliseconds(look_ms),
                   [this] { return ending_ || released_; });
  }
  std::unique_lock lock(mutex_);  // its sources live on until the generator is gone
  wake_.wait(lock, [this] { return ending_; });
}

void SourceKeeper::look() {
  for (std::size_t at = 0; at < places_.size() && !released_; ++at) {
    if (now_ms() >= not_before_ms_[at] && lost(places_[at].index)) bring_back(at);
  }
}

bool SourceKeeper::lost(std::size_t index) {
  const std::scoped_lock lock(supply_mutex_);
  if (supply_ == nullptr) return false;
  const auto sources = supply_->evidence().sources;
  return index < sources.size() && sources[index].lost;
}

void SourceKeeper::bring_back(std::size_t at) {
  const UsbPlace& place = places_[at];
  auto started = usb::SourceProcess::start(place.options);
  if (!started) {
    const bool absent =
        started.error().detail.find(usb::errc_name(usb::UsbErrc::no_device)) != std::string::npos;
    if (absent || released_) return;
    log(Level::warning, "source_not_back",
        {{"device", place.options.device}, {"reason", started.error().text()}});
    not_before_ms_[at] = now_ms() + failed_pause_ms;
    return;
  }
  std::unique_ptr<entropy::NoiseSource> source = std::move(*started);
  const std::scoped_lock lock(supply_mutex_);
  if (supply_ == nullptr) return;
  if (wrap_) source = wrap_(std::move(source));
  const Status taken = supply_->replace_source(place.index, std::move(source));
  if (taken) {
    log(Level::notice, "source_back",
        {{"device", place.options.device},
         {"meaning", "its start-up test comes first; a latch stays until it is reset"}});
    return;
  }
  log(Level::warning, "source_refused",
      {{"device", place.options.device}, {"reason", taken.error().text()}});
  not_before_ms_[at] = now_ms() + refused_pause_ms;
}

}  // namespace talla::rngd
