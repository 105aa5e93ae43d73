/// \file
/// Calls behind VOIDs (PROTOCOL section 5b): how many a round, or outside rounds a shoe or batch,
/// may have before two persons order another call, and whom that call has to name.
///
/// An order is an act of two persons (act.hpp), signed by both for one state of the table; the CALL
/// that rests on it carries it. It stands until something happens at the table.
/// Threads: the sequencer's.
#pragma once

#include "command.hpp"

namespace talla::core {

/// What the request's client has signed of that act at this head. Errors: order_signature,
/// malformed_request.
[[nodiscard]] Result<certs::AccessOrder> signed_order(const Call& call, const Act& act,
                                                      const Digest& head);
/// An act that is signed is for the present state of its table, and not of the table's own key.
/// Errors: not_found, head_wrong, same_person.
[[nodiscard]] Status order_stands(const Call& call, const Act& act);
/// Something of it ended in VOID, and nothing of its table is called for. Errors: not_found,
/// wrong_state, turn_open.
[[nodiscard]] Status call_again_possible(const Call& call, const Act& act);
/// The order of both persons stands from now on. `seq`: its ACCESS.
[[nodiscard]] Status take_order(const Call& call, const Act& act, std::uint64_t seq);

/// The order that stands at the table for the next call of its object; null: none.
[[nodiscard]] const StandingOrder* standing_order(const Table& table);
/// Whether a core leaves nobody out whom it has to name, or an order stands. Errors:
/// contributor_dropped.
[[nodiscard]] Status keeps_contributors(const Table& table, const certs::CallCore& core);
/// Whether it comes in time, or by an order: else the same core becomes a CALL once one is there.
/// Errors: void_limit.
[[nodiscard]] tl::expected<void, Failure> within_voids(const Table& table,
                                                       const certs::CallCore& core);
/// The CALL of a core that stands, which cites the record `head`: with its order, where it needs
/// one.
struct CallRecord {
  certs::CallBody body;
  std::vector<std::uint64_t> cites;
};
[[nodiscard]] CallRecord call_record(const Table& table, const certs::CallBody& body,
                                     std::uint64_t head);
/// What the CALL of a mix cites beside that: the first one of a shoe, the SHOE_CLOSE of the one
/// before at its table.
void cite_shoe_before(const Table& table, const Shoe& shoe, std::vector<std::uint64_t>& cites);

/// The document of an order, and back. Errors: replay_failed.
[[nodiscard]] std::string order_document(const StandingOrder& order);
[[nodiscard]] Result<StandingOrder> order_from(const std::string& text);

}  // namespace talla::core
