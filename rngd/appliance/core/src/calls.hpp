/// \file
/// Calls: what a table signed before a mix or a draw (PROTOCOL section 5b, FORMAT.md section 8),
/// and whether it stands.
///
/// A core names all that a result follows from. What it says of the table must be so when it comes:
/// then it becomes a CALL, and nothing can be chosen any more. One core a turn: the same one again
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
/// Members of a request that makes a call.
[[nodiscard]] Schema call_schema();

/// What a call of this turn rests on.
struct CallStands {
  const Table* table = nullptr;
  std::uint64_t head = 0;  ///< seq of the record that its `head` is of: CALL cites it
};
/// The same core as one that stands already, with that one's reply.
using CallAgain = Done;
/// The table works and is the client's, the key is the table's, the turn is the next one, and game,
/// rules and head are those of the table. Errors: not_found, table_closed, table_suspended,
/// call_signature, turn_gap, turn_open, core_mismatch, head_wrong; defer where a head or an earlier
/// CALL is not durable.
[[nodiscard]] tl::expected<std::variant<CallStands, CallAgain>, Failure> judge_call(
    const Call& call, certs::CallUse use);
/// Digest of the round's closed bets; before they are closed, and without a round, of an empty
/// list.
[[nodiscard]] Digest bets_so_far(const HashSuite& hashes, const Round* round);
/// Errors: core_mismatch with the member's name, where core and appliance do not say the same.
[[nodiscard]] Status core_says(bool same, const char* member);

}  // namespace talla::core
