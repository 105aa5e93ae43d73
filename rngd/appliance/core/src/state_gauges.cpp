// How much the state holds, as gauges.
#include "state_gauges.hpp"

namespace talla::core {

void StateGauges::on_pause() {
  const auto& world = appliance_.world();
  auto& metrics = appliance_.metrics;
  const auto set = [&](const std::string& name, std::size_t value) {
    metrics.set(name, static_cast<double>(value));
  };
  set("talla_log_size", appliance_.effects.log.size());
  set("talla_tables_open", world.tables.size());
  set("talla_shoes_live", world.shoes.size());
  set("talla_rounds_open", world.rounds.size());
  set("talla_batches_open", world.batches.size());
  set("talla_meters_open", world.meters.size());
  set("talla_acts_open", Overlay(world).open_acts().size());
  metrics.drop("talla_meter_value{");
  for (const auto& [seq, meter] : world.meters)
    metrics.set("talla_meter_value{meter=\"" + meter.id + "\"}", static_cast<double>(meter.value));
  metrics.set("talla_log_ended", appliance_.settings.ended ? 1.0 : 0.0);
}

}  // namespace talla::core
