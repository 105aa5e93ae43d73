/// \file
/// Who contributes to a table's calls, and as whom.
///
/// A seat contributes by an invitation of its table, or with the certificate that the open round
/// names for it; a partner with a certificate of the role contributor.
/// Threads: the sequencer's.
#pragma once

#include <string>

#include "command.hpp"

namespace talla::core {

/// A key that may sign openings: P-256, as records hold it. Errors: malformed_request.
[[nodiscard]] Status check_contributor_key(const Bytes& spki);

/// Whether somebody without a certificate may still use this invitation of the table.
[[nodiscard]] bool is_invited(const Client& client, const Table& table);

}  // namespace talla::core
