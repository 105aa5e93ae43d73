/// \file
/// Whether an opening is the number that was committed to, signed for its call.
///
/// What a call binds never changes, so it is looked at on the thread that asks; whether the client
/// may open, and whether the call still waits, is the sequencer's.
/// Threads: any.
#pragma once

#include <memory>

#include "admission.hpp"
#include "call_board.hpp"

namespace talla::core {

/// What was found of the opening in a request.
struct OpeningVerdict {
  Status holds;
};

/// What a request says was opened. Precondition: it fits its schema. Errors: malformed_request.
[[nodiscard]] Result<certs::CallOpening> opening_in(const json::Value& body);
/// Errors: commit_mismatch, opening_signature.
[[nodiscard]] Status check_opening(const HashSuite& hashes, const PostedCall& call,
                                   const certs::Contributor& one, const certs::CallOpening& opened);
/// Of a request that opens. Null: the call that it names waits for nothing more of this id.
[[nodiscard]] std::shared_ptr<const OpeningVerdict> judge_opening(const HashSuite& hashes,
                                                                  const CallBoard& board,
                                                                  const Admitted& asked);

}  // namespace talla::core
