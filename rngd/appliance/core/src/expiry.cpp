// What ends by the wall clock.
#include "expiry.hpp"

#include "acts.hpp"
#include "commands.hpp"

namespace talla::core {

void Expiry::on_turn() {
  close_batches();
  end_acts();
}

void Expiry::close_batches() {
  for (const auto seq : appliance_.due_batches()) {
    auto tx = appliance_.begin();
    const bool used = is_used(*tx.world().batch(seq));
    const auto reason = used ? certs::BatchCloseReason::used : certs::BatchCloseReason::expired;
    if (add_batch_close(tx, seq, reason)) tx.keep();  // else again in the next turn
  }
}

void Expiry::end_acts() {
  const auto now_us = appliance_.effects.clock.utc_us();
  std::vector<Act> late;
  for (const auto& [seq, act] : appliance_.world().acts) {
    if (act.stage == ActStage::asked && act_late(act, appliance_.settings, now_us))
      late.push_back(act);
  }
  for (const auto& act : late) {
    auto tx = appliance_.begin();
    if (add_step(tx, act, ActStage::expired)) tx.keep();
  }
}

}  // namespace talla::core
