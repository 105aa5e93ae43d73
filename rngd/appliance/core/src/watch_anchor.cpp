// The rollback anchor, written now and then.
#include "watch_anchor.hpp"

namespace talla::core {

AnchorWatch::AnchorWatch(Appliance& appliance)
    : appliance_(appliance),
      told_("rollback-anchor"),
      written_ns_(appliance.effects.clock.monotonic_ns()),
      good_ns_(written_ns_) {}

/// One that stays behind for long protects nothing that is new.
void AnchorWatch::look() {
  const auto& settings = appliance_.settings;
  auto& log = appliance_.effects.log;
  const auto now = appliance_.effects.clock.monotonic_ns();
  const auto lag = log.anchor_lag();
  const auto anchored = log.size() - lag;
  if (lag == 0 || anchored != seen_) {
    good_ns_ = now;
    seen_ = anchored;
  }
  lost_ = settings.anchor_lost_us > 0 && now - good_ns_ >= settings.anchor_lost_us * 1000;
  if (lag == 0 || now - written_ns_ < settings.anchor_interval_us * 1000) return;
  if (!log.post_anchor()) appliance_.metrics.count("talla_anchor_failures_total");
  written_ns_ = now;
}

void AnchorWatch::on_pause() {
  if (!appliance_.settings.ended) {
    look();
    told_.tell(appliance_, lost_);
  }
  appliance_.metrics.set("talla_anchor_lag_records",
                         static_cast<double>(appliance_.effects.log.anchor_lag()));
  appliance_.metrics.set("talla_anchor_lost", lost_ ? 1.0 : 0.0);
}

std::optional<Error> AnchorWatch::objection() const {
  if (!lost_) return std::nullopt;
  return Error(Errc::anchor_lost, "the rollback anchor has not been written for too long");
}

}  // namespace talla::core
