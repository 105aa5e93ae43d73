// The log as tile files.
#include "tiles.hpp"

namespace talla::core {
namespace {

constexpr std::int64_t interval_ns = 1'000'000'000;

}  // namespace

void Tiles::write() {
  if (!appliance_.effects.tiles->update()) appliance_.metrics.count("talla_tile_failures_total");
}

void Tiles::start_thread() {
  if (appliance_.effects.tiles != nullptr) aside_ = std::make_unique<Aside>([this] { write(); });
}

void Tiles::on_pause() {
  const auto now = appliance_.effects.clock.monotonic_ns();
  if (appliance_.effects.tiles == nullptr || now - written_ns_ < interval_ns) return;
  if (aside_) {
    aside_->ask();
  } else {
    write();
  }
  written_ns_ = now;
}

void Tiles::finish() {
  if (appliance_.effects.tiles != nullptr) static_cast<void>(appliance_.effects.tiles->update());
}

}  // namespace talla::core
