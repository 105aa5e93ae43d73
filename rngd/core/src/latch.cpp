// The latch as the ledger has it, and its reset by two persons.
#include "latch.hpp"

#include <algorithm>
#include <array>

#include "acts.hpp"

namespace talla::core {
namespace {

entropy::LatchReason reason_from(std::string_view name) {
  using Reason = entropy::LatchReason;
  for (const Reason reason :
       {Reason::health_permanent, Reason::source_failed, Reason::drbg_failed, Reason::seed_failed,
        Reason::self_test_failed, Reason::startup_timeout, Reason::operator_request,
        Reason::clock_step, Reason::fork, Reason::software_mismatch}) {
    if (entropy::latch_reason_name(reason) == name) return reason;
  }
  return Reason::other;
}

}  // namespace

Status Latch::load() {
  TALLA_TRY(const auto reason, appliance_.effects.log.ledger().draft(latch_document));
  if (!reason || reason->empty()) return {};
  stands_ = true;
  appliance_.effects.supply.latch(reason_from(*reason));
  return {};
}

void Latch::stand(Transaction& tx, entropy::LatchReason reason) {
  tx.group().drafts.push_back({latch_document, std::string(entropy::latch_reason_name(reason))});
  stands_ = true;
}

bool secrets_lost(const World& world) {
  const bool shoe_lost = std::ranges::any_of(world.shoes, [](const auto& entry) {
    return !entry.second.progress.closed && !entry.second.secrets;
  });
  const bool batch_lost = std::ranges::any_of(world.batches, [](const auto& entry) {
    const auto& batch = entry.second;
    const bool unused = !batch.closed && batch.progress.next < batch.commit->count;
    return (unused || !batch.open_intents.empty()) && !batch.secrets;
  });
  return shoe_lost || batch_lost;
}

Status Latch::reset_possible() const {
  const auto reason = appliance_.effects.supply.latched();
  if (!stands_ && !reason && !clock_.stepped())
    return fail(Errc::wrong_state, "the generator is not latched");
  if (reason == entropy::LatchReason::fork)
    return fail(Errc::cause_persists, "the generator belongs to another process");
  if (secrets_lost(appliance_.world))
    return fail(Errc::cause_persists, "a sealed secret that is needed does not open");
  return {};
}

void Latch::on_written(std::uint64_t group) {
  if (running_act(appliance_.world, ActKind::latch_reset) != nullptr && !resetting_ && !due_with_)
    due_with_ = group;
}

void Latch::on_durable(std::uint64_t group) {
  if (!due_with_ || group < *due_with_) return;
  due_with_.reset();
  if (appliance_.failed() || resetting_ ||
      running_act(appliance_.world, ActKind::latch_reset) == nullptr)
    return;
  resetting_ = true;
  appliance_.effects.supply.begin_reset();
}

void Latch::reset_ended(const Status& how) {
  if (!resetting_) return;
  resetting_ = false;
  if (!record_end(how)) appliance_.lose_event();
}

Status Latch::record_end(const Status& how) {
  const auto* act = running_act(appliance_.world, ActKind::latch_reset);
  if (act == nullptr) return fail(Errc::wrong_state, "nobody confirmed this reset");
  const bool good = how.has_value() && !appliance_.effects.supply.latched();
  auto tx = appliance_.begin();
  TALLA_TRY(const auto seq, add_step(tx, *act, good ? ActStage::done : ActStage::failed));
  static_cast<void>(seq);
  if (good) tx.group().drafts.push_back({latch_document, {}});
  tx.keep();
  if (good) {
    stands_ = false;
    clock_.forget();
  }
  appliance_.metrics.count(std::string("talla_latch_resets_total{result=\"") +
                           (good ? "done" : "failed") + "\"}");
  return {};
}

Status Latch::end_interrupted() {
  const auto* act = running_act(appliance_.world, ActKind::latch_reset);
  if (act == nullptr) return {};
  auto tx = appliance_.begin();
  TALLA_TRY(const auto seq, add_step(tx, *act, ActStage::failed));
  static_cast<void>(seq);
  tx.keep();
  return {};
}

void Latch::on_pause() {
  const bool latched = stands_ || appliance_.effects.supply.latched();
  appliance_.metrics.set("talla_latched", latched ? 1.0 : 0.0);
}

std::optional<Error> Latch::objection() const {
  if (!stands_) return std::nullopt;
  return Error(Errc::entropy_latched, "the generator is latched");
}

}  // namespace talla::core
