// What ends by the wall clock.
#include "expiry.hpp"

#include <algorithm>

#include "acts.hpp"
#include "commands.hpp"

namespace talla::core {

void Expiry::on_turn() {
  close_batches();
  end_acts();
}

void Expiry::close_batches() {
  auto& world = appliance_.world;
  const auto now = appliance_.effects.clock.utc_us();
  if (now < world.batch_due_us) return;
  auto next_us = never_us;
  for (const auto& [seq, batch] : world.batches) {
    if (!batch.secrets) continue;
    if (now < due_us(batch)) {
      next_us = std::min(next_us, due_us(batch));
      continue;
    }
    auto tx = appliance_.begin();
    const auto reason =
        is_used(batch) ? certs::BatchCloseReason::used : certs::BatchCloseReason::expired;
    if (add_batch_close(tx, seq, reason)) {
      tx.keep();
    } else {
      next_us = 0;  // again in the next turn
    }
  }
  world.batch_due_us = next_us;
}

void Expiry::end_acts() {
  const auto now_us = appliance_.effects.clock.utc_us();
  std::vector<Act> late;
  for (const auto& [seq, act] : appliance_.world.acts) {
    if (act.stage == ActStage::asked && act_late(act, appliance_.settings, now_us))
      late.push_back(act);
  }
  for (const auto& act : late) {
    auto tx = appliance_.begin();
    if (add_step(tx, act, ActStage::expired)) tx.keep();
  }
}

}  // namespace talla::core
