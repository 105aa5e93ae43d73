// What the ledger keeps beside its records, folded into the state.
#include "documents.hpp"

#include <utility>

#include "base/check.hpp"
#include "editing.hpp"

namespace talla::core {

void Documents::take_draft(Overlay& world, ObjectSeq round, BetDraft draft,
                           std::optional<PlayedBets> played) {
  Round* found = Editing(world).round(round);
  TALLA_CHECK(found != nullptr);
  found->draft = std::move(draft);
  found->draft_played = std::move(played);
}

void Documents::take_targets(Overlay& world, ObjectSeq shoe, std::uint32_t targets) {
  Shoe* found = Editing(world).shoe(shoe);
  TALLA_CHECK(found != nullptr && found->release);
  found->release->targets = targets;
}

void Documents::take_meter(Overlay& world, ObjectSeq meter, std::int64_t value,
                           std::uint64_t last) {
  SharedMeter* found = Editing(world).meter(meter);
  TALLA_CHECK(found != nullptr);
  found->value = value;
  found->last_seq = last;
}

void Documents::take_suspension(Overlay& world, ObjectSeq table, bool suspended) {
  Table* found = Editing(world).table(table);
  TALLA_CHECK(found != nullptr);
  found->suspended = suspended;
}

void Documents::take_panel(Overlay& world, ObjectSeq table, Panel panel) {
  Table* found = Editing(world).table(table);
  TALLA_CHECK(found != nullptr);
  found->panel = std::move(panel);
}

void Documents::take_order(Overlay& world, ObjectSeq table, StandingOrder order) {
  Table* found = Editing(world).table(table);
  TALLA_CHECK(found != nullptr);
  found->again = std::move(order);
}

void Documents::take_opening(Overlay& world, ObjectSeq table, const std::string& id,
                             const certs::CallOpening& opening) {
  Table* found = Editing(world).table(table);
  TALLA_CHECK(found != nullptr && found->open_call);
  found->open_call->take(id, opening);
}

void Documents::take_answer(Overlay& world, const Digest& series, std::uint64_t seq) {
  Editing(world).answered(series, seq);
}

void Documents::take_clients(Overlay& world, std::vector<EnrolledClient> clients) {
  Editing(world).clients() = std::move(clients);
}

void Documents::take_approvals(Overlay& world, std::vector<Approval> approvals) {
  Editing(world).approvals() = std::move(approvals);
}

}  // namespace talla::core
