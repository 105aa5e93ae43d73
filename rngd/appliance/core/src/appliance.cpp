// What every part of the service shares.
#include "appliance.hpp"

#include "catalogues.hpp"

namespace talla::core {

Appliance::Appliance(Settings from, Effects on, std::unique_ptr<Catalogues> of)
    : settings(std::move(from)),
      effects(std::move(on)),
      catalogues(std::move(of)),
      context{effects.hashes,
              [this](const Digest& digest) { return catalogues->by_digest(digest); }} {}

Appliance::~Appliance() = default;

Transaction Appliance::begin(Author author) {
  return {{context, effects.log, effects.sealer}, state_, std::move(author)};
}

std::vector<ObjectSeq> Appliance::due_batches() const {
  return state_.due_batches(effects.clock.utc_us());
}

void Appliance::lose_event() {
  metrics.count("talla_event_records_lost_total");
  effects.supply.latch(entropy::LatchReason::other);
  fail();
}

}  // namespace talla::core
