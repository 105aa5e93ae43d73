/// \file
/// What the ledger keeps beside its records, folded into the state: documents, and at a start where
/// a meter stands. Private to core.
///
/// What is folded in here is in the same group as the change (a draft of bets, a target given to a
/// machine), or comes from the ledger at a start.
#pragma once

#include <cstdint>
#include <vector>

#include "world.hpp"

namespace talla::core {

class Documents {
 public:
  // The object is there (checked).
  /// The draft of an open round; `played` on the state of its table, where it was.
  static void take_draft(Overlay& world, ObjectSeq round, BetDraft draft,
                         std::optional<PlayedBets> played = {});
  /// How many single targets the machine was given of the shoe's order.
  static void take_targets(Overlay& world, ObjectSeq shoe, std::uint32_t targets);
  /// Where its newest record, of seq `last`, leaves a meter that tables share.
  static void take_meter(Overlay& world, ObjectSeq meter, std::int64_t value, std::uint64_t last);
  /// Whether the table waits for its judgement, as its resume point says it.
  static void take_suspension(Overlay& world, ObjectSeq table, bool suspended);
  /// Invitations and commitments of a table.
  static void take_panel(Overlay& world, ObjectSeq table, Panel panel);
  /// Somebody opened behind the open call of the table.
  static void take_opening(Overlay& world, ObjectSeq table, const std::string& id,
                           const certs::CallOpening& opening);
  /// The ANSWER of that seq is the newest of its series.
  static void take_answer(Overlay& world, const Digest& series, std::uint64_t seq);
  /// What two persons have ordered for the next call of the table.
  static void take_order(Overlay& world, ObjectSeq table, StandingOrder order);
  static void take_clients(Overlay& world, std::vector<EnrolledClient> clients);
  static void take_approvals(Overlay& world, std::vector<Approval> approvals);
};

}  // namespace talla::core
