/// \file
/// Calls: what a table signed before a mix or a draw (PROTOCOL section 5b, FORMAT.md section 8),
/// and whether it stands.
///
/// A core names all that a result follows from. What it says of the table must be so when it comes:
/// then it becomes a CALL, and nothing can be chosen any more. Where it is not, the core lapses: it
/// shows the table's number, so it is answered by a VOID that carries it, spends the turn and
/// counts, and nobody can have looked at a number for nothing. One core a turn: the same one again
/// gets the reply that stands, under whatever idempotency key; another one of that turn is refused.
/// Threads: the sequencer's, but for `signed_call_of`.
#pragma once

#include <variant>

#include "command.hpp"
#include "schema.hpp"

namespace talla::core {

/// The core and signature that a request holds, its signature checked against the key of whoever
/// sent it. Any thread. Errors: malformed_request, call_signature.
[[nodiscard]] Result<SignedCall> signed_call_of(const HashSuite& hashes, const Client& client,
                                                const json::Value& body);
/// A core, of a request.
[[nodiscard]] Schema core_schema();
/// Members of a request that makes a call.
[[nodiscard]] Schema call_schema();

/// A core of the next turn at this table: it becomes a CALL, or lapses.
struct CallDue {
  const Table* table = nullptr;
};
/// The same core as one that is answered already, with that one's reply.
using CallAgain = Done;
/// The table works and is the client's, the key is the table's, the turn is the next one, and no
/// call is open. Errors: not_found, table_closed, table_suspended, call_signature, turn_gap,
/// turn_open, core_mismatch; defer where an earlier answer is not durable.
[[nodiscard]] tl::expected<std::variant<CallDue, CallAgain>, Failure> judge_call(
    const Call& call, certs::CallUse use);
/// Game, rules and head are those of the table; the seq of the record that the head is of, which
/// CALL cites. Errors: core_mismatch, head_wrong; defer where that record is not durable.
[[nodiscard]] tl::expected<std::uint64_t, Failure> head_of_call(const Call& call,
                                                                const Table& table);
/// The VOID of a core of the next turn that does not stand, which says `why` in its reply. Where it
/// names the next secret of an open batch, that is opened and spent. What only has to wait, also
/// for an order of two persons, and a sealed secret that does not open, are handed on: the client
/// asks again.
[[nodiscard]] Outcome lapse(const Call& call, const Failure& why);
/// Whether the further contributors of a core are those that the table has, each next in its
/// count. Errors: others_order, duplicate, contributor_unknown, t_gap, commit_mismatch,
/// required_missing.
[[nodiscard]] Status others_stand(const Table& table, const certs::CallCore& core);
/// The reply to a core that became CALL `seq`, where others than the table are waited for.
[[nodiscard]] Done waits_for_others(const Call& call, std::uint64_t seq);
/// The member `call` of such a reply.
[[nodiscard]] Schema called_reply();
/// The member `lapsed` of a reply to a core that does not stand.
[[nodiscard]] Schema lapsed_reply();
/// Digest of the round's closed bets; before they are closed, and without a round, of an empty
/// list.
[[nodiscard]] Digest bets_so_far(const HashSuite& hashes, const Round* round);
/// Errors: core_mismatch with the member's name, where core and appliance do not say the same.
[[nodiscard]] Status core_says(bool same, const char* member);

}  // namespace talla::core
