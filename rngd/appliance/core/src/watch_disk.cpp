// Free disk space below the reserve stops new commitments.
#include "watch_disk.hpp"

namespace talla::core {

/// Low until a sixteenth more than the reserve is free: what is written at the border ends nothing.
void DiskWatch::look() {
  const auto free = appliance_.effects.log.ledger().disk_free_bytes();
  if (!free) return;
  const auto reserve = appliance_.settings.disk_reserve_bytes;
  low_ = *free < reserve || (low_ && *free - reserve < reserve / 16);
}

void DiskWatch::on_pause() {
  if (!appliance_.settings.ended) {
    look();
    told_.tell(appliance_, low_);
  }
  appliance_.metrics.set("talla_disk_below_reserve", low_ ? 1.0 : 0.0);
}

std::optional<Error> DiskWatch::objection() const {
  if (!low_) return std::nullopt;
  return Error(Errc::disk_reserve, "free disk space is below the reserve");
}

}  // namespace talla::core
