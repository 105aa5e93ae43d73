// Calls that wait for further contributors.
#include "waiting_calls.hpp"

#include <algorithm>

#include "call_view.hpp"
#include "commands.hpp"
#include "voids.hpp"

namespace talla::core {

std::vector<ObjectSeq> WaitingCalls::waiting() const {
  std::vector<ObjectSeq> found;
  const auto& world = appliance_.world();
  for (const auto seq : world.calling) {
    const auto table = world.tables.find(seq);
    if (table == world.tables.end() || table->second.suspended || !table->second.open_call ||
        table->second.open_call->others == 0 ||
        table->second.open_call->seq >= appliance_.effects.log.size())
      continue;
    found.push_back(seq);
  }
  return found;
}

void WaitingCalls::complete_open() {
  for (const auto seq : waiting()) {
    const auto& table = appliance_.world().tables.at(seq);
    if (table.open_call->all_open()) complete(table);
    if (appliance_.failed()) return;
  }
}

void WaitingCalls::on_turn() {
  complete_open();
  if (appliance_.failed()) return;
  const auto& log = appliance_.effects.log;
  const auto now_us = std::max(appliance_.effects.clock.utc_us(), log.mark().time_us);
  for (const auto seq : waiting()) {
    const auto& table = appliance_.world().tables.at(seq);
    if (now_us >= table.open_call->until_us(table.open.policy.open_within)) leave_out(table);
  }
}

void WaitingCalls::complete(const Table& table) {
  const Overlay world(appliance_.world());
  const auto* open = open_call_of(world, table);
  const auto table_id = table.id;
  const auto call = *table.open_call;
  if (open == nullptr) return appliance_.fail();
  const auto lost = certs::object_seq("shoe", call.object);
  if (lost && !world.shoe(*lost)->secrets) return;  // latched: nothing comes of that shoe any more
  auto tx = appliance_.begin({open->client, open->key, open->request});
  const auto done = [&]() -> Status {
    if (const auto batch = certs::object_seq("batch", call.object)) {
      TALLA_TRY_STATUS(complete_draw(parts_, tx, *batch, call.seq));
      return {};
    }
    TALLA_TRY(const auto shoe, certs::object_seq("shoe", call.object));
    return complete_mix(tx, shoe);
  }();
  if (!done) {
    // The call stays open with what was opened; a restart completes it.
    appliance_.metrics.count("talla_draw_failures_total");
    return appliance_.fail();
  }
  tx.group().documents.push_back({certs::documents::openings(table_id), {}});
  tx.keep();
  if (certs::object_seq("batch", call.object)) appliance_.metrics.count("talla_draws_total");
}

void WaitingCalls::leave_out(const Table& table) {
  auto tx = appliance_.begin();
  if (void_withheld(parts_, tx, table.seq)) tx.keep();  // else again in the next turn
}

}  // namespace talla::core
